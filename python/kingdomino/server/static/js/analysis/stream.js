/**
 * The stream of an analysis: the server thinks as long as the socket is open.
 */
import { Emitter } from "../draw/dom.js";
import { socketAt } from "../net/address.js";
import { afterSleep } from "../net/socket.js";

/**
 * @import { Sockets } from "../net/types.js"
 * @typedef {Sockets["analysis"]} Message
 * @typedef {{[M in Message as M["type"]]: M}} Messages
 * @typedef {Messages["analysis"]} Known
 */

/** @extends {Emitter<Messages & {lost: undefined}>} */
export class AnalysisStream extends Emitter {
  /** @type {WebSocket | null} */
  #socket = null;
  #position = "";

  constructor() {
    super();
    afterSleep(() => this.isOpen && this.start(this.#position));
  }

  /** Whether the server is thinking. */
  get isOpen() {
    return this.#socket !== null;
  }

  /** Begins to analyse a position, instead of another. @param {string} position */
  start(position) {
    this.stop();
    this.#position = position;
    const socket = new WebSocket(socketAt(`/api/analysis/socket?${new URLSearchParams({ position })}`));
    this.#socket = socket;
    socket.onmessage = ({ data }) => {
      /** @type {Message} */
      const message = JSON.parse(data);
      if (message.type === "end" || message.type === "refused") this.stop();
      this.emit(message.type, message);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.emit("lost", undefined);
    };
  }

  /** Ends it. What is known stays known. */
  stop() {
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onmessage = null;
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(); // earlier, the browser complains
    else socket.close();
  }
}
