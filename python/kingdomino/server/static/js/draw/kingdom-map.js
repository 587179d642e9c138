/**
 * A kingdom as SVG, in units of 100 a square: grounds, joints, seams, outline, empty squares, and labels on
 * territories. The counterpart of `kingdomino.svg`.
 *
 * @typedef {[number, number, number, number, number]} Entry a domino's number, left square and right square
 * @typedef {[number, number]} Square
 * @typedef {{left: number, bottom: number, right: number, top: number, columns: number, rows: number}} Frame
 * @typedef {{x: number, y: number, terrain: string, crowns: number}} TerrainSquare a square of an unknown domino
 * @typedef {TerrainSquare & {number: number, variant: number}} Covered `number`: of the domino; 0: unknown
 */
import { domino, ground, group, squareMarkup, use, variantOf } from "./art.js";
import { find } from "./dom.js";

const STEPS = [[0, 1], [1, 0], [0, -1], [-1, 0]];

/** The smallest frame that contains all of these squares. @param {Square[]} squares @returns {Frame} */
export function boundsOf(squares) {
  const [across, up] = [squares.map(([x]) => x), squares.map(([, y]) => y)];
  return framed(Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up));
}

/** @param {number} left @param {number} bottom @param {number} right @param {number} top @returns {Frame} */
function framed(left, bottom, right, top) {
  return { left, bottom, right, top, columns: right - left + 1, rows: top - bottom + 1 };
}

/** The cover of each square. */
export class KingdomMap {
  /** @param {Entry[]} entries @param {TerrainSquare[]} [bare] squares of unknown dominoes */
  constructor(entries, bare = []) {
    /** @type {Map<string, Covered>} */
    this.squares = new Map([["0,0", { x: 0, y: 0, number: 0, variant: 1, terrain: "castle", crowns: 0 }]]);
    for (const [number, lx, ly, rx, ry] of entries) {
      const { left, right, variants } = domino(number);
      this.squares.set(`${lx},${ly}`, { x: lx, y: ly, number, variant: variants.left, ...left });
      this.squares.set(`${rx},${ry}`, { x: rx, y: ry, number, variant: variants.right, ...right });
    }
    for (const square of bare) {
      const variant = variantOf(square.terrain, Math.abs(7 * square.x + 4 * square.y));
      this.squares.set(`${square.x},${square.y}`, { ...square, number: 0, variant });
    }
    this.box = boundsOf([...this.squares.values()].map(({ x, y }) => [x, y]));
  }

  /**
   * The squares to show: the box, everything within reach of the next domino, or the largest possible kingdom.
   * @param {"box" | "reach" | "window"} kind
   * @param {number} size
   */
  frame(kind, size) {
    const { left, bottom, right, top, columns, rows } = this.box;
    if (kind === "box") return this.box;
    if (kind === "reach") {
      // A kingdom set up by hand may be too large.
      const [wide, tall] = [columns, rows].map((now) => Math.max(0, Math.min(2, size - now)));
      return framed(left - wide, bottom - tall, right + wide, top + tall);
    }
    const [x, y] = [Math.floor((left + right + 1 - size) / 2), Math.floor((bottom + top + 1 - size) / 2)];
    return framed(x, y, x + size - 1, y + size - 1);
  }
}

/**
 * The whole kingdom as markup; the origin is the frame's upper left corner.
 * @param {KingdomMap} map
 * @param {Frame} frame
 * @param {{empty: boolean, plain: boolean}} options whether to draw empty squares; whether without details
 */
export function kingdomMarkup(map, frame, { empty, plain }) {
  /** @param {{x: number, y: number}} square */
  const corner = ({ x, y }) => [(x - frame.left) * 100, (frame.top - y) * 100];
  const covered = [...map.squares.values()].sort((one, other) => other.y - one.y || one.x - other.x);
  const terrains = new Set(covered.map((square) => square.terrain));
  terrains.delete("castle");
  // One ground under equal neighbours, so that no gap shows between two drawings.
  const grounds = [...terrains].map((terrain) => {
    const alike = covered.filter((square) => square.terrain === terrain);
    return `<path d="${area(alike.map(corner))}" fill="${ground(terrain)}"/>`;
  });
  const squares = covered.map((square) => {
    const [x, y] = corner(square);
    if (square.terrain === "castle") return use("castle", x, y, 100, 100, ' class="seat"');
    return squareMarkup(square, plain ? 1 : square.variant, x, y);
  });
  const { joints, seams, edge } = borders(map, corner);
  const strokes = [stroke(plain ? "" : joints, 2, 0.16), stroke(seams, 4, 0.55), stroke(edge, 4, 0.75)];
  return [
    empty ? emptyMarkup(map, frame) : "",
    `<g class="land${plain ? " plain" : ""}">`, ...grounds, ...squares, "</g>",
    `<path class="veil" d="${area(covered.map(corner))}"/>`, ...strokes,
  ].join("");
}

/** @param {string} path @param {number} width @param {number} opacity */
function stroke(path, width, opacity) {
  return path && `<path class="seam" d="${path}" stroke-width="${width}" opacity="${opacity}"/>`;
}

/** @param {KingdomMap} map @param {Frame} frame */
function emptyMarkup(map, frame) {
  let markup = "";
  for (let y = frame.top; y >= frame.bottom; y -= 1) {
    for (let x = frame.left; x <= frame.right; x += 1) {
      if (map.squares.has(`${x},${y}`)) continue;
      const place = ` class="empty" data-x="${x}" data-y="${y}"`;
      markup += use("square-empty", (x - frame.left) * 100, (frame.top - y) * 100, 100, 100, place);
    }
  }
  return markup;
}

/** @param {number[][]} corners */
function area(corners) {
  return corners.map(([x, y]) => `M${x} ${y}h100v100h-100z`).join("");
}

/**
 * A side of a square as a path: the one in the direction of a step.
 * @param {number} x
 * @param {number} y
 * @param {number[]} step
 */
function side(x, y, [dx, dy]) {
  return `M${x + (dx > 0 ? 100 : 0)} ${y + (dy < 0 ? 100 : 0)}${dx ? "v100" : "h100"}`;
}

/**
 * The joints between equal neighbours (one domino has none inside), the seams between others, the outline.
 * @param {KingdomMap} map
 * @param {(square: Covered) => number[]} corner
 */
function borders({ squares }, corner) {
  let [joints, seams, edge] = ["", "", ""];
  for (const square of squares.values()) {
    const [x, y] = corner(square);
    for (const step of STEPS) {
      const neighbour = squares.get(`${square.x + step[0]},${square.y + step[1]}`);
      const first = step[0] + step[1] > 0; // of the two squares at this side
      if (!neighbour) edge += side(x, y, step);
      else if (first && neighbour.terrain !== square.terrain) seams += side(x, y, step);
      else if (first && neighbour.number !== square.number) joints += side(x, y, step);
    }
  }
  return { joints, seams, edge };
}

/** A path around squares with these upper left corners. @param {number[][]} corners */
function outline(corners) {
  const all = new Set(corners.map(String));
  return corners.flatMap(([x, y]) => STEPS
    .filter(([dx, dy]) => !all.has(`${x + 100 * dx},${y - 100 * dy}`))
    .map((step) => side(x, y, step))).join("");
}

const BASE = 57; // from the top of a square to the middle of a label: below all crowns
const PILL = 46; // its height

/**
 * Adds a count to a drawing: a bright line around a territory, and a pill where it hides least, inside the territory
 * and clear of other pills.
 * @param {SVGSVGElement} drawing
 * @param {number[][]} corners of its squares
 * @param {string} label
 */
export function addCountLabel(drawing, corners, label) {
  const pills = [...drawing.querySelectorAll(".count rect")];
  const taken = pills.flatMap((pill) => (pill instanceof SVGRectElement ? [pill.getBBox()] : []));
  const count = group("count");
  const roomy = corners.some(([x, y]) => corners.some(([u, v]) => u === x + 100 && v === y));
  count.innerHTML = `<path class="lit" d="${outline(corners)}"/><rect/><text font-size="${roomy ? 30 : 23}"/>`;
  drawing.append(count);
  const [pill, text] = [find(count, "rect", SVGRectElement), find(count, "text", SVGTextElement)];
  text.textContent = label;
  const width = text.getComputedTextLength() + 34;
  const [x, y] = placeOfLabel(corners, width, taken);
  const set = (/** @type {Element} */ part, /** @type {Record<string, number>} */ values) => {
    for (const [name, value] of Object.entries(values)) part.setAttribute(name, String(value));
  };
  set(pill, { x: x - width / 2, y: y - PILL / 2, width, height: PILL, rx: PILL / 2 });
  set(text, { x, y: y + (roomy ? 10 : 8) });
}

/** @param {number[][]} corners @param {number} width @param {DOMRect[]} taken by other pills */
function placeOfLabel(corners, width, taken) {
  const mean = (/** @type {number} */ axis) =>
    corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length + 50;
  const middle = [mean(0), mean(1)];
  const cost = (/** @type {number[]} */ [x, y]) => {
    const covered = (/** @type {number} */ from, /** @type {number} */ to) =>
      Math.max(0, Math.min(x + width / 2, to) - Math.max(x - width / 2, from));
    let price = width + 0.2 * Math.hypot(x - middle[0], y - middle[1]);
    for (const [left, top] of corners) if (top === y - BASE) price -= covered(left, left + 100);
    for (const pill of taken) if (pill.y === y - PILL / 2) price += 3 * covered(pill.x, pill.x + pill.width);
    return price;
  };
  const places = corners.flatMap(([x, y]) => [[x + 50, y + BASE], [x + 100, y + BASE]]);
  return places.reduce((best, place) => (cost(place) < cost(best) ? place : best));
}
