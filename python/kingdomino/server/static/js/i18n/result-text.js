/**
 * How a game ended, in words: who won, and on a tie the rule that decided it, with its figures.
 */
import { terrainWord } from "../draw/art.js";
import { list, t } from "./locale.js";
import { nameOf } from "./names.js";

/**
 * @import { Finished, MatchResult, Score, Table, Territory } from "../net/types.js"
 * @typedef {Table & {finished: Finished}} FinishedTable
 * @typedef {{bonus: "harmony" | "middle_kingdom", points: number}} Bonus
 * @typedef {Territory | Bonus} Part
 */

/** `Ida wins by the larger territory.` @param {FinishedTable} table */
export function headline(table) {
  const { winners, decided_by, scores } = table.finished;
  return t(`end.won_${decided_by}`, { who: names(table, winners), points: points(scores[winners[0]].total) });
}

/** `Ida wins the Dynasty with 124 points.` @param {FinishedTable} table @param {MatchResult} match */
export function matchHeadline(table, { winners, scores }) {
  const key = winners.length > 1 ? "end.match_shared" : `end.match_${table.dynasty}`;
  return t(key, { who: names(table, winners), points: points(scores[winners[0]]) });
}

/** By how much the game was won, or the figures of the rule that broke the tie. @param {FinishedTable} table */
export function decidingReason(table) {
  const { winners, ranking, scores, decided_by } = table.finished;
  const [first, second] = ranking;
  const best = scores[first];
  const level = ranking.filter((seat) => scores[seat].total === best.total);
  if (decided_by === "score") {
    return t("end.ahead", { points: points(best.total - scores[second].total), who: nameOf(table, second) });
  }
  if (decided_by === "largest_territory") return `${equalPoints(table, level)} ${largestTerritories(table, level)}`;
  const alike = level.filter((seat) => largestSize(scores[seat]) === largestSize(best));
  if (decided_by === "crowns") return `${equal("territory", table, alike)} ${mostCrowns(table, alike)}`;
  return equal(table.rules.edition === "first" ? "crowns" : "territory", table, winners);
}

/** The seats from first to last with their places, which they may share. @param {FinishedTable} table */
export function rankedSeats(table) {
  const { ranking, scores } = table.finished;
  const first = table.rules.edition === "first";
  const standing = (/** @type {number} */ seat) =>
    [scores[seat].total, largestSize(scores[seat]), first && crowns(scores[seat])].join();
  let place = 1;
  return ranking.map((seat, index) => {
    if (index && standing(seat) !== standing(ranking[index - 1])) place = index + 1;
    return { seat, place };
  });
}

/** The parts of a score: the territories with points, most first, and the bonuses. @param {Score} score */
export function scoreParts(score) {
  /** @type {Bonus[]} */
  const bonuses = [
    { bonus: "harmony", points: score.harmony }, { bonus: "middle_kingdom", points: score.middle_kingdom },
  ];
  return {
    territories: score.territories.filter((territory) => territory.points > 0),
    bonuses: bonuses.filter((bonus) => bonus.points > 0),
  };
}

/** @param {Table} table @param {number[]} seats */
const names = (table, seats) => list(seats.map((seat) => nameOf(table, seat)));

const points = (/** @type {number} */ n) => t("end.points", { n });
const squares = (/** @type {number} */ n) => t("end.squares", { n });

/** The largest territory, with crowns or without. @param {Score} score */
const largest = ({ territories }) =>
  territories.reduce((best, one) => (one.squares.length > best.squares.length ? one : best));

const largestSize = (/** @type {Score} */ score) => largest(score).squares.length;

/** All crowns of a kingdom. @param {Score} score */
const crowns = ({ territories }) => territories.reduce((sum, one) => sum + one.crowns, 0);

/** `Ida and Oskar both have 50 points.` @param {FinishedTable} table @param {number[]} seats */
function equalPoints(table, seats) {
  const { total } = table.finished.scores[seats[0]];
  const key = seats.length === 2 ? "end.both_have" : "end.all_have";
  return t(key, { who: names(table, seats), points: points(total) });
}

/**
 * `Ida's largest territory is 8 squares of lake, Oskar's is 7 squares of grassland.`
 * @param {FinishedTable} table
 * @param {number[]} seats
 */
function largestTerritories(table, seats) {
  const figures = seats.map((seat, index) => {
    const { squares: covered, terrain } = largest(table.finished.scores[seat]);
    return t(index ? "end.largest_next" : "end.largest_first", {
      who: nameOf(table, seat), squares: squares(covered.length), terrain: terrainWord(terrain),
    });
  });
  return `${figures.join(", ")}.`;
}

/**
 * What these seats have in common.
 * @param {"territory" | "crowns"} upTo the last figure in which they are equal
 * @param {FinishedTable} table
 * @param {number[]} seats
 */
function equal(upTo, table, seats) {
  const score = table.finished.scores[seats[0]];
  return t(`end.equal_${upTo}`, {
    who: names(table, seats), points: points(score.total), squares: squares(largestSize(score)),
    crowns: t("end.crowns", { n: crowns(score) }),
  });
}

/** `Crowns decide: Ida 12 crowns and Oskar 11 crowns.` @param {FinishedTable} table @param {number[]} seats */
function mostCrowns(table, seats) {
  const figures = seats.map((seat) => t("end.figure", {
    who: nameOf(table, seat), figure: t("end.crowns", { n: crowns(table.finished.scores[seat]) }),
  }));
  return t("end.most_crowns", { figures: list(figures) });
}
