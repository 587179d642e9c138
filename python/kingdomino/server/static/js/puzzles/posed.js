/**
 * The puzzles to solve: from the file, and from your own mistakes. A series is a selection of them.
 */
import { engine } from "../engine/study.js";
import { isCostly, lossOf } from "../i18n/review-text.js";

/**
 * @import { Puzzle } from "../../engine/calls.js"
 * @import { Reviewed } from "../local/reviewed.js"
 * @import { Following } from "../review/walk.js"
 * @import { Progress } from "./progress.js"
 *
 * @typedef {object} Posed
 * @property {string} name
 * @property {number} level the lowest level that finds a solution; 0 for your own mistakes
 * @property {number} cost in points: of the best other action, or of your own mistake
 * @property {readonly (string | null)[]} themes
 * @property {readonly string[]} solutions
 * @property {Following | null} follows the likely moves after the first solution, if known
 * @property {() => Promise<string>} read returns the position
 * @property {Reviewed | null} game of your own, if the puzzle is one of your mistakes
 */

/** A mistake that costs this many points becomes a puzzle. */
const LEAST = 4;
/** Milliseconds until a mistake becomes a puzzle: after a week you no longer know the answer by heart. */
const WAIT = 7 * 86_400_000;

/** @param {Puzzle} puzzle @returns {Posed} */
export const posedOf = (puzzle) => ({ ...puzzle, follows: null, read: async () => puzzle.position, game: null });

/** The puzzles from reviewed games: of the newest games first. @param {readonly Reviewed[]} games @param {number} [now] @returns {Posed[]} */
export const ownPuzzles = (games, now = Date.now()) => games.filter(({ ended }) => now - ended >= WAIT).flatMap((game) =>
  game.decisions.filter(({ seat, cost_points }) => seat === game.seat && cost_points >= LEAST).map((decision) => ({
    name: `${game.id}.${game.number}.${decision.ply}`,
    level: 0,
    cost: decision.cost_points,
    themes: [decision.theme],
    solutions: [decision.best, ...decision.alternatives.filter((one) => !isCostly(lossOf(one))).map(({ action }) => action)],
    follows: decision,
    read: async () => (await engine.ask("read_record", { record: game.record })).positions[decision.ply],
    game,
  })));

/**
 * The next puzzle of a series: a new one, as near as possible to your level; if there is none, the puzzle that you
 * solved longest ago.
 * @param {readonly Posed[]} series
 * @param {Progress} progress
 * @param {string} [but] the name of a puzzle to skip, unless it is the only one
 * @returns {Posed | undefined}
 */
export function nextOf(series, { level, tries }, but) {
  const done = Object.keys(tries);
  const rank = (/** @type {Posed} */ one) => [done.indexOf(one.name), Math.abs(one.level - level)];
  const ranked = series.map((one) => ({ one, rank: rank(one) }))
    .sort(({ rank: [ago, far] }, { rank: [otherAgo, otherFar] }) => ago - otherAgo || far - otherFar);
  return (ranked.find(({ one }) => one.name !== but) ?? ranked[0])?.one;
}
