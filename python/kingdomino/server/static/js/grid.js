/**
 * The squares of a kingdom as keys and screen readers find them: a grid of named squares, one of them in the
 * tab order, walked with the arrow keys.
 *
 * @typedef {import("./land.js").Frame} Frame
 * @typedef {(x: number, y: number) => string} Sight what a square is called
 */
import { h } from "./h.js";

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Grid {
  /** Where the keys stand. @type {[number, number]} */
  #at = [0, 0];
  /** @type {Frame | null} */
  #frame = null;

  /** @param {(x: number, y: number) => void} stood called when the keys have come to a square */
  constructor(stood) {
    /** @type {HTMLElement} */
    this.element = h("div.squares", {
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#walk(event),
      onfocusin: (/** @type {any} */ { target: square }) => {
        const before = this.#square(...this.#at);
        if (before) before.tabIndex = -1;
        square.tabIndex = 0;
        this.#at = [Number(square.dataset.x), Number(square.dataset.y)];
        stood(...this.#at);
      },
    });
  }

  /** Lays the squares of a frame; none of a picture, which is only looked at. @param {Frame | null} frame */
  lay(frame) {
    const held = this.element.contains(document.activeElement);
    this.element.replaceChildren();
    this.element.setAttribute("role", frame ? "grid" : "img");
    this.#frame = frame;
    if (!frame) return;
    const { left, bottom, right, top } = frame;
    const within = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
      Math.min(Math.max(value, low), high);
    this.#at = [within(this.#at[0], left, right), within(this.#at[1], bottom, top)];
    for (let y = top; y >= bottom; y -= 1) {
      const row = h("div", { role: "row" });
      for (let x = left; x <= right; x += 1) {
        const here = x === this.#at[0] && y === this.#at[1];
        row.append(h("div", { role: "gridcell", "data-x": x, "data-y": y, tabindex: here ? 0 : -1 }));
      }
      this.element.append(row);
    }
    if (held) this.#square(...this.#at)?.focus({ preventScroll: true });
  }

  /** @param {string} label @param {Sight} sight */
  name(label, sight) {
    this.element.ariaLabel = label;
    for (const square of this.element.querySelectorAll("[role=gridcell]")) {
      const { x, y } = /** @type {HTMLElement} */ (square).dataset;
      square.ariaLabel = sight(Number(x), Number(y));
    }
  }

  /** Brings the focus to the square where the keys stand. */
  focus() {
    this.#square(...this.#at)?.focus();
  }

  /** @param {number} x @param {number} y @returns {HTMLElement | null} */
  #square(x, y) {
    return this.element.querySelector(`[data-x="${x}"][data-y="${y}"]`);
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (!this.#frame || event.altKey || event.ctrlKey || event.metaKey) return;
    const [x, y] = this.#at;
    const step = ARROWS[event.key];
    const ends = { Home: this.#frame.left, End: this.#frame.right };
    const to = step ? [x + step[0], y + step[1]] : [ends[/** @type {"Home"} */ (event.key)], y];
    if (to[0] === undefined) return;
    this.#square(to[0], to[1])?.focus({ preventScroll: true });
    event.preventDefault();
  }
}
