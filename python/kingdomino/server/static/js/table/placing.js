/**
 * Placing a domino on a `<kd-kingdom>` with a mouse, a finger or keys.
 *
 * Every legal placement has a spot. The ghost shows the candidate under the pointer, and the caption its gain or why it is
 * illegal.
 */
import { dragDomino } from "../draw/drag.js";
import { el, Emitter } from "../draw/dom.js";
import { Ghost, markSquares } from "../draw/ghost.js";
import { isElsewhere } from "../draw/keys.js";
import { t } from "../i18n/locale.js";
import { placementText, refusalText, squaresText } from "../i18n/placement-text.js";
import { Placements } from "./placements.js";

/**
 * @import { Kingdom } from "../draw/kingdom.js"
 * @import { Entry, Square } from "../draw/kingdom-map.js"
 * @import { Candidate, Placing as PlacingChoices } from "./placements.js"
 * @typedef {{x: number, y: number, unit: number}} Place in squares from the castle, of `unit` pixels
 * @typedef {Record<"turn" | "flip" | "place", HTMLButtonElement>} Buttons
 * @typedef {PlacingChoices & {domino: number}} DominoChoices
 * @typedef {{action: string, points: number, entry: Entry}} PlacedDomino
 *
 * @typedef {object} PlacingEvents
 * @property {Candidate | null} choose the ghost shows another candidate; null if there is none or it is illegal
 * @property {PlacedDomino} place the player puts the domino down
 */

const HALF = 0.5; // squares: the distance at which the ghost snaps to a joint
const LEGAL = 0.6; // squares: reaches a legal joint from the middle of either square, where four joints are equally near
const THUMB = 22; // pixels: half the size of a fingertip
const HELD = 0.35; // squares: how far a mouse moves until a rotated ghost follows it again
const NOTCH = 40; // pixels: how far a wheel scrolls for one rotation
const LIFT = 56; // pixels: how far above a finger a dragged domino is

/** @param {Place} place @returns {Square} */
const squareAt = ({ x, y }) => [Math.round(x), Math.round(y)];

/** @extends {Emitter<PlacingEvents>} */
export class Placing extends Emitter {
  /** @type {DominoChoices | null} */
  #choices = null;
  #placements = new Placements();
  /** @type {Ghost | null} */
  #ghost = null;
  /** The ghost's candidate. @type {Candidate | null} */
  #candidate = null;
  /** The last legal one: the ghost goes back there when a mouse leaves an illegal one. @type {Candidate | null} */
  #lastLegal = null;
  /** The square to rotate around, from the keys or the mouse. @type {Square | null} */
  #pivot = null;
  /** Where the mouse is, while it is over the kingdom. @type {Place | null} */
  #mouse = null;
  /** Where the mouse was when the domino was rotated. @type {Place | null} */
  #held = null;
  #pointer = "mouse";
  #rolled = 0;
  /** Where a hint says to look. @type {{squares: Square[], words: string} | null} */
  #hint = null;
  /** @type {Element | null} */
  #where = null;
  /** @type {AbortController | null} */
  #listening = null;
  /** @type {AbortController | null} */
  #dragging = null;
  /** Whether the last press was a drag; then ignore the click that ends it. */
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

  /** The ghost's candidate, if it is legal. */
  get chosen() {
    return this.#candidate && !this.#candidate.refusal ? this.#candidate : null;
  }

  /** Starts placing the domino of these choices. @param {DominoChoices} choices */
  start(choices) {
    this.stop();
    this.#choices = choices;
    this.#placements = new Placements(choices);
    this.#listening = new AbortController();
    this.#listen(this.#listening.signal, choices);
    this.kingdom.squareLabel = (x, y) => this.#labelOf(x, y, choices.domino);
    if (this.kingdom.isDrawn) this.#drawGhost(choices.domino);
    this.#show(null);
  }

  /** Removes everything that `start` added. */
  stop() {
    this.#listening?.abort();
    this.#dragging?.abort();
    this.#ghost?.remove();
    this.#where?.remove();
    this.#hint = this.#where = null;
    this.#choices = this.#ghost = this.#dragging = this.#candidate = this.#lastLegal = this.#held = null;
    this.kingdom.squareLabel = this.kingdom.onWalk = null;
    this.caption.replaceChildren();
    this.caption.classList.remove("no");
    this.#enableButtons();
  }

  /** Draws spots and ghost over a newly drawn kingdom. @param {number} domino */
  #drawGhost(domino) {
    this.#ghost?.remove();
    this.#ghost = new Ghost(this.kingdom, domino, this.#placements);
    this.#ghost.show(this.#candidate);
    this.#drawHint();
  }

  /** @param {AbortSignal} signal @param {DominoChoices} choices */
  #listen(signal, { domino }) {
    const { kingdom, buttons } = this;
    const options = { signal, passive: false };
    kingdom.onWalk = (x, y) => this.#walk(x, y);
    kingdom.addEventListener("drawn", () => this.#drawGhost(domino), options);
    kingdom.addEventListener("pointermove", (event) => this.#hover(event), options);
    kingdom.addEventListener("pointerleave", () => this.#leave(), options);
    kingdom.addEventListener("pointerdown", (event) => this.#press(event), options);
    kingdom.addEventListener("click", (event) => this.#click(event), options);
    kingdom.addEventListener("wheel", (event) => this.#roll(event), options);
    kingdom.addEventListener("keydown", (event) => this.#enter(event), options);
    document.addEventListener("keydown", (event) => this.#key(event), options);
    document.addEventListener("language", () => this.#show(this.#candidate), options);
    buttons.turn.addEventListener("click", () => this.turn(), options);
    buttons.flip.addEventListener("click", () => this.flip(), options);
    buttons.place.addEventListener("click", () => this.place(), options);
  }

  #drawHint() {
    this.#where?.remove();
    this.#where = this.#hint && markSquares(this.kingdom, this.#hint.squares, "where");
  }

  // Requests of the player

  /** Says where to look, without a ghost. @param {Square[]} squares @param {string} words */
  point(squares, words) {
    this.#hint = { squares, words };
    if (this.#ghost) this.#drawHint();
    this.drop();
  }

  /** Rotates the domino: legal candidates at this joint, then around the square, then any. @param {1 | -1} step */
  turn(step = 1) {
    if (!this.#candidate) return;
    const { left, right } = this.#candidate;
    const pivot = [left, right].find((square) => String(square) === String(this.#pivot)) ?? left;
    this.#pivot = pivot;
    this.#held = this.#mouse;
    this.#show(this.#placements.next(this.#candidate, pivot, step));
  }

  /** Swaps the two ends. */
  flip() {
    if (!this.#candidate) return;
    this.#held = this.#mouse;
    this.#show(this.#placements.flipped(this.#candidate));
  }

  /** Moves the ghost to the placement of an action. @param {string} action */
  pick(action) {
    this.#show(this.#placements.of(action));
  }

  /** Places the domino at the ghost, if that is legal. */
  place() {
    const { chosen } = this;
    if (!chosen || !this.#choices) return;
    /** @type {Entry} */
    const entry = [this.#choices.domino, ...chosen.left, ...chosen.right];
    this.stop();
    this.emit("place", { action: chosen.action, points: chosen.points, entry });
  }

  /** @param {Candidate | null} candidate */
  #show(candidate) {
    this.#candidate = candidate;
    if (this.chosen) this.#lastLegal = candidate;
    this.#ghost?.show(candidate);
    this.#writeCaption(candidate);
    this.#enableButtons();
    this.emit("choose", this.chosen);
  }

  /** Removes the ghost; the spots stay. */
  drop() {
    this.#lastLegal = this.#held = null;
    this.#show(null);
  }

  /** @param {Candidate | null} candidate */
  #writeCaption(candidate) {
    if (!this.#choices) return;
    const { placements, domino: number } = this.#choices;
    /** @type {(Node | string)[]} */
    let words = [t(placements.length ? "kingdom.choose" : "kingdom.fits_nowhere", { number })];
    if (this.#hint) {
      // The squares for people who do not see the mark.
      const where = squaresText(this.#hint.squares, this.kingdom.bounds);
      words = [this.#hint.words, el("span.visually-hidden", ` ${where}`)];
    }
    if (candidate) words = candidate.refusal ? [refusalText(candidate.refusal)] : placementText(candidate.gains);
    this.caption.classList.toggle("no", !!candidate?.refusal);
    this.caption.replaceChildren(...words);
  }

  /** An unavailable button keeps the focus. */
  #enableButtons() {
    const { turn, flip, place } = this.buttons;
    turn.ariaDisabled = flip.ariaDisabled = String(!this.#candidate);
    const nowhere = this.#choices?.placements.length === 0; // then the page uses the button to discard
    if (!nowhere) place.ariaDisabled = String(!this.chosen);
  }

  /** The label of a square that can hold the domino. @param {number} x @param {number} y @param {number} number */
  #labelOf(x, y, number) {
    const best = this.#placements.covering([x, y]);
    if (!best || best.refusal) return null;
    return t("kingdom.can_hold", { number, points: best.points });
  }

  // Where the pointer is

  /** The candidate at the nearest joint, preferably legal; over the kingdom only if legal. @param {Place} place */
  #snap(place) {
    const legal = this.#placements.near(place.x, place.y, LEGAL, true);
    return legal ?? (this.kingdom.has(...squareAt(place)) ? null : this.#placements.near(place.x, place.y, HALF));
  }

  /** The same for a domino above a finger: if it is illegal there, a spot under the finger counts. */
  #snapAbove(/** @type {Place} */ at, /** @type {Place} */ finger) {
    const candidate = this.#snap(at);
    const isLegal = candidate && !candidate.refusal;
    return (isLegal ? null : this.#placements.near(finger.x, finger.y, LEGAL, true)) ?? candidate;
  }

  /** Moves the ghost to another joint; at the same joint it does not change. */
  #moveTo(/** @type {Candidate | null} */ candidate, /** @type {Place} */ place) {
    this.#pivot = squareAt(place);
    if (candidate?.joint !== this.#candidate?.joint) this.#show(candidate);
  }

  /** Shows the candidate at a place, even an illegal one, with the reason. @param {Place} place */
  #explain(place) {
    this.#show(this.#snap(place) ?? this.#placements.near(place.x, place.y, HALF));
  }

  /** @param {PointerEvent} event */
  #hover(event) {
    this.#pointer = event.pointerType;
    if (event.pointerType !== "mouse" || this.#dragging) return;
    const at = (this.#mouse = this.kingdom.placeAt(event.clientX, event.clientY));
    if (this.#held && Math.hypot(at.x - this.#held.x, at.y - this.#held.y) < HELD) return;
    this.#held = null;
    this.#moveTo(this.#snap(at) ?? this.#lastLegal, at);
  }

  #leave() {
    this.#mouse = null;
    if (this.#candidate?.refusal && this.#pointer === "mouse" && !this.#dragging) this.#show(this.#lastLegal);
  }

  /** @param {WheelEvent} event */
  #roll(event) {
    if (!this.#candidate || event.ctrlKey || !event.deltaY) return;
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
    if (event.detail === 0) return this.#activate(event.target);
    if (this.#dragged) return;
    const at = this.kingdom.placeAt(event.clientX, event.clientY);
    const onGhost = this.#isGhostOn(squareAt(at));
    if (this.#pointer !== "mouse") this.#tap(at, onGhost);
    else if (onGhost && this.chosen) this.place();
    else this.#explain(at);
  }

  /** @param {Square} square */
  #isGhostOn(square) {
    return [this.#candidate?.left, this.#candidate?.right].map(String).includes(String(square));
  }

  /** A finger hits a spot if its centre is near enough, else the ghost. */
  #tap(/** @type {Place} */ at, /** @type {boolean} */ onGhost) {
    const spot = this.#placements.near(at.x, at.y, Math.max(THUMB / at.unit, 0.3), true);
    this.#pivot = squareAt(at);
    if (spot && spot.joint !== this.#candidate?.joint) this.#show(spot);
    else if (onGhost) this.turn();
    else this.#explain(at);
  }

  /**
   * Drags the domino: from its place in the line (with its number), or from its ghost. A mouse drop
   * places it; after a finger drop it waits for the button.
   * @param {PointerEvent} press
   * @param {number} [number]
   */
  drag(press, number) {
    if (!this.#choices || press.button || (number && number !== this.#choices.domino)) return;
    this.#dragging?.abort();
    this.#pointer = press.pointerType;
    const grip = this.#grip(press, number ? null : this.#candidate);
    this.#dragging = dragDomino(press, this.#choices.domino, {
      grip,
      moved: (x, y) => {
        const at = this.kingdom.placeAt(x, y);
        const finger = this.kingdom.placeAt(x - grip.dx, y - grip.dy);
        const candidate = this.#snapAbove(at, number ? finger : at);
        this.#moveTo(candidate, at);
        return { unit: at.unit, seen: !candidate };
      },
      ended: (isDrag, isDropped) => {
        this.#dragging = null;
        this.#dragged = isDrag;
        if (isDrag && isDropped && press.pointerType === "mouse") this.place();
      },
    });
    if (number) press.preventDefault();
  }

  /**
   * From the pointer to the middle of the dragged domino.
   * @param {PointerEvent} press
   * @param {Candidate | null} ghost
   */
  #grip({ clientX, clientY, pointerType }, ghost) {
    if (!ghost) return { dx: 0, dy: pointerType === "touch" ? -LIFT : 0 };
    const { x, y, unit } = this.kingdom.placeAt(clientX, clientY);
    return { dx: (ghost.x - x) * unit, dy: (y - ghost.y) * unit };
  }

  // Where the keys are

  /** @param {number} x @param {number} y */
  #walk(x, y) {
    if (this.kingdom.querySelector(":focus-visible")) this.#cover([x, y]);
  }

  /** Moves the ghost onto a square. @param {Square} square */
  #cover(square) {
    this.#pivot = square;
    this.#show(this.kingdom.has(...square) ? null : this.#placements.covering(square));
  }

  /** Handles Enter and a screen reader's click, which have a square but no point of the screen. @param {EventTarget | null} target */
  #activate(target) {
    const cell = target instanceof Element ? target.closest("[role=gridcell]") : null;
    if (!(cell instanceof HTMLElement)) return;
    /** @type {Square} */
    const square = [Number(cell.dataset.x), Number(cell.dataset.y)];
    if (this.#isGhostOn(square) && this.chosen) this.place();
    else this.#cover(square);
  }

  /** Places the domino; on a square that had the focus before there was a ghost, shows it there first. @param {KeyboardEvent} event */
  #enter(event) {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (this.#candidate) this.place();
    else this.#activate(event.target);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#candidate || isElsewhere(event)) return;
    const key = event.key.toLowerCase();
    if (key === "r") this.turn(event.shiftKey ? -1 : 1);
    else if (key === "f") this.flip();
    else if (key === "escape") this.drop();
    else return;
    event.preventDefault();
  }
}
