/**
 * The picture on the home page: a finished kingdom and the line beside it, with the real art.
 */
import { dominoSvg, drawable, king } from "./art.js";
import { h } from "./h.js";
import "./kingdom.js";

const KINGDOM = [
  [29, 1, 0, 2, 0], [32, 1, -2, 1, -1], [24, 0, -1, 0, -2], [10, 2, -2, 2, -1], [25, -1, -1, -2, -1],
  [3, -2, -2, -1, -2], [26, -1, 0, -2, 0], [22, -2, 1, -1, 1], [40, -1, 2, -2, 2], [28, 1, 1, 1, 2],
  [4, 2, 1, 2, 2], [5, 0, 2, 0, 1],
];
/** Dominoes of the line, each with the seat that has claimed it. */
const LINE = [[16, 2], [33, 0], [36, null], [48, 1]];

/** @param {HTMLElement} place */
export async function draw(place) {
  await drawable;
  const shown = { size: 5, seat: 0, frame: "box", dominoes: KINGDOM };
  const kingdom = Object.assign(h("kd-kingdom"), shown);
  const line = LINE.map(([number, seat]) => h("li",
    h("div.domino", dominoSvg(/** @type {number} */ (number))), seat !== null && king(seat)));
  place.append(h("div.sheet.tilt", kingdom), h("ol.fan", ...line));
}
