/**
 * `<kd-kingdom>`: a kingdom as one sees it, and as a grid that can be walked with the arrow keys.
 *
 * Squares are [x, y] from the castle, y upwards. Properties, all to be read and set: `size` (5 or 7), `dominoes`
 * (what was placed, in order), `seat`, `frame`, `plain` (without variants, joints and shadow: for squares of
 * twenty pixels) and `label`, what it is called: `Mara's kingdom`. A `frame` is `reach` (what a next domino can
 * cover, a grid to walk), `window` (all that a kingdom can have) or `box`.
 *
 * The element sets `--cols` and `--rows` on itself, so that the page can give it the largest width that fits.
 * Fires `drawn` when it has been drawn anew, and `stand` {x, y} when the keys have come to a square.
 *
 * @typedef {import("./land.js").Entry} Entry
 * @typedef {import("./land.js").Frame} Frame
 * @typedef {import("./land.js").Square} Square
 */
import { SEATS, domino, drawable, endName, svg, terrainWord } from "./art.js";
import { Grid } from "./grid.js";
import { h, tell } from "./h.js";
import { Land, addCount, around, landMarkup } from "./land.js";
import { duration, fly, settle } from "./motion.js";
import { t } from "./words.js";

const MARGIN = 8; // units around the squares, where outlines and frames overhang

let art = false; // whether there is something to draw with
drawable.then(() => (art = true));

/** @type {Record<string, any>} */
const LOOK = { size: 5, dominoes: [], seat: 0, frame: "reach", plain: false, label: "" };

export class Kingdom extends HTMLElement {
  #look = { ...LOOK };
  #land = new Land([]);
  /** @type {Frame | null} */
  #bounds = null;
  #stale = false;
  #flights = 0;
  /** @type {((x: number, y: number) => string | null) | null} */
  #says = null;
  #picture = svg("0 0 1 1", "");
  #grid = new Grid((x, y) => tell(this, "stand", { x, y }));

  /** Where spots, ghosts and counts are drawn, over the land. */
  marks = svg("0 0 1 1", "");
  /** What lies over all the squares, as large as they are together. @type {HTMLElement} */
  over = h("div.over", { "aria-hidden": "true" });
  /** @type {HTMLElement} */
  #scene = h("div.scene", this.#picture, this.marks, this.#grid.element, this.over);

  static {
    for (const name of Object.keys(LOOK)) {
      Object.defineProperty(this.prototype, name, {
        get() { return this.#look[name]; },
        set(value) { this.#set(name, value); },
      });
    }
  }

  /** @param {string} name @param {any} value */
  #set(name, value) {
    if (name === "dominoes") this.#flights += 1; // whatever is still flying lands in vain
    if (JSON.stringify(value) === JSON.stringify(this.#look[name])) return;
    this.#look[name] = value;
    this.#change();
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

  /** Draws once for all that changes now. */
  #change = () => {
    if (this.#stale || !this.isConnected) return;
    this.#stale = true;
    drawable.then(() => this.#stale && this.#draw());
  };

  #draw() {
    const { dominoes, frame, size, seat, plain } = this.#look;
    const castle = this.#bounds && this.#rect(this.#bounds, 0, 0);
    const before = this.#bounds;
    this.#stale = false;
    this.#land = new Land(dominoes);
    const now = (this.#bounds = this.#land.frame(frame, size));
    this.style.setProperty("--cols", String(now.columns));
    this.style.setProperty("--rows", String(now.rows));
    this.style.setProperty("--seat", `var(--${SEATS[seat]})`);
    const box = [-MARGIN, -MARGIN, now.columns * 100 + 2 * MARGIN, now.rows * 100 + 2 * MARGIN].join(" ");
    for (const drawing of [this.#picture, this.marks]) drawing.setAttribute("viewBox", box);
    this.#picture.innerHTML = landMarkup(this.#land, now, { empty: frame !== "window", plain });
    if (JSON.stringify(before) !== JSON.stringify(now)) {
      this.#grid.lay(frame === "reach" ? now : null);
      if (castle) settle(this.#scene, castle, this.#rect(now, 0, 0));
    }
    this.#name();
    this.dispatchEvent(new Event("drawn"));
  }

  // Squares on the screen

  /** The squares it shows, from corner to corner, drawn as they are now; null before the art is there. */
  get bounds() {
    if (this.#stale && art) this.#draw();
    return /** @type {Frame} */ (this.#bounds);
  }

  /** Whether something lies there. @param {number} x @param {number} y */
  has(x, y) {
    return this.#land.squares.has(`${x},${y}`);
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
   * Which place of the kingdom lies under a point of the screen: whole numbers are middles of squares.
   * @param {number} clientX
   * @param {number} clientY
   */
  placeAt(clientX, clientY) {
    const { left, top } = this.bounds;
    const { x, y, width: unit } = this.rectOf(left, top);
    return { x: left - 0.5 + (clientX - x) / unit, y: top + 0.5 - (clientY - y) / unit, unit };
  }

  /** The upper left corner of a square, in units of the drawing. @param {number} x @param {number} y */
  corner(x, y) {
    return [(x - this.bounds.left) * 100, (this.bounds.top - y) * 100];
  }

  // What happens to it

  /**
   * Lays one more domino down; with `animateFrom` it flies there from that place on the screen.
   * Settles when it lies there.
   * @param {Entry} entry
   * @param {{animateFrom?: DOMRect}} [options]
   */
  async land(entry, { animateFrom } = {}) {
    const [number, lx, ly, rx, ry] = entry;
    if (this.dominoes.some(([other]) => other === number)) return;
    const flight = (this.#flights += 1);
    await drawable;
    if (animateFrom && duration("--move")) {
      await fly(number, animateFrom, [this.rectOf(lx, ly), this.rectOf(rx, ry)]);
    }
    if (flight === this.#flights) this.dominoes = [...this.dominoes, entry];
  }

  /** Shows which empty squares would be out of reach if these were covered too. @param {Square[]} squares */
  foresee(squares) {
    const { left, bottom, right, top } = this.#land.box;
    for (const empty of this.#picture.querySelectorAll(".empty")) {
      const { x, y } = /** @type {SVGElement} */ (empty).dataset;
      const { columns, rows } = around([[left, bottom], [right, top], ...squares, [Number(x), Number(y)]]);
      empty.classList.toggle("out", squares.length > 0 && Math.max(columns, rows) > this.size);
    }
  }

  /**
   * Lights a territory at the end, with what it counts on a pill. Those lit before stay counted.
   * @param {Square[]} squares
   * @param {string} label
   */
  async light(squares, label) {
    await drawable;
    for (const earlier of this.marks.querySelectorAll(".count")) earlier.classList.add("past");
    addCount(this.marks, squares.map(([x, y]) => this.corner(x, y)), label);
  }

  /** Takes all counts away. */
  dark() {
    for (const count of this.marks.querySelectorAll(".count")) count.remove();
  }

  // Its names

  /** Brings the keys to it. */
  focus() {
    this.#grid.focus();
  }

  /** What empty squares are called, for as long as there is more to say. */
  set says(/** @type {((x: number, y: number) => string | null) | null} */ value) {
    this.#says = value;
    if (this.#bounds) this.#name();
  }

  #name() {
    const { columns: wide, rows: tall } = this.#land.box;
    const name = this.label || t("kingdom.name");
    this.#grid.name(t("kingdom.extent", { name, wide, tall }), (x, y) => this.#sight(x, y));
  }

  /** @param {number} x @param {number} y */
  #sight(x, y) {
    const here = this.#land.squares.get(`${x},${y}`);
    let what = here ? terrainWord("castle") : (this.#says?.(x, y) ?? t("kingdom.empty"));
    if (here?.number) what = endName(domino(here.number)[here.end]);
    return t("kingdom.square", { what, column: x - this.bounds.left + 1, row: this.bounds.top - y + 1 });
  }
}

customElements.define("kd-kingdom", Kingdom);
