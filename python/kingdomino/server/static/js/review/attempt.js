/**
 * A second try at a decision: the claims to choose from, and the rating of a try.
 */
import { dominoName, dominoSvg } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { engine } from "../engine/study.js";
import { lossOf } from "../i18n/review-text.js";
import { claimLine } from "./board.js";
import { lookOf } from "./choices.js";
import { choiceOf } from "./game.js";
import { CLOSELY } from "./work.js";

/**
 * @import { Choices, Decision } from "../../engine/calls.js"
 * @import { Loss } from "../i18n/review-text.js"
 * @import { Table } from "../net/types.js"
 * @import { ReviewWork } from "./work.js"
 */

/**
 * The line to claim from; its free dominoes are buttons.
 * @param {Pick<Table, "next_line">} table
 * @param {Choices} found
 * @param {(seat: number) => string} nameOf
 * @param {(action: string) => void} choose
 */
export function offeredClaims(table, { claims }, nameOf, choose) {
  const taken = claimLine(table, { yours: null, best: null }, { yours: "", best: "" }, nameOf);
  return table.next_line.map(({ domino }, index) => {
    const claim = claims.find((each) => each.domino === domino);
    if (!claim) return taken[index];
    return el("li", el("span.no", { "aria-hidden": "true" }, domino), el("button.face.domino", {
      type: "button", "aria-label": dominoName(domino), onclick: () => choose(claim.action),
    }, dominoSvg(domino)));
  });
}

/**
 * The cost of a try, and whether it repeats the choice of the game.
 * @param {ReviewWork} work
 * @param {Decision} one
 * @param {string} action
 * @param {number} number of the domino to place or, for claims, 0
 * @returns {Promise<{loss: Loss, isSame: boolean}>}
 */
export async function judged(work, one, action, number) {
  const look = lookOf(choiceOf(action, number));
  const isLike = (/** @type {{action: string}} */ other) => lookOf(choiceOf(other.action, number)) === look;
  const found = one.alternatives.find(isLike) ?? await work.judge(one.ply, action);
  return { loss: lossOf(found), isSame: isLike(one) };
}

/** The cost of an action in a position. @param {string} position @param {string} action */
export async function judgedAt(position, action) {
  const found = await engine.work({ name: "judge", args: { position, action, ...CLOSELY } });
  if (!found?.decision) throw new Error("the judgement was stopped");
  return found.decision;
}
