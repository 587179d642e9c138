/**
 * The records of a local table's games, with the same tags as the records of a server's table (docs/formats/record.md).
 */
import { ownSeats, pliesBefore } from "./log.js";

/** @import { Ask, StoredTable } from "./log.js" */

/**
 * The record of a game, for its players on this device.
 * @param {Ask} ask
 * @param {StoredTable} table
 * @param {number} game its number
 */
export async function labelledRecord(ask, table, game) {
  const { dynasty, games, id, own, seats } = table;
  if (own) return relabelledRecord(ask, games[game - 1].record, own);
  const { record, at, decisions, hints } = games[game - 1];
  const first = pliesBefore(table, game - 1);
  const [date, time] = new Date(decisions.at(-1)?.at ?? at).toISOString().slice(0, 19).split("T");
  const bots = seats.flatMap(({ bot, seat }) => (bot === null ? [] : [[`bot-${seat}`, bot]]));
  const people = ownSeats(table);
  const tags = {
    date, time, table: id, ...Object.fromEntries(bots), ...people.length && { you: people.join(" ") },
    ...hints.length && { hints: hints.map(({ ply }) => ply - first).join(" ") },
    ...dynasty && { dynasty, game: String(game) },
  };
  return ask("label_record", { record, players: seats.map(({ name }) => name ?? "Guest"), tags });
}

/**
 * A record from a file, for the players in these seats.
 * @param {Ask} ask
 * @param {string} record
 * @param {readonly number[]} own
 */
async function relabelledRecord(ask, record, own) {
  const { players, tags: { you, ...tags } } = await ask("read_record", { record });
  return ask("label_record", { record, players, tags: { ...tags, ...own.length && { you: own.join(" ") } } });
}
