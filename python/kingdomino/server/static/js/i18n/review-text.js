/**
 * Sentences of a review: costs, chances, reasons, answers.
 */
import { list, t } from "./locale.js";
import { percent } from "./numbers.js";
import { reasonText } from "./reason-text.js";

/**
 * @import { Decision, Level } from "../../engine/calls.js"
 * @typedef {{win: number, points: number}} Loss in win probability and in points
 * @typedef {(seat: number) => string} NameOf
 */

/** The smallest cost worth mentioning, in points and as a part of the chances. */
const POINT = 0.5;
const CHANCE = 0.01;
/** The value of a point, as a chance, to compare attempts. */
const POINT_WORTH = 0.01;
/** The shares of the chances that have a name. */
const SHARES = [0.05, 0.1, 0.2, 0.25, 0.33, 0.5, 0.66, 0.75, 1];
/** Reasons that speak of the player as *you*. */
const PERSONAL = ["territory_closed", "left_to_opponents", "later_turn"];

/** @param {Pick<Decision, "cost" | "cost_points">} decision @returns {Loss} */
export const lossOf = ({ cost, cost_points }) => ({ win: cost, points: cost_points });

/** Whether a cost is large enough to mention. @param {Loss} loss */
export const isCostly = ({ win, points }) => points >= POINT || win >= CHANCE;

/** Whether to give a cost in points; else the decision cost only chances. @param {Loss} loss */
const inPoints = ({ points }) => points >= POINT;

/** `4 points`. @param {number} points */
export const pointsText = (points) => t("end.points", { n: Math.round(points) });

/** `+12%`, `−12%`, `0%`. @param {number} change */
export function changeText(change) {
  const [size, zero] = [percent(Math.abs(change)), percent(0)];
  return size === zero ? zero : `${change > 0 ? "+" : "−"}${size}`;
}

/** `−4`; `−3%` where only chances were lost; empty for little. @param {Loss} loss */
export function lossFigure(loss) {
  if (!isCostly(loss)) return "";
  return inPoints(loss) ? `−${Math.round(loss.points)}` : `−${percent(loss.win)}`;
}

/** `round 3`; of the opening `first claims`. @param {number} round */
export const roundText = (round) => (round ? t("review.round_in", { round }) : t("review.kings_in"));

/** How far a review is. @param {{plies: number, known: {passes: readonly number[]}}} work */
export function progressText({ plies, known: { passes } }) {
  const judged = (/** @type {number} */ times) => passes.filter((one) => one >= times).length;
  const isRough = judged(1) < plies;
  return t(isRough ? "review.so_far" : "review.closer", { n: judged(isRough ? 1 : 2), of: plies });
}

/** A level and its interval. @param {Level} known */
export const levelText = ({ level, low, high }) => (low === high ? String(level) : t("review.level_range", { level, low, high }));

/**
 * `This cost you 4 points.`, `This cost Ida a tenth of the chances.`, `As good as the best.`
 * @param {Decision} decision
 * @param {boolean} isYou
 * @param {NameOf} nameOf
 */
export function costText(decision, isYou, nameOf) {
  if (decision.choices === 1) return t("review.no_choice");
  const loss = lossOf(decision);
  if (!isCostly(loss)) return t("review.as_good");
  const who = nameOf(decision.seat);
  const form = isYou ? "you" : "other";
  if (inPoints(loss)) return t(`review.cost_${form}`, { who, n: Math.round(loss.points) });
  return t(`review.chance_${form}`, { who, share: shareText(loss.win, decision.after.win_rates[decision.seat]) });
}

/** `a tenth`: the lost part of the chances. @param {number} lost @param {number} left */
function shareText(lost, left) {
  const share = lost / (lost + left);
  const near = SHARES.reduce((best, one) => (Math.abs(one - share) < Math.abs(best - share) ? one : best));
  return t(`review.share_${Math.round(100 * near)}`);
}

/**
 * `Here you lost 7 points. Can you find better?`
 * @param {Decision} decision
 * @param {boolean} isYou
 * @param {NameOf} nameOf
 */
export function questionText(decision, isYou, nameOf) {
  const loss = lossOf(decision);
  const who = nameOf(decision.seat);
  const form = isYou ? "you" : "other";
  if (inPoints(loss)) return t(`review.find_${form}`, { who, n: Math.round(loss.points) });
  const share = shareText(loss.win, decision.after.win_rates[decision.seat]);
  return t(`review.find_chance_${form}`, { who, share });
}

/**
 * Why it cost something, and whether the game was decided; empty for a small cost.
 * @param {Decision} decision
 * @param {boolean} isYou
 * @param {NameOf} nameOf
 */
export function whyText(decision, isYou, nameOf) {
  if (!isCostly(lossOf(decision))) return "";
  return [reason(decision, isYou, nameOf), decision.decided && t("review.decided")].filter(Boolean).join(" ");
}

/** @param {Decision} decision @param {boolean} isYou @param {NameOf} nameOf */
function reason({ why, seat }, isYou, nameOf) {
  if (!why) return "";
  const nowhere = why.code === "fewer_points" && why.points === null;
  if (isYou || !(nowhere || PERSONAL.includes(why.code))) return reasonText(why, nameOf);
  const who = nameOf(seat);
  if (why.code === "fewer_points") return t("review.why_fits_nowhere", { domino: why.dominoes?.[0] ?? 0, who });
  if (why.code === "territory_closed") {
    const the = t(`kingdom.the_${why.terrain}`);
    return t("review.why_territory_closed", { the, n: why.crowns, squares: why.squares.length });
  }
  if (why.code === "left_to_opponents") {
    const worth = [...why.opponents, seat].map((one) =>
      t("why.worth", { name: nameOf(one), n: why.points[one] ?? 0 }));
    return t("review.why_left_to_opponents", { domino: why.domino, worth: list(worth) });
  }
  if (why.code === "later_turn") return t("review.why_later_turn", { domino: why.domino, other: why.better, who });
  return "";
}

/**
 * How good a second try is: `Better: 1 point short of the best.`
 * @param {Loss} before the loss in the game
 * @param {Loss} now
 * @param {boolean} isSame whether it is the same kingdom as in the game
 */
export function answerText(before, now, isSame) {
  if (isSame) return t("review.same");
  if (!isCostly(now)) return t("review.best_there_is");
  const better = (before.points - now.points) * POINT_WORTH + (before.win - now.win);
  if (Math.abs(better) < CHANCE / 2) return t("review.same");
  const kind = better > 0 ? "better" : "worse";
  if (now.points < POINT) return t(`review.${kind}`);
  return t(`review.${kind}_points`, { n: Math.round(now.points) });
}
