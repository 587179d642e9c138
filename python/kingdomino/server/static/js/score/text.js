/**
 * Reads a kingdom from text.
 */
import { engine } from "../engine/study.js";
import { t } from "../i18n/locale.js";

/**
 * @import { Terrain } from "../../engine/calls.js"
 * @import { Painted } from "../draw/painter.js"
 */

/** The most faults in a list. */
const MOST_FAULTS = 20;

/**
 * The squares of a text, relative to its castle. Does not check the kingdom against the rules.
 * @param {string} text
 * @param {number} size
 * @returns {Promise<{squares: Painted[], faults: string[]}>} all faults at once, as sentences
 */
export async function readText(text, size) {
  const { squares, faults } = await engine.ask("read_grid", { text, size });
  if (faults.length) return { squares: [], faults: faults.slice(0, MOST_FAULTS).map((fault) => faultText(fault, size)) };
  const castles = squares.filter(({ terrain }) => terrain === "castle");
  if (castles.length !== 1) return { squares: [], faults: [t("score.text_castles", { n: castles.length })] };
  const [{ at: [left, bottom] }] = castles;
  const seen = squares.filter(({ terrain }) => terrain !== "castle").map(({ at: [x, y], terrain, crowns }) => ({
    x: x - left, y: y - bottom, terrain: /** @type {Terrain} */ (terrain), crowns,
  }));
  const isNear = seen.every(({ x, y }) => Math.max(Math.abs(x), Math.abs(y)) < size);
  return isNear ? { squares: seen, faults: [] } : { squares: [], faults: [t("score.text_large", { n: size })] };
}

/** @param {{code: string, place: [number, number] | null}} fault @param {number} size */
function faultText({ code, place }, size) {
  if (!place) return t("score.text_large", { n: size });
  return t(code === "crowns" ? "score.text_crowns" : "score.text_square", { row: place[0], column: place[1] });
}
