/**
 * Following a table: a WebSocket that tells what happens, and comes back by itself with what it missed.
 *
 * Fires `snapshot` {table, you}, `events` {events, you?}, `you` {you} and `presence` {here, watching}; `down` and
 * `up` when the way to the server breaks and is there again; `gone` when there is no such table.
 */
import { tell } from "./h.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8000;
/** After so long out of sight a socket may be dead without knowing it: a new one is opened. */
const ASLEEP = 20000;
const NO_TABLE = 4404;

export class Follow extends EventTarget {
  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
    /** The number of the last event that is known here; 0: nothing yet. */
    this.number = 0;
    this.failures = 0;
    this.hiddenSince = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => this.seen());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const after = this.number ? `?after=${this.number}` : "";
    const socket = new WebSocket(`${origin()}/api/tables/${this.id}/socket${after}`);
    this.socket = socket;
    socket.onmessage = (message) => this.hear(JSON.parse(message.data));
    socket.onclose = (close) => this.closed(socket, close.code);
  }

  /** @param {any} message */
  hear(message) {
    const back = this.failures > 0;
    this.failures = 0;
    if (message.type === "snapshot") this.number = message.table.number;
    if (message.type === "events" && message.events.length) this.number = message.events.at(-1).number;
    tell(this, message.type, message);
    if (back) tell(this, "up");
  }

  /** @param {WebSocket} socket @param {number} code */
  closed(socket, code) {
    if (socket !== this.socket) return;
    this.socket = null;
    if (code === NO_TABLE) return tell(this, "gone");
    if (!this.failures) tell(this, "down");
    const wait = Math.min(FIRST_WAIT * 2 ** this.failures, LONGEST_WAIT);
    this.failures += 1;
    this.timer = setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }

  /** Tries at once. */
  again() {
    if (!this.socket) this.open();
  }

  seen() {
    if (document.hidden) {
      this.hiddenSince = Date.now();
    } else if (this.socket && Date.now() - this.hiddenSince > ASLEEP) {
      const stale = this.socket;
      this.open();
      stale.close();
    } else {
      this.again();
    }
  }
}

/** Where the socket is: the page's own host. */
const origin = () => location.origin.replace(/^http/, "ws");
