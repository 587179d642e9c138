/**
 * Sentences about the end of a game: who won, and for every tie the rule that decided it, with its figures.
 */
import { terrainWord } from "../draw/art.js";
import { wonSentence, yours } from "./game-text.js";
import { list, t } from "./locale.js";
import { nameOf, namesOf } from "./names.js";

/**
 * @import { Finished, MatchResult, Score, Table, Territory } from "../net/types.js"
 * @typedef {Table & {finished: Finished}} FinishedTable
 * @typedef {{seats: Pick<Table["seats"][number], "kind" | "name">[], finished: Pick<Finished, "ranking" | "behind_by" | "scores" | "largest_territories" | "crowns">}} Ranked
 * @typedef {{bonus: "harmony" | "middle_kingdom", points: number}} Bonus
 * @typedef {Territory | Bonus} Part
 */

/** With three or more players, your place comes first, unless you won. @param {readonly number[]} places @param {number[]} own */
function ownPlace(places, own) {
  return places.length > 2 ? (places[yours(own)] ?? 1) : 1;
}

/** `You win, 23 to 15.`, `You came fourth, 7 points short of third.` @param {FinishedTable} table @param {number[]} own your seats */
export function headline(table, own) {
  const { ranking, places, scores } = table.finished;
  const place = ownPlace(places, own);
  if (place === 1) return wonHeadline(table, own);
  const seat = yours(own);
  const above = ranking[ranking.findIndex((one) => places[one] === place) - 1];
  const n = scores[above].total - scores[seat].total;
  const params = { n, place: t(`end.place_${place}`), above: t(`end.above_${places[above]}`) };
  if (!n) return t("end.came_level", params);
  return t(places[above] === 1 ? "end.came_short" : "end.came_short_of", params);
}

/** `You win, 23 to 15.` @param {FinishedTable} table @param {number[]} own your seats */
function wonHeadline(table, own) {
  const points = table.finished.scores.map(({ total }) => total);
  return wonSentence(table.finished, points, own, namesOf(table.seats));
}

/**
 * `Ida wins the Dynasty with 124 points.`, `You came third in the Dynasty.`
 * @param {FinishedTable} table
 * @param {MatchResult} match
 * @param {number[]} own your seats
 */
export function matchHeadline(table, match, own) {
  const place = ownPlace(match.places, own);
  return place === 1 ? matchWon(table, match, own) : t("end.match_came", { place: t(`end.place_${place}`) });
}

/** `Ida wins the Dynasty with 124 points.` @param {FinishedTable} table @param {MatchResult} match @param {number[]} own */
function matchWon(table, { winners, scores }, own) {
  const how = winners.length > 1 ? "shared" : table.dynasty;
  const params = { who: others(table, winners, own), points: points(scores[winners[0]]) };
  return t(`end.match_${how}_${whose(winners, own)}`, params);
}

/**
 * The margin of the victory, and why players with equal points have their places; if the headline gives your place, who
 * won.
 * @param {FinishedTable} table
 * @param {number[]} own your seats
 */
export function placesReason(table, own) {
  const { ranking, places, scores, decided_by } = table.finished;
  const [first, second] = ranking;
  const best = scores[first].total;
  let lead = "";
  if (ownPlace(places, own) > 1) {
    lead = decided_by === "score"
      ? t("end.wins_to_yours", { who: nameOf(table, first), best, own: scores[yours(own)].total })
      : wonHeadline(table, own);
  } else if (decided_by === "score") {
    lead = t(`end.ahead_${whose([second], own)}`, { points: points(best - scores[second].total), who: nameOf(table, second) });
  }
  return [lead, tiesText(table, own)].filter(Boolean).join(" ");
}

/** Why players with equal points have their places. @param {Ranked} table @param {number[]} own your seats */
export function tiesText(table, own) {
  const { ranking, behind_by } = table.finished;
  return groups(ranking, (seat) => behind_by[seat] === "score").map((seats) => tieText(table, seats, own)).join(" ");
}

/** Why tied seats have their places. @param {Ranked} table @param {number[]} seats @param {number[]} own */
function tieText(table, seats, own) {
  const { behind_by, crowns } = table.finished;
  const alike = groups(seats, (seat) => behind_by[seat] === "largest_territory");
  const byCrowns = alike.filter(([, ...behind]) => behind.some((seat) => behind_by[seat] === "crowns"))
    .map((group) => mostCrowns(table, group, own));
  if (alike[0]?.length !== seats.length) {
    return [equalPoints(table, seats, own), largestTerritories(table, seats, own), ...byCrowns].join(" ");
  }
  return [equal(crowns.length && !byCrowns.length ? "crowns" : "territory", table, seats, own), ...byCrowns].join(" ");
}

/**
 * The groups of two and more neighbours in a ranking that nothing separates.
 * @param {number[]} ranking
 * @param {(seat: number) => boolean} isBehind whether the rule puts the seat behind the previous one
 */
function groups(ranking, isBehind) {
  /** @type {number[][]} */
  const all = [];
  for (const seat of ranking) {
    const last = all.at(-1);
    if (last && !isBehind(seat)) last.push(seat);
    else all.push([seat]);
  }
  return all.filter((group) => group.length > 1);
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

/** Whether a sentence is about you or others, as the keys end. @param {number[]} seats @param {number[]} own */
const whose = (seats, own) => (seats.includes(yours(own)) ? "you" : "other");

/** The names of the others. @param {Pick<Ranked, "seats">} table @param {number[]} seats @param {number[]} own */
const others = (table, seats, own) =>
  list(seats.filter((seat) => seat !== yours(own)).map((seat) => nameOf(table, seat)));

/** `You, Ida and Oskar`. @param {Pick<Ranked, "seats">} table @param {number[]} seats @param {number[]} own */
function names(table, seats, own) {
  const rest = seats.filter((seat) => seat !== yours(own)).map((seat) => nameOf(table, seat));
  return list(seats.length > rest.length ? [t("end.you"), ...rest] : rest);
}

const points = (/** @type {number} */ n) => t("end.points", { n });
const squares = (/** @type {number} */ n) => t("end.squares", { n });

/** `You and Oskar both have 50 points.` @param {Ranked} table @param {number[]} seats @param {number[]} own */
function equalPoints(table, seats, own) {
  const { total } = table.finished.scores[seats[0]];
  const who = whose(seats, own);
  return t(seats.length === 2 ? `end.both_have_${who}` : `end.all_have_${who}`, { who: names(table, seats, own), points: points(total) });
}

/**
 * `Ida's largest territory is 8 squares of lake, Oskar's is 7 squares of grassland.`
 * @param {Ranked} table
 * @param {number[]} seats
 * @param {number[]} own
 */
function largestTerritories(table, seats, own) {
  const { largest_territories, scores } = table.finished;
  const covered = seats.filter((seat) => largest_territories[seat]); // the others have only a castle
  const figures = covered.map((seat, index) => {
    const n = largest_territories[seat];
    const terrain = scores[seat].territories.find((one) => one.squares.length === n)?.terrain ?? "";
    return t(`end.largest_${index ? "next" : "first"}_${whose([seat], own)}`, {
      who: nameOf(table, seat), squares: squares(n), terrain: terrainWord(terrain),
    });
  });
  return `${figures.join(", ")}.`;
}

/**
 * The figures in which these seats are equal.
 * @param {"territory" | "crowns"} upTo the last figure in which they are equal
 * @param {Ranked} table
 * @param {number[]} seats
 * @param {number[]} own
 */
function equal(upTo, table, seats, own) {
  const { scores, largest_territories, crowns } = table.finished;
  const [seat] = seats;
  return t(`end.equal_${upTo}_${whose(seats, own)}`, {
    who: names(table, seats, own), points: points(scores[seat].total), squares: squares(largest_territories[seat]),
    crowns: t("end.crowns", { n: crowns[seat] ?? 0 }),
  });
}

/** `Crowns decide: Ida 12 crowns and Oskar 11 crowns.` @param {Ranked} table @param {number[]} seats @param {number[]} own */
function mostCrowns(table, seats, own) {
  const figures = seats.map((seat) => t("end.figure", {
    who: seat === yours(own) ? t("end.you_within") : nameOf(table, seat),
    figure: t("end.crowns", { n: table.finished.crowns[seat] }),
  }));
  return t("end.most_crowns", { figures: list(figures) });
}
