/**
 * `<kd-kingdom>`: a picture of a kingdom, and a grid for the arrow keys.
 *
 * `show(…)` sets what to draw; missing properties keep their values. Squares are [x, y] from the castle, y upwards.
 * The element sets `--cols` and `--rows` on itself, so that the page can choose the largest width that fits.
 * Fires `drawn` after each drawing.
 */
import { t } from "../i18n/locale.js";
import { artReady, endName, SEATS, svg, terrainWord } from "./art.js";
import { el } from "./dom.js";
import { addCountLabel, boundsOf, KingdomMap, kingdomMarkup } from "./kingdom-map.js";
import { animateResize, duration, flyDomino } from "./motion.js";

/**
 * @import { Entry, Frame, Square, TerrainSquare } from "./kingdom-map.js"
 * @typedef {(x: number, y: number) => string | null} SquareLabel the label of an empty square; null: "empty"
 *
 * @typedef {object} Content the contents of a kingdom
 * @property {number} size 5 or 7
 * @property {Entry[]} dominoes placed dominoes, in order
 * @property {TerrainSquare[]} squares squares covered by unknown dominoes
 * @property {number} seat
 * @property {"reach" | "window" | "box" | Frame} frame `reach`: all squares within reach of the next domino, a grid for keys; `window`:
 *   the largest extent of a kingdom; `box`: only the covered squares; or exactly these squares, a grid for keys if it has `onWalk`
 * @property {boolean} plain without variants, joints and shadow: for squares of twenty pixels
 * @property {string} label its name, like `Mara's kingdom`
 */

const MARGIN = 8; // units around the squares, where outlines and frames overhang

let isArtReady = false;
artReady.then(() => (isArtReady = true));

export class Kingdom extends HTMLElement {
  /** @type {Content} */
  #content = { size: 5, dominoes: [], squares: [], seat: 0, frame: "reach", plain: false, label: "" };
  #map = new KingdomMap([]);
  /** @type {Frame | null} */
  #bounds = null;
  #stale = false;
  #isHeld = false;
  #flights = 0;
  /** @type {SquareLabel | null} */
  #squareLabel = null;
  #picture = svg("0 0 1 1", "");
  #grid = new Grid((x, y) => this.onWalk?.(x, y));

  /** Called when the arrow keys reach a square. @type {((x: number, y: number) => void) | null} */
  onWalk = null;
  /** The layer for spots, ghosts and counts, over the kingdom. */
  marks = svg("0 0 1 1", "");
  /** A layer over all squares. */
  overlay = el("div.over", { "aria-hidden": "true" });
  #scene = el("div.scene", this.#picture, this.marks, this.#grid.element, this.overlay);

  /** @param {Partial<Content>} content */
  show(content) {
    if (content.dominoes) this.#flights += 1; // cancel dominoes still in flight
    const next = { ...this.#content, ...content };
    if (JSON.stringify(next) === JSON.stringify(this.#content)) return;
    this.#content = next;
    this.#change();
  }

  get dominoes() {
    return this.#content.dominoes;
  }

  connectedCallback() {
    this.marks.classList.add("marks");
    if (!this.firstChild) this.append(this.#scene);
    document.addEventListener("language", this.#change);
    this.#change();
  }

  disconnectedCallback() {
    document.removeEventListener("language", this.#change);
  }

  /** Draws once for several changes at once. */
  #change = () => {
    if (this.#stale || !this.isConnected) return;
    this.#stale = true;
    artReady.then(() => this.#stale && this.#draw());
  };

  #draw() {
    const { dominoes, squares, frame, size, seat, plain } = this.#content;
    const castle = this.#bounds && this.#rect(this.#bounds, 0, 0);
    const before = this.#bounds;
    this.#stale = false;
    this.#map = new KingdomMap(dominoes, squares);
    const wanted = typeof frame === "string" ? this.#map.frame(frame, size) : frame;
    const now = (this.#bounds = (this.#isHeld && before) || wanted);
    this.style.setProperty("--cols", String(now.columns));
    this.style.setProperty("--rows", String(now.rows));
    this.style.setProperty("--seat", `var(--${SEATS[seat]})`);
    const box = [-MARGIN, -MARGIN, now.columns * 100 + 2 * MARGIN, now.rows * 100 + 2 * MARGIN].join(" ");
    for (const drawing of [this.#picture, this.marks]) drawing.setAttribute("viewBox", box);
    this.#picture.innerHTML = kingdomMarkup(this.#map, now, { empty: frame !== "window" && !plain, plain });
    const isMoved = JSON.stringify(before) !== JSON.stringify(now);
    const isWalked = frame === "reach" || (typeof frame !== "string" && this.onWalk !== null);
    if (isMoved || isWalked !== this.#grid.isWalked) this.#grid.build(isWalked ? now : null);
    if (isMoved && castle) animateResize(this.#scene, castle, this.#rect(now, 0, 0));
    this.#name();
    this.dispatchEvent(new Event("drawn"));
  }

  /** Whether squares keep their places on the screen. @param {boolean} isHeld */
  set held(isHeld) {
    const isReleased = this.#isHeld && !isHeld;
    this.#isHeld = isHeld;
    if (isReleased) this.#change();
  }

  // Squares on the screen

  get isDrawn() {
    return this.#bounds !== null || (this.#stale && isArtReady);
  }

  /** The squares it shows, from corner to corner. Use only after `isDrawn`. */
  get bounds() {
    if (this.#stale && isArtReady) this.#draw();
    if (!this.#bounds) throw new Error("the kingdom has not been drawn yet");
    return this.#bounds;
  }

  /** Whether a domino or the castle covers the square. @param {number} x @param {number} y */
  has(x, y) {
    return this.#map.squares.has(`${x},${y}`);
  }

  /** Where a square is on the screen. @param {number} x @param {number} y */
  rectOf(x, y) {
    return this.#rect(this.bounds, x, y);
  }

  /** @param {Frame} frame @param {number} x @param {number} y */
  #rect({ left, top, columns, rows }, x, y) {
    const all = this.#grid.element.getBoundingClientRect();
    const [width, height] = [all.width / columns, all.height / rows];
    return new DOMRect(all.left + (x - left) * width, all.top + (top - y) * height, width, height);
  }

  /**
   * The place in the kingdom at a point of the screen: whole numbers are middles of squares.
   * @param {number} clientX
   * @param {number} clientY
   */
  placeAt(clientX, clientY) {
    const { left, top } = this.bounds;
    const { x, y, width: unit } = this.rectOf(left, top);
    return { x: left - 0.5 + (clientX - x) / unit, y: top + 0.5 - (clientY - y) / unit, unit };
  }

  /**
   * The upper left corner of a square, in units of the drawing.
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  corner(x, y) {
    return [(x - this.bounds.left) * 100, (this.bounds.top - y) * 100];
  }

  // Changes

  /**
   * Adds a domino; with `animateFrom` it flies there from that place on the screen. Settles when it arrives.
   * @param {Entry} entry
   * @param {{animateFrom?: DOMRect}} [options]
   */
  async addDomino(entry, { animateFrom } = {}) {
    const [number, lx, ly, rx, ry] = entry;
    if (this.dominoes.some(([other]) => other === number)) return;
    const flight = (this.#flights += 1);
    await artReady;
    if (animateFrom && duration("--move")) {
      await flyDomino(number, animateFrom, [this.rectOf(lx, ly), this.rectOf(rx, ry)]);
    }
    if (flight === this.#flights) this.show({ dominoes: [...this.dominoes, entry] });
  }

  /** Fades the empty squares that would be out of reach if these were covered. @param {Square[]} squares */
  fadeOutOfReach(squares) {
    const { left, bottom, right, top } = this.#map.box;
    for (const empty of this.#picture.querySelectorAll(".empty")) {
      const [x, y] = [empty.getAttribute("data-x"), empty.getAttribute("data-y")];
      const { columns, rows } = boundsOf([[left, bottom], [right, top], ...squares, [Number(x), Number(y)]]);
      empty.classList.toggle("out", squares.length > 0 && Math.max(columns, rows) > this.#content.size);
    }
  }

  /**
   * Highlights a territory, with a label. Labels of earlier ones stay.
   * @param {Square[]} squares
   * @param {string} label
   */
  async highlight(squares, label) {
    await artReady;
    for (const earlier of this.marks.querySelectorAll(".count")) earlier.classList.add("past");
    addCountLabel(this.marks, squares.map(([x, y]) => this.corner(x, y)), label);
  }

  /** Removes all highlights and labels. */
  clearHighlights() {
    for (const count of this.marks.querySelectorAll(".count")) count.remove();
  }

  // For keys and screen readers

  /** Moves the focus to the last focused square. */
  focus() {
    this.#grid.focus();
  }

  /** @param {SquareLabel | null} value */
  set squareLabel(value) {
    this.#squareLabel = value;
    if (this.#bounds) this.#name();
  }

  #name() {
    const { columns: wide, rows: tall } = this.#map.box;
    const name = this.#content.label || t("kingdom.name");
    this.#grid.name(t("kingdom.extent", { name, wide, tall }), (x, y) => this.#labelOf(x, y));
  }

  /** @param {number} x @param {number} y */
  #labelOf(x, y) {
    const here = this.#map.squares.get(`${x},${y}`);
    let what = this.#squareLabel?.(x, y) ?? t("kingdom.empty");
    if (here) what = here.terrain === "castle" ? terrainWord("castle") : endName(here);
    return t("kingdom.square", { what, column: x - this.bounds.left + 1, row: this.bounds.top - y + 1 });
  }
}


/** @type {Partial<Record<string, [number, number]>>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * The squares of a kingdom for keys and screen readers: a grid of labelled squares, one of them in the tab order,
 * walked with the arrow keys.
 */
class Grid {
  /** The square in the tab order. @type {[number, number]} */
  #at = [0, 0];
  /** @type {Frame | null} */
  #frame = null;

  /** @param {(x: number, y: number) => void} onWalk called when the arrow keys reach a square */
  constructor(onWalk) {
    this.element = el("div.squares", {
      onkeydown: (event) => this.#walk(event),
      onfocusin: ({ target: square }) => {
        if (!(square instanceof HTMLElement)) return;
        const before = this.#square(...this.#at);
        if (before) before.tabIndex = -1;
        square.tabIndex = 0;
        this.#at = [Number(square.dataset.x), Number(square.dataset.y)];
        onWalk(...this.#at);
      },
    });
  }

  /** Whether the arrow keys work. */
  get isWalked() {
    return this.#frame !== null;
  }

  /** Creates the squares of a frame; without one it is only a picture. @param {Frame | null} frame */
  build(frame) {
    const held = this.element.contains(document.activeElement);
    this.element.replaceChildren();
    this.element.setAttribute("role", frame ? "grid" : "img");
    this.#frame = frame;
    if (!frame) return;
    const { left, bottom, right, top } = frame;
    const within = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
      Math.min(Math.max(value, low), high);
    this.#at = [within(this.#at[0], left, right), within(this.#at[1], bottom, top)];
    for (let y = top; y >= bottom; y -= 1) {
      const row = el("div", { role: "row" });
      for (let x = left; x <= right; x += 1) {
        const here = x === this.#at[0] && y === this.#at[1];
        row.append(el("div", { role: "gridcell", "data-x": x, "data-y": y, tabindex: here ? 0 : -1 }));
      }
      this.element.append(row);
    }
    if (held) this.#square(...this.#at)?.focus({ preventScroll: true });
  }

  /** @param {string} label @param {(x: number, y: number) => string} labelOf */
  name(label, labelOf) {
    this.element.ariaLabel = label;
    for (const square of this.element.querySelectorAll("[role=gridcell]")) {
      const [x, y] = ["data-x", "data-y"].map((name) => Number(square.getAttribute(name)));
      square.ariaLabel = labelOf(x, y);
    }
  }

  /** Moves the focus to the square in the tab order. */
  focus() {
    this.#square(...this.#at)?.focus();
  }

  /** @param {number} x @param {number} y @returns {HTMLElement | null} */
  #square(x, y) {
    return this.element.querySelector(`[data-x="${x}"][data-y="${y}"]`);
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    if (!this.#frame || event.altKey || event.ctrlKey || event.metaKey) return;
    const [x, y] = this.#at;
    const step = ARROWS[event.key];
    let to = step && [x + step[0], y + step[1]];
    if (event.key === "Home") to = [this.#frame.left, y];
    if (event.key === "End") to = [this.#frame.right, y];
    if (!to) return;
    this.#square(to[0], to[1])?.focus({ preventScroll: true });
    event.preventDefault();
  }
}

customElements.define("kd-kingdom", Kingdom);
