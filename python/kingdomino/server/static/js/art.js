/**
 * The art: the sheet of symbols, inlined once a page, and what is drawn with it: dominoes, kings, seals,
 * marks. The same drawings as `kingdomino.svg` makes; art is never turned. Imports api.js and words.js.
 *
 * @typedef {{terrain: string, crowns: number}} End
 * @typedef {{number: number, left: End, right: End}} Domino
 */
import { get } from "./api.js";
import { t } from "./words.js";

export const SVG = "http://www.w3.org/2000/svg";

/** The colour of each seat, as the sheet and the tokens name it. */
export const SEATS = ["pink", "yellow", "green", "blue"];

/** Settles when the symbols are in the page, for `<use href="#…">`. */
export const sheet = inline();

/** Settles with all dominoes. @type {Promise<Domino[]>} */
export const dominoes = get("/api/dominoes").then(learn);

/** Settles when anything can be drawn. */
export const drawable = Promise.all([sheet, dominoes]);

/** @type {Map<number, Domino & {looks: [number, number]}>} */
const known = new Map();

/** @type {Record<string, string>} */
const grounds = {};

async function inline() {
  const answer = await fetch("/art/symbols.svg");
  // The page's policy forbids a style attribute in markup; one set by script it allows.
  const text = (await answer.text()).replace(/ style="[^"]*"/, "");
  const found = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  const symbols = document.importNode(found, true);
  for (const [name, value] of [["width", "0"], ["height", "0"], ["aria-hidden", "true"]]) {
    symbols.setAttribute(name, value);
  }
  /** @type {SVGSVGElement} */ (/** @type {unknown} */ (symbols)).style.position = "absolute";
  document.body.prepend(symbols);
  for (const symbol of symbols.querySelectorAll("symbol[id$='-1']")) {
    grounds[symbol.id.slice(0, -2)] = symbol.querySelector("path")?.getAttribute("fill") ?? "";
  }
}

/** @param {Domino[]} all */
function learn(all) {
  /** @type {Record<string, number>} */
  const seen = {};
  // Which variant an end shows is a rule, not chance: every client and every record agrees.
  const look = (/** @type {End} */ { terrain }) => {
    const cycle = terrain === "mine" ? [1, 2] : [1, 2, 1, 1, 3, 1, 1, 2, 1];
    seen[terrain] = (seen[terrain] ?? -1) + 1;
    return cycle[seen[terrain] % cycle.length];
  };
  for (const each of all) known.set(each.number, { ...each, looks: [look(each.left), look(each.right)] });
  return all;
}

/** The domino with this number; `dominoes` must have settled. @param {number} number */
export function domino(number) {
  const found = known.get(number);
  if (!found) throw new RangeError(`no domino ${number}`);
  return found;
}

/** Which drawing of its terrain an end shows. @param {number} number @param {"left" | "right"} end */
export function variant(number, end) {
  return domino(number).looks[end === "left" ? 0 : 1];
}

/** The colour under a terrain. @param {string} terrain */
export const ground = (terrain) => grounds[terrain];

/** A `<use>` as markup: a symbol on a square or in a box. @param {string} symbol @param {string} [rest] */
export function use(symbol, x = 0, y = 0, width = 100, height = width, rest = "") {
  return `<use href="#${symbol}" x="${x}" y="${y}" width="${width}" height="${height}"${rest}/>`;
}

/**
 * One end of a domino as markup, 100 units wide: its terrain, its letter (seen where colours do not help),
 * its crowns over it. `plain` shows no variant.
 * @param {number} number
 * @param {"left" | "right"} end
 * @param {number} x
 * @param {number} y
 */
export function endMarkup(number, end, x, y, plain = false) {
  const { terrain, crowns } = domino(number)[end];
  const look = plain ? 1 : variant(number, end);
  const letter = `<text class="letter" x="${x + 8}" y="${y + 92}">${t(`kingdom.letter_${terrain}`)}</text>`;
  return use(`${terrain}-${look}`, x, y) + letter + (crowns ? use(`crowns-${crowns}`, x, y) : "");
}

/**
 * An `<svg>` around markup that holds only numbers and names of symbols.
 * @param {string} viewBox
 * @param {string} markup
 * @param {string} [name] read out; without one the drawing is hidden from screen readers
 */
export function svg(viewBox, markup, name) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", viewBox);
  drawing.innerHTML = markup;
  if (name) {
    drawing.setAttribute("role", "img");
    drawing.setAttribute("aria-label", name);
  } else {
    drawing.setAttribute("aria-hidden", "true");
  }
  return drawing;
}

/**
 * The face of a domino, its left end at the left.
 * @param {number} number
 * @param {{named?: boolean}} [options] whether screen readers find it
 */
export function dominoSvg(number, { named = false } = {}) {
  const { left, right } = domino(number);
  const alike = left.terrain === right.terrain;
  const under = alike ? `<path d="M0 0h200v100H0z" fill="${ground(left.terrain)}"/>` : "";
  const joint = alike ? "" : '<path d="M100 0v100" stroke="var(--seam)" stroke-width="3" opacity=".4"/>';
  const ends = endMarkup(number, "left", 0, 0) + endMarkup(number, "right", 100, 0);
  const face = `${under}${ends}${joint}<path class="veil" d="M0 0h200v100H0z"/>`;
  return svg("0 0 200 100", face, named ? dominoName(number) : undefined);
}

/** The back of a domino with its number. @param {number} number */
export function backSvg(number) {
  const style = 'text-anchor="middle" font-size="36" font-weight="700" fill="#f0d9a4"';
  const words = `<text x="100" y="62" ${style}>${Number(number)}</text>`;
  return svg("0 0 200 100", use("domino-back", 0, 0, 200, 100) + words);
}

/** One square of a terrain, or the castle. @param {string} terrain */
export function squareSvg(terrain) {
  return svg("0 0 100 100", use(terrain === "castle" ? terrain : `${terrain}-1`));
}

/** The king of a seat. @param {number} seat */
export function king(seat) {
  return coloured(svg("0 0 64 84", use(`king-${SEATS[seat]}`, 0, 0, 64, 84)), "king", seat);
}

/** The emblem of a seat in its colour. @param {number} seat */
export function seal(seat) {
  return coloured(svg("-12 -12 24 24", use(`seal-${SEATS[seat]}`, -12, -12, 24)), "seal", seat);
}

/** An interface mark: turn, flip, check, undo, open, more, why, link. @param {string} name */
export function icon(name) {
  return svg("0 0 24 24", use(`i-${name}`, 0, 0, 24));
}

/** @param {SVGSVGElement} drawing @param {string} kind @param {number} seat */
function coloured(drawing, kind, seat) {
  drawing.classList.add(kind, `seat-${SEATS[seat]}`);
  return drawing;
}

/** `wheat`; also `castle`. @param {string} terrain */
export const terrainWord = (terrain) => t(`kingdom.${terrain}`);

/** `wheat, 1 crown`. @param {End} end */
export function endName({ terrain, crowns }) {
  const word = terrainWord(terrain);
  return crowns ? t("kingdom.crowned", { terrain: word, n: crowns }) : word;
}

/** `domino 20: wheat, 1 crown; lake`. @param {number} number */
export function dominoName(number) {
  const { left, right } = domino(number);
  return t("kingdom.domino", { number, left: endName(left), right: endName(right) });
}
