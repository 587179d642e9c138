/**
 * Where a person loses points: the cost of their decisions in reviewed games. The engine has the sums.
 */
import { engine } from "../engine/study.js";

/**
 * @import { Decision, Estimate as Summed, Level, Theme } from "../../engine/calls.js"
 *
 * @typedef {object} ReviewedGame
 * @property {string} id
 * @property {number} number of the game, in a Dynasty
 * @property {number} ended
 * @property {number} seat yours
 * @property {readonly Decision[]} decisions of all seats
 *
 * @typedef {{mean: number, low: number, high: number}} Estimate points per game, with a 90% interval
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
 * @property {Level | null} level that plays as well, if the games show it
 */

/** Fewest games for estimates that mean something. */
export const FEWEST = 5;

/** @param {readonly ReviewedGame[]} games @param {string} rules of all of them @returns {Promise<Points>} */
export async function pointsOf(games, rules) {
  const own = games.map((game) => game.decisions.filter(({ seat }) => seat === game.seat));
  const found = await engine.ask("summary", {
    rules, games: own.map((all) => all.map(({ round, action, choices, cost_points, theme }) => ({ round, action, choices, cost_points, theme }))),
  });
  const costly = own.flatMap((all, at) => all.filter((one) => one.cost_points > 0).map((decision) => ({ game: games[at], decision })))
    .sort((one, other) => other.decision.cost_points - one.decision.cost_points);
  return {
    games: games.length,
    cost: bounded(found.cost),
    reasons: found.themes.map(({ theme, estimate }) => (
      { theme, estimate: bounded(estimate), decisions: costly.filter(({ decision }) => decision.theme === theme) })),
    rounds: found.rounds.map((estimate, round) => ({ round, estimate: bounded(estimate) })),
    placing: bounded(found.placing),
    claiming: bounded(found.claiming),
    level: found.level,
  };
}

/** An interval whose end is a number. @param {Summed} estimate @returns {Estimate} */
const bounded = ({ mean, low, high }) => ({ mean, low, high: high ?? Infinity });

/** The reason that costs significantly more than every other (their intervals do not overlap), or null. @param {Points} points */
export function mainReason({ reasons }) {
  const [first, ...others] = reasons.filter(({ theme }) => theme !== null);
  const isClear = first && others.every(({ estimate }) => estimate.high < first.estimate.low);
  return isClear ? first : null;
}

/** Rounds parts so that they add up to a whole sum: the largest part takes the difference. @param {readonly number[]} parts @param {number} sum */
export function wholeParts(parts, sum) {
  const rounded = parts.map(Math.round);
  const largest = parts.indexOf(Math.max(...parts));
  if (largest >= 0) rounded[largest] += sum - rounded.reduce((all, one) => all + one, 0);
  return rounded;
}
