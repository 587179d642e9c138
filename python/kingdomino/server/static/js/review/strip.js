/**
 * The strip of costly decisions: a small picture of each, its points, and one word.
 */
import { dominoName, dominoSvg } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { markSquares } from "../draw/ghost.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { wordText } from "../i18n/mistakes-text.js";
import { lossFigure, lossOf, roundText } from "../i18n/review-text.js";
import { choiceOf, entryOf } from "./game.js";

/**
 * @import { Decision } from "../../engine/calls.js"
 * @import { Moment } from "./game.js"
 */

/** `round 3, domino 35`, `round 2, claim 25`. @param {Moment} moment */
export const whatText = (moment) =>
  t(moment.move.kind === "claimed" ? "mistakes.claim_what" : "mistakes.place_what", { round: roundText(moment.table.round), n: moment.move.domino });

/**
 * @param {Decision} decision
 * @param {Moment} moment
 * @param {string} href
 * @param {{isHidden?: boolean, isHere?: boolean, isDone?: boolean}} state `isHidden`: without the player's choice, during a second try
 */
export function costItem(decision, moment, href, { isHidden = false, isHere = false, isDone = false } = {}) {
  const round = roundText(moment.table.round);
  const word = wordText(decision, round);
  return el(isHere ? "li.at" : isDone ? "li.done" : "li",
    el("a", { href, "aria-current": isHere && "true", "data-key": href },
      picture(decision, moment, isHidden),
      el("div.what", el("b", lossFigure(lossOf(decision))), " ", el("span", word), el("small", whatText(moment)),
        word !== round && el("small.brief", round))));
}

/** @param {Decision} decision @param {Moment} moment @param {boolean} isHidden */
export function picture({ action, seat }, { table, move }, isHidden = false) {
  if (move.kind === "claimed") {
    return el("div.pic", { "aria-hidden": "true" }, el("div.four", ...table.next_line.map(({ domino, seat: taken }) => {
      const isChosen = domino === move.domino && !isHidden;
      return el(`div.domino${isChosen ? ".chosen" : taken === null ? "" : ".taken"}`, { title: dominoName(domino) }, dominoSvg(domino));
    })));
  }
  const choice = choiceOf(action, move.domino);
  const entry = isHidden ? null : entryOf(choice);
  const { dominoes, squares } = table.kingdoms[seat];
  const kingdom = new Kingdom();
  if (entry) kingdom.addEventListener("drawn", () => {
    for (const old of kingdom.marks.querySelectorAll(".put")) old.remove();
    markSquares(kingdom, [[entry[1], entry[2]], [entry[3], entry[4]]], "put");
  });
  kingdom.show({ size: table.rules.size, seat, frame: "window", plain: true, squares, dominoes: entry ? [...dominoes, entry] : dominoes });
  return el("div.pic", { "aria-hidden": "true" }, kingdom);
}
