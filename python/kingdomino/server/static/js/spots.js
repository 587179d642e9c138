/**
 * Every way to lay one domino, as the server listed it, by joint: the edge between the two squares it covers.
 * Nothing here knows a rule: what is legal, what it scores and why not comes from `choices`.
 *
 * @typedef {[number, number]} Square
 * @typedef {{code: string, squares: number, terrains: string[], text: string}} Refusal
 * @typedef {{terrain: string, squares: number, crowns: number, points: number}} Growth
 * @typedef {{left: Square, right: Square, joint: string, x: number, y: number, action: string,
 *   points: number, grows: Growth[], refusal: Refusal | null}} Turn a way to lay it; (x, y) is mid-joint
 */

const CLOCKWISE = [[1, 0], [0, -1], [-1, 0], [0, 1]];

/** @param {Square} left @param {Square} right @param {object} rest @returns {Turn} */
function turnOf(left, right, rest) {
  const [x, y] = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
  return { left, right, joint: `${x},${y}`, x, y, action: "", points: 0, grows: [], refusal: null, ...rest };
}

export class Spots {
  /** At each joint the turns, legal ones first, those that score most first. @type {Map<string, Turn[]>} */
  #joints = new Map();

  /** @param {any} choices */
  constructor({ placements, refused } = { placements: [], refused: [] }) {
    for (const each of placements) this.#add(turnOf(each.left, each.right, each));
    for (const { placements: all, ...refusal } of refused) {
      for (const [lx, ly, rx, ry] of all) this.#add(turnOf([lx, ly], [rx, ry], { refusal }));
    }
    const worth = (/** @type {Turn} */ { refusal, points }) => (refusal ? -1 : points);
    for (const turns of this.#joints.values()) turns.sort((one, other) => worth(other) - worth(one));
  }

  /** @param {Turn} turn */
  #add(turn) {
    const others = this.#joints.get(turn.joint);
    if (others) others.push(turn);
    else this.#joints.set(turn.joint, [turn]);
  }

  /** The best turn at each joint where one is legal. */
  get legal() {
    return [...this.#joints.values()].map(([best]) => best).filter((turn) => !turn.refusal);
  }

  /** The best turn at the joint nearest to a place, if one is near enough. */
  near(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ reach, legalOnly = false) {
    let [found, nearest] = [/** @type {Turn | null} */ (null), reach];
    for (const [turn] of this.#joints.values()) {
      const distance = Math.hypot(turn.x - x, turn.y - y);
      if (distance <= nearest && !(legalOnly && turn.refusal)) [found, nearest] = [turn, distance];
    }
    return found;
  }

  /** The best of the turns that cover a square; of those that are refused, the one that tells most. */
  covering(/** @type {number} */ x, /** @type {number} */ y) {
    const telling = ["taken", "too_wide", "too_tall", "no_match"];
    /** @param {Turn} turn */
    const rank = ({ refusal, points }) => (refusal ? telling.indexOf(refusal.code) : telling.length + points);
    const [first = null, ...others] = this.#around([x, y]);
    return others.reduce((best, turn) => (best && rank(turn) > rank(best) ? turn : best), first);
  }

  /** All turns that cover a square, joint by joint, clockwise. @param {Square} square */
  #around([x, y]) {
    return CLOCKWISE.flatMap(([dx, dy]) => this.#joints.get(`${x + dx / 2},${y + dy / 2}`) ?? []);
  }

  /** The same two squares the other way round, legal or not. @param {Turn} turn */
  flipped(turn) {
    return this.#joints.get(turn.joint)?.find((other) => other !== turn) ?? turn;
  }

  /**
   * The turn that follows: the next legal one at this joint, then around `pivot`, one of its two squares;
   * where no other is legal, any that lies on free squares.
   * @param {Turn} turn
   * @param {Square} pivot
   * @param {1 | -1} step clockwise or back
   */
  next(turn, pivot, step) {
    const ring = this.#around(pivot);
    const legal = ring.filter((each) => !each.refusal);
    const wanted = legal.length > 1 ? legal : ring.filter((each) => each.refusal?.code !== "taken");
    const from = ring.indexOf(turn);
    const others = ring.map((_, index) => ring[(from + step * (index + 1) + 2 * ring.length) % ring.length]);
    return others.find((each) => wanted.includes(each)) ?? turn;
  }
}
