/**
 * The dominoes not seen yet: a strip, initially closed.
 */
import { domino, dominoName, dominoSvg, icon } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { withBold } from "../i18n/names.js";

/** @import { Table } from "../net/types.js" */

export class Unseen {
  /** @param {HTMLDetailsElement} strip @param {HTMLElement} peek another button that opens it */
  constructor(strip, peek) {
    this.strip = strip;
    this.peek = peek;
    /** @type {number[]} */
    this.numbers = [];
    strip.ontoggle = () => this.#list();
    peek.onclick = () => { strip.open = !strip.open; };
  }

  /** @param {Table} table */
  show({ unseen, in_deck, rules }) {
    const boxed = rules.dominoes < 48;
    const faces = unseen.map((number) => domino(number));
    const crowns = faces.reduce((sum, { left, right }) => sum + left.crowns + right.crowns, 0);
    const count = t("table.dominoes", { n: unseen.length });
    const key = boxed && in_deck ? "table.unseen_boxed" : "table.unseen";
    const params = { n: unseen.length, count, deck: in_deck };
    const words = unseen.length ? withBold(key, params, "count") : [t("table.all_seen")];
    this.numbers = unseen;
    this.strip.children[0].replaceChildren(icon("open"), el("span", ...words),
      el("span.label", unseen.length ? t("table.unseen_crowns", { n: crowns }) : ""));
    this.peek.hidden = unseen.length === 0;
    this.peek.replaceChildren(t("table.peek", { n: unseen.length }), icon("open"));
    this.#list();
  }

  /** Draws the dominoes, if the strip is open. */
  #list() {
    this.peek.ariaExpanded = String(this.strip.open);
    if (!this.strip.open) return;
    this.strip.children[1].replaceChildren(...this.numbers.map((number) => el("li",
      el("span", { "aria-hidden": "true" }, number),
      el("div.domino", { role: "img", "aria-label": dominoName(number) }, dominoSvg(number)))));
  }
}
