/**
 * Sentences about puzzles and attempts to solve them.
 */
import { t } from "./locale.js";
import { costText, isCostly, lossOf, pointsText } from "./review-text.js";

/**
 * @import { Decision } from "../../engine/calls.js"
 * @import { NameOf } from "../analysis/text.js"
 */

/** The cost of a wrong try. @param {Decision} decision @param {NameOf} nameOf */
export const wrongText = (decision, nameOf) => (isCostly(lossOf(decision)) ? costText(decision, true, nameOf) : t("puzzle.nearly"));

/** `Found at the first try.` @param {number} tries */
export const foundText = (tries) => (tries === 1 ? t("puzzle.found_first") : t("puzzle.found", { n: tries }));

/** The cost of your own mistake, or of every other choice. @param {{cost: number, game: object | null}} posed */
export function stakeText({ cost, game }) {
  if (game) return t("mistakes.in_game_you", { n: Math.round(cost) });
  return cost < 1 ? t("puzzle.only_one") : t("puzzle.others_cost", { points: pointsText(cost) });
}

/** `5 June`, `today`. @param {string} date like `2026-06-05` @param {string} today @param {string} language */
export function dayText(date, today, language) {
  if (date === today) return t("puzzle.today");
  return new Date(`${date}T12:00`).toLocaleDateString(language, { day: "numeric", month: "long" });
}
