/**
 * The layer over a kingdom while placing a domino: the spots where it fits, its ghost, and a bubble with the points. It
 * does not redraw the kingdom.
 */
import { domino, endMarkup, group, use } from "./art.js";
import { el } from "./dom.js";
import { boundsOf } from "./kingdom-map.js";

/**
 * @import { Kingdom } from "./kingdom.js"
 * @import { Frame, Square } from "./kingdom-map.js"
 * @import { Candidate, Placements } from "../table/placements.js"
 */

/**
 * A domino over a kingdom, in a frame that shows whether it fits there.
 * @param {Kingdom} kingdom
 * @param {number} number
 * @param {{left: Square, right: Square, fits: boolean}} placement
 * @param {"legal" | "illegal" | "played"} [frame]
 */
export function ghostMarkup(kingdom, number, { left, right, fits }, frame = fits ? "legal" : "illegal") {
  const corners = [kingdom.corner(...left), kingdom.corner(...right)];
  const [x, y] = [Math.min(corners[0][0], corners[1][0]), Math.min(corners[0][1], corners[1][1])];
  // An illegal ghost does not hide what is below it.
  const ends = /** @type {const} */ (["left", "right"]).map((end, at) =>
    (!fits && kingdom.has(...[left, right][at]) ? "" : endMarkup(number, end, ...corners[at])));
  // The frame is for a horizontal domino. Unlike art, it may be rotated.
  const upright = left[0] === right[0] ? `translate(${x + 100} ${y}) rotate(90)` : `translate(${x} ${y})`;
  const drawn = use(`ghost-${frame}`, -6, -6, 212, 112);
  return `<g class="art">${ends.join("")}</g><g transform="${upright}">${drawn}</g>`;
}

/**
 * Marks the squares of a hint, or with `kind` "put" the squares of a domino that the player can take back.
 * @param {Kingdom} kingdom
 * @param {Square[]} squares
 * @param {"where" | "put"} kind
 */
export function markSquares(kingdom, squares, kind) {
  const corners = squares.map((square) => kingdom.corner(...square));
  const [x, y] = [Math.min(...corners.map(([left]) => left)), Math.min(...corners.map(([, top]) => top))];
  const { columns, rows } = boundsOf(squares);
  const mark = group(kind);
  mark.innerHTML = `<rect x="${x}" y="${y}" width="${columns * 100}" height="${rows * 100}" rx="8"/>`;
  kingdom.marks.prepend(mark);
  return mark;
}

export class Ghost {
  #spots = group("spots");
  #domino = group("ghost");
  #bubble = el("div.bubble");
  /** @type {Candidate | null} */
  #candidate = null;
  /** Lies over the ghost, so that a touch there drags it and does not scroll the page. */
  handle = el("div.handle");

  /** @param {Kingdom} kingdom @param {number} number @param {Placements} placements */
  constructor(kingdom, number, placements) {
    this.kingdom = kingdom;
    this.number = number;
    this.placements = placements;
    kingdom.marks.append(this.#spots, this.#domino);
    kingdom.overlay.append(this.handle, this.#bubble);
    this.show(null);
  }

  remove() {
    for (const each of [this.#spots, this.#domino, this.#bubble, this.handle]) each.remove();
    this.kingdom.fadeOutOfReach([]);
  }

  /** @param {Candidate | null} candidate */
  show(candidate) {
    this.#candidate = candidate;
    this.#drawSpots(candidate);
    const fits = !candidate?.refusal;
    this.#domino.innerHTML = candidate ? ghostMarkup(this.kingdom, this.number, { ...candidate, fits }) : "";
    this.#domino.classList.toggle("no", !!candidate?.refusal);
    this.#bubble.hidden = this.handle.hidden = !candidate;
    if (candidate) this.#place(candidate);
    this.kingdom.fadeOutOfReach(candidate && !candidate.refusal ? [candidate.left, candidate.right] : []);
  }

  /** A ring on each joint where the domino fits, but none under the ghost. @param {Candidate | null} candidate */
  #drawSpots(candidate) {
    const covered = candidate ? [String(candidate.left), String(candidate.right)] : [];
    const free = this.placements.legal.filter(({ left, right }) =>
      !covered.includes(String(left)) && !covered.includes(String(right)));
    this.#spots.innerHTML = free.map(({ x, y }) => {
      const [left, top] = this.kingdom.corner(x, y);
      return use("spot", left + 33, top + 33, 34);
    }).join("");
  }

  /** Puts the handle on the ghost, and the bubble on its edge. @param {Candidate} candidate */
  #place(candidate) {
    const { left, top, columns, rows } = this.kingdom.bounds;
    const box = boundsOf([candidate.left, candidate.right]);
    const at = (/** @type {number} */ x, /** @type {number} */ y) => ({
      left: `${((x - left) / columns) * 100}%`,
      top: `${((top - y) / rows) * 100}%`,
    });
    Object.assign(this.handle.style, at(box.left, box.top), {
      width: `${(box.columns / columns) * 100}%`,
      height: `${(box.rows / rows) * 100}%`,
    });
    const [x, y] = this.#edge(box);
    this.#bubble.textContent = candidate.refusal ? "✕" : `+${candidate.points}`;
    this.#bubble.classList.toggle("no", !!candidate.refusal);
    Object.assign(this.#bubble.style, at(x + 0.5, y - 0.5));
  }

  /**
   * The middle of the edge that touches the fewest squares of the kingdom, preferably one where the bubble does not
   * hide the ghost's crowns, which are at the upper left of a square.
   * @param {Frame} box
   */
  #edge({ left: west, bottom: south, right: east, top: north }) {
    const [x, y] = [(west + east) / 2, (south + north) / 2];
    const lower = west === east ? [west, south] : null; // the end whose crowns are at the middle of the left edge
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

  /** Whether the ghost's end on a square has crowns. @param {number[]} square */
  #crowned(square) {
    const end = String(this.#candidate?.left) === String(square) ? "left" : "right";
    return domino(this.number)[end].crowns > 0;
  }
}
