/**
 * Both lines of a table, and in the opening the kings that are drawn.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").Offer} Offer
 * @typedef {import("./view.js").Local} Local
 */
import { king } from "./art.js";
import { h } from "./h.js";
import { Line } from "./line.js";
import { nameOf } from "./rich.js";
import { t } from "./words.js";

export class Lines {
  /** @param {Element} element `.lines` of table.html */
  constructor(element) {
    const [present, coming] = element.querySelectorAll("section");
    this.sections = { present, coming };
    this.present = new Line(/** @type {HTMLOListElement} */ (present.querySelector("ol")));
    this.coming = new Line(/** @type {HTMLOListElement} */ (coming.querySelector("ol")));
    this.kings = h("ol.kings");
    this.present.list.after(this.kings);
  }

  /** @param {Table} table @param {Local} local @param {number} home whose king stands on what is chosen */
  show(table, local, home) {
    const opening = table.round === 0;
    const none = table.next_line.length === 0;
    const { sections } = this;
    head(sections.present, opening ? "kings" : "this_line", opening ? "kings_how" : "this_line_how");
    head(sections.coming, opening ? "first_line" : "next_line", none ? "no_more_lines" : "next_line_how");
    sections.coming.classList.toggle("none", none);
    this.present.list.hidden = !(this.kings.hidden = !opening);
    if (opening) this.#drawn(table);
    else this.present.show(present(table, local));
    this.coming.show(coming(table, local, home));
  }

  /** The king that claims now, wherever it stands. */
  get acting() {
    return this.sections.present.querySelector("ol:not([hidden]) .acting .king");
  }

  /** The kings that were drawn, and places for those still in the hand. @param {Table} table */
  #drawn({ recent, turn, rules, seats }) {
    const claimed = recent.filter(({ kind }) => kind === "claimed").map(({ seat }) => seat);
    const drawn = turn?.phase === "claim" ? [...claimed, turn.seat] : claimed;
    const all = Array.from({ length: rules.players * rules.kings }, (_, at) => at);
    this.kings.replaceChildren(...all.map((at) => {
      if (at >= drawn.length) {
        return h("li.hidden", h("span.visually-hidden", t("table.in_hand")));
      }
      const now = at === claimed.length;
      return h(now ? "li.acting" : "li", king(drawn[at]), h("div",
        h("b", nameOf({ seats }, drawn[at])),
        h("small", t(now ? "table.claims_now" : "table.claimed"))));
    }));
  }
}

/** @param {Element} section @param {string} title @param {string} label */
function head({ children }, title, label) {
  children[0].textContent = t(`table.${title}`);
  children[1].textContent = t(`table.${label}`);
}

/** @param {Table} table @param {Local} local @returns {import("./line.js").Item[]} */
function present(table, { laid, mode }) {
  const { line, turn } = table;
  const mine = (/** @type {Offer} */ { done, seat }) => done && seat === turn?.seat;
  const claims = turn?.phase === "claim" ? line.findLast(mine) : null;
  return line.map((offer) => {
    const now = !offer.done && offer.domino === turn?.domino;
    const gone = offer.done || Boolean(now && laid);
    const acting = offer === claims || (now && gone);
    return {
      ...named(table, offer, gone), acting, king: !offer.done || acting, draggable: now && mode === "place",
      state: gone ? "gone" : now ? (turn?.fits ? "now" : "now unfit") : "held",
    };
  });
}

/** @param {Table} table @param {Local} local @param {number} home @returns {import("./line.js").Item[]} */
function coming(table, { claims, selected, mode }, home) {
  const offers = new Map((mode === "claim" && claims ? claims : []).map((claim) => [claim.domino, claim]));
  return table.next_line.map((offer) => {
    const claim = offers.get(offer.domino);
    const free = offer.seat === null;
    const item = { ...named(table, offer, false), king: !free, state: free ? "free" : "held" };
    if (!claim) return item;
    const chosen = offer.domino === selected;
    const note = claim.fits ? t("table.fits", { points: claim.points }) : t("table.fits_nowhere");
    return { ...item, seat: chosen ? home : null, king: chosen, selected: chosen, state: "offer", note };
  });
}

/** @param {Table} table @param {Offer} offer @param {boolean} gone */
function named(table, { domino, seat }, gone) {
  if (seat === null) return { domino, seat, name: "", note: gone ? t("table.left_over") : "" };
  const name = nameOf(table, seat);
  return { domino, seat, name, note: t(gone ? "table.done_by" : "table.king_of", { name }) };
}
