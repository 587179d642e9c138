/**
 * A player's question to the others whether to end the game.
 */
import { el } from "../draw/dom.js";
import { list, t } from "../i18n/locale.js";
import { nameOf } from "../i18n/names.js";

/** @import { Table, You } from "../net/types.js" */

/** Milliseconds to show that another player wants to play on. */
const ANSWER_SHOWN = 6000;

export class EndQuestion {
  #words = el("p");
  #yes;
  #no;
  /** Another player's latest answer. */
  #answer = "";

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

  /** Shows another player's answer for a while. @param {string} words */
  hear(words) {
    this.#answer = words;
    setTimeout(() => {
      if (this.#answer !== words) return;
      this.#answer = "";
      this.element.hidden ||= this.#no.hidden;
    }, ANSWER_SHOWN);
  }

  /** @param {Table} table @param {Pick<You, "seats">} you */
  show(table, you) {
    const { end } = table.wishes;
    const canEnd = ["playing", "between"].includes(table.state) && you.seats.length > 0;
    const isAsked = end.length > 0;
    this.element.hidden = !canEnd || !(isAsked || this.#answer);
    if (this.element.hidden) return;
    const isMine = you.seats.some((seat) => end.includes(seat));
    const who = list(end.map((seat) => nameOf(table, seat)));
    const question = isMine ? t("table.end_asked") : t("table.end_wish", { who, n: end.length });
    const words = isAsked ? question : this.#answer;
    if (this.#words.textContent !== words) this.#words.textContent = words;
    this.#yes.textContent = t("table.end_yes");
    this.#yes.hidden = isMine || !isAsked;
    this.#no.hidden = !isAsked;
    this.#no.textContent = t(isMine ? "table.play_on" : "table.end_no");
  }
}
