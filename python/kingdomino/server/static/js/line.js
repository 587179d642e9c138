/**
 * A line of dominoes: numbers, faces, the kings on them; those that are offered are buttons.
 *
 * Fires `choose` {domino, sure} when one of the offered is chosen (`sure`: and meant to be claimed at once),
 * and `grab` {event, domino} when the one to be placed is taken up.
 *
 * @typedef {object} Item
 * @property {number} domino
 * @property {number | null} seat whose king stands on it, or stood until it was placed
 * @property {string} name of that seat
 * @property {string} state "free", "held", "now" (perhaps "now unfit"), "gone" or "offer"
 * @property {boolean} king whether the king is to be seen
 * @property {string} note for the ear, and for the eye where it is offered: whether it fits, who has it
 * @property {boolean} [selected]
 * @property {boolean} [acting] whether its king is the one that claims now
 * @property {boolean} [draggable] whether it may be taken up and dragged into the kingdom
 */
import { SEATS, dominoName, dominoSvg, king, seal } from "./art.js";
import { h, tell } from "./h.js";
import { t } from "./words.js";

export class Line extends EventTarget {
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
    // Moved only when they must: what is moved loses the focus.
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

  /** Puts the focus on the first domino that is offered, or on the chosen one. */
  focus() {
    const offered = this.list.querySelector("button[aria-pressed=true]") ?? this.list.querySelector("button");
    /** @type {HTMLElement} */ (offered ?? this.list.closest("section")).focus();
  }

  /** @param {Item} item @param {HTMLElement | null} old */
  #draw(item, old) {
    const sign = JSON.stringify([item, document.documentElement.lang]);
    if (old?.dataset.sign === sign) return old;
    const li = old ?? h("li", { "data-domino": item.domino });
    li.dataset.sign = sign;
    const seat = item.seat !== null && `seat-${SEATS[item.seat]}`;
    const looks = [item.state, item.selected && "sel", item.acting && "acting", seat];
    li.className = looks.filter(Boolean).join(" ");
    const face = this.#face(item, li.querySelector(".face"));
    // The face stays where it is, so that it keeps the focus; the rest is new.
    for (const part of [...li.children]) if (part !== face) part.remove();
    if (face.parentElement !== li) li.replaceChildren(face);
    face.before(h("span.no", { "aria-hidden": "true" }, item.domino));
    if (item.king && item.seat !== null) li.append(king(item.seat));
    const words = item.state === "offer" ? item.note : item.name;
    li.append(h("span.note.label", { "aria-hidden": "true" }, words));
    return li;
  }

  /** @param {Item} item @param {HTMLElement | null} old */
  #face(item, old) {
    const { domino } = item;
    if (item.state === "gone") {
      return h("div.face.gone", item.seat !== null && seal(item.seat),
        h("span", { "aria-hidden": "true" }, t(item.seat === null ? "table.left_over" : "table.done")),
        h("span.visually-hidden", `${dominoName(domino)}. ${item.note}`));
    }
    const offer = item.state === "offer";
    const face = old?.matches(offer ? "button" : "[role=img]") ? old : this.#fresh(offer, domino);
    face.ariaLabel = item.note ? `${dominoName(domino)}. ${item.note}` : dominoName(domino);
    if (offer) face.ariaPressed = String(Boolean(item.selected));
    face.classList.toggle("draggable", Boolean(item.draggable));
    return face;
  }

  /** @param {boolean} offer @param {number} domino */
  #fresh(offer, domino) {
    const choose = (/** @type {boolean} */ sure) => tell(this, "choose", { domino, sure });
    const face = offer
      ? h("button.face.domino", {
        type: "button",
        onclick: (/** @type {MouseEvent} */ { detail }) => choose(detail > 1),
        onfocus: () => face.matches(":focus-visible") && choose(false),
      }, dominoSvg(domino))
      : h("div.face.domino", {
        role: "img",
        onpointerdown: (/** @type {PointerEvent} */ event) =>
          face.matches(".draggable") && tell(this, "grab", { event, domino }),
      }, dominoSvg(domino));
    return face;
  }

  /** Enter claims at once; arrows go from one offered domino to the next. @param {KeyboardEvent} event */
  #key(event) {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (!button) return;
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (event.key === "Enter") {
      tell(this, "choose", { domino: Number(button.closest("li")?.dataset.domino), sure: true });
    } else if (step) {
      const all = [...this.list.querySelectorAll("button")];
      all[(all.indexOf(button) + step + all.length) % all.length].focus();
    } else {
      return;
    }
    event.preventDefault();
  }
}
