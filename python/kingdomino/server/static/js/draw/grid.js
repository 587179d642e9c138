/**
 * The squares of a kingdom for keys and screen readers: a grid of labelled squares, one of them in the tab order,
 * walked with the arrow keys.
 */
import { el } from "./dom.js";

/** @import { Frame } from "./kingdom-map.js" */

/** @type {Partial<Record<string, [number, number]>>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Grid {
  /** The square in the tab order. @type {[number, number]} */
  #at = [0, 0];
  /** @type {Frame | null} */
  #frame = null;

  /** @param {(x: number, y: number) => void} onWalk called when the arrow keys have come to a square */
  constructor(onWalk) {
    this.element = el("div.squares", {
      onkeydown: (event) => this.#walk(event),
      onfocusin: ({ target: square }) => {
        if (!(square instanceof HTMLElement)) return;
        const before = this.#square(...this.#at);
        if (before) before.tabIndex = -1;
        square.tabIndex = 0;
        this.#at = [Number(square.dataset.x), Number(square.dataset.y)];
        onWalk(...this.#at);
      },
    });
  }

  /** Makes the squares of a frame; without one it is a picture that cannot be walked. @param {Frame | null} frame */
  build(frame) {
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
      const row = el("div", { role: "row" });
      for (let x = left; x <= right; x += 1) {
        const here = x === this.#at[0] && y === this.#at[1];
        row.append(el("div", { role: "gridcell", "data-x": x, "data-y": y, tabindex: here ? 0 : -1 }));
      }
      this.element.append(row);
    }
    if (held) this.#square(...this.#at)?.focus({ preventScroll: true });
  }

  /** @param {string} label @param {(x: number, y: number) => string} labelOf */
  name(label, labelOf) {
    this.element.ariaLabel = label;
    for (const square of this.element.querySelectorAll("[role=gridcell]")) {
      const [x, y] = ["data-x", "data-y"].map((name) => Number(square.getAttribute(name)));
      square.ariaLabel = labelOf(x, y);
    }
  }

  /** Moves the focus to the square in the tab order. */
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
    let to = step && [x + step[0], y + step[1]];
    if (event.key === "Home") to = [this.#frame.left, y];
    if (event.key === "End") to = [this.#frame.right, y];
    if (!to) return;
    this.#square(to[0], to[1])?.focus({ preventScroll: true });
    event.preventDefault();
  }
}
