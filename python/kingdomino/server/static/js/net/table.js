/**
 * A table on a server: its events and its players' actions. Its socket reconnects by itself and asks for the events
 * that it missed.
 */
import { Emitter } from "../draw/dom.js";
import { socketAt } from "./address.js";
import { get, getText, post } from "./api.js";

/**
 * @import { SaidMessage, Sockets } from "./types.js"
 * @import { TableEvent } from "./events.js"
 * @typedef {Sockets["socket"]} Message
 * @typedef {{[M in Message as M["type"]]: M}} Messages
 * @typedef {object} Connection
 * @property {undefined} down it broke
 * @property {undefined} up it is back
 * @property {undefined} gone there is no such table
 * @property {undefined} unkept nothing is stored from now on
 * @property {unknown} failed why the table cannot go on
 */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** The server ends or restarts. Its clients reconnect after random delays. */
const RESTARTING = 1012;
const RETURN_TIME = 5000;
/** After this time in the background or asleep, open a new connection: the old one may be dead without notice. */
const ASLEEP = 20000;
/** The interval for checking whether the page slept. */
const LOOK = 5000;
/** If an announced event takes longer, the connection is dead without notice. */
const OVERDUE = 5000;
const NO_TABLE = 4404;

/** The delay until the next attempt to connect. @param {number} code why the socket closed @param {number} failures */
const waitAfter = (code, failures) =>
  (code === RESTARTING ? Math.random() * RETURN_TIME
    : Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT) * (0.75 + Math.random() / 2));

/**
 * Calls `renew` when a connection may have died without notice: the network changed, the computer slept, or the page was
 * in the background for long.
 * @param {() => void} renew
 */
function afterSleep(renew) {
  let [awakeAt, hiddenSince] = [Date.now(), 0];
  addEventListener("online", renew);
  // Sleep does not hide a page that is in front.
  setInterval(() => {
    const now = Date.now();
    if (!document.hidden && now - awakeAt > ASLEEP) renew();
    awakeAt = now;
  }, LOOK);
  document.addEventListener("visibilitychange", () => {
    awakeAt = Date.now();
    if (document.hidden) hiddenSince = awakeAt;
    else if (awakeAt - hiddenSince > ASLEEP) renew();
  });
}

/**
 * Replaces a connection that may be dead, unless it is still being opened.
 * @param {WebSocket | null} stale
 * @param {() => void} open
 */
function replace(stale, open) {
  if (stale?.readyState === WebSocket.CONNECTING) return;
  open();
  stale?.close();
}

/** The events in an answer. */
const PAGE = 500;

/** @extends {Emitter<Messages & Connection>} */
export class ServerTable extends Emitter {
  /** Whether the table is on a server. */
  isShared = /** @type {const} */ (true);
  /** The number of the last event received; 0: none. */
  number = 0;
  failures = 0;
  isEnded = false;
  /** @type {WebSocket | null} */
  socket = null;

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
  }

  // Actions of players

  /** The table, and your role there. */
  read() {
    return get("/api/tables/{table}", { table: this.id });
  }

  /** All events with a number above `after`. @param {number} [after] */
  async events(after = 0) {
    /** @type {TableEvent[]} */
    const events = [];
    for (;;) {
      /** @type {TableEvent[]} */
      const page = (await get("/api/tables/{table}/events", { table: this.id, after })).events;
      events.push(...page);
      if (page.length < PAGE) return events;
      after = page[PAGE - 1].number;
    }
  }

  /** The record of a finished game. @param {number} game */
  record(game) {
    return getText("/api/tables/{table}/record", { table: this.id, game });
  }

  /** The options of the player to move, after actions of the same turn. @param {number} ply @param {string} [after] */
  choices(ply, after = "") {
    return get("/api/tables/{table}/choices", { table: this.id, ply, after });
  }

  /** Plays a turn, and returns the number of its last event. @param {number} ply @param {string[]} actions */
  async play(ply, actions) {
    return (await post("/api/tables/{table}/actions", { table: this.id }, { ply, actions })).number;
  }

  /** Notes a hint. @param {number} ply */
  hint(ply) {
    return post("/api/tables/{table}/hint", { table: this.id }, { ply });
  }

  /** Begins the next game of a Dynasty. */
  next() {
    return post("/api/tables/{table}/next", { table: this.id }, {});
  }

  /** Wishes to end the game, or not to. @param {boolean} wish */
  end(wish) {
    return post("/api/tables/{table}/end", { table: this.id }, { wish });
  }

  /**
   * Wishes to play again, or not to.
   * @param {boolean} wish
   * @param {string | null} digest promises the nonces for the next table
   * @param {"leave_out" | "bots" | null} missing what to do with the seats of players who do not play
   */
  playAgain(wish, digest, missing = null) {
    return post("/api/tables/{table}/rematch", { table: this.id }, { wish, missing, digest });
  }

  /** Lets a bot play in a seat of yours. @param {number} seat */
  leave(seat) {
    return post("/api/tables/{table}/seats/{seat}/leave", { table: this.id, seat }, {});
  }

  /** Takes a seat of yours again. @param {number} seat */
  return(seat) {
    return post("/api/tables/{table}/seats/{seat}/return", { table: this.id, seat }, {});
  }

  /** Lets a bot play for a player who is away. @param {number} seat */
  standIn(seat) {
    return post("/api/tables/{table}/seats/{seat}/stand-in", { table: this.id, seat }, {});
  }

  /** The secret of a seat of yours, for another device. @param {number} seat */
  async secretOf(seat) {
    return (await post("/api/tables/{table}/seats/{seat}/secret", { table: this.id, seat }, {})).secret;
  }

  /** Says something to everyone. @param {SaidMessage["word"]} word */
  say(word) {
    return post("/api/tables/{table}/say", { table: this.id }, { word });
  }

  // Events

  /** Follows the table from now on. */
  follow() {
    afterSleep(() => replace(this.socket, () => this.open()));
    document.addEventListener("visibilitychange", () => document.hidden || this.socket || this.open());
    this.open();
  }

  open() {
    if (this.isEnded) return;
    clearTimeout(this.timer);
    const after = this.number ? `?after=${this.number}` : "";
    const socket = new WebSocket(socketAt(`/api/tables/${this.id}/socket${after}`));
    this.socket = socket;
    socket.onmessage = (message) => this.receive(JSON.parse(message.data));
    socket.onclose = (close) => this.closed(socket, close.code);
  }

  /** Replaces the connection if an event does not arrive in time. @param {number} number of the event */
  expect(number) {
    setTimeout(() => {
      if (this.socket && this.number < number) replace(this.socket, () => this.open());
    }, OVERDUE);
  }

  /** Stops following the table. */
  stop() {
    this.isEnded = true;
    this.socket?.close();
  }

  /** @param {Message} message */
  receive(message) {
    const isBack = this.failures > 0;
    this.failures = 0;
    if (message.type === "snapshot") this.number = message.table.number;
    if (message.type === "events") this.number = message.events.at(-1)?.number ?? this.number;
    this.emit(message.type, message);
    if (isBack) this.emit("up", undefined);
  }

  /** @param {WebSocket} socket @param {number} code */
  closed(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    if (code === NO_TABLE) {
      this.isEnded = true;
      this.emit("gone", undefined);
    }
    if (this.isEnded) return;
    if (!this.failures) this.emit("down", undefined);
    this.timer = setTimeout(() => this.open(), waitAfter(code, this.failures));
    this.failures += 1;
  }
}
