/**
 * The rows of a list of games: a small kingdom, a sentence, the facts, and actions.
 */
import { el, find } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { dateText, opponents, otherNames, resultSentence } from "../i18n/game-text.js";
import { t } from "../i18n/locale.js";
import { namesOf } from "../i18n/names.js";
import { analysisPath, mistakesPath, pathTo, replayPath, reviewPath, tablePath } from "../net/address.js";
import { attempt } from "../net/api.js";
import { isImported } from "../net/imported.js";
import { variantNames } from "../i18n/rules-text.js";

/**
 * @import { Child } from "../draw/dom.js"
 * @import { Played, UnfinishedGame } from "../net/types.js"
 */

/** The kingdom as a small picture; the words beside it describe it. @param {Pick<Played, "kingdom" | "rules" | "seat" | "squares">} game */
export function smallKingdom({ kingdom, rules, seat, squares = [] }) {
  const picture = new Kingdom();
  picture.show({ size: rules.size, seat, frame: "window", plain: rules.size > 5, squares, dominoes: kingdom });
  return el("div.mini", { "aria-hidden": "true" }, picture);
}

/** The path of a game's replay. @param {Pick<Played, "id" | "imported">} game */
export const gamePath = (game) => (isImported(game) ? pathTo(`/g/${game.id}`) : replayPath(game.id));

/** @param {UnfinishedGame} game */
export function unfinishedRow(game) {
  const { id, players, rules, round, seats, state, turn } = game;
  const isMine = turn !== null && seats.includes(turn);
  const isDue = isMine || state === "between";
  let words = t("games.waits");
  if (state === "between") words = t("games.between");
  else if (isMine && seats.length > 1) words = t("games.your_turn_name", { name: namesOf(players)[turn] });
  else if (isMine) words = t(players.length > 2 ? "games.your_turn_among" : "games.your_turn", { names: otherNames(game) });
  else if (turn !== null) words = t("games.turn_of", { name: namesOf(players)[turn] });
  const where = round ? t("common.round", { round, rounds: rules.rounds }) : t("common.opening_now");
  const seated = state === "waiting" ? [] : [where, ...opponents(game)];
  return row("li.open", game, words, [...seated, ...variantNames(rules)],
    el(isDue ? "a.button.primary" : "a.button", { href: tablePath(id), "data-key": id }, t(isDue ? "home.go_on" : "games.open")));
}

/**
 * @param {Played} game
 * @param {() => Promise<void>} forget deletes the game from the list
 */
export function playedRow(game, forget) {
  const { dynasty, ended, imported, outcome, rules, scores, start } = game;
  const facts = [
    ...opponents(game), ...variantNames({ ...rules, dynasty }), dateText(ended),
    ...(start ? [t("common.from_position")] : []), ...(imported ? [t("games.imported")] : []),
  ];
  const path = gamePath(game);
  const links = dynasty
    ? scores.map((_, at) => el("a.button.bare", { href: `${path}#game-${at + 1}` }, t("end.game_n", { game: at + 1 })))
    : [el("a.button.bare", { href: path }, t("games.look_back")),
      outcome !== "unfinished" && el("a.button.bare", { href: mistakesPath(game.id) }, t("mistakes.learn_short")),
      outcome !== "unfinished" && el("a.button.bare", { href: reviewPath(game.id) }, t("review.look_short")),
      (imported || outcome !== "unfinished") && el("a.button.bare", { href: analysisPath(game.id, !isImported(game)) }, t("analysis.open_short"))];
  const made = row("li", game, resultSentence(game), facts, ...links);
  find(made, ".acts").append(deleteButton(made, forget));
  return made;
}

/**
 * @param {"li" | "li.open"} kind
 * @param {Played | UnfinishedGame} game
 * @param {string} words
 * @param {string[]} facts
 * @param {...Child} acts
 */
function row(kind, game, words, facts, ...acts) {
  return el(kind, smallKingdom(game),
    el("div", el("h3", words), el("p.label", ...facts.flatMap((fact, n) => [n > 0 && " · ", el("span", fact)]))),
    el("div.acts", ...acts));
}

/** A button that deletes the row's game after a confirmation. @param {HTMLElement} row @param {() => Promise<void>} forget */
function deleteButton(row, forget) {
  const ask = el("button.button.bare", { type: "button" }, t("games.delete"));
  ask.onclick = () => {
    const refused = el("span.refusal", { role: "alert" });
    const yes = el("button.button", { type: "button" }, t("games.delete"));
    yes.onclick = () => attempt(forget, refused, yes);
    const no = el("button.button", { type: "button" }, t("games.delete_not"));
    const acts = find(row, ".acts");
    const question = el("div.acts.sure", el("span", { role: "alert" }, t("games.delete_sure")), no, yes, refused);
    no.onclick = () => {
      question.replaceWith(acts);
      ask.focus();
    };
    acts.replaceWith(question);
    no.focus();
  };
  return ask;
}
