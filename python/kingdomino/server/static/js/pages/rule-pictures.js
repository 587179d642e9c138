/**
 * The pictures of the rules: real dominoes in legal kingdoms. A test plays each of them with the engine.
 */
import { dominoSvg, group, icon, king } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { ghostMarkup } from "../draw/ghost.js";
import { boundsOf } from "../draw/kingdom-map.js";
import { Kingdom } from "../draw/kingdom.js";
import { FULL } from "./full-kingdom.js";
import { KINGDOM, TERRITORIES } from "./lesson.js";

/**
 * @import { Entry, Square } from "../draw/kingdom-map.js"
 *
 * @typedef {object} Picture a kingdom
 * @property {Entry[]} dominoes
 * @property {number} [seat]
 * @property {[Square, Square]} [frame] the squares to show, from corner to corner; by default the covered ones
 * @property {{domino: number, left: Square, right: Square, fits: boolean}[]} [ghosts]
 * @property {{squares: Square[], label: string}[]} [counts]
 * @property {boolean} [limit] whether to draw the edge of the largest kingdom
 * @property {boolean} [holds] true for an example, false for a counterexample, missing for neither
 */

/** By the part of the page. @type {Record<string, Picture[]>} */
export const KINGDOMS = {
  castle: [{
    frame: [[-1, -1], [2, 2]],
    dominoes: [[15, 0, 1, 0, 2], [18, 1, 0, 2, 0]],
  }],
  match: [{
    frame: [[0, -1], [4, 1]],
    dominoes: [[13, 1, 0, 1, 1], [20, 1, -1, 2, -1]],
    ghosts: [
      { domino: 33, left: [3, -1], right: [4, -1], fits: true },
      { domino: 11, left: [2, 1], right: [3, 1], fits: false },
    ],
  }],
  box: [{
    dominoes: KINGDOM.slice(0, 8),
    ghosts: [{ domino: 21, left: [2, 2], right: [3, 2], fits: false }],
    limit: true,
  }],
  discard: [{ dominoes: KINGDOM }],
  score: [{
    dominoes: KINGDOM,
    counts: TERRITORIES.slice(0, 1).map(({ squares, crowns }) =>
      ({ squares, label: `${squares.length} × ${crowns} = ${squares.length * crowns}` })),
  }],
  bonus: [{ dominoes: FULL, seat: 1 }],
  tie: [
    {
      dominoes: [
        [4, 1, 0, 2, 0], [17, 3, 0, 4, 0], [3, 1, 1, 1, 2], [29, 1, -1, 1, -2], [13, 3, -2, 3, -1], [37, 0, -1, 0, -2],
        [24, 3, 1, 4, 1], [35, 0, 1, 0, 2], [7, 4, -2, 4, -1], [26, 3, 2, 4, 2], [33, 2, 1, 2, 2], [42, 2, -1, 2, -2],
      ],
      counts: [{
        squares: [
          [0, 2], [1, -1], [1, 0], [1, 1], [1, 2], [2, 0], [2, 2], [3, -1], [3, 0], [3, 1], [3, 2],
        ],
        label: "11",
      }],
    },
    {
      dominoes: [
        [14, 1, 0, 2, 0], [44, -2, 0, -1, 0], [11, 0, 1, 0, 2], [43, -1, -2, -1, -1], [1, 0, -2, 1, -2],
        [10, -2, 1, -1, 1], [16, -2, -2, -2, -1], [21, 1, -1, 0, -1], [23, 1, 1, 2, 1], [48, 1, 2, 2, 2],
        [36, -2, 2, -1, 2], [45, 2, -2, 2, -1],
      ],
      seat: 1,
      counts: [{
        squares: [[-2, -2], [-1, -2], [0, -2], [1, -2], [1, -1], [1, 0], [1, 1], [1, 2], [2, -1]], label: "9",
      }],
    },
  ],
  centre: [
    { dominoes: [], holds: true },
    { dominoes: [[15, 0, 1, 0, 2], [24, 0, -1, 0, -2], [30, 1, 0, 1, 1], [47, -1, 0, -1, -1]], holds: true },
    { dominoes: [[15, 0, 1, 0, 2], [18, 1, 0, 2, 0], [30, 0, -1, 1, -1]], holds: false },
  ],
  touch: [{
    frame: [[0, -1], [4, 1]],
    dominoes: [[13, 1, 0, 1, 1], [20, 1, -1, 2, -1], [33, 3, -1, 4, -1]],
    ghosts: [
      { domino: 18, left: [2, 1], right: [2, 0], fits: true },
      { domino: 10, left: [4, 1], right: [4, 0], fits: false },
    ],
  }],
  gap: [
    { dominoes: FULL, seat: 1, holds: true },
    {
      dominoes: [
        [24, -1, 1, 0, 1], [5, -3, 1, -2, 1], [14, 1, 1, 1, 0], [21, -1, -1, -1, 0], [11, -3, 0, -2, 0],
        [1, -3, -1, -2, -1], [47, 0, -1, 1, -1],
      ],
      seat: 1, holds: false,
    },
  ],
};

/** A line of dominoes, and the seats whose kings stand on them. @typedef {[domino: number, seat?: number][]} Row */
/** @type {Record<string, Row[]>} */
const LINES = {
  turn: [[[10], [11], [20, 0]], [[26], [33], [42, 0]]],
  order: [[[26, 2], [33, 0], [47, 3]]],
  discard: [[[10]]],
};

/**
 * The picture for a part of the page, or nothing. Screen readers have the words.
 * @param {string} part
 */
export function picture(part) {
  const kingdoms = (KINGDOMS[part] ?? []).map(kingdom);
  const [first, next] = (LINES[part] ?? []).map(line);
  if (!kingdoms.length && !first) return null;
  const made = el(`div.pic.${part}`, { "aria-hidden": "true" }, ...kingdoms, first, next && icon("next"), next);
  made.inert = true;
  return made;
}

/** @param {Picture} shown */
function kingdom({ dominoes, seat = 0, frame, ghosts = [], counts = [], limit, holds }) {
  const made = new Kingdom();
  made.show({ dominoes, seat, frame: frame ? boundsOf(frame) : "box" });
  made.addEventListener("drawn", () => {
    for (const { domino, ...placement } of ghosts) {
      const ghost = group("ghost");
      ghost.classList.toggle("no", !placement.fits);
      ghost.innerHTML = ghostMarkup(made, domino, placement) + markOn(made.corner(...placement.right), placement.fits);
      made.marks.append(ghost);
    }
    if (limit) {
      const edge = group("limit");
      edge.innerHTML = '<path d="M0 0h500v500h-500z"/>';
      made.marks.append(edge);
    }
    for (const { squares, label } of counts) made.highlight(squares, label);
  }, { once: true });
  if (holds === undefined) return made;
  return el("figure", made, el(holds ? "span.yes" : "span.no", icon(holds ? "check" : "close")));
}

/** A tick or a cross on a square. @param {number[]} corner @param {boolean} fits */
function markOn([x, y], fits) {
  const path = fits ? "M-28 2l18 18 38-42" : "M-22-22l44 44m0-44l-44 44";
  return `<g class="mark" transform="translate(${x + 76} ${y + 76})"><path class="halo" d="${path}"/><path d="${path}"/></g>`;
}

/** @param {Row} row */
const line = (row) => el("ol", ...row.map(([domino, seat]) => el("li",
  el("span.number", domino), el("div.domino", dominoSvg(domino)),
  seat !== undefined && king(seat))));
