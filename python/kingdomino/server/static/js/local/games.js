/**
 * A person's games, from this device and from the server's list, each once. Finished games of this device also go to that
 * list.
 */
import { HAS_SERVER } from "../net/address.js";
import { get, post, RequestError } from "../net/api.js";
import { GameList } from "./list.js";
import { allTables, markSent } from "./store.js";

/**
 * @import { Played, PlayedGames, UnfinishedGame } from "../net/types.js"
 * @import { Row } from "./store.js"
 * @typedef {{game: Played, sent: string | null}} Finished `sent`: its id in the server's list
 */

/** How many of the last games to use for suggesting a bot. */
const LAST = 12;
/** The most characters and records of a request; the server accepts 64 KB and 50. */
const CHUNK = { letters: 45_000, records: 50 };

/** @type {PlayedGames} */
const NO_GAMES = { games: [], total: 0, next: null };

/** All games of this device, last changed first. */
export async function gamesHere() {
  const rows = await allTables();
  /** @type {UnfinishedGame[]} */
  const unfinished = rows.flatMap((row) => row.unfinished ?? []);
  /** @type {Finished[]} */
  const finished = rows.flatMap(({ played, sent = null }) => (played ? [{ game: played, sent }] : []));
  return { unfinished, finished };
}

/**
 * Finds sent games without a note of it on this device, because the page closed before the answer.
 * @param {readonly Finished[]} here
 * @param {readonly Played[]} theirs
 */
export function findSent(here, theirs) {
  const keyOf = (/** @type {Played} */ { ended, scores }) => JSON.stringify([Math.floor(ended / 1000), scores]); // records store seconds
  const known = new Map(theirs.filter(({ imported }) => imported).map((game) => [keyOf(game), game.id]));
  return here.map((one) => ({ ...one, sent: one.sent ?? known.get(keyOf(one.game)) ?? null }));
}

/** The games of this device that the server's list lacks. @param {readonly Finished[]} here @param {boolean} isReached whether there is a list */
export const onlyHere = (here, isReached) => here.filter(({ sent }) => !isReached || !sent).map(({ game }) => game);

/**
 * Merges the finished games of this device and of the server. For a game that both have, this device's version counts.
 * @param {readonly Finished[]} here
 * @param {PlayedGames | null} theirs the first page; null without the server
 * @param {(before: string) => Promise<PlayedGames>} [readOn] reads the next page
 */
export function together(here, theirs, readOn = async () => NO_GAMES) {
  const sent = new Map(here.map((one) => [one.sent, one.game]));
  /** @param {PlayedGames} page */
  const known = (page) => ({ ...page, games: page.games.map((game) => sent.get(game.id) ?? game) });
  return new GameList(onlyHere(here, theirs !== null), known(theirs ?? NO_GAMES), async (before) => known(await readOn(before)));
}

/** The last games, and the number of all; `isReached`: whether they include the server's. */
export async function lastGames() {
  const { finished } = await gamesHere();
  const theirs = HAS_SERVER ? await get("/api/me/games", { limit: LAST }).catch(() => null) : null;
  const list = together(findSent(finished, theirs?.games ?? []), theirs && { ...theirs, next: null });
  await list.more(LAST);
  return { games: list.games, total: list.total, isReached: theirs !== null };
}

/** The records of finished games of this device, in one text. @param {boolean} isReached whether the server adds the games it has */
export async function recordsHere(isReached) {
  const rows = (await allTables()).filter(({ sent }) => !isReached || !sent);
  const texts = [];
  for (const row of rows) texts.push(await recordsOf(row));
  return texts.join("");
}

/** The records of a row's finished games, in one text; empty if they are damaged. @param {Row} row */
async function recordsOf({ played, table }) {
  if (!played?.scores.length) return "";
  const [{ ask, EngineRefusal }, { labelledRecord }] = await Promise.all([import("../engine/engine.js"), import("./record.js")]);
  try {
    const records = await Promise.all(played.scores.map((_, at) => labelledRecord(ask, table, at + 1)));
    return records.map((record) => `${record.trimEnd()}\n`).join("");
  } catch (error) {
    if (error instanceof EngineRefusal) return "";
    throw error;
  }
}

/** @type {Promise<number> | null} */
let sending = null;

/**
 * Sends finished games that the server's list lacks, and returns their number. The device keeps its copies, and sends
 * the rest later.
 */
export function sendGames() {
  sending ??= send().catch(() => 0).finally(() => { sending = null; });
  return sending;
}

async function send() {
  if (!HAS_SERVER) return 0;
  const rows = (await allTables()).filter(({ sent, played }) => !sent && played && played.outcome !== "unfinished");
  const wanted = [];
  for (const row of rows) wanted.push({ id: row.id, text: await recordsOf(row) });
  let number = 0;
  for (const chunk of chunks(wanted.filter(({ text }) => text), ({ text }) => text)) number += await sendChunk(chunk);
  return number;
}

/** Sends records, except those that the server cannot read. @param {{id: string, text: string}[]} chunk @returns {Promise<number>} */
async function sendChunk(chunk) {
  if (!chunk.length) return 0;
  try {
    const { games } = await post("/api/me/games", {}, { records: chunk.map(({ text }) => ({ text })) });
    for (const [at, { id }] of chunk.entries()) await markSent(id, games[at]);
    return chunk.length;
  } catch (error) {
    const bad = error instanceof RequestError && error.code === "bad_record" ? error.game : null;
    if (bad == null) throw error;
    return sendChunk(chunk.filter((_, at) => at !== bad - 1));
  }
}

/**
 * Divides records into requests that the server accepts.
 * @template T
 * @param {readonly T[]} records
 * @param {(record: T) => string} textOf
 * @returns {Generator<T[]>}
 */
export function* chunks(records, textOf) {
  /** @type {T[]} */
  let chunk = [];
  let letters = 0;
  for (const record of records) {
    const { length } = textOf(record);
    if (chunk.length === CHUNK.records || (chunk.length && letters + length > CHUNK.letters)) {
      yield chunk;
      [chunk, letters] = [[], 0];
    }
    chunk.push(record);
    letters += length;
  }
  yield chunk;
}
