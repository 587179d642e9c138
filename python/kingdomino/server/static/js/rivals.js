/**
 * The others' kingdoms, small, with their names, their scores and where they stand; a tap opens one.
 *
 * @typedef {import("./fold.js").Table} Table
 */
import { SEATS, seal } from "./art.js";
import { h } from "./h.js";
import "./kingdom.js";
import { kingdomOf, nameOf } from "./rich.js";
import { standing } from "./sentence.js";
import { t } from "./words.js";

export class Rivals {
  /**
   * @param {HTMLElement} aside
   * @param {(seat: number, opener: HTMLElement) => void} open
   */
  constructor(aside, open) {
    this.aside = aside;
    this.open = open;
    /** @type {Map<number, any>} */
    this.panels = new Map();
  }

  /**
   * @param {Table} table
   * @param {number} home the seat that is shown large, and not here
   * @param {boolean[] | null} here who is at the table now
   */
  show(table, home, here) {
    const count = table.seats.length;
    const order = table.seats.slice(1).map((_, step) => (home + step + 1) % count);
    const sections = order.map((seat) => this.#panel(seat).section);
    // Moved only when they must: what is moved loses the focus.
    const same = sections.every((section, at) => section === this.aside.children[at]);
    if (!same) this.aside.replaceChildren(...sections);
    for (const seat of order) this.#update(table, seat, here);
  }

  /** The small kingdom of a seat. @param {number} seat */
  kingdom(seat) {
    return this.panels.get(seat)?.kingdom ?? null;
  }

  /** Where the score of a seat stands. @param {number} seat @returns {HTMLElement | null} */
  score(seat) {
    return this.panels.get(seat)?.score ?? null;
  }

  /** @param {number} seat */
  #panel(seat) {
    const known = this.panels.get(seat);
    if (known) return known;
    const kingdom = h("kd-kingdom");
    const score = h("span.score");
    const name = h("div.name");
    const small = h("small");
    const open = () => this.open(seat, look);
    const look = h("button.mini", { type: "button", onclick: open }, kingdom);
    const section = h(`section.rival.seat-${SEATS[seat]}`,
      h("div.who", seal(seat), h("div", name, small), score), look);
    const panel = { section, kingdom, score, name, small, look };
    this.panels.set(seat, panel);
    return panel;
  }

  /** @param {Table} table @param {number} seat @param {boolean[] | null} here */
  #update(table, seat, here) {
    const { section, kingdom, score, name, small, look } = this.panels.get(seat);
    const entry = table.seats[seat];
    const { dominoes, score: { total } } = table.kingdoms[seat];
    const { size } = table.rules;
    const missing = entry.kind === "person" && !entry.away && here && !here[seat];
    const label = kingdomOf(table, seat, []);
    Object.assign(kingdom, { size, seat, frame: "window", plain: size > 5, label, dominoes });
    name.textContent = nameOf(table, seat);
    score.textContent = String(total);
    const what = [entry.kind === "bot" && t("table.bot"), missing && t("table.not_here")];
    small.textContent = [...what, standing(table, seat)].filter(Boolean).join(" · ");
    section.classList.toggle("acting", table.turn?.seat === seat);
    section.ariaLabel = t("table.kingdom_points", { kingdom: label, n: total });
    look.ariaLabel = t("table.look_at", { kingdom: label });
  }
}
