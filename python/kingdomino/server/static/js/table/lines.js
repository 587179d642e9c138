/**
 * Both lines of a table, and in the opening the drawn kings.
 */
import { king } from "../draw/art.js";
import { el, find } from "../draw/dom.js";
import { Line } from "../draw/line.js";
import { t } from "../i18n/locale.js";
import { nameOf } from "../i18n/names.js";

/**
 * @import { Item } from "../draw/line.js"
 * @import { LineEntry, Table } from "../net/types.js"
 * @import { Local, Offer } from "./view.js"
 */

export class Lines {
  /** @param {Element} element `.lines` of table.html */
  constructor(element) {
    const [present, coming] = element.querySelectorAll("section");
    this.sections = { present, coming };
    this.present = new Line(find(present, "ol", HTMLOListElement));
    this.coming = new Line(find(coming, "ol", HTMLOListElement));
    this.kings = el("ol.kings");
    this.present.list.after(this.kings);
  }

  /** @param {Table} table @param {Local} local @param {number} home whose king stands on the selected domino */
  show(table, local, home) {
    const isOpening = table.round === 0;
    const isLast = table.next_line.length === 0;
    const { sections } = this;
    writeHead(sections.present, isOpening ? "kings" : "this_line", isOpening ? `kings_how_${table.rules.opening}` : "this_line_how");
    writeHead(sections.coming, isOpening ? "first_line" : "next_line", isLast ? "no_more_lines" : "next_line_how");
    sections.coming.classList.toggle("none", isLast);
    this.present.list.hidden = !(this.kings.hidden = !isOpening);
    if (isOpening) this.#showKings(table);
    else this.present.show(presentItems(table, local));
    this.coming.show(comingItems(table, local, home));
  }

  /** The king that claims now. */
  get acting() {
    return this.sections.present.querySelector("ol:not([hidden]) .acting .king");
  }

  /** The drawn kings, and places for the others. @param {Table} table */
  #showKings({ recent, turn, rules, seats }) {
    const claimed = recent.flatMap((event) => (event.kind === "claimed" ? [event.seat] : []));
    const drawn = turn?.phase === "claim" ? [...claimed, turn.seat] : claimed;
    this.kings.replaceChildren(...rules.to_draw.map((_, at) => {
      if (at >= drawn.length) {
        return el("li.hidden", el("span.visually-hidden", t("table.in_hand")));
      }
      const now = at === claimed.length;
      return el(now ? "li.acting" : "li", king(drawn[at]), el("div",
        el("b", nameOf({ seats }, drawn[at])),
        el("small", t(now ? "table.claims_now" : "table.claimed"))));
    }));
  }
}

/** @param {Element} section @param {string} title @param {string} label */
function writeHead({ children }, title, label) {
  children[0].textContent = t(`table.${title}`);
  children[1].textContent = t(`table.${label}`);
}

/** @param {Table} table @param {Local} local @returns {Item[]} */
function presentItems(table, { placed = null, mode }) {
  const { line, turn } = table;
  // The claiming seat's king still stands on the domino that it has just placed.
  const claims = turn?.phase === "claim" ? line.findLast(({ done, seat }) => done && seat === turn.seat) : null;
  return line.map((entry) => {
    const now = !entry.done && entry.domino === turn?.domino;
    const gone = entry.done || Boolean(now && placed);
    const acting = entry === claims || (now && gone);
    const lost = gone && (isDiscarded(table, entry) || Boolean(now && placed && !placed.entry));
    return {
      ...named(table, entry, gone), lost, acting, king: !entry.done || acting, draggable: now && mode === "place",
      state: gone ? "gone" : now ? (turn?.fits ? "now" : "now unfit") : "held",
    };
  });
}

/** @param {Table} table @param {Local} local @param {number} home @returns {Item[]} */
function comingItems(table, { claims, selected, mode }, home) {
  const offered = mode === "claim" ? (claims ?? []) : [];
  const isClaimed = mode === "sent" || mode === "waiting";
  return table.next_line.map((entry) => {
    const claim = offered.find(({ domino }) => domino === entry.domino);
    const free = entry.seat === null;
    // An unsent claim, which may wait for the network.
    const isSent = free && isClaimed && entry.domino === selected;
    const item = named(table, isSent ? { ...entry, seat: home } : entry, false);
    if (!claim) return { ...item, king: !free || isSent, selected: isSent, state: free && !isSent ? "free" : "held" };
    const chosen = entry.domino === selected;
    const note = worthText(claim);
    return { ...item, seat: chosen ? home : null, king: chosen, selected: chosen, state: "offer", note };
  });
}

/** @param {Offer} claim */
function worthText({ fits, points = 0 }) {
  if (fits === undefined) return "";
  return t(fits ? (points ? "table.fits" : "table.fits_bare") : "table.fits_nowhere", { points });
}

/** @param {Table} table @param {LineEntry} entry */
const isDiscarded = ({ kingdoms }, { domino, seat }) => seat !== null && kingdoms[seat].discarded.includes(domino);

/** @param {Table} table @param {LineEntry} entry @param {boolean} gone */
function named(table, { domino, seat }, gone) {
  if (seat === null) return { domino, seat, name: "", note: gone ? t("table.left_over") : "" };
  const name = nameOf(table, seat);
  return { domino, seat, name, note: t(gone ? "table.done_by" : "table.king_of", { name }) };
}
