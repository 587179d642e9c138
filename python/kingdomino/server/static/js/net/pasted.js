/**
 * Texts that people paste, choose or drop: what kind they are, and the records in them. The engine reads them; it ignores
 * what copying leaves around a text, and so does this (docs/formats/README.md).
 */

/** The text without a byte-order mark, spaces and line ends around it. @param {string} text */
export const trimmed = (text) => text.trim();

/** Whether it looks like a record in JSON. @param {string} text */
export const isJson = (text) => trimmed(text).startsWith("{");

/** Whether it looks like a record in either form. @param {string} text */
export const isRecord = (text) => isJson(text) || trimmed(text).startsWith("kingdomino-record");

/**
 * The records of a file: texts that follow one another, or JSON, one a line. Empty if it has neither.
 * @param {string} text
 */
export function splitRecords(text) {
  if (!isRecord(text)) return [];
  const tidy = trimmed(text);
  if (!isJson(tidy)) return tidy.split(/^(?=[^\S\n]*kingdomino-record )/m);
  const lines = tidy.split("\n").map(trimmed).filter(Boolean);
  return lines.every((line) => line.startsWith("{") && line.endsWith("}")) ? lines : [tidy];
}
