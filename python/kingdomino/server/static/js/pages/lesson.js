/**
 * The seven steps of the lesson. They are moments of a real game, with the server's placements, points and
 * reasons, so there are no rules here.
 *
 * A square is a letter for its column and a digit for its row, with the castle on d4. A placement is the square of the
 * domino's left end, then the square of its right end.
 */

/**
 * @import { Entry, Square } from "../draw/kingdom-map.js"
 * @import { TerritoryGain, Refused } from "../net/types.js"
 * @import { DominoChoices } from "../table/placing.js"
 *
 * @typedef {object} Step
 * @property {string} key of its words
 * @property {number} placed how many dominoes are in the kingdom
 * @property {number} score
 * @property {number} [best] the points of the placement to find; the player tries again after any other
 * @property {DominoChoices} [choices] for the next domino
 */

/** @param {string} name @returns {Square} steps from the castle */
const square = (name) => [name.charCodeAt(0) - 100, Number(name[1]) - 4];

/** @param {string} names */
const squares = (names) => (names.match(/[a-g]\d/g) ?? []).map(square);

/** @param {string} placement @returns {[...Square, ...Square]} */
const ends = (placement) => [...square(placement.slice(0, 2)), ...square(placement.slice(2))];

/** The dominoes of that kingdom in order of placement. @type {Entry[]} */
export const KINGDOM = "2e4f4 25b4c4 46d5d6 20e3e2 22e5f5 26b3c3 23d3d2 1b5c5 21b6c6 41e6f6 45b2c2"
  .split(" ").map((entry) => [Number.parseInt(entry), ...ends(entry.slice(-4))]);

/** The line of the claiming step: the points of each domino (-1: it fits nowhere), and who claimed it. */
export const LINE = [
  { domino: 11, points: -1, seat: null }, { domino: 21, points: 13, seat: null },
  { domino: 36, points: 4, seat: null }, { domino: 48, points: 11, seat: 1 },
];
export const BEST_CLAIM = 21;

/** The territories of the finished kingdom. */
export const TERRITORIES = [
  { crowns: 4, squares: squares("b5 b6 c2 c3 c4 c5 d3 e3 e4 e5 e6 f4") },
  { crowns: 2, squares: squares("b3 b4") },
  { crowns: 2, squares: squares("f6") },
  { crowns: 2, squares: squares("d6") },
  { crowns: 2, squares: squares("b2") },
];
export const TOTAL = 58;

/**
 * The server's choices for `domino`.
 * @param {number} domino
 * @param {Record<string, string>} legal the placements by their gains (squares × crowns and the points)
 * @param {Partial<Record<Refused["code"], string>>} [refused] the illegal placements by reason,
 *   either way round unless that is legal
 * @returns {DominoChoices}
 */
function choices(domino, legal, refused = {}) {
  const placements = Object.entries(legal).flatMap(([text, all]) => {
    const gains = [...text.matchAll(/(\w+) (\d+)×(\d) \+(\d+)/g)].map(([, terrain, ...figures]) => {
      const [size, crowns, points] = figures.map(Number);
      return { terrain: /** @type {TerritoryGain["terrain"]} */ (terrain), squares: size, crowns, points };
    });
    const points = gains.reduce((sum, each) => sum + each.points, 0);
    return all.split(" ").map((action) => {
      const [left, right] = squares(action);
      return { action, left, right, points, gains };
    });
  });
  const terrains = (placements[0]?.gains ?? []).map(({ terrain }) => terrain);
  const codes = /** @type {Refused["code"][]} */ (Object.keys(refused));
  const reasons = codes.map((code) => {
    const ways = refused[code]?.split(" ").flatMap((way) => [way, way.slice(2) + way.slice(0, 2)]) ?? [];
    const illegal = ways.filter((way) => placements.every(({ action }) => action !== way));
    return { code, squares: 6, terrains, text: "", placements: illegal.map(ends) };
  });
  return { domino, placements, refused: reasons };
}

/** @type {Step[]} */
export const STEPS = [
  {
    key: "place", placed: 0, score: 0,
    choices: choices(2, {
      "wheat 2×0 +0": "e4f4 c5d5 d5e5 c3d3 d3e3 b4c4 e4e5 d5d6 d2d3 c3c4 e3e4 c4c5",
    }, {
      no_match: "b2c2 b2b3 b3c3 b3b4 b4b5 b5c5 b5b6 b6c6 c2d2 c2c3 c5c6 c6d6 " +
        "d2e2 d6e6 e2f2 e2e3 e3f3 e5f5 e5e6 e6f6 f2f3 f3f4 f4f5 f5f6",
    }),
  },
  {
    key: "match", placed: 4, score: 6,
    choices: choices(22, {
      "wheat 1×1 +1, swamp 2×0 +0": "b5c5 c6c5 e6e5",
      "wheat 4×2 +5, swamp 1×0 +0": "e5f5 e5e6 f5f6 d3c3 d3d2 f3f2",
      "wheat 2×1 +2, swamp 1×0 +0": "c3d3 c5c6 c5b5 c3b3 c3c2",
      "wheat 1×1 +1, swamp 1×0 +0": "d2d3",
      "wheat 4×2 +5, swamp 2×0 +0": "f5e5",
    }, { no_match: "b2c2 b2b3 b3c3 b5b6 b6c6 c2d2 c2c3 e6f6 f2f3 f6f5" }),
  },
  {
    key: "crowns", placed: 6, score: 14, best: 13,
    choices: choices(23, {
      "wheat 1×1 +1, mine 2×2 +2": "b6c6 f6e6",
      "wheat 5×3 +7, mine 1×0 +0": "e6f6 f3f2",
      "wheat 3×1 +3, mine 1×0 +0": "c2d2 c5b5 c2b2",
      "wheat 3×1 +3, mine 2×2 +2": "c5c6",
      "wheat 1×1 +1, mine 1×0 +0": "d2d3",
      "wheat 7×3 +13, mine 1×0 +0": "d3d2",
    }, { no_match: "b2c2 b5c5 b5b6 c6b6 c6c5 d2c2 f2f3" }),
  },
  { key: "claim", placed: 8, score: 33 },
  {
    key: "box", placed: 8, score: 33,
    choices: choices(21, { "wheat 10×4 +13, grassland 1×0 +0": "b6c6 e6f6 c6b6 c2b2 f3f2" }, {
      too_wide: "a2b2 a6b6 f2g2 f3g3 f6g6",
      too_tall: "b1b2 b6b7 c1c2 c6c7 e6e7 f1f2 f6f7",
      no_match: "b2c2 f2f3 f6e6",
    }),
  },
  { key: "discard", placed: 11, score: TOTAL, choices: choices(10, {}) },
  { key: "count", placed: 11, score: TOTAL },
];
