/**
 * The art: the sheet of symbols, inlined once per page, and drawings made of it: dominoes, kings, seals, icons.
 * `kingdomino.svg` has the same drawings; art is never rotated.
 */
import { t } from "../i18n/locale.js";
import { loadFile } from "../net/address.js";
import { start } from "../net/api.js";

/** @import { Domino, End } from "../net/types.js" */

/** The colour of each seat in the names of symbols and tokens. */
export const SEATS = ["pink", "yellow", "green", "blue"];

/** Settles when the symbols are in the page, for `<use href="#…">`. */
export const symbolsReady = inline();

/** Settles when `domino` knows all dominoes. */
const dominoesReady = loadFile("dominoes.json").then(async (file) => addVariants(await file.json()));

/** Settles when drawing is possible. Every page that draws waits for it. */
export const artReady = start(Promise.all([symbolsReady, dominoesReady]));

/** @type {Map<number, Domino & {variants: {left: number, right: number}}>} */
const known = new Map();

/** @type {Record<string, string>} */
const grounds = {};

async function inline() {
  const text = await (await loadFile("art/symbols.svg")).text();
  const symbols = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  document.body.prepend(symbols);
  for (const symbol of symbols.querySelectorAll("symbol[id$='-1']")) {
    grounds[symbol.id.slice(0, -2)] = symbol.querySelector("path")?.getAttribute("fill") ?? "";
  }
}

/** @param {Domino[]} all */
function addVariants(all) {
  /** @type {Record<string, number>} */
  const counts = {};
  // A fixed rule determines the variant of an end, so all clients and records agree.
  const variant = (/** @type {End} */ { terrain }) => {
    counts[terrain] = (counts[terrain] ?? -1) + 1;
    return variantOf(terrain, counts[terrain]);
  };
  for (const each of all) {
    known.set(each.number, { ...each, variants: { left: variant(each.left), right: variant(each.right) } });
  }
}

/** The variant of the n-th square of a terrain. @param {string} terrain @param {number} n */
export function variantOf(terrain, n) {
  const cycle = terrain === "mine" ? [1, 2] : [1, 2, 1, 1, 3, 1, 1, 2, 1];
  return cycle[n % cycle.length];
}

/** The most crowns on an end of this terrain. @param {string} terrain */
export function mostCrowns(terrain) {
  const ends = [...known.values()].flatMap(({ left, right }) => [left, right]);
  return Math.max(...ends.map((end) => (end.terrain === terrain ? end.crowns : 0)));
}

/** The domino with this number; `artReady` must have settled. @param {number} number */
export function domino(number) {
  const found = known.get(number);
  if (!found) throw new RangeError(`no domino ${number}`);
  return found;
}

/** The colour under a terrain. @param {string} terrain */
export const ground = (terrain) => grounds[terrain];

/** A `<use>` as markup: a symbol on a square or in a box. @param {string} symbol @param {string} [rest] */
export function use(symbol, x = 0, y = 0, width = 100, height = width, rest = "") {
  return `<use href="#${symbol}" x="${x}" y="${y}" width="${width}" height="${height}"${rest}/>`;
}

/**
 * One end of a domino as markup, 100 units wide: its terrain, its letter (visible if colours do not help),
 * its crowns over it. `plain` shows no variant.
 * @param {number} number
 * @param {"left" | "right"} end
 * @param {number} x
 * @param {number} y
 */
export function endMarkup(number, end, x, y, plain = false) {
  return squareMarkup(domino(number)[end], plain ? 1 : domino(number).variants[end], x, y);
}

/**
 * A square as markup, 100 units wide: its terrain, its letter, its crowns over it.
 * @param {{terrain: string, crowns: number}} end
 * @param {number} variant
 * @param {number} x
 * @param {number} y
 */
export function squareMarkup({ terrain, crowns }, variant, x, y) {
  const letter = `<text class="letter" x="${x + 8}" y="${y + 92}">${t(`kingdom.letter_${terrain}`)}</text>`;
  return use(`${terrain}-${variant}`, x, y) + letter + (crowns ? use(`crowns-${crowns}`, x, y) : "");
}

/** @template {keyof SVGElementTagNameMap} T @param {T} tag */
const svgElement = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);

/** A `<g>` of this class. @param {string} name */
export function group(name) {
  const made = svgElement("g");
  made.classList.add(name);
  return made;
}

/**
 * An `<svg>` for markup of only numbers and names of symbols; hidden from screen readers.
 * @param {string} viewBox
 * @param {string} markup
 */
export function svg(viewBox, markup) {
  const drawing = svgElement("svg");
  drawing.setAttribute("viewBox", viewBox);
  drawing.ariaHidden = "true";
  drawing.innerHTML = markup;
  return drawing;
}

/** The face of a domino, left end at the left. @param {number} number */
export function dominoSvg(number) {
  const { left, right } = domino(number);
  const alike = left.terrain === right.terrain;
  const under = alike ? `<path d="M0 0h200v100H0z" fill="${ground(left.terrain)}"/>` : "";
  const joint = alike ? "" : '<path d="M100 0v100" stroke="var(--seam)" stroke-width="3" opacity=".4"/>';
  const ends = endMarkup(number, "left", 0, 0) + endMarkup(number, "right", 100, 0);
  return svg("0 0 200 100", `${under}${ends}${joint}<path class="veil" d="M0 0h200v100H0z"/>`);
}

/** The back of a domino with its number. @param {number} number */
export function backSvg(number) {
  const style = 'text-anchor="middle" font-size="36" font-weight="700" fill="#f0d9a4"';
  const words = `<text x="100" y="62" ${style}>${Number(number)}</text>`;
  return svg("0 0 200 100", use("domino-back", 0, 0, 200, 100) + words);
}

/** One square of a terrain. @param {string} terrain */
export const squareSvg = (terrain) => svg("0 0 100 100", use(`${terrain}-1`));

/** The king of a seat. @param {number} seat */
export const king = (seat) => coloured("king", seat, "0 0 64 84", 0, 0, 64, 84);

/** The emblem of a seat in its colour. @param {number} seat */
export const seal = (seat) => coloured("seal", seat, "-12 -12 24 24", -12, -12, 24);

/** @param {string} kind @param {number} seat @param {string} viewBox @param {number[]} place */
function coloured(kind, seat, viewBox, ...place) {
  const drawing = svg(viewBox, use(`${kind}-${SEATS[seat]}`, ...place));
  drawing.classList.add(kind, `seat-${SEATS[seat]}`);
  return drawing;
}

/** An icon: turn, flip, check, undo, open, more, link. @param {string} name */
export const icon = (name) => svg("0 0 24 24", use(`i-${name}`, 0, 0, 24));

/** `wheat`; also `castle`. @param {string} terrain */
export const terrainWord = (terrain) => t(`kingdom.${terrain}`);

/** `wheat, 1 crown`. @param {{terrain: string, crowns: number}} end */
export function endName({ terrain, crowns }) {
  const word = terrainWord(terrain);
  return crowns ? t("kingdom.crowned", { terrain: word, n: crowns }) : word;
}

/** `domino 20: wheat, 1 crown; lake`. @param {number} number */
export function dominoName(number) {
  const { left, right } = domino(number);
  return t("kingdom.domino", { number, left: endName(left), right: endName(right) });
}
