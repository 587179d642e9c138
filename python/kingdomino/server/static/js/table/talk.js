/**
 * Quick words: eight fixed ones that players say to each other. A word stays beside the speaker's name for a few
 * seconds, and is announced.
 */
import { icon, seal, SEATS } from "../draw/art.js";
import { el, Emitter, replaceContent } from "../draw/dom.js";
import { closeOnOutsidePress } from "../draw/popover.js";
import { t } from "../i18n/locale.js";
import { nameOf } from "../i18n/names.js";
import { attempt } from "../net/api.js";
import { loadSetting, saveSetting } from "../net/storage.js";
import { clientOf } from "./client.js";

/**
 * @import { SaidMessage, Table, You } from "../net/types.js"
 * @typedef {SaidMessage["word"]} Word
 * @typedef {ReadonlyMap<number, Word>} Said the last word of each seat
 *
 * @typedef {object} TalkEvents
 * @property {undefined} change there is something else to show
 * @property {string} said the words of another player, to be announced
 */

/** @type {Word[]} */
const WORDS = ["hello", "good_luck", "your_turn", "one_moment", "well_played", "oh_no", "thanks", "goodbye"];
/** Milliseconds to show a word. */
const SHOWN = 6000;

export const isMuted = () => loadSetting("muted") === true;

/** @param {boolean} muted */
export const setMuted = (muted) => saveSetting("muted", muted);

/** A word with its picture. @param {Word} word */
export const saidWord = (word) => el("span.said", icon(word), t(`say.${word}`));

/** @extends {Emitter<TalkEvents>} */
export class Talk extends Emitter {
  /** @type {Map<number, Word>} */
  #said = new Map();
  /** Timers of the words, by seat. @type {Map<number, ReturnType<typeof setTimeout>>} */
  #timers = new Map();
  #status = el("p.label", { role: "status" });
  /** @type {Table | null} */
  #table = null;
  /** The last word with its speaker, for pages without a place for words beside names. */
  #heard = el("p.heard", { "aria-hidden": "true" });
  #button = el("button.button.bare.icon", { type: "button" }, icon("say"));
  /** The button, for the head of any page of a table. */
  bar = el("div.talk", this.#heard, this.#button);

  /** @param {HTMLElement} popover for choosing a word */
  constructor(popover) {
    super();
    this.popover = popover;
    this.#button.popoverTargetElement = popover;
    closeOnOutsidePress(popover);
    popover.addEventListener("beforetoggle", (event) => {
      if (event.newState === "open") this.#draw();
    });
    document.addEventListener("language", () => this.#draw());
  }

  /** @returns {Said} */
  get said() {
    return this.#said;
  }

  /** Shows the button if there is another player to talk to. @param {Table} table @param {Pick<You, "seats">} you */
  show(table, you) {
    this.#table = table;
    const others = table.seats.some(({ kind, seat }) => kind === "person" && !you.seats.includes(seat));
    this.bar.hidden = !you.seats.length || !others;
    this.#button.ariaLabel = t("table.say");
    const [last] = [...this.#said].slice(-1);
    const name = last && el(`span.who.seat-${SEATS[last[0]]}`, seal(last[0]), nameOf(table, last[0]));
    this.#heard.replaceChildren(...(last ? [name, saidWord(last[1])] : []));
  }

  /** Opens the choice of words. */
  open() {
    this.popover.showPopover();
  }

  /** Shows a word from a message. @param {SaidMessage} message @param {number[]} own your seats */
  hear({ seat, word }, own) {
    const isOwn = own.includes(seat);
    if (!this.#table || (isMuted() && !isOwn)) return;
    this.#said.delete(seat);
    this.#said.set(seat, word);
    this.emit("change", undefined);
    if (!isOwn) this.emit("said", t("table.said", { name: nameOf(this.#table, seat), word: t(`say.${word}`) }));
    clearTimeout(this.#timers.get(seat));
    this.#timers.set(seat, setTimeout(() => {
      this.#said.delete(seat);
      this.emit("change", undefined);
    }, SHOWN));
  }

  #draw() {
    /** @type {HTMLInputElement} */
    const mute = el("input", {
      type: "checkbox", role: "switch", checked: isMuted(), onchange: () => setMuted(mute.checked),
    });
    this.#status = el("p.label", { role: "status" });
    this.popover.ariaLabel = t("table.say");
    replaceContent(this.popover,
      el("div.words", ...WORDS.map((word) => this.#choice(word))),
      el("label", el("span", t("settings.muted")), mute),
      this.#status);
  }

  /** @param {Word} word */
  #choice(word) {
    /** @type {HTMLButtonElement} */
    const button = el("button.button.bare", { type: "button", onclick: () => attempt(async () => {
      const client = this.#table && clientOf(this.#table.id);
      if (client?.isShared) await client.say(word);
      this.popover.hidePopover();
    }, this.#status, button) }, icon(word), t(`say.${word}`));
    return button;
  }
}
