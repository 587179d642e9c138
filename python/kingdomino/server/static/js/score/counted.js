/**
 * How kingdoms of a score sheet count: the engine's answer, and its lines.
 */
import { el } from "../draw/dom.js";
import { territoryRow } from "../draw/scores.js";
import { engine } from "../engine/study.js";
import { t } from "../i18n/locale.js";
import { bonusWhy } from "./result.js";
import { squaresOf } from "./sheet.js";

/**
 * @import { Scored, Terrain, Territory } from "../../engine/calls.js"
 * @import { Land, Sheet } from "./sheet.js"
 */

/** Asks the engine about the kingdoms of a game. @param {Sheet} sheet @param {readonly Land[]} lands @returns {Promise<Scored>} */
export const scoresOf = ({ size, edition, harmony, middle_kingdom }, lands) => engine.ask("score_kingdoms", {
  size, edition, harmony, middle_kingdom,
  kingdoms: lands.map((land) => ({
    squares: [{ x: 0, y: 0, terrain: /** @type {const} */ ("castle"), crowns: 0 }, ...squaresOf(land)],
    dominoes: land.dominoes.map(([number]) => number),
  })),
});

/** The same as the server's type. @param {Territory} territory */
export const asTerritory = ({ terrain, squares, crowns, score: points }) => ({ terrain: /** @type {Terrain} */ (terrain), squares, crowns, points });

/**
 * A kingdom's territories with crowns, its bonuses, and the sum.
 * @param {Sheet} sheet
 * @param {Scored["kingdoms"][number]} scored
 */
export function countedRows({ harmony, middle_kingdom }, { territories, score, missing }) {
  const line = (/** @type {string} */ words, /** @type {string} */ why, /** @type {number} */ points) =>
    el("li.more", el("span.word", words), el("span.figures", why), el("b", points));
  return [
    ...territories.filter(({ crowns }) => crowns).sort((one, other) => other.score - one.score).map((one) => territoryRow(asTerritory(one))),
    harmony && line(t("common.harmony"), bonusWhy("harmony", score.harmony, missing), score.harmony),
    middle_kingdom && line(t("common.middle_kingdom"), bonusWhy("middle_kingdom", score.middle_kingdom, 0), score.middle_kingdom),
    el("li.more.sum", el("strong.word", t("score.together")), el("b", score.total)),
  ];
}
