/**
 * Texts that people paste, choose or drop: their kind, and the records in them. Like the engine, which parses them, this
 * ignores spaces around a text (docs/formats/README.md).
 */

/** The text without a byte-order mark, spaces and line ends around it. @param {string} text */
export const trimmed = (text) => text.trim();

/** Whether it looks like a record in JSON. @param {string} text */
export const isJson = (text) => trimmed(text).startsWith("{");

/** Whether it looks like a record in either form. @param {string} text */
export const isRecord = (text) => isJson(text) || trimmed(text).startsWith("kingdomino-record");

/**
 * The records of a file: consecutive texts, or JSON, one per line. Empty if there are none.
 * @param {string} text
 */
export function splitRecords(text) {
  if (!isRecord(text)) return [];
  const tidy = trimmed(text);
  if (!isJson(tidy)) return tidy.split(/^(?=[^\S\n]*kingdomino-record )/m);
  const lines = tidy.split("\n").map(trimmed).filter(Boolean);
  return lines.every((line) => line.startsWith("{") && line.endsWith("}")) ? lines : [tidy];
}
