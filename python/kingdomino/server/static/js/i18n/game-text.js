/**
 * Sentences about a game in a player's list: result, players, rules and date.
 */
import { language, list, t } from "./locale.js";
import { levelOf, namesOf } from "./names.js";

/**
 * @import { Played, Rules } from "../net/types.js"
 * @typedef {Pick<Played, "decided_by" | "outcome" | "places" | "players" | "ranking" | "round" | "rules" | "seats" | "totals" | "winners">} Ended
 */

const DAY = 86_400_000;

/** `You won, 23 to 15.`, `You came third of four, with 56.`, `Ann won among four, with 60.` @param {Ended} game */
export function resultSentence(game) {
  const { decided_by, outcome, places, players, round, rules, seats, totals, winners } = game;
  if (outcome === "unfinished") {
    return round ? t("games.stopped", { round, rounds: rules.rounds }) : t("games.stopped_opening");
  }
  const names = namesOf(players);
  const you = yours(seats);
  const among = t(`games.players_${players.length}`);
  if (players.length > 2 && places[you] > 1) {
    return t("games.came", { place: t(`end.place_${places[you]}`), points: totals[you], players: among });
  }
  if (decided_by !== "score" || players.length === 2) return wonSentence(game, totals, seats, names, true);
  const form = winners[0] === you ? "you" : "other";
  return t(`games.won_among_${form}`, { who: names[winners[0]], points: totals[winners[0]], players: among });
}

/**
 * Who won, and how: `You win, 23 to 15.`, `Ann wins by the larger territory.`, `A draw, 44 all.`
 * @param {Pick<Ended, "decided_by" | "ranking" | "winners">} how
 * @param {readonly number[]} points by seat
 * @param {readonly number[]} own your seats
 * @param {readonly string[]} names by seat
 * @param {boolean} [isPast] for a list: `You won, 23 to 15.`
 */
export function wonSentence({ decided_by, ranking, winners }, points, own, names, isPast = false) {
  const [best, second] = ranking.map((seat) => points[seat]);
  if (winners.length === ranking.length) return t("end.draw", { points: best });
  const you = yours(own);
  const who = list(winners.filter((seat) => seat !== you).map((seat) => names[seat]));
  const form = winners.includes(you) ? "you" : "other";
  const key = isPast ? `games.won_${decided_by}_${form}` : `end.won_${decided_by}_${form}`;
  return t(key, { who, figures: t("end.figures", { best, second }) });
}

/** The seat addressed as *you*: the player's only one; -1 if several share a browser, or for a spectator. @param {readonly number[]} own */
export const yours = (own) => (own.length === 1 ? own[0] : -1);

/**
 * Who else played: `Fennel, level 4`, and among three or four `Mara: 59`, `Fennel, level 4: 38`.
 * @param {Pick<Played, "players" | "seats"> & {totals?: readonly number[]}} game
 * @returns {string[]}
 */
export function opponents({ players, seats, totals = [] }) {
  const names = namesOf(players);
  const others = [...players.keys()].filter((seat) => seats.length !== 1 || seat !== seats[0]);
  const shown = (/** @type {number} */ seat) => {
    const level = levelOf(players[seat].bot);
    return level ? t("new.who_bot", { name: names[seat], level }) : names[seat];
  };
  if (others.length > 1 && totals.length) {
    return others.map((seat) => t("games.figure", { who: shown(seat), figure: totals[seat] }));
  }
  return others.map(shown);
}

/** The names of the others. @param {Pick<Played, "players" | "seats">} game */
export const otherNames = ({ players, seats }) =>
  list(namesOf(players).filter((_, seat) => !seats.includes(seat)));

/** `today`, `yesterday`, `20 November`, with the year if it is not the current one. @param {number} then */
export function dateText(then) {
  const date = new Date(then);
  const days = Math.round((startOfDay(new Date()) - startOfDay(date)) / DAY);
  if (days === 0 || days === 1) return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-days, "day");
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString(language, { day: "numeric", month: "long", year: isThisYear ? undefined : "numeric" });
}

/** @param {Date} date */
const startOfDay = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** `Two players, Harmony and Middle Kingdom`. @param {Pick<Rules, "players">} rules @param {string[]} variants */
export function rulesName({ players }, variants) {
  const many = t(`common.players_${players}`);
  return variants.length ? `${many}, ${list(variants)}` : many;
}
