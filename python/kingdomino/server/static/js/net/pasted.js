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

/** The position in which a record begins; null for the empty table. @param {string} record */
export const startOf = (record) =>
  (isJson(record) ? JSON.parse(trimmed(record)).start : record.match(/^[^\S\n]*start (.+)$/m)?.[1].trim()) ?? null;

/**
 * Puts the three records of a Dynasty into one text.
 * @param {readonly string[]} records
 */
export function joinDynasties(records) {
  const tag = (/** @type {string} */ record, /** @type {string} */ name) => record.match(new RegExp(`^tag ${name} (.+)$`, "m"))?.[1];
  /** @type {string[]} */
  const joined = [];
  for (let at = 0; at < records.length; at += 1) {
    const games = records.slice(at, at + 3);
    const isDynasty = games.length === 3 && tag(games[0], "table") && games.every((record, index) => tag(record, "game") === String(index + 1)
      && ["table", "dynasty"].every((name) => tag(record, name) && tag(record, name) === tag(games[0], name)));
    joined.push(isDynasty ? games.map((record) => `${record.trimEnd()}\n`).join("") : records[at]);
    if (isDynasty) at += 2;
  }
  return joined;
}

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
