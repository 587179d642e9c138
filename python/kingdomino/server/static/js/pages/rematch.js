/**
 * The question after a game whether the same players play again. It asks all, and everyone sees the answers.
 */
import { seal, SEATS } from "../draw/art.js";
import { el, replaceContent } from "../draw/dom.js";
import { list, t } from "../i18n/locale.js";
import { nameOf } from "../i18n/names.js";
import { attempt } from "../net/api.js";
import { clientOf } from "../table/client.js";
import { promiseNonce } from "../table/nonces.js";

/**
 * @import { SeatEntry, Table, You } from "../net/types.js"
 * @import { Presence } from "../table/presence.js"
 * @typedef {"leave_out" | "bots"} Missing what to do with the seats of players who do not play
 * @typedef {"in" | "out" | "away" | "asked"} Answer of a seat; a bot is always in
 */

/**
 * Asks for another game with the same players, answers, or decides about missing players.
 * @param {string} table
 * @param {boolean} wish
 * @param {Missing | null} [missing]
 */
export function wishRematch(table, wish, missing = null) {
  const client = clientOf(table);
  return client.isShared ? client.playAgain(wish, wish ? promiseNonce() : null, missing) : client.playAgain(wish);
}

export class Rematch {
  element = el("section.rematch");
  #refusal = el("p.refusal", { role: "alert" });
  #drawn = "";

  /**
   * Draws the question once a player has asked it.
   * @param {Table} table
   * @param {Pick<You, "seats">} you
   * @param {Presence} presence
   */
  show(table, you, presence) {
    const { rematch: yes, declined } = table.wishes;
    this.element.hidden = yes.length === 0 || table.rematch !== null;
    const answers = table.seats.map((entry) => answerOf(entry, table, presence));
    const now = JSON.stringify([yes, declined, answers, you.seats, document.documentElement.lang]);
    if (this.element.hidden || now === this.#drawn) return;
    this.#drawn = now;
    this.#refusal.textContent = "";
    this.element.ariaLabel = t("end.rematch");
    replaceContent(this.element,
      el("h2", title(table, you, answers)),
      el("ul.asks", ...table.seats.map(({ seat }) => seatItem(table, you, seat, answers[seat]))),
      el("div.hand", ...this.#buttons(table, you, answers)),
      this.#refusal);
  }

  /** @param {Table} table @param {Pick<You, "seats">} you @param {Answer[]} answers */
  #buttons(table, you, answers) {
    if (!you.seats.length) return [];
    const out = missing(answers);
    const again = this.#button(table, "again", t("end.again"), true);
    const no = this.#button(table, "no", t("end.not_today"), false);
    const words = el("span.label", t("end.same_rules"));
    const own = answers[you.seats[0]];
    if (own === "out") return [again, words];
    // Everyone is in, but creating the table failed.
    if (own !== "in" || answers.every((answer) => answer === "in")) return [again, no, words];
    if (answers.includes("asked")) {
      const asked = seatsWith(answers, "asked").map((seat) => nameOf(table, seat));
      return [no, el("span.label", t("end.waiting_for", { who: list(asked) }))];
    }
    const { host } = table;
    if (host !== null && answers[host] === "in" && !you.seats.includes(host)) {
      return [no, el("span.label", t("end.host_decides", { who: nameOf(table, host) }))];
    }
    const who = list(out.map((seat) => nameOf(table, seat)));
    const isEnough = answers.length - out.length > 1;
    return [
      isEnough && this.#button(table, "leave_out", t("end.leave_out", { who }), true, "leave_out"),
      this.#button(table, "bots", t("end.bots", { n: out.length }), true, "bots"),
      no,
    ];
  }

  /**
   * @param {Table} table
   * @param {string} key for the focus
   * @param {string} words
   * @param {boolean} wish
   * @param {Missing} [missing]
   */
  #button({ id }, key, words, wish, missing) {
    /** @type {HTMLButtonElement} */
    const button = el("button.button", {
      type: "button", "data-key": key, onclick: () => attempt(() => wishRematch(id, wish, missing), this.#refusal, button),
    }, words);
    button.classList.toggle("primary", key === "again" || key === "bots");
    return button;
  }
}

/** @param {SeatEntry} entry @param {Table} table @param {Presence} presence @returns {Answer} */
function answerOf({ kind, seat, away }, { wishes }, presence) {
  if (kind === "bot" || wishes.rematch.includes(seat)) return "in";
  if (wishes.declined.includes(seat)) return "out";
  return !away && presence.isPresent(seat) ? "asked" : "away";
}

/** @param {Answer[]} answers @param {...Answer} wanted */
const seatsWith = (answers, ...wanted) => [...answers.keys()].filter((seat) => wanted.includes(answers[seat]));

/** The seats of players who do not play. @param {Answer[]} answers */
const missing = (answers) => seatsWith(answers, "out", "away");

/** @param {Table} table @param {Pick<You, "seats">} you @param {Answer[]} answers */
function title(table, you, answers) {
  const { rematch: yes } = table.wishes;
  const out = missing(answers);
  const isIn = you.seats.some((seat) => yes.includes(seat));
  if (isIn && out.length && !answers.includes("asked")) {
    return t("end.missing", { who: list(out.map((seat) => nameOf(table, seat))), n: out.length });
  }
  const asker = yes.find((seat) => !you.seats.includes(seat));
  return asker === undefined ? t("end.wish_you") : t("end.wish", { who: nameOf(table, asker) });
}

/** @param {Table} table @param {Pick<You, "seats">} you @param {number} seat @param {Answer} answer */
function seatItem(table, you, seat, answer) {
  const words = you.seats.includes(seat) && answer === "asked" ? t("table.you") : t(`end.answer_${answer}`);
  return el(`li.${answer}.seat-${SEATS[seat]}`, seal(seat), el("span", nameOf(table, seat)), el("small", words));
}
