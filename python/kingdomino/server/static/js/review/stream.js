/**
 * The review of a game as the server sends it. It connects again by itself.
 */
import { Emitter } from "../draw/dom.js";
import { socketAt } from "../net/address.js";
import { afterSleep, replace, waitAfter } from "../net/socket.js";

/**
 * @import { Decision, Evaluation, Luck, RefusalBody, ReviewNews, SeatReview } from "../net/types.js"
 *
 * @typedef {object} Known what is known of a review
 * @property {Decision[]} decisions by ply
 * @property {readonly Luck[]} luck
 * @property {readonly SeatReview[]} seats
 * @property {Evaluation | null} start
 * @property {number} plies
 * @property {number} steps
 * @property {number} made of the steps
 * @property {number | null} ahead how many are served first
 * @property {RefusalBody | null} refusal
 * @property {boolean} isDown whether there is no connection
 */

/** @extends {Emitter<{news: Known}>} */
export class ReviewStream extends Emitter {
  /** @type {Known} */
  known = {
    decisions: [], luck: [], seats: [], start: null, plies: 0, steps: 0, made: 0, ahead: null, refusal: null, isDown: false,
  };
  #failures = 0;
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {string} game @param {number} number */
  constructor(game, number) {
    super();
    this.url = socketAt(`/api/reviews/${game}/socket?number=${number}`);
    afterSleep(() => this.isOver || replace(this.#socket, () => this.open()));
  }

  open() {
    clearTimeout(this.#timer);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onmessage = (message) => this.#receive(JSON.parse(message.data));
    socket.onclose = ({ code }) => this.#closed(socket, code);
  }

  get isOver() {
    return this.known.refusal !== null || (this.known.steps > 0 && this.known.made === this.known.steps);
  }

  /** @param {Required<ReviewNews>} news */
  #receive(news) {
    const { known } = this;
    this.#failures = 0;
    const decisions = [...known.decisions];
    for (const decision of news.decisions) decisions[decision.ply] = decision;
    this.#tell({
      decisions, isDown: false, refusal: news.refusal, ahead: news.ahead, steps: news.steps, made: news.steps_made,
      plies: news.plies || known.plies, start: news.start ?? known.start, luck: news.luck ?? known.luck,
      seats: news.seats ?? known.seats,
    });
  }

  /** @param {WebSocket} socket @param {number} code */
  #closed(socket, code) {
    if (this.isOver || socket !== this.#socket) return;
    if (this.#failures) this.#tell({ ...this.known, isDown: true });
    this.#timer = setTimeout(() => this.open(), waitAfter(code, this.#failures));
    this.#failures += 1;
  }

  /** @param {Known} known */
  #tell(known) {
    this.known = known;
    this.emit("news", known);
  }
}
