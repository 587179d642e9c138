/**
 * Where a person loses points: the cost of their decisions in reviewed games, by reason, by round, placing and claiming.
 * `kingdomino.analysis.summary` computes the same.
 */

/**
 * @import { Decision, Theme } from "../../engine/calls.js"
 *
 * @typedef {object} ReviewedGame
 * @property {string} id
 * @property {number} number of the game, in a Dynasty
 * @property {number} ended
 * @property {number} seat yours
 * @property {readonly Decision[]} decisions of all seats
 *
 * @typedef {{mean: number, low: number, high: number}} Estimate points a game, with a 90% interval
 * @typedef {{game: ReviewedGame, decision: Decision}} Costly
 * @typedef {{theme: Theme | null, estimate: Estimate, decisions: Costly[]}} ByReason its decisions, costliest first
 *
 * @typedef {object} Points
 * @property {number} games
 * @property {Estimate} cost
 * @property {ByReason[]} reasons the costliest first, those without a reason last
 * @property {{round: number, estimate: Estimate}[]} rounds
 * @property {Estimate} placing
 * @property {Estimate} claiming
 * @property {number[]} costs of each decision with a choice
 */

/** Fewest games for estimates that mean something. */
export const FEWEST = 5;
/** The 95% quantile of the normal distribution. */
const Z = 1.644854;

/** @param {readonly ReviewedGame[]} games @returns {Points} */
export function pointsOf(games) {
  const own = games.map((game) => game.decisions.filter(({ seat }) => seat === game.seat));
  const costly = own.flatMap((all, at) => all.filter((one) => one.cost_points > 0).map((decision) => ({ game: games[at], decision })));
  /** @param {(decision: Decision) => boolean} counts */
  const estimate = (counts) =>
    estimateOf(own.map((all) => all.filter(counts).reduce((sum, one) => sum + one.cost_points, 0)));
  const themes = [...new Set(costly.map(({ decision }) => decision.theme))];
  const reasons = themes.map((theme) => ({
    theme, estimate: estimate((one) => one.theme === theme),
    decisions: costly.filter(({ decision }) => decision.theme === theme)
      .sort((one, other) => other.decision.cost_points - one.decision.cost_points),
  }));
  const last = Math.max(0, ...own.flat().map(({ round }) => round));
  const isClaim = (/** @type {Decision} */ { action }) => action.startsWith("claim");
  return {
    games: games.length,
    cost: estimate(() => true),
    reasons: reasons.sort((one, other) =>
      Number(one.theme === null) - Number(other.theme === null) || other.estimate.mean - one.estimate.mean),
    rounds: Array.from({ length: last + 1 }, (_, round) => ({ round, estimate: estimate((one) => one.round === round) })),
    placing: estimate((one) => !isClaim(one)),
    claiming: estimate(isClaim),
    costs: own.flat().filter(({ choices }) => choices > 1).map(({ cost_points }) => cost_points),
  };
}

/** The reason that costs significantly more than every other (their intervals do not overlap), or null. @param {Points} points */
export function mainReason({ reasons }) {
  const [first, ...others] = reasons.filter(({ theme }) => theme !== null);
  const isClear = first && others.every(({ estimate }) => estimate.high < first.estimate.low);
  return isClear ? first : null;
}

/** The mean points per game, with its 90% interval (Student). @param {number[]} sums one per game @returns {Estimate} */
function estimateOf(sums) {
  const n = sums.length;
  const mean = sums.reduce((sum, one) => sum + one, 0) / Math.max(n, 1);
  if (n < 2) return { mean, low: 0, high: Infinity };
  const variance = sums.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1);
  const reach = quantile(n - 1) * Math.sqrt(variance / n);
  return { mean, low: Math.max(0, mean - reach), high: mean + reach };
}

/** The 95% quantile of Student's distribution, to 1% from four degrees of freedom on (Abramowitz and Stegun, 26.7.5). @param {number} freedom */
const quantile = (freedom) =>
  Z + (Z ** 3 + Z) / (4 * freedom) + (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * freedom ** 2);

/** Rounds parts so that they add up to a whole sum: the largest part takes the difference. @param {readonly number[]} parts @param {number} sum */
export function wholeParts(parts, sum) {
  const rounded = parts.map(Math.round);
  const largest = parts.indexOf(Math.max(...parts));
  if (largest >= 0) rounded[largest] += sum - rounded.reduce((all, one) => all + one, 0);
  return rounded;
}
