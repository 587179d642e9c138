/**
 * The question whether to end the game, which a player has asked the others.
 */
import { el } from "../draw/dom.js";
import { list, t } from "../i18n/locale.js";
import { nameOf } from "../i18n/names.js";

/** @import { Table, You } from "../net/types.js" */

export class EndQuestion {
  #words = el("p");
  #yes;
  #no;

  /**
   * @param {HTMLElement} element
   * @param {(wish: boolean) => void} answer
   */
  constructor(element, answer) {
    this.element = element;
    this.#yes = el("button.button", { type: "button", onclick: () => answer(true) });
    this.#no = el("button.button", { type: "button", onclick: () => answer(false) });
    element.append(this.#words, this.#yes, this.#no);
  }

  /** @param {Table} table @param {Pick<You, "seats">} you */
  show(table, you) {
    const { end } = table.wishes;
    this.element.hidden = !["playing", "between"].includes(table.state) || end.length === 0 || you.seats.length === 0;
    if (this.element.hidden) return;
    const isMine = you.seats.some((seat) => end.includes(seat));
    const who = list(end.map((seat) => nameOf(table, seat)));
    const words = isMine ? t("table.end_asked") : t("table.end_wish", { who, n: end.length });
    if (this.#words.textContent !== words) this.#words.textContent = words;
    this.#yes.textContent = t("table.end_yes");
    this.#yes.hidden = isMine;
    this.#no.textContent = t(isMine ? "table.play_on" : "table.end_no");
  }
}
