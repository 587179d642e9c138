/**
 * The games of this device in the person's lists. With a server, single games that are over go there too, once.
 */
import { HAS_SERVER } from "../net/address.js";
import { post, RequestError } from "../net/api.js";
import { allTables, forgetTable, markSent } from "./store.js";

/**
 * @import { Played, UnfinishedGame } from "../net/types.js"
 * @import { StoredTable } from "./log.js"
 * @import { Row } from "./store.js"
 * @typedef {{game: Played, sent: string | null}} Finished `sent`: its id in the server's list
 */

/** The record of a game. Only then the engine is needed. @param {StoredTable} table @param {number} game its number */
async function labelled(table, game) {
  const [{ engine }, { labelledRecord }] = await Promise.all([import("../engine/engine.js"), import("./record.js")]);
  return labelledRecord((name, args) => engine.ask(name, args), table, game);
}

/** All games of this device, the last one first. */
export async function gamesHere() {
  const rows = await allTables();
  /** @type {UnfinishedGame[]} */
  const unfinished = rows.flatMap((row) => row.unfinished ?? []);
  /** @type {Finished[]} */
  const finished = rows.flatMap(({ played, sent = null }) => (played ? [{ game: played, sent }] : []));
  return { unfinished, finished };
}

/** The records of all finished games of this device, in one text. */
export async function recordsHere() {
  const rows = (await allTables()).filter(({ played }) => played);
  const texts = await Promise.all(rows.flatMap(({ table }) => table.games.map((_, at) => labelled(table, at + 1))));
  return texts.map((text) => `${text}\n`).join("");
}

/** Deletes a game of this device. @param {string} id */
export const forgetGame = (id) => forgetTable(id);

/** Whether a game can go to the server: a whole one, and no Dynasty, which its list could not keep together. @param {Row} row */
const canGo = ({ played, sent, table }) =>
  played !== null && !sent && played.outcome !== "unfinished" && table.dynasty === null;

/** Sends what the server does not have yet. What it refuses stays here alone. */
export async function sendGames() {
  if (!HAS_SERVER) return;
  for (const { id, table } of (await allTables()).filter(canGo)) {
    try {
      const record = await labelled(table, 1);
      const { games: [sent] } = await post("/api/me/games", {}, { records: [{ text: record }] });
      await markSent(id, sent);
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== "bad_record") return; // the next visit tries again
    }
  }
}
