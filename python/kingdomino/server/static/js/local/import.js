/**
 * Tables for imported games, checked by the engine.
 */
import { EngineRefusal } from "../engine/engine.js";
import { LONGEST_NAME } from "../i18n/names.js";
import { HERE, isHere } from "../net/address.js";
import { sha256, toHex, utf8 } from "../net/digest.js";
import { splitRecords, startOf } from "../net/pasted.js";
import { apply, emptyTable } from "../net/reducer.js";
import { numbered, ownSeats, readLog } from "./log.js";
import { rowParts } from "./summary.js";

/**
 * @import { Game, RecordPositions } from "../../engine/calls.js"
 * @import { Played } from "../net/types.js"
 * @import { Ask, StoredGame, StoredTable } from "./log.js"
 * @import { Row } from "./store.js"
 */

/**
 * The row, the events and the list entry of a table with a record's game, or a Dynasty's games. Throws the engine's refusal.
 * @param {Ask} ask
 * @param {string} text
 * @param {{seat?: number | null}} [chosen] your seat; null: none; missing: the record's
 */
export async function readRecords(ask, text, chosen = {}) {
  const records = splitRecords(text);
  const read = await Promise.all(records.map((record) => ask("read_record", { record })));
  const games = await Promise.all(records.map((record) => ask("read_game", { record })));
  const { tags } = read[records.length - 1];
  const { rules } = games[0].position;
  if (games.some(({ steps }) => steps.length < 2)) throw refuse("no_decision", "this game ended before its first decision, so there is nothing to show");
  if (records.length > 1 && !areDynasty(records, read, games)) throw refuse("no_dynasty", "these records are not the three games of a Dynasty");
  const own = chosen.seat === undefined ? seatsIn(tags.you ?? "", rules.players) : chosen.seat === null ? [] : [chosen.seat];
  const seats = Array.from({ length: rules.players }, (_, seat) => {
    const bot = tags[`bot-${seat}`] ?? null;
    return { seat, kind: bot === null ? /** @type {const} */ ("person") : /** @type {const} */ ("bot"), name: tidy(read[0].players[seat]), bot, away: null };
  });
  const at = timeOf(tags);
  /** @type {StoredTable} */
  const table = {
    id: idOf(text, tags.table ?? ""), created: at, rules: rules.text,
    dynasty: records.length > 1 ? /** @type {"total" | "best"} */ (tags.dynasty) : null,
    seats, own, start: startOf(records[0]),
    games: games.map((game, index) => ({ record: records[index], at, decisions: decisionsOf(game, seats, at), hints: [] })),
    end: games.some(({ position }) => position.phase !== "over") ? { at, rematch: null } : null,
  };
  const { row, events } = await readTable(ask, table);
  return { row, events, game: /** @type {Played} */ (row.played) };
}

/**
 * The row and the events of a stored table. Throws the engine's refusal.
 * @param {Ask} ask
 * @param {StoredTable} table
 */
export async function readTable(ask, table) {
  const events = numbered(await readLog(ask, table), 0);
  const own = ownSeats(table);
  const { unfinished, played } = rowParts(events.reduce(apply, emptyTable(table.id)), events, own);
  /** @type {Row} */
  const row = {
    id: table.id, table, revision: 1, updated: events[events.length - 1].at, unfinished: table.games.length ? unfinished : null,
    played: played && { ...played, imported: table.own !== undefined },
  };
  return { row, events };
}

/** @param {Game} game @param {StoredTable["seats"]} seats @param {number} at @returns {StoredGame["decisions"]} */
const decisionsOf = ({ steps }, seats, at) => steps.slice(1).map(({ events }) => {
  const decision = events.find((event) => "ply" in event);
  return { at, by: decision && "seat" in decision && seats[decision.seat].bot !== null ? "bot" : "person" };
});

/** The id of a table: its own if a device created it, else a hash, the same for every reader of the record. @param {string} text @param {string} table */
const idOf = (text, table) =>
  (isHere(table) ? table : HERE + toHex(sha256(utf8(text.replace(/^tag you .*\n/gm, "")))).slice(0, 24));

/** @param {string} seats @param {number} players */
const seatsIn = (seats, players) => seats.split(" ").filter(Boolean).map(Number).filter((seat) => seat >= 0 && seat < players);

/** A name fit for display, with at most two accents on a letter; null without one. @param {string | undefined} name */
export const tidy = (name = "") =>
  name.replace(/\p{C}/gu, "").replace(/(\p{M}{2})\p{M}+/gu, "$1").trim().slice(0, LONGEST_NAME).replace(/\s+/g, " ").trim() || null;

/** When the game ended: now, without a date. @param {{date?: string, time?: string}} tags */
function timeOf({ date, time = "00:00:00" }) {
  const then = Date.parse(`${date}T${time}Z`);
  return Number.isNaN(then) ? Date.now() : Math.max(0, Math.min(then, Date.now()));
}

/**
 * Whether these are the three games of a Dynasty in the server's form.
 * @param {readonly string[]} records
 * @param {readonly RecordPositions[]} read
 * @param {readonly Game[]} games
 */
function areDynasty(records, read, games) {
  const { dynasty } = read[0].tags;
  const tags = ["dynasty", "table", "you", ...games[0].position.kingdoms.map((_, seat) => `bot-${seat}`)];
  const shared = new Set(read.map((record, at) => JSON.stringify([games[at].position.rules.text, record.players, tags.map((tag) => record.tags[tag])])));
  return (dynasty === "total" || dynasty === "best") && shared.size === 1
    && read.map((record) => record.tags.game).join(" ") === "1 2 3"
    && games.every(({ position }, at) => position.phase === "over" && startOf(records[at]) === null);
}

/** A refusal like the engine's, for valid records that cannot be in a list of games. @param {string} code @param {string} message */
const refuse = (code, message) => new EngineRefusal({
  message, faults: [/** @type {any} */ ({ code })], number: null, refusal: null, is_misuse: false,
});
