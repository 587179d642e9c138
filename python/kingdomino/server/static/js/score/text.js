/**
 * Reads kingdoms as text, row by row from the top: `w1w/Cf`, as the library and the engine write them.
 */
import { TERRAINS } from "../draw/painter.js";
import { t } from "../i18n/locale.js";

/** @import { Painted } from "../draw/painter.js" */

/** More letters than the text of any kingdom has; what follows is not read. */
const LONGEST = 400;
const MOST_CROWNS = 3;
/** The most faults in a list. */
const MOST_FAULTS = 20;

/**
 * Reads such a text; rows may also be lines. What the rules say against the kingdom is not asked here.
 * @param {string} text
 * @param {number} size
 * @returns {{squares: Painted[], faults: string[]}} all faults at once, as sentences
 */
export function readText(text, size) {
  /** @type {string[]} */
  const faults = [];
  /** @type {{column: number, row: number}[]} */
  const castles = [];
  /** @type {Painted[]} */
  const found = [];
  const rows = text.trim().slice(0, LONGEST).split(/\s*[/\n]\s*/);
  for (const [row, line] of rows.entries()) {
    for (const [column, [, letter, digits]] of [...line.matchAll(/(\D)(\d*)/gu)].entries()) {
      const at = { row: row + 1, column: column + 1 };
      const terrain = TERRAINS.find((one) => one[0] === letter.toLowerCase());
      const crowns = Number(digits);
      if (terrain && crowns <= MOST_CROWNS) found.push({ x: column, y: -row, terrain, crowns });
      else if (terrain) faults.push(t("score.text_crowns", { ...at, n: digits }));
      else if (letter.toLowerCase() === "c") castles.push({ column, row });
      else if (letter !== ".") faults.push(t("score.text_letter", { ...at, letter }));
    }
    if (/^\d/.test(line)) faults.push(t("score.text_digit", { row: row + 1 }));
  }
  if (castles.length !== 1) faults.unshift(t("score.text_castles", { n: castles.length }));
  const wide = Math.max(...rows.map((line) => line.replace(/\d/g, "").length));
  if (Math.max(wide, rows.length) > 2 * size - 1) faults.unshift(t("score.text_large", { n: size }));
  const [{ column: x, row: y } = { column: 0, row: 0 }] = castles;
  return { squares: found.map((square) => ({ ...square, x: square.x - x, y: square.y + y })), faults: faults.slice(0, MOST_FAULTS) };
}
