/**
 * How a game ended, in words: who won, and on a tie the rule that decided it with its figures.
 * The server has decided; this only tells.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").Score} Score
 * @typedef {Score["territories"][number]} Territory
 * @typedef {{bonus: string, points: number}} Bonus
 * @typedef {Territory | Bonus} Part
 */
import { terrainWord } from "./art.js";
import { nameOf } from "./rich.js";
import { list, t } from "./words.js";

const BONUSES = /** @type {const} */ (["harmony", "middle_kingdom"]);

/** `Ida wins by the larger territory.` @param {Table} table */
export function headline(table) {
  const { winners, decided_by, scores } = table.finished;
  return t(`end.won_${decided_by}`, { who: names(table, winners), points: points(scores[winners[0]].total) });
}

/** `Ida wins the Dynasty with 124 points.`: the end of three games. @param {Table} table */
export function matchHeadline(table) {
  const { winners, scores } = table.finished.match;
  const key = winners.length > 1 ? "end.match_shared" : `end.match_${table.dynasty}`;
  return t(key, { who: names(table, winners), points: points(scores[winners[0]]) });
}

/** Under the headline: by how much, or the figures of the rule that broke the tie. @param {Table} table */
export function because(table) {
  const { winners, ranking, scores, decided_by } = table.finished;
  const [first, second] = ranking;
  const best = scores[first];
  const level = ranking.filter((/** @type {number} */ seat) => scores[seat].total === best.total);
  if (decided_by === "score") {
    return t("end.ahead", { points: points(best.total - scores[second].total), who: nameOf(table, second) });
  }
  if (decided_by === "largest_territory") return `${equalPoints(table, level)} ${largestOf(table, level)}`;
  const alike = level.filter((/** @type {number} */ seat) => extent(scores[seat]) === extent(best));
  if (decided_by === "crowns") return `${equal("territory", table, alike)} ${crownsOf(table, alike)}`;
  return equal(table.rules.edition === "first" ? "crowns" : "territory", table, winners);
}

/**
 * The seats from first to last with the place of each; who shares a place has the same number.
 * @param {Table} table
 * @returns {{seat: number, place: number}[]}
 */
export function places(table) {
  const { ranking, scores } = table.finished;
  const first = table.rules.edition === "first";
  const merit = (/** @type {number} */ seat) =>
    [scores[seat].total, extent(scores[seat]), first && crowns(scores[seat])].join();
  let place = 1;
  return ranking.map((/** @type {number} */ seat, /** @type {number} */ at) => {
    if (at && merit(seat) !== merit(ranking[at - 1])) place = at + 1;
    return { seat, place };
  });
}

/** What a score is made of: the territories that count, those with most points first, and the bonuses. */
export function parts(/** @type {Score} */ score) {
  return {
    territories: score.territories.filter((territory) => territory.points > 0),
    bonuses: BONUSES.filter((bonus) => score[bonus] > 0).map((bonus) => ({ bonus, points: score[bonus] })),
  };
}

/** @param {Table} table @param {number[]} seats */
const names = (table, seats) => list(seats.map((seat) => nameOf(table, seat)));

const points = (/** @type {number} */ n) => t("end.points", { n });
const squares = (/** @type {number} */ n) => t("end.squares", { n });

/** The largest territory, crowns or not. @param {Score} score */
const largest = ({ territories }) =>
  territories.reduce((best, one) => (one.squares.length > best.squares.length ? one : best));

const extent = (/** @type {Score} */ score) => largest(score).squares.length;

/** All crowns of a kingdom. @param {Score} score */
const crowns = ({ territories }) => territories.reduce((sum, one) => sum + one.crowns, 0);

/** `Ida and Oskar both have 50 points.` @param {Table} table @param {number[]} seats */
function equalPoints(table, seats) {
  const { total } = table.finished.scores[seats[0]];
  const key = seats.length === 2 ? "end.both_have" : "end.all_have";
  return t(key, { who: names(table, seats), points: points(total) });
}

/** `Ida's largest territory is 8 squares of lake, Oskar's is 7 squares of grassland.` */
function largestOf(/** @type {Table} */ table, /** @type {number[]} */ seats) {
  const figures = seats.map((seat, at) => {
    const { squares: covered, terrain } = largest(table.finished.scores[seat]);
    return t(at ? "end.largest_next" : "end.largest_first", {
      who: nameOf(table, seat), squares: squares(covered.length), terrain: terrainWord(terrain),
    });
  });
  return `${figures.join(", ")}.`;
}

/**
 * What these seats have alike.
 * @param {"territory" | "crowns"} key how far it goes
 * @param {Table} table
 * @param {number[]} seats
 */
function equal(key, table, seats) {
  const score = table.finished.scores[seats[0]];
  return t(`end.equal_${key}`, {
    who: names(table, seats), points: points(score.total), squares: squares(extent(score)),
    crowns: t("end.crowns", { n: crowns(score) }),
  });
}

/** `Crowns decide: Ida 12 crowns and Oskar 11 crowns.` @param {Table} table @param {number[]} seats */
function crownsOf(table, seats) {
  const figures = seats.map((seat) => t("end.figure", {
    who: nameOf(table, seat), figure: t("end.crowns", { n: crowns(table.finished.scores[seat]) }),
  }));
  return t("end.most_crowns", { figures: list(figures) });
}
