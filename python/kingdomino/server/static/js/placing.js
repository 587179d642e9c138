/**
 * Placing a domino on a `<kd-kingdom>` with a mouse, a finger or keys.
 *
 * Every legal placement is a spot; the ghost stands at one of them in the turn that scores most, and says
 * what it brings or why it cannot be. Fires `choose` {placement, refusal} whenever the ghost
 * changes, and `place` {action, points, entry} when the player puts the domino down.
 *
 * @typedef {import("./kingdom.js").Kingdom} Kingdom
 * @typedef {import("./spots.js").Turn} Turn
 * @typedef {{x: number, y: number, unit: number}} Place in squares from the castle, of `unit` pixels
 * @typedef {Record<"turn" | "flip" | "place", HTMLButtonElement>} Buttons
 */
import { Ghost } from "./ghost.js";
import { tell } from "./h.js";
import { carry } from "./hand.js";
import { growth, reason } from "./says.js";
import { Spots } from "./spots.js";
import { t } from "./words.js";

const HALF = 0.5; // squares: so near the ghost snaps to a joint
const THUMB = 22; // pixels: half of what a finger hits
const HELD = 0.35; // squares: so far a mouse may stray before a turned ghost follows it again
const NOTCH = 40; // pixels: how far a wheel rolls for one turn
const LIFT = 56; // pixels: so far above a finger the domino in hand stays in sight

/** @param {Place} place @returns {[number, number]} */
const squareAt = ({ x, y }) => [Math.round(x), Math.round(y)];

export class Placing extends EventTarget {
  /** @type {any} */
  #choices = null;
  #spots = new Spots();
  /** @type {Ghost | null} */
  #ghost = null;
  /** What the ghost shows. @type {Turn | null} */
  #turn = null;
  /** The last legal one: the ghost goes back there when a mouse only passed by others. @type {Turn | null} */
  #parked = null;
  /** The square to turn around: where the keys or the mouse are. @type {[number, number] | null} */
  #pivot = null;
  /** Where the mouse is, while it is over the kingdom. @type {Place | null} */
  #mouse = null;
  /** Where the mouse was when the domino was turned. @type {Place | null} */
  #held = null;
  #pointer = "mouse";
  #rolled = 0;
  /** @type {AbortController | null} */
  #listening = null;
  /** @type {AbortController | null} */
  #carrying = null;
  /** Whether the last press was a drag: the click that ends it is none. */
  #dragged = false;

  /**
   * @param {Kingdom} kingdom
   * @param {{caption: HTMLElement, buttons: Buttons}} parts
   */
  constructor(kingdom, { caption, buttons }) {
    super();
    this.kingdom = kingdom;
    this.caption = caption;
    this.buttons = buttons;
  }

  /** The placement that the ghost shows, if it is a legal one. */
  get chosen() {
    return this.#turn && !this.#turn.refusal ? this.#turn : null;
  }

  /** Begins to place the domino of these choices. @param {any} choices */
  start(choices) {
    this.stop();
    this.#choices = choices;
    this.#spots = new Spots(choices);
    this.#listening = new AbortController();
    this.#listen(this.#listening.signal);
    this.kingdom.says = (x, y) => this.#sight(x, y);
    if (this.kingdom.bounds) this.#haunt();
    this.#show(null);
  }

  /** Takes everything away that `start` brought. */
  stop() {
    this.#listening?.abort();
    this.#carrying?.abort();
    this.#ghost?.remove();
    this.#choices = this.#ghost = this.#carrying = this.#turn = this.#parked = this.#held = null;
    this.kingdom.says = null;
    this.caption.replaceChildren();
    this.caption.classList.remove("no");
    this.#enable();
  }

  /** Draws spots and ghost over a kingdom that has been drawn anew. */
  #haunt() {
    this.#ghost?.remove();
    this.#ghost = new Ghost(this.kingdom, this.#choices.domino, this.#spots);
    this.#ghost.show(this.#turn);
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { kingdom, buttons } = this;
    /** @param {EventTarget} target @param {string} kind @param {(event: any) => void} then */
    const on = (target, kind, then) => target.addEventListener(kind, then, { signal, passive: false });
    on(kingdom, "drawn", () => this.#haunt());
    on(kingdom, "pointermove", (event) => this.#hover(event));
    on(kingdom, "pointerleave", () => this.#leave());
    on(kingdom, "pointerdown", (event) => this.#press(event));
    on(kingdom, "click", (event) => this.#click(event));
    on(kingdom, "wheel", (event) => this.#roll(event));
    on(kingdom, "stand", (event) => this.#stand(event.detail));
    on(kingdom, "keydown", (event) => this.#enter(event));
    on(document, "keydown", (event) => this.#key(event));
    on(document, "language", () => this.#show(this.#turn));
    on(buttons.turn, "click", () => this.turn());
    on(buttons.flip, "click", () => this.flip());
    on(buttons.place, "click", () => this.place());
  }

  // What the player asks for

  /** The next turn: legal ones at this joint, then around the square, then any. @param {1 | -1} step */
  turn(step = 1) {
    if (!this.#turn) return;
    const { left, right } = this.#turn;
    const pivot = [left, right].find((square) => String(square) === String(this.#pivot)) ?? left;
    this.#pivot = pivot;
    this.#held = this.#mouse;
    this.#show(this.#spots.next(this.#turn, pivot, step));
  }

  /** Lets the two ends change places. */
  flip() {
    if (!this.#turn) return;
    this.#held = this.#mouse;
    this.#show(this.#spots.flipped(this.#turn));
  }

  /** Puts the domino down where the ghost is, if it may lie there. */
  place() {
    const { chosen } = this;
    if (!chosen) return;
    const entry = [this.#choices.domino, ...chosen.left, ...chosen.right];
    this.stop();
    tell(this, "place", { action: chosen.action, points: chosen.points, entry });
  }

  /** @param {Turn | null} turn */
  #show(turn) {
    this.#turn = turn;
    if (this.chosen) this.#parked = turn;
    this.#ghost?.show(turn);
    this.#say(turn);
    this.#enable();
    tell(this, "choose", { placement: this.chosen, refusal: turn?.refusal ?? null });
  }

  #drop() {
    this.#parked = this.#held = null;
    this.#show(null);
  }

  /** @param {Turn | null} turn */
  #say(turn) {
    const { placements, domino: number } = this.#choices;
    /** @type {(Node | string)[]} */
    let words = [t(placements.length ? "kingdom.choose" : "kingdom.fits_nowhere", { number })];
    if (turn) words = turn.refusal ? [reason(turn.refusal)] : growth(turn);
    this.caption.classList.toggle("no", !!turn?.refusal);
    this.caption.replaceChildren(...words);
  }

  /** Buttons that cannot be used now keep the focus that they have. */
  #enable() {
    const { turn, flip, place } = this.buttons;
    turn.ariaDisabled = flip.ariaDisabled = String(!this.#turn);
    const nowhere = this.#choices?.placements.length === 0; // then the button is the page's, to discard
    if (!nowhere) place.ariaDisabled = String(!this.chosen);
  }

  /** What an empty square is called. @param {number} x @param {number} y */
  #sight(x, y) {
    const best = this.#spots.covering(x, y);
    if (!best || best.refusal) return null;
    return t("kingdom.can_hold", { number: this.#choices.domino, points: best.points });
  }

  // Where the pointer is

  /** The turn at the nearest joint, rather a legal one; over land only a legal one. @param {Place} place */
  #snap(place) {
    const legal = this.#spots.near(place.x, place.y, HALF, true);
    return legal ?? (this.kingdom.has(...squareAt(place)) ? null : this.#spots.near(place.x, place.y, HALF));
  }

  /** Lets the ghost go to another joint; at the same one it keeps the turn that it has. */
  #moveTo(/** @type {Turn | null} */ turn, /** @type {Place} */ place) {
    this.#pivot = squareAt(place);
    if (turn?.joint !== this.#turn?.joint) this.#show(turn);
  }

  /** Shows what is there for the asking, be it only why not. @param {Place} place */
  #explain(place) {
    this.#show(this.#snap(place) ?? this.#spots.near(place.x, place.y, HALF));
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    this.#pointer = event.pointerType;
    if (event.pointerType !== "mouse" || this.#carrying) return;
    const at = (this.#mouse = this.kingdom.placeAt(event.clientX, event.clientY));
    if (this.#held && Math.hypot(at.x - this.#held.x, at.y - this.#held.y) < HELD) return;
    this.#held = null;
    this.#moveTo(this.#snap(at) ?? this.#parked, at);
  }

  #leave() {
    this.#mouse = null;
    if (this.#turn?.refusal && this.#pointer === "mouse" && !this.#carrying) this.#show(this.#parked);
  }

  /** @param {WheelEvent} event */
  #roll(event) {
    if (!this.#turn || event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    this.#rolled += event.deltaY;
    if (Math.abs(this.#rolled) < NOTCH) return;
    this.turn(this.#rolled > 0 ? 1 : -1);
    this.#rolled = 0;
  }

  /** @param {PointerEvent} event */
  #press(event) {
    this.#dragged = false;
    this.#pointer = event.pointerType;
    if (event.pointerType !== "mouse" && event.target === this.#ghost?.handle) this.drag(event);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.#dragged) return;
    const at = this.kingdom.placeAt(event.clientX, event.clientY);
    const ghost = [this.#turn?.left, this.#turn?.right].map(String);
    const onGhost = ghost.includes(String(squareAt(at)));
    if (this.#pointer !== "mouse") this.#tap(at, onGhost);
    else if (onGhost && this.chosen) this.place();
    else this.#explain(at);
  }

  /** A finger hits the spot whose centre is nearer than half a thumb, else the ghost. */
  #tap(/** @type {Place} */ at, /** @type {boolean} */ onGhost) {
    const spot = this.#spots.near(at.x, at.y, Math.max(THUMB / at.unit, 0.3), true);
    this.#pivot = squareAt(at);
    if (spot && spot.joint !== this.#turn?.joint) this.#show(spot);
    else if (onGhost) this.turn();
    else this.#explain(at);
  }

  /**
   * Takes the domino into the hand: from its place in the line (with its number), or where its ghost lies.
   * Let go by a mouse it is placed; by a finger it waits for the button.
   * @param {PointerEvent} press
   * @param {number} [number]
   */
  drag(press, number) {
    if (!this.#choices || press.button || (number && number !== this.#choices.domino)) return;
    this.#carrying?.abort();
    this.#pointer = press.pointerType;
    this.#carrying = carry(press, this.#choices.domino, {
      grip: this.#grip(press, number ? null : this.#turn),
      moved: (x, y) => {
        const at = this.kingdom.placeAt(x, y);
        const turn = this.#snap(at);
        this.#moveTo(turn, at);
        return { unit: at.unit, seen: !turn };
      },
      ended: (carried, dropped) => {
        this.#carrying = null;
        this.#dragged = carried;
        if (carried && dropped && press.pointerType === "mouse") this.place();
      },
    });
    if (number) press.preventDefault();
  }

  /**
   * From the pointer to the middle of the domino in hand.
   * @param {PointerEvent} press
   * @param {Turn | null} ghost
   */
  #grip({ clientX, clientY, pointerType }, ghost) {
    if (!ghost) return { dx: 0, dy: pointerType === "touch" ? -LIFT : 0 };
    const { x, y, unit } = this.kingdom.placeAt(clientX, clientY);
    return { dx: (ghost.x - x) * unit, dy: (y - ghost.y) * unit };
  }

  // Where the keys are

  /** @param {{x: number, y: number}} square */
  #stand({ x, y }) {
    if (!this.kingdom.querySelector(":focus-visible")) return;
    this.#pivot = [x, y];
    this.#show(this.kingdom.has(x, y) ? null : this.#spots.covering(x, y));
  }

  /** @param {KeyboardEvent} event */
  #enter(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    this.place();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const elsewhere = /** @type {Element} */ (event.target).closest?.("input, textarea, select, .look, [popover]");
    if (!this.#turn || elsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    const key = event.key.toLowerCase();
    if (key === "r") this.turn(event.shiftKey ? -1 : 1);
    else if (key === "f") this.flip();
    else if (key === "escape") this.#drop();
    else return;
    event.preventDefault();
  }
}
