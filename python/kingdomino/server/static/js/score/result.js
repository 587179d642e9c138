/**
 * Sentences about a score sheet: who leads or has won, and by what; why a bonus counts or not; what is impossible.
 */
import { terrainWord } from "../draw/art.js";
import { hasWords, list, t } from "../i18n/locale.js";
import { tiesText } from "../i18n/result-text.js";
import { DYNASTY_GAMES } from "./sheet.js";

/**
 * @import { Doubt, Outcome, Scored } from "../../engine/calls.js"
 * @import { Finished } from "../net/types.js"
 * @import { Land, Sheet } from "./sheet.js"
 * @typedef {(seat: number) => string} NameOf
 */

/**
 * `Ida leads Oskar by 14.`; once every kingdom is finished, `Ida wins with 74, then Oskar with 60 and Ann with 57.`, and how ties
 * were decided.
 * @param {Sheet} sheet
 * @param {Scored} scored its game
 * @param {NameOf} nameOf
 * @param {(land: Land) => boolean} isDone
 */
export function resultText({ games, game }, { kingdoms, outcome }, nameOf, isDone) {
  if (!outcome) return ""; // one player alone
  const { ranking, winners } = outcome;
  const totalOf = (/** @type {number} */ seat) => kingdoms[seat].score.total;
  const [first, second] = ranking;
  const n = totalOf(first);
  if (!games[game].every(isDone)) {
    const level = ranking.filter((seat) => totalOf(seat) === n);
    if (level.length > 1) return n ? t("score.level", { names: list(level.map(nameOf)), n }) : "";
    return t("score.leads", { name: nameOf(first), other: nameOf(second), n: n - totalOf(second) });
  }
  const names = list(winners.map(nameOf));
  const wins = winners.length > 1 ? t("score.share", { names, n }) : t("score.wins", { name: names, n });
  const others = ranking.filter((seat) => !winners.includes(seat)).map((seat) => t("score.with", { name: nameOf(seat), n: totalOf(seat) }));
  return [others.length ? t("score.then", { wins, others: list(others) }) : `${wins}.`, whyText({ kingdoms, outcome }, nameOf)]
    .filter(Boolean).join(" ");
}

/** How ties were decided. @param {Scored} scored @param {NameOf} nameOf */
function whyText({ kingdoms, outcome }, nameOf) {
  if (!outcome) return "";
  const seats = kingdoms.map((_, seat) => ({ kind: /** @type {const} */ ("person"), name: nameOf(seat) }));
  const scores = kingdoms.map(({ score, territories }) => ({
    ...score, territories: territories.map(({ score: points, ...territory }) => ({ ...territory, points })),
  }));
  const finished = /** @type {Finished} */ (/** @type {unknown} */ ({ ...outcome, scores }));
  return tiesText({ seats, finished }, []);
}

/**
 * How a Dynasty stands, or who has won it.
 * @param {Sheet} sheet
 * @param {Outcome | null} outcome of its games; null for a single game
 * @param {NameOf} nameOf
 * @param {(land: Land) => boolean} isDone
 */
export function gamesText({ dynasty, games, names }, outcome, nameOf, isDone) {
  if (!outcome) return "";
  const { winners } = outcome;
  const points = outcome.scores.map(({ total }) => total);
  if (games.slice(0, DYNASTY_GAMES).every((lands) => lands.every(isDone)) && names.length > 1) {
    const best = t("end.points", { n: points[winners[0]] });
    return t(`end.match_${winners.length > 1 ? "shared" : dynasty}_other`, { who: list(winners.map(nameOf)), points: best });
  }
  return t(`score.games_${dynasty}`, { figures: list(points.map((figure, seat) => t("end.figure", { who: nameOf(seat), figure }))) });
}

/** Why a bonus counts or not. @param {"harmony" | "middle_kingdom"} bonus @param {number} points @param {number} missing squares */
export function bonusWhy(bonus, points, missing) {
  if (bonus === "harmony" && missing > 0) return t("score.missing", { n: missing });
  return t(`score.${bonus}_${points ? "full" : "none"}`);
}

/** The sentence about the best known arrangement of the same dominoes. @param {number} best @param {number} now */
export const possibleText = (best, now) => (best > now ? t("score.possible_more", { best, n: best - now }) : t("score.possible_none"));

/** Doubts that more squares may resolve. */
const PASSING = ["unconnected", "square_count", "no_tiling", "no_tiling_together"];

/** The doubts that remain true as an unfinished kingdom grows, or all doubts about a finished one. @param {Doubt[]} doubts @param {boolean} isOver */
export const lasting = (doubts, isOver) => doubts.filter(({ code }) => isOver || !PASSING.includes(code));

/** A doubt as a sentence; the engine's sentence for a code without words. @param {Doubt} doubt */
export function doubtText({ code, sentence, terrain, crowns, found, expected }) {
  const key = `score.doubt_${code}${crowns === 0 ? "_bare" : ""}`;
  if (!hasWords(key)) return sentence;
  return t(key, { terrain: terrain ? terrainWord(terrain) : "", n: crowns ?? 0, found: found ?? 0, expected: expected ?? 0 });
}
