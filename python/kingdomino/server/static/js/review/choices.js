/**
 * The choices of a decision: the best kingdoms (or claims), and the player's own.
 */
import { domino, dominoName, dominoSvg } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { KingdomMap } from "../draw/kingdom-map.js";
import { ordinal, t } from "../i18n/locale.js";
import { chanceText } from "../i18n/numbers.js";
import { squaresText } from "../i18n/placement-text.js";
import { lossFigure, pointsText } from "../i18n/review-text.js";
import { choiceOf, entryOf } from "./game.js";

/**
 * @import { Alternative, Decision } from "../../engine/calls.js"
 * @import { Table } from "../net/types.js"
 * @import { Choice } from "./game.js"
 */

const BEST = 3;

/** The look of a choice: two choices that make the same kingdom count as one. @param {Choice} choice */
export function lookOf({ domino: number, left, right }) {
  if (!left || !right) return `${number}`;
  const ends = domino(number);
  return [`${left} ${ends.left.terrain} ${ends.left.crowns}`, `${right} ${ends.right.terrain} ${ends.right.crowns}`]
    .sort().join(";");
}

/**
 * @param {Decision} decision
 * @param {Table} table
 * @param {number} number of the domino to place or, for claims, 0
 * @param {"you" | "other"} form whether `who` is addressed as *you*
 * @param {string} who chose
 * @param {string} open the action on show
 * @param {(action: string, title: string) => void} onOpen
 */
export function choicesList(decision, table, number, form, who, open, onOpen) {
  const { action, best, alternatives, seat, choices, place, exact } = decision;
  const own = lookOf(choiceOf(action, number));
  /** @type {Map<string, Alternative>} */
  const looks = new Map();
  for (const one of [...alternatives].sort((one, other) => Number(other.action === best) - Number(one.action === best))) {
    const look = lookOf(choiceOf(one.action, number));
    if (!looks.has(look) || one.action === action) looks.set(look, one);
  }
  // Show all if only one would be hidden.
  const shown = [...looks].filter(([look], at) => at < BEST || look === own || choices === BEST + 1);
  return el("ol.choices", ...shown.map(([look, one], at) => {
    const isOwn = look === own;
    const isBest = at === 0;
    // The engine's place comes from a shorter search: it counts only below all others.
    const rank = at === shown.length - 1 ? Math.max(place, at + 1) : at + 1;
    const title = isOwn
      ? isBest ? t(`review.best_${form}`, { who })
        : t("review.whose_place", { whose: t(`review.whose_${form}`, { who }), place: ordinal(rank), n: choices })
      : isBest ? t("review.best") : ordinal(at + 1);
    const facts = t("review.facts", {
      points: pointsText(one.value.mean_scores[seat]), chance: chanceText(one.value.win_rates[seat], exact),
    });
    const loss = isBest ? "" : lossFigure({ win: one.cost, points: one.cost_points });
    const classes = `${isBest ? ".is-best" : ""}${isOwn && !isBest ? ".is-yours" : ""}`;
    const choice = choiceOf(one.action, number);
    const isOpen = look === lookOf(choiceOf(open, number));
    return el(`li${classes}`, el("button", {
      type: "button", "data-key": one.action, "aria-pressed": String(isOpen), onclick: () => onOpen(one.action, isBest || isOwn ? "" : title),
    }, picture(choice, table, seat), el("span.what", title, whereText(choice, table, seat), el("small", facts)), el("span.much", loss)));
  }));
}

/** Where the domino lies, for people who do not see the picture. @param {Choice} choice @param {Table} table @param {number} seat */
function whereText({ left, right }, table, seat) {
  if (!left || !right) return null;
  const { dominoes, squares } = table.kingdoms[seat];
  const frame = new KingdomMap(dominoes, squares).frame("reach", table.rules.size);
  return el("span.visually-hidden", `. ${squaresText([left, right], frame)}`);
}

/** @param {Choice} choice @param {Table} table @param {number} seat */
function picture(choice, table, seat) {
  const entry = entryOf(choice);
  if (!entry) {
    const face = el("span.domino", dominoSvg(choice.domino));
    return el("span.pic", { role: "img", "aria-label": dominoName(choice.domino) }, face);
  }
  const kingdom = new Kingdom();
  const { dominoes, squares } = table.kingdoms[seat];
  kingdom.show({ size: table.rules.size, seat, frame: "box", plain: true, squares, dominoes: [...dominoes, entry] });
  return el("span.pic", { "aria-hidden": "true" }, kingdom);
}

