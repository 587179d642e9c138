/**
 * The other kingdoms, small, with names, scores and next actions. A click opens one.
 */
import { seal, SEATS } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { fullName, kingdomName, levelOf } from "../i18n/names.js";
import { seatStatus } from "../i18n/turn-text.js";
import { saidWord } from "./talk.js";

/**
 * @import { Table } from "../net/types.js"
 * @import { Said, Word } from "./talk.js"
 */

export class Opponents {
  /**
   * @param {HTMLElement} aside
   * @param {(seat: number, opener: HTMLElement) => void} open
   */
  constructor(aside, open) {
    this.aside = aside;
    this.open = open;
    this.panels = Array.from({ length: 4 }, (_, seat) => this.#newPanel(seat));
  }

  /**
   * @param {Table} table
   * @param {number} home the seat that is shown large, and not here
   * @param {readonly string[]} [away] for how long each player has been away
   * @param {Said} [said]
   */
  show(table, home, away = [], said = new Map()) {
    const count = table.seats.length;
    const order = table.seats.slice(1).map((_, step) => (home + step + 1) % count);
    for (const seat of order) this.#update(table, seat, away[seat] ?? "", said.get(seat));
    const [before, now] = [[...this.aside.children], order.map((seat) => this.panels[seat].section)];
    if (now.every((section, at) => section === before[at])) return;
    // Moving an element loses the focus. Keep it at its place, on the kingdom that is there now.
    const focused = before.findIndex((section) => section.contains(document.activeElement));
    this.aside.replaceChildren(...now);
    if (focused >= 0) this.panels[order[focused]].button.focus({ preventScroll: true });
  }

  /** @param {number} seat */
  #newPanel(seat) {
    const [kingdom, score, name, small] = [new Kingdom(), el("span.score"), el("div.name"), el("small")];
    /** @type {HTMLButtonElement} */
    const button = el("button.mini", { type: "button", onclick: () => this.open(seat, button) }, kingdom);
    const section = el(`section.opponent.seat-${SEATS[seat]}`,
      el("div.who", seal(seat), el("div", name, small), score), button);
    return { section, kingdom, score, name, small, button };
  }

  /**
   * @param {Table} table
   * @param {number} seat
   * @param {string} away for how long
   * @param {Word} [word] its last word
   */
  #update(table, seat, away, word) {
    const { section, kingdom, score, name, small, button } = this.panels[seat];
    const entry = table.seats[seat];
    const { squares, dominoes, score: { total } } = table.kingdoms[seat];
    const { size } = table.rules;
    const isAway = Boolean(away && !entry.away);
    const label = kingdomName(table, seat, []);
    kingdom.show({ size, seat, frame: "window", plain: size > 5, label, squares, dominoes });
    name.replaceChildren(...fullName(table, seat));
    score.textContent = String(total);
    const status = isAway && table.turn?.seat === seat ? "" : seatStatus(table, seat);
    const notes = [entry.kind === "bot" && !levelOf(entry.bot) && t("table.bot"), isAway && away, status];
    small.replaceChildren(word ? saidWord(word) : notes.filter(Boolean).join(" · "));
    section.classList.toggle("saying", Boolean(word));
    section.classList.toggle("acting", table.turn?.seat === seat);
    section.classList.toggle("away", isAway || Boolean(entry.away));
    section.ariaLabel = t("table.kingdom_points", { kingdom: label, n: total });
    button.ariaLabel = t("table.look_at", { kingdom: label });
  }
}
