/**
 * The parts beside and above the large kingdom of the analysis board.
 */
import { seal, SEATS } from "../draw/art.js";
import { el, find } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { variantNames } from "../i18n/rules-text.js";

/**
 * @import { LineEntry } from "../../engine/calls.js"
 * @import { TerrainSquare } from "../draw/kingdom-map.js"
 * @import { Item } from "../draw/line.js"
 * @import { Studied } from "./study.js"
 * @import { NameOf } from "./text.js"
 */

/** In place of a hidden score. */
export const NONE = -1;

/** A line of a position. @param {Studied} studied @param {LineEntry[]} slots @param {string} chosen the chosen action @param {NameOf} nameOf @returns {Item[]} */
export function lineItems({ phase, choices, to_move, domino: toPlace, fits }, slots, chosen, nameOf) {
  const offered = phase === "claim" ? (choices?.claims ?? []) : [];
  return slots.map(({ domino, seat, done }) => {
    const claim = offered.find((each) => each.domino === domino);
    const name = seat === null ? "" : nameOf(seat);
    if (claim) {
      const key = claim.fits ? (claim.points ? "table.fits" : "table.fits_bare") : "table.fits_nowhere";
      const selected = chosen === claim.action;
      return { domino, seat: selected ? to_move : null, name, king: selected, selected, state: "offer", note: t(key, { points: claim.points }) };
    }
    const isNow = !done && domino === toPlace;
    const state = done ? "gone" : isNow ? (fits ? "now" : "now unfit") : seat === null ? "free" : "held";
    const key = done ? "table.done_by" : "table.king_of";
    return { domino, seat, name, king: seat !== null && !done, state, note: name && t(key, { name }) };
  });
}

/** `Round 3 of 6, 2 players, Harmony`. @param {Studied} studied */
export function factsText({ round, rules }) {
  const { edition, opening, harmony, middle_kingdom, mighty_duel } = rules;
  const variants = variantNames({
    harmony, middle_kingdom, mighty_duel, edition: edition === "first" ? "first" : "second", opening: opening === "snake" ? "snake" : "random",
  });
  const now = round ? t("common.round", { round, rounds: rules.rounds }) : t("common.opening_now");
  return [now, t("common.players", { n: rules.players }), ...variants].join(", ");
}

/**
 * A kingdom beside the large one.
 * @param {{seat: number, name: string, squares: readonly TerrainSquare[], score: number, size: number}} shown without a score if it is below 0
 * @param {number} large whose kingdom is large
 * @param {(() => void) | false} choose makes this one large
 */
export function otherKingdom({ seat, name, squares, score, size }, large, choose) {
  const small = new Kingdom();
  // The key is the place: when this kingdom becomes large, the focus stays on the kingdom that takes its place.
  const at = seat - Number(seat > large);
  small.show({ size, seat, frame: "window", plain: size === 7, squares: [...squares], label: name });
  return el("div", { class: `seat-${SEATS[seat]}` },
    el("div.who", seal(seat), el("h2.name", name), score >= 0 && el("span.score", score)),
    choose
      ? el("button", { type: "button", "data-key": `k${at}`, "aria-label": t("table.kingdom_of", { name }), onclick: choose }, small)
      : el("div.frame", small));
}

/** Whose kingdom is large. @param {Element} who @param {number} seat @param {string} name @param {number} [score] hidden below 0 @param {string} [note] */
export function drawWho(who, seat, name, score = NONE, note = "") {
  who.className = `who seat-${SEATS[seat]}`;
  const old = who.firstElementChild;
  old?.replaceWith(seal(seat));
  find(who, ".name").textContent = name;
  find(who, "small").textContent = note;
  find(who, ".score b").textContent = score < 0 ? "" : String(score);
  find(who, ".score i").textContent = "";
}
