/**
 * What is drawn over a kingdom while a domino is being placed: the spots, the ghost, and how much it brings.
 * The land beneath is never drawn again for it.
 *
 * @typedef {import("./kingdom.js").Kingdom} Kingdom
 * @typedef {import("./spots.js").Turn} Turn
 * @typedef {import("./spots.js").Spots} Spots
 */
import { domino, endMarkup, group, use } from "./art.js";
import { h } from "./h.js";

export class Ghost {
  #spots = group("spots");
  #domino = group("ghost");
  #bubble = h("div.bubble");
  /** @type {Turn | null} */
  #turn = null;
  /** Listens for fingers where the ghost lies: there a drag moves it instead of the page. */
  handle = h("div.handle");

  /** @param {Kingdom} kingdom @param {number} number @param {Spots} spots */
  constructor(kingdom, number, spots) {
    this.kingdom = kingdom;
    this.number = number;
    this.spots = spots;
    kingdom.marks.append(this.#spots, this.#domino);
    kingdom.over.append(this.handle, this.#bubble);
    this.show(null);
  }

  remove() {
    for (const each of [this.#spots, this.#domino, this.#bubble, this.handle]) each.remove();
    this.kingdom.foresee([]);
  }

  /** @param {Turn | null} turn */
  show(turn) {
    this.#turn = turn;
    this.#drawSpots(turn);
    this.#domino.innerHTML = turn ? this.#markup(turn) : "";
    this.#domino.classList.toggle("no", !!turn?.refusal);
    this.#bubble.hidden = this.handle.hidden = !turn;
    if (turn) this.#place(turn);
    this.kingdom.foresee(turn && !turn.refusal ? [turn.left, turn.right] : []);
  }

  /** A ring on each joint where the domino fits, but none under the ghost. @param {Turn | null} turn */
  #drawSpots(turn) {
    const covered = turn ? [String(turn.left), String(turn.right)] : [];
    const free = this.spots.legal.filter(({ left, right }) =>
      !covered.includes(String(left)) && !covered.includes(String(right)));
    this.#spots.innerHTML = free.map(({ x, y }) => {
      const [left, top] = this.kingdom.corner(x, y);
      return use("spot", left + 33, top + 33, 34);
    }).join("");
  }

  /** @param {Turn} turn */
  #markup({ left, right, refusal }) {
    const corners = [this.kingdom.corner(...left), this.kingdom.corner(...right)];
    const [x, y] = [Math.min(corners[0][0], corners[1][0]), Math.min(corners[0][1], corners[1][1])];
    const ends = endMarkup(this.number, "left", corners[0][0], corners[0][1]) +
      endMarkup(this.number, "right", corners[1][0], corners[1][1]);
    // The frame is drawn for a lying domino. It is no art, so it may be turned.
    const upright = left[0] === right[0] ? `translate(${x + 100} ${y}) rotate(90)` : `translate(${x} ${y})`;
    const frame = use(refusal ? "ghost-illegal" : "ghost-legal", -6, -6, 212, 112);
    return `<g class="art">${ends}</g><g transform="${upright}">${frame}</g>`;
  }

  /** Puts the handle on the ghost, and on its edge what it brings. @param {Turn} turn */
  #place(turn) {
    const { left, top, columns, rows } = this.kingdom.bounds;
    const [west, east] = [Math.min(turn.left[0], turn.right[0]), Math.max(turn.left[0], turn.right[0])];
    const [south, north] = [Math.min(turn.left[1], turn.right[1]), Math.max(turn.left[1], turn.right[1])];
    const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
      left: `${((x - left) / columns) * 100}%`,
      top: `${((top - y) / rows) * 100}%`,
    });
    Object.assign(this.handle.style, at(west, north), {
      width: `${((east - west + 1) / columns) * 100}%`,
      height: `${((north - south + 1) / rows) * 100}%`,
    });
    const [x, y] = this.#edge(west, south, east, north);
    this.#bubble.textContent = turn.refusal ? "✕" : `+${turn.points}`;
    this.#bubble.classList.toggle("no", !!turn.refusal);
    Object.assign(this.#bubble.style, at(x + 0.5, y - 0.5));
  }

  /**
   * The middle of the edge that lies away from the kingdom: the one that the least land touches, and rather
   * one where the ghost's own crowns stay in sight, which hang from the upper left of a square.
   * @param {number} west
   * @param {number} south
   * @param {number} east
   * @param {number} north
   */
  #edge(west, south, east, north) {
    const [x, y] = [(west + east) / 2, (south + north) / 2];
    const lower = west === east ? [west, south] : null; // the end whose crowns hang at the middle of the left
    const sides = [
      { at: [x, south - 0.5], next: [[west, south - 1], [east, south - 1]], hides: null },
      { at: [x, north + 0.5], next: [[west, north + 1], [east, north + 1]], hides: [east, north] },
      { at: [east + 0.5, y], next: [[east + 1, south], [east + 1, north]], hides: null },
      { at: [west - 0.5, y], next: [[west - 1, south], [west - 1, north]], hides: lower },
    ];
    const cost = (/** @type {typeof sides[0]} */ { next, hides }) =>
      next.filter(([u, v]) => this.kingdom.has(u, v)).length + (hides && this.#crowned(hides) ? 1.5 : 0);
    return sides.reduce((best, side) => (cost(side) < cost(best) ? side : best)).at;
  }

  /** Whether the end that the ghost shows on a square has crowns. @param {number[]} square */
  #crowned(square) {
    const end = String(this.#turn?.left) === String(square) ? "left" : "right";
    return domino(this.number)[end].crowns > 0;
  }
}
