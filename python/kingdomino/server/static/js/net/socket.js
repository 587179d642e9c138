/**
 * The socket of a table. It reconnects by itself and asks for the events that it missed.
 */
import { Emitter } from "../draw/dom.js";
import { socketAt } from "./address.js";

/**
 * @import { Sockets } from "./types.js"
 * @typedef {Sockets["socket"]} Message
 * @typedef {{[M in Message as M["type"]]: M}} Messages
 * @typedef {{down: undefined, up: undefined, gone: undefined}} Connection it broke, it is back, or there is no such table
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
export const waitAfter = (code, failures) =>
  (code === RESTARTING ? Math.random() * RETURN_TIME
    : Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT) * (0.75 + Math.random() / 2));

/**
 * Calls `renew` when a connection may have died without notice: the network changed, the computer slept, or the page was
 * in the background for long.
 * @param {() => void} renew
 */
export function afterSleep(renew) {
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
export function replace(stale, open) {
  if (stale?.readyState === WebSocket.CONNECTING) return;
  open();
  stale?.close();
}

/** @extends {Emitter<Messages & Connection>} */
export class TableSocket extends Emitter {
  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    /** The number of the last event received; 0: none. */
    this.number = 0;
    this.failures = 0;
    this.isEnded = false;
    /** @type {WebSocket | null} */
    this.socket = null;
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

  /** Closes for good. */
  end() {
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
