/**
 * The dominoes not seen yet: a strip that is closed until one wants it.
 *
 * @typedef {import("./fold.js").Table} Table
 */
import { domino, dominoName, dominoSvg, icon } from "./art.js";
import { h } from "./h.js";
import { rich } from "./rich.js";
import { t } from "./words.js";

export class Unseen {
  /** @param {HTMLDetailsElement} strip @param {HTMLElement} peek another way to open it */
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
    const words = unseen.length ? rich(key, params, "count") : [t("table.all_seen")];
    this.numbers = unseen;
    this.strip.children[0].replaceChildren(icon("open"), h("span", ...words),
      h("span.label", unseen.length ? t("table.unseen_crowns", { n: crowns }) : ""));
    this.peek.hidden = unseen.length === 0;
    this.peek.replaceChildren(t("table.peek", { n: unseen.length }), icon("open"));
    this.#list();
  }

  /** Draws the dominoes while they can be seen. */
  #list() {
    this.peek.ariaExpanded = String(this.strip.open);
    if (!this.strip.open) return;
    this.strip.children[1].replaceChildren(...this.numbers.map((number) => h("li",
      h("span", { "aria-hidden": "true" }, number),
      h("div.domino", { role: "img", "aria-label": dominoName(number) }, dominoSvg(number)))));
  }
}
