/**
 * A table on this device: its events and its players' actions, with the same interface as a server's table
 * (net/table.js). The engine deals, knows the rules, and plays for the bots.
 *
 * It stores each change before it emits the events. If several tabs have the same table open, the first change counts,
 * and the others read the table again.
 */
import { Emitter } from "../draw/dom.js";
import { delay, motionAllowed } from "../draw/motion.js";
import { engine, NoEngine, searchFor } from "../engine/engine.js";
import { apply, emptyTable } from "../net/reducer.js";
import { RequestError } from "../net/api.js";
import { levelOf, STRONGEST } from "./bots.js";
import { deal, end, hint, numbered, ownSeats, play, readLog } from "./log.js";
import { labelledRecord } from "./record.js";
import { Conflict, createTable, saveTable, tableOf } from "./store.js";
import { rowParts } from "./summary.js";

/**
 * @import { TableEvent } from "../net/events.js"
 * @import { Connection, Messages } from "../net/table.js"
 * @import { Choices, Table, You } from "../net/types.js"
 * @import { Ask, Change, StoredTable } from "./log.js"
 * @import { Row } from "./store.js"
 */

/** Milliseconds before a bot's move, so that people can follow, and more if the previous move is animated. */
const PAUSE = 350;
const MOTION = 550;
/** The most milliseconds for a decision. Only the strongest level uses them all. */
const LONGEST = 500;

/** @type {Ask} */
const ask = (name, args) => patiently(() => engine.ask(name, args));

/** @extends {Emitter<Messages & Connection>} */
export class LocalTable extends Emitter {
  /** Whether the table is on a server. */
  isShared = /** @type {const} */ (false);
  /** @type {Row | null} */
  #row = null;
  /** @type {TableEvent[]} */
  #events = [];
  /** @type {Table} */
  #table;
  /** @type {Promise<void> | undefined} */
  #opening;
  /** The last change, which the next one waits for. @type {Promise<unknown>} */
  #last = Promise.resolve();
  #isFollowed = false;
  #isMoving = false;
  /** Whether the page knows that nothing is stored. */
  #isWarned = false;
  #channel;

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    this.#table = emptyTable(id);
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`table ${id}`);
    this.#channel?.addEventListener("message", () => {
      this.#inTurn(() => this.#readAgain()).then(() => this.#moveBots(), () => {}); // the other tab reports errors
    });
  }

  // Actions of players

  /** The table, and your role there. */
  async read() {
    await this.#open();
    return { table: this.#table, you: this.#you };
  }

  /** All events with a number above `after`. @param {number} [after] */
  async events(after = 0) {
    await this.#open();
    return this.#events.slice(after);
  }

  /** The record of a finished game. @param {number} game */
  async record(game) {
    const table = await this.#stored();
    if (!table.games[game - 1]) throw new RequestError(404, { code: "no_game" });
    return labelledRecord(ask, table, game);
  }

  /** The options of the player to move, after actions of the same turn. @param {number} ply @param {string} [after] @returns {Promise<Choices>} */
  async choices(ply, after = "") {
    await this.#open();
    this.#check(ply);
    let position = await this.#position();
    if (after) position = (await ask("move_on", { position, action: after })).text;
    const choices = await ask("choices", { position });
    if (!choices) throw this.#stale();
    return { ply, ...choices };
  }

  /** Plays a turn, and returns the number of its last event. @param {number} ply @param {string[]} actions */
  async play(ply, actions) {
    await this.#open();
    await this.#play(ply, actions, "person");
    return this.#table.number;
  }

  /** Notes a hint. @param {number} ply */
  async hint(ply) {
    await this.#open();
    await this.#change(ply, async (table) => hint(table, { ply, seat: this.#table.turn?.seat ?? 0 }, this.#now));
  }

  /** Begins the next game of a Dynasty. */
  async next() {
    await this.#open();
    await this.#change(null, (table) => deal(ask, table, this.#now, newSeed()));
  }

  /** Ends the table. @param {boolean} wish */
  async end(wish) {
    await this.#open();
    if (wish) await this.#change(null, async (table) => end(table, this.#now));
  }

  /** Starts a rematch at another table. @param {boolean} wish */
  async playAgain(wish) {
    if (!wish) return;
    const { rules, dynasty, seats, start } = await this.#stored();
    const next = await createTable({ rules, dynasty, seats, start });
    await this.#change(null, async (table) => end(table, this.#now, next));
  }

  // Events

  /** Follows the table from now on. */
  follow() {
    this.#isFollowed = true;
    this.#open().then(
      () => this.emit("snapshot", { type: "snapshot", table: this.#table, you: this.#you }),
      (error) => (error instanceof RequestError ? this.emit("gone", undefined) : this.emit("failed", error)));
  }

  /** Does nothing: events of a local table always arrive. */
  expect() {}

  /** Stops following the table. */
  stop() {
    this.#isFollowed = false;
    this.#channel?.close();
  }

  // Reading and changing the table

  /** @returns {You} */
  get #you() {
    const seats = this.#row ? ownSeats(this.#row.table) : [];
    return { name: null, seats, host: true, invites: [], code: null };
  }

  /** Milliseconds since 1970, never before the last event. */
  get #now() {
    return Math.max(Date.now(), this.#events.at(-1)?.at ?? 0);
  }

  async #stored() {
    await this.#open();
    return /** @type {Row} */ (this.#row).table;
  }

  #open() {
    this.#opening ??= this.#inTurn(() => this.#readAgain()).then(() => this.#begin());
    this.#opening.catch(() => { this.#opening = undefined; });
    return this.#opening;
  }

  /** Deals the first game, and lets bots move. */
  async #begin() {
    if (!this.#table.game && this.#table.state !== "closed") {
      await this.#change(null, (table) => deal(ask, table, this.#now, newSeed())).catch((error) => {
        if (!this.#table.game) throw error; // otherwise another tab has dealt
      });
    }
    this.#moveBots();
  }

  /** Reads the stored table, and emits its new events. */
  async #readAgain() {
    const row = await tableOf(this.id);
    if (!row) throw new RequestError(404, { code: "no_table" });
    if (row.revision === this.#row?.revision) return;
    const events = numbered(await readLog(ask, row.table), 0);
    this.#row = row;
    this.#tell(events.slice(this.#events.length));
  }

  /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
  #inTurn(work) {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /**
   * Makes a change, stores it, and emits its events.
   * @param {number | null} ply the only ply for this change; null: any
   * @param {(table: StoredTable) => Promise<Change>} work
   */
  #change(ply, work) {
    return this.#inTurn(async () => {
      const row = this.#row;
      if (!row) throw new RequestError(404, { code: "no_table" });
      if (ply !== null) this.#check(ply);
      const change = await work(row.table);
      if (!change.events.length) return;
      const events = numbered(change.events, this.#table.number);
      const table = events.reduce(apply, this.#table);
      const all = [...this.#events, ...events];
      await this.#save({
        ...row, table: change.table, revision: row.revision + 1, updated: all[all.length - 1].at,
        ...rowParts(table, all, this.#you.seats),
      });
      this.#tell(events);
      this.#channel?.postMessage(this.#row?.revision);
      this.#moveBots();
    });
  }

  /** @param {Row} row */
  async #save(row) {
    try {
      await saveTable(row);
    } catch (error) {
      if (error instanceof Conflict) {
        await this.#readAgain();
        throw this.#stale();
      }
      // The disk is full: the game goes on in this tab.
      if (!this.#isWarned) this.emit("unkept", undefined);
      this.#isWarned = true;
    }
    this.#row = row;
  }

  /** @param {TableEvent[]} events */
  #tell(events) {
    this.#events.push(...events);
    this.#table = events.reduce(apply, this.#table);
    if (this.#isFollowed && events.length) this.emit("events", { type: "events", events, you: null, left: null });
  }

  /** Throws if the decision was already made. @param {number} ply */
  #check(ply) {
    if (this.#table.turn?.ply !== ply) throw this.#stale();
  }

  #stale() {
    return new RequestError(409, { code: "stale_ply", table: this.#table });
  }

  /** @param {number} ply @param {string[]} actions @param {"person" | "bot"} by */
  #play(ply, actions, by) {
    return this.#change(ply, async (table) => {
      /** @type {Change} */
      let change = { table, events: [] };
      for (const action of actions) {
        const next = await play(ask, change.table, action, this.#now, by);
        change = { table: next.table, events: [...change.events, ...next.events] };
      }
      return change;
    });
  }

  /** The position of the game. */
  async #position() {
    const { games } = await this.#stored();
    return (await ask("read_game", { record: games[games.length - 1].record })).position.text;
  }

  // Bots

  /** Plays for bots while it is their turn. */
  async #moveBots() {
    if (this.#isMoving || !this.#isFollowed) return;
    this.#isMoving = true;
    try {
      for (let { turn } = this.#table; turn && this.#isFollowed; { turn } = this.#table) {
        const { ply, seat } = turn;
        const { bot } = this.#table.seats[seat];
        if (bot === null) break;
        await Promise.all([this.#playBot(ply, bot), delay(PAUSE + (motionAllowed() ? MOTION : 0))]);
      }
    } catch (error) {
      this.emit("failed", error);
    } finally {
      this.#isMoving = false;
    }
  }

  /** Plays the whole turn of a bot: a claim, or a placement and its claim. @param {number} ply @param {string} bot */
  async #playBot(ply, bot) {
    const seed = this.#table.created + ply; // the same in every tab
    const position = await this.#position();
    const actions = [await choose(position, bot, seed)];
    const next = await ask("move_on", { position, action: actions[0] });
    if (next.phase === "claim" && next.to_move === this.#table.turn?.seat) actions.push(await choose(next.text, bot, seed));
    await this.#play(ply, actions, "bot").catch((error) => {
      if (!(error instanceof RequestError)) throw error; // otherwise another tab has played the turn
    });
  }
}

/** @param {string} position @param {string} bot @param {number} seed */
async function choose(position, bot, seed) {
  const { action, playouts } = await ask("level_move", { position, level: levelOf(bot), seed });
  if (action !== null) return action;
  const task = { position, seed, ...playouts !== null && { playouts } };
  const { analysis } = await patiently(() => searchFor(task, LONGEST));
  return analysis.actions[0].action;
}

/**
 * Repeats work once if the worker ends, as can happen on a phone.
 * @template T @param {() => Promise<T>} work @returns {Promise<T>}
 */
const patiently = (work) =>
  work().catch((error) => (error instanceof NoEngine && error.why === "died" ? work() : Promise.reject(error)));

/** Returns a seed, which determines the hidden deck. */
const newSeed = () => String(crypto.getRandomValues(new BigUint64Array(1))[0]);
