/**
 * The tables of this device, in its database. Without a database, a table lasts as long as its tab.
 */
import { HERE } from "../net/address.js";
import { done, transact } from "../net/database.js";

/**
 * @import { Played, UnfinishedGame } from "../net/types.js"
 * @import { StoredTable } from "./log.js"
 *
 * @typedef {object} Row
 * @property {string} id
 * @property {StoredTable} table
 * @property {number} revision counts the changes
 * @property {number} updated milliseconds since 1970
 * @property {UnfinishedGame | null} unfinished for lists, until the table is over
 * @property {string | null} [sent] its id in the server's list of games, if that has it
 * @property {Played | null} played for lists, once the table is over; null if no game was dealt
 */

const IN_TAB = "kingdomino.table.";

/** Another tab has changed the table. */
export class Conflict extends Error {}

/**
 * Creates a table, and returns its id. Opening it deals the first game.
 * @param {Omit<StoredTable, "id" | "created" | "games" | "end">} settings
 */
export async function createTable(settings) {
  const [id, now] = [newId(), Date.now()];
  const table = { id, created: now, ...settings, games: [], end: null };
  await saveTable({ id, table, revision: 1, updated: now, unfinished: null, played: null });
  return id;
}

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return HERE + [...bytes].map((byte) => byte.toString(36).padStart(2, "0")).join("");
}

/** @type {Promise<boolean> | undefined} */
let keeping;

/** Whether this browser stores tables. */
const doesKeep = () =>
  (keeping ??= transact("tables", "readonly", (store) => done(store.count())).then(() => true, () => false));

/** @param {string} id @returns {Promise<Row | undefined>} */
export async function tableOf(id) {
  if (await doesKeep()) return transact("tables", "readonly", (store) => done(store.get(id)));
  return inTab().find((row) => row.id === id);
}

/** All tables, last changed first. */
export async function allTables() {
  /** @type {Row[]} */
  const rows = await doesKeep() ? await transact("tables", "readonly", (store) => done(store.getAll())) : inTab();
  return rows.sort((one, other) => other.updated - one.updated);
}

/** Stores a changed table. Throws `Conflict` if another change came first. @param {Row} row */
export async function saveTable(row) {
  if (!await doesKeep()) return keepInTab(row);
  await transact("tables", "readwrite", async (store) => {
    /** @type {Row | undefined} */
    const before = await done(store.get(row.id));
    if (before && before.revision >= row.revision) throw new Conflict("the table was changed meanwhile");
    await done(store.put({ ...row, sent: before?.sent ?? null }));
  });
}

/** Stores an imported table, unless this device has at least as many of its moves. Returns whether it did. @param {Row} row */
export async function takeTable(row) {
  const known = await tableOf(row.id);
  if (known && decisionsAt(known.table) >= decisionsAt(row.table)) return false;
  await saveTable({ ...row, revision: (known?.revision ?? 0) + 1 });
  return true;
}

/** @param {StoredTable} table */
const decisionsAt = ({ games }) => games.reduce((sum, { decisions }) => sum + decisions.length, 0);

/** Notes that a server's list has a game. @param {string} id @param {string} sent its id there */
export async function markSent(id, sent) {
  if (!await doesKeep()) return keepInTab({ .../** @type {Row} */ (await tableOf(id)), sent });
  await transact("tables", "readwrite", async (store) => {
    /** @type {Row | undefined} */
    const row = await done(store.get(id));
    if (row) await done(store.put({ ...row, sent }));
  });
}

/** @param {string} id */
export async function forgetTable(id) {
  if (await doesKeep()) await transact("tables", "readwrite", (store) => done(store.delete(id)));
  else delete sessionStorage[IN_TAB + id];
}

/** Deletes all tables of this device. */
export async function forgetTables() {
  for (const { id } of await allTables()) await forgetTable(id);
}

/** @param {Row} row */
function keepInTab(row) {
  sessionStorage[IN_TAB + row.id] = JSON.stringify(row);
}

/** @returns {Row[]} */
function inTab() {
  try {
    const names = Object.keys(sessionStorage).filter((name) => name.startsWith(IN_TAB));
    return names.map((name) => JSON.parse(sessionStorage[name]));
  } catch {
    return []; // the database is forbidden
  }
}
