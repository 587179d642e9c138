/**
 * Why an action is worse than another, as sentences: the facts come from the engine.
 */
import { list, t } from "./locale.js";
import { percent } from "./numbers.js";

/**
 * @import { Hint, Reason } from "../../engine/calls.js"
 */

/** Below this many points a sentence gives a cost as a chance. */
const LEAST_POINTS = 0.5;

/** @param {readonly (readonly number[])[]} squares */
const isBesideCastle = (squares) => squares.length === 1 && Math.abs(squares[0][0]) + Math.abs(squares[0][1]) === 1;

/**
 * `That leaves a square beside the castle that nothing can fill: no Harmony.`
 * @param {Reason} reason
 * @param {(seat: number) => string} nameOf
 */
export function reasonText(reason, nameOf) {
  if (reason.code === "unfillable") {
    const { squares, harmony } = reason;
    const kind = isBesideCastle(squares) ? "unfillable_castle" : "unfillable";
    return t(harmony ? `why.${kind}_harmony` : `why.${kind}`, { n: squares.length });
  }
  if (reason.code === "territory_closed") {
    const { terrain, squares, crowns } = reason;
    return t("why.territory_closed", { the: t(`kingdom.the_${terrain}`), n: crowns, squares: squares.length });
  }
  if (reason.code === "fewer_crowns" || reason.code === "fewer_points") {
    const [domino, other] = reason.dominoes ?? [0, 0];
    if (reason.code === "fewer_points" && reason.points === null) return t("why.fits_nowhere", { domino });
    const now = reason.code === "fewer_crowns" ? reason.crowns : (reason.points ?? 0);
    const key = !reason.dominoes ? reason.code : reason.code === "fewer_crowns" && !now ? "no_crown_claim" : `${reason.code}_claim`;
    return t(`why.${key}`, { domino, other, now, n: now, better: reason.better });
  }
  if (reason.code === "left_to_opponents") {
    const { domino, opponents, points, seat } = reason;
    const worth = opponents.map((one) => t("why.worth", { name: nameOf(one), n: points[one] ?? 0 }));
    return t("why.left_to_opponents", { domino, worth: list(worth), own: points[seat] ?? 0 });
  }
  if (reason.code === "expected") {
    const { kind, chances, whole: n } = reason;
    if (kind === "terrain") return t("why.expected_terrain", { the: t(`kingdom.the_${reason.terrain}`), n });
    if (kind === "opponent") return t("why.expected_opponent", { name: nameOf(reason.seat), n });
    const [better, now] = chances?.map(percent) ?? [];
    return t("why.expected_bonus", { bonus: t(`common.${kind}`), better, now });
  }
  if (reason.code === "later_turn") return t("why.later_turn", { domino: reason.domino, other: reason.better });
  return t(`why.${reason.code}`);
}

/** `About 4 points less.`, or the chance where that says more. @param {{points: number, win: number}} cost */
export function costText({ points, win }) {
  if (points < LEAST_POINTS) return t("why.cost_chance", { n: Math.max(1, Math.round(100 * win)) });
  return t("why.cost_points", { n: Math.max(1, Math.round(points)) });
}

/**
 * Where to look, and at what, without the action itself.
 * @param {Pick<Hint, "squares" | "reason">} hint
 * @param {(seat: number) => string} nameOf
 */
export function hintText({ squares, reason }, nameOf) {
  if (!squares.length) {
    if (reason?.code !== "left_to_opponents") return t(`hint.claim_${reason?.code ?? "none"}`);
    return t("hint.claim_left_to_opponents", { names: list(reason.opponents.map(nameOf)) });
  }
  if (reason?.code === "unfillable" && isBesideCastle(reason.squares)) return t("hint.unfillable_castle");
  const terrain = reason?.code === "territory_closed" ? t(`kingdom.the_${reason.terrain}`) : "";
  return t(`hint.${reason?.code ?? "none"}`, { the: terrain });
}
