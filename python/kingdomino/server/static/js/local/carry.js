/**
 * Moves tables to another device in the fragment of an address, which browsers do not send to servers.
 */
import { ask, EngineRefusal } from "../engine/engine.js";
import { t } from "../i18n/locale.js";
import { isHere, linkTo } from "../net/address.js";
import { startOf } from "../net/pasted.js";
import { readTable, tidy } from "./import.js";
import { LONGEST, pack, unpack } from "./packed.js";
import { allTables, tableOf, takeTable } from "./store.js";

/**
 * @import { Game } from "../../engine/calls.js"
 * @import { StoredGame, StoredTable } from "./log.js"
 */

/** The most tables in a link, and the most characters of a record. */
const MOST_TABLES = 2000;
const LONGEST_RECORD = /^[^]{1,50000}$/;
/** The latest possible Date, in milliseconds since 1970. */
const LAST_MOMENT = 8.64e15;

/** A link with a table of this device. @param {string} id */
export async function linkWith(id) {
  const row = await tableOf(id);
  return linkOf(row ? [row.table] : []);
}

/** A link with all tables of this device. */
export const linkWithAll = async () => linkOf((await allTables()).map(({ table }) => table));

/** @param {StoredTable[]} tables */
async function linkOf(tables) {
  const text = await pack(tables);
  if (text.length > LONGEST) throw new Error(t("games.carry_too_many"));
  return `${linkTo("/play")}#${text}`;
}

/** Stores the tables of a link, and returns their ids. Throws one sentence if the link is cut off or damaged. @param {string} text */
export async function takeCarried(text) {
  const tables = await unpack(text).then((value) => list(value, MOST_TABLES).map(tableIn)).catch(() => { throw damaged(); });
  if (!tables.length) throw damaged();
  const rows = [];
  for (const table of tables) rows.push(await checked(table));
  for (const row of rows) await takeTable(row);
  return tables.map(({ id }) => id);
}

const damaged = () => new Error(t("table.carried_damaged"));

/** The row of a table. Checks its games against their records. @param {StoredTable} table */
async function checked(table) {
  try {
    const games = await Promise.all(table.games.map(({ record }) => ask("read_game", { record })));
    if (!games.every((game, index) => fits(table, game, index, games))) throw damaged();
    return (await readTable(ask, table)).row;
  } catch (error) {
    throw error instanceof EngineRefusal ? damaged() : error;
  }
}

/** Whether the table can have this game at this index. @param {StoredTable} table @param {Game} game @param {number} index @param {Game[]} games */
function fits({ rules, seats, start, games: stored }, { position, steps }, index, games) {
  const isLast = index === games.length - 1;
  return position.rules.text === rules && position.rules.players === seats.length && startOf(stored[index].record) === start
    && steps.length - 1 === stored[index].decisions.length && (isLast || position.phase === "over");
}

/* Readers for unchecked values; they throw if a value does not fit. */

/** @param {unknown} value @returns {Record<string, unknown>} */
function fields(value) {
  if (typeof value !== "object" || value === null) throw damaged();
  return /** @type {Record<string, unknown>} */ (value);
}

/** @param {unknown} value @param {number} most @returns {unknown[]} */
function list(value, most) {
  if (!Array.isArray(value) || value.length > most) throw damaged();
  return value;
}

/** @param {unknown} value @param {RegExp} [form] */
function text(value, form = /^/) {
  if (typeof value !== "string" || !form.test(value)) throw damaged();
  return value;
}

/** A number of milliseconds since 1970, of a decision or of a seat. @param {unknown} value */
function whole(value) {
  if (!Number.isSafeInteger(value) || Number(value) < 0 || Number(value) > LAST_MOMENT) throw damaged();
  return /** @type {number} */ (value);
}

/** @template T @param {unknown} value @param {readonly T[]} values @returns {T} */
function one(value, values) {
  const found = values.find((each) => each === value);
  if (found === undefined) throw damaged();
  return found;
}

/** @template T @param {unknown} value @param {(value: unknown) => T} read @returns {T | null} */
const orNull = (value, read) => (value == null ? null : read(value));

/** @param {unknown} value @returns {StoredTable} */
function tableIn(value) {
  const { id, created, rules, dynasty, seats, own, start, games, end } = fields(value);
  const isDynasty = orNull(dynasty, (kind) => one(kind, /** @type {const} */ (["total", "best"])));
  return {
    id: idIn(id), created: whole(created), rules: text(rules), dynasty: isDynasty,
    seats: list(seats, 4).map((seat, at) => {
      const { name, bot } = fields(seat);
      const spec = orNull(bot, (each) => text(each, /^[ -~]{1,200}$/));
      const kind = spec === null ? /** @type {const} */ ("person") : /** @type {const} */ ("bot");
      return { seat: at, kind, name: orNull(name, (each) => tidy(text(each))), bot: spec, away: null };
    }),
    ...own !== undefined && { own: list(own, 4).map(whole) },
    start: orNull(start, text),
    games: list(games, isDynasty ? 3 : 1).map(gameIn),
    end: orNull(end, (each) => ({ at: whole(fields(each).at), rematch: orNull(fields(each).rematch, idIn) })),
  };
}

/** @param {unknown} value */
function idIn(value) {
  const id = text(value, /^[\w-]{1,60}$/);
  if (!isHere(id)) throw damaged();
  return id;
}

/** @param {unknown} value @returns {StoredGame} */
function gameIn(value) {
  const { record, at, decisions, hints } = fields(value);
  return {
    record: text(record, LONGEST_RECORD), at: whole(at),
    decisions: list(decisions, 400).map((each) => ({ at: whole(fields(each).at), by: one(fields(each).by, /** @type {const} */ (["person", "bot"])) })),
    hints: list(hints, 400).map((each) => ({ at: whole(fields(each).at), ply: whole(fields(each).ply) })),
  };
}
