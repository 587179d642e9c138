/**
 * All placements of a domino, from the table's `choices`, by joint: the edge between the two squares that it covers. The
 * engine decides what is legal, its points, and the reasons against the rest.
 */

/**
 * @import { Choices, TerritoryGain } from "../net/types.js"
 * @import { Refusal } from "../i18n/placement-text.js"
 * @import { Square } from "../draw/kingdom-map.js"
 * @typedef {Pick<Choices, "domino" | "placements" | "refused">} Placing
 *
 * @typedef {object} Candidate a way to place the domino, legal or not
 * @property {Square} left
 * @property {Square} right
 * @property {string} joint
 * @property {number} x of the middle of the joint
 * @property {number} y
 * @property {string} action
 * @property {number} points
 * @property {TerritoryGain[]} gains
 * @property {Refusal | null} refusal
 */

const CLOCKWISE = [[1, 0], [0, -1], [-1, 0], [0, 1]];

/** @param {Square} left @param {Square} right @param {Partial<Candidate>} rest @returns {Candidate} */
function candidateOf(left, right, rest) {
  const [x, y] = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
  return { left, right, joint: `${x},${y}`, x, y, action: "", points: 0, gains: [], refusal: null, ...rest };
}

export class Placements {
  /** The candidates at each joint: legal ones first, then by points. @type {Map<string, Candidate[]>} */
  #joints = new Map();

  /** @param {Pick<Placing, "placements" | "refused">} choices */
  constructor({ placements, refused } = { placements: [], refused: [] }) {
    for (const each of placements) this.#add(candidateOf(each.left, each.right, each));
    for (const { placements: all, ...refusal } of refused) {
      for (const [lx, ly, rx, ry] of all) this.#add(candidateOf([lx, ly], [rx, ry], { refusal }));
    }
    const worth = (/** @type {Candidate} */ { refusal, points }) => (refusal ? -1 : points);
    for (const candidates of this.#joints.values()) candidates.sort((one, other) => worth(other) - worth(one));
  }

  /** @param {Candidate} candidate */
  #add(candidate) {
    const others = this.#joints.get(candidate.joint);
    if (others) others.push(candidate);
    else this.#joints.set(candidate.joint, [candidate]);
  }

  /** The best candidate at each joint with a legal one. */
  get legal() {
    return [...this.#joints.values()].map(([best]) => best).filter((candidate) => !candidate.refusal);
  }

  /** The legal candidate of an action. @param {string} action */
  of(action) {
    return [...this.#joints.values()].flat().find((candidate) => candidate.action === action) ?? null;
  }

  /**
   * The best candidate at the joint nearest to a place, within `reach` squares.
   * @param {number} x
   * @param {number} y
   * @param {number} reach
   * @param {boolean} [legalOnly]
   */
  near(x, y, reach, legalOnly = false) {
    let [found, nearest] = [/** @type {Candidate | null} */ (null), reach];
    for (const [candidate] of this.#joints.values()) {
      const distance = Math.hypot(candidate.x - x, candidate.y - y);
      if (distance <= nearest && !(legalOnly && candidate.refusal)) [found, nearest] = [candidate, distance];
    }
    return found;
  }

  /** The best candidate that covers a square; among illegal ones, the one with the most useful reason. @param {Square} square */
  covering(square) {
    const useful = ["taken", "too_wide", "too_tall", "no_match"];
    /** @param {Candidate} candidate */
    const rank = ({ refusal, points }) => (refusal ? useful.indexOf(refusal.code) : useful.length + points);
    const [first = null, ...others] = this.#around(square);
    return others.reduce((best, candidate) => (best && rank(candidate) > rank(best) ? candidate : best), first);
  }

  /** All candidates that cover a square, joint by joint, clockwise. @param {Square} square */
  #around([x, y]) {
    return CLOCKWISE.flatMap(([dx, dy]) => this.#joints.get(`${x + dx / 2},${y + dy / 2}`) ?? []);
  }

  /** The same two squares the other way round, legal or not. @param {Candidate} candidate */
  flipped(candidate) {
    return this.#joints.get(candidate.joint)?.find((other) => other !== candidate) ?? candidate;
  }

  /**
   * The candidate after rotating: the next legal one at this joint, then around `pivot`, one of its two squares. If no
   * other is legal, any on free squares.
   * @param {Candidate} candidate
   * @param {Square} pivot
   * @param {1 | -1} step clockwise or back
   */
  next(candidate, pivot, step) {
    const ring = this.#around(pivot);
    const legal = ring.filter((each) => !each.refusal);
    const wanted = legal.length > 1 ? legal : ring.filter((each) => each.refusal?.code !== "taken");
    const from = ring.indexOf(candidate);
    const others = ring.map((_, index) => ring[(from + step * (index + 1) + 2 * ring.length) % ring.length]);
    return others.find((each) => wanted.includes(each)) ?? candidate;
  }
}
