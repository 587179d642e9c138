/**
 * A line of dominoes: numbers, faces, and the kings on them. The dominoes that can be claimed are buttons.
 *
 * @typedef {object} Item
 * @property {number} domino
 * @property {number | null} seat the owner of the king on it, also after it was placed
 * @property {string} name of that seat
 * @property {"free" | "held" | "now" | "now unfit" | "gone" | "offer"} state
 * @property {boolean} king whether to show the king
 * @property {string} note whether it fits, or who has it: announced, and visible if it can be claimed
 * @property {boolean} [lost] whether it was discarded
 * @property {boolean} [selected]
 * @property {boolean} [acting] whether its king is the one that claims now
 * @property {boolean} [draggable] whether it can be dragged into the kingdom
 *
 * @typedef {object} LineEvents
 * @property {{domino: number, sure: boolean}} choose a domino to claim; `sure`: claim it now (with the Enter key)
 * @property {{event: PointerEvent, domino: number}} grab the player drags the domino to place
 */
import { dominoName, dominoSvg, king, seal, SEATS } from "./art.js";
import { el, Emitter } from "./dom.js";
import { t } from "../i18n/locale.js";

/** @extends {Emitter<LineEvents>} */
export class Line extends Emitter {
  /** @param {HTMLOListElement} list */
  constructor(list) {
    super();
    this.list = list;
    list.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Item[]} items */
  show(items) {
    const { list } = this;
    const now = items.map((item) => this.#draw(item, list.querySelector(`[data-domino="${item.domino}"]`)));
    // Moving an element loses the focus, so move only if necessary.
    const same = now.length === list.childElementCount && now.every((li, at) => li === list.children[at]);
    if (!same) list.replaceChildren(...now);
  }

  /** The face (or the gap) of a domino of this line. @param {number} domino @returns {HTMLElement | null} */
  face(domino) {
    return this.list.querySelector(`[data-domino="${domino}"] .face`);
  }

  /** The king on a domino of this line. @param {number} domino */
  king(domino) {
    return this.list.querySelector(`[data-domino="${domino}"] .king`);
  }

  /** Moves the focus to the selected domino, or to the first that can be claimed. */
  focus() {
    const selected = this.list.querySelector("button[aria-pressed=true]");
    const target = selected ?? this.list.querySelector("button") ?? this.list.closest("section");
    if (target instanceof HTMLElement) target.focus();
  }

  /** @param {Item} item @param {HTMLElement | null} old */
  #draw(item, old) {
    const signature = JSON.stringify([item, document.documentElement.lang]);
    if (old?.dataset.signature === signature) return old;
    const li = old ?? el("li", { "data-domino": item.domino });
    li.dataset.signature = signature;
    const seat = item.seat !== null && `seat-${SEATS[item.seat]}`;
    const classes = [item.state, item.selected && "sel", item.acting && "acting", seat];
    li.className = classes.filter(Boolean).join(" ");
    const face = this.#face(item, li.querySelector(".face"));
    // The face stays in place, to keep the focus; the rest is new.
    for (const part of [...li.children]) if (part !== face) part.remove();
    if (face.parentElement !== li) li.replaceChildren(face);
    face.before(el("span.no", { "aria-hidden": "true" }, item.domino));
    if (item.king && item.seat !== null) li.append(king(item.seat));
    const words = item.state === "offer" ? item.note : item.name;
    li.append(el("span.note.label", { "aria-hidden": "true" }, words));
    return li;
  }

  /** @param {Item} item @param {HTMLElement | null} old */
  #face(item, old) {
    const { domino } = item;
    if (item.state === "gone") {
      const word = item.seat === null ? "left_over" : item.lost ? "discarded" : "done";
      return el("div.face.gone", item.seat !== null && seal(item.seat),
        el("span", { "aria-hidden": "true" }, t(`table.${word}`)),
        el("span.visually-hidden", `${dominoName(domino)}. ${item.note}`));
    }
    const offer = item.state === "offer";
    const face = old?.matches(offer ? "button" : "[role=img]") ? old : this.#newFace(offer, domino);
    face.ariaLabel = item.note ? `${dominoName(domino)}. ${item.note}` : dominoName(domino);
    if (offer) face.ariaPressed = String(Boolean(item.selected));
    face.classList.toggle("draggable", Boolean(item.draggable));
    return face;
  }

  /** @param {boolean} offer @param {number} domino @returns {HTMLElement} */
  #newFace(offer, domino) {
    const choose = () => this.emit("choose", { domino, sure: false });
    /** @type {HTMLElement} */
    const face = offer
      ? el("button.face.domino", {
        type: "button",
        onclick: choose,
        onfocus: () => face.matches(":focus-visible") && choose(),
      }, dominoSvg(domino))
      : el("div.face.domino", {
        role: "img",
        onpointerdown: (event) => face.matches(".draggable") && this.emit("grab", { event, domino }),
      }, dominoSvg(domino));
    return face;
  }

  /** Enter claims now; arrows go from one domino to the next. @param {KeyboardEvent} event */
  #key(event) {
    const button = event.target instanceof Element && event.target.closest("button");
    if (!button || !button.matches(".offer > *")) return; // a set-up has other buttons in the list
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Enter") {
      this.emit("choose", { domino: Number(button.closest("li")?.dataset.domino), sure: true });
    } else if (step) {
      const all = [...this.list.querySelectorAll("button")];
      all[(all.indexOf(button) + step + all.length) % all.length].focus();
    } else {
      return;
    }
    event.preventDefault();
  }
}
