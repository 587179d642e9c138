/**
 * Painting the squares of a `<kd-kingdom>` with taps, drags or keys, and a palette of terrains.
 *
 * The same terrain on a square again adds a crown; after the highest count it starts again at none. Drag the castle to its
 * place, or pick it up with one tap and put it down with the next.
 */
import { group, mostCrowns, squareSvg, svg, terrainWord, use } from "./art.js";
import { el, Emitter } from "./dom.js";
import { t } from "../i18n/locale.js";

/**
 * @import { Terrain } from "../../engine/calls.js"
 * @import { Kingdom } from "./kingdom.js"
 * @import { Square } from "./kingdom-map.js"
 * @typedef {{x: number, y: number, terrain: Terrain, crowns: number}} Painted
 *
 * @typedef {object} PainterEvents
 * @property {undefined} begin a press or a key, which may paint several squares
 * @property {Painted[]} paint all squares, as they are now
 * @property {Square} castle the square to which the castle goes
 * @property {undefined} choose another terrain, or the castle in the hand
 */

/** The terrains in the order of the palette. */
export const TERRAINS = /** @type {const} */ (["wheat", "forest", "lake", "grassland", "swamp", "mine"]);

/** The squares after the castle went to another square: seen from it. @param {readonly Painted[]} squares @param {Square} to */
export const seenFrom = (squares, [x, y]) => squares.filter((square) => square.x !== x || square.y !== y)
  .map((square) => ({ ...square, x: square.x - x, y: square.y - y }));

/** @extends {Emitter<PainterEvents>} */
export class Painter extends Emitter {
  /** The terrain in the hand; empty to clear squares. @type {Terrain | ""} */
  terrain = "wheat";
  /** Whether the castle is in the hand. */
  hasCastle = false;
  /** The squares that this drag has painted. @type {Set<string> | null} */
  #painted = null;
  /** Whether this press picked the castle up. */
  #isPickedUp = false;
  /** Where the castle would stand. @type {Square} */
  #castle = [0, 0];
  #mark = group("moving");
  #listening = new AbortController();

  /**
   * @param {Kingdom} kingdom
   * @param {HTMLElement} palette a fieldset with a legend
   * @param {() => readonly Painted[]} squares the covered ones
   */
  constructor(kingdom, palette, squares) {
    super();
    this.kingdom = kingdom;
    this.palette = palette;
    this.squares = squares;
  }

  start() {
    this.stop();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const { kingdom } = this;
    kingdom.addEventListener("pointerdown", (event) => this.#press(event), { signal });
    kingdom.addEventListener("pointermove", (event) => this.#drag(event), { signal });
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
      addEventListener(kind, (event) => event.isPrimary && this.#release(kind === "pointerup"), { signal });
    }
    kingdom.addEventListener("keydown", (event) => this.#key(event), { signal });
    kingdom.addEventListener("drawn", () => this.#drawCastle(), { signal });
    this.palette.hidden = false;
    this.palette.replaceChildren(this.palette.children[0],
      ...[...TERRAINS, /** @type {const} */ ("")].map((terrain) => el("label",
        el("input", {
          type: "radio", name: "terrain", checked: terrain === this.terrain,
          "aria-label": terrain ? terrainWord(terrain) : t("kingdom.empty"),
          onchange: () => { this.terrain = terrain; this.#hold(false); },
        }),
        terrain ? squareSvg(terrain) : svg("0 0 100 100", use("square-empty")))));
    this.emit("choose", undefined);
  }

  stop() {
    this.#listening.abort();
    this.#painted = null;
    this.hasCastle = this.kingdom.held = false;
    this.#mark.remove();
    this.palette.hidden = true;
  }

  /** @param {number} x @param {number} y @param {boolean} isDrag then it adds no crown */
  #paint(x, y, isDrag) {
    if (this.#isOutside(x, y) || (x === 0 && y === 0)) return;
    const before = this.squares();
    const squares = before.filter((square) => square.x !== x || square.y !== y);
    const old = before.find((square) => square.x === x && square.y === y);
    const { terrain } = this;
    if (terrain) {
      const again = old?.terrain === terrain;
      if (again && isDrag) return;
      const crowns = again ? (old.crowns + 1) % (mostCrowns(terrain) + 1) : 0;
      squares.push({ x, y, terrain, crowns });
    } else if (!old) {
      return;
    }
    this.emit("paint", squares);
  }

  /** @param {number} x @param {number} y */
  #isOutside(x, y) {
    const { left, bottom, right, top } = this.kingdom.bounds;
    return x < left || x > right || y < bottom || y > top;
  }

  // The castle

  /** Takes the castle into the hand, or puts it back. @param {boolean} hasCastle */
  #hold(hasCastle) {
    this.hasCastle = hasCastle;
    this.#castle = [0, 0];
    this.#drawCastle();
    this.emit("choose", undefined);
  }

  #putDown() {
    const to = this.#castle;
    this.#hold(false);
    if (String(to) === "0,0") return;
    this.emit("begin", undefined);
    this.emit("castle", to);
  }

  #drawCastle() {
    this.#mark.remove();
    if (!this.hasCastle) return;
    const [x, y] = this.kingdom.corner(...this.#castle);
    this.#mark.innerHTML = `${use("castle", x, y, 100, 100, ' class="seat"')}<rect x="${x}" y="${y}" width="100" height="100" rx="8"/>`;
    this.kingdom.marks.append(this.#mark);
  }

  // Fingers, mouse and keys

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button || !event.isPrimary) return;
    this.kingdom.held = true; // otherwise painting would move the squares away from the pointer
    const [x, y] = this.#at(event);
    this.#painted = new Set([`${x},${y}`]);
    this.#isPickedUp = false;
    if (this.hasCastle) {
      if (!this.#isOutside(x, y)) this.#castle = [x, y];
      this.#drawCastle();
    } else if (x === 0 && y === 0) {
      this.#isPickedUp = true;
      this.#hold(true);
    } else {
      this.emit("begin", undefined);
      this.#paint(x, y, false);
    }
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    const [x, y] = this.#at(event);
    if (!this.#painted || !event.isPrimary) return;
    if (this.hasCastle) {
      if (this.#isOutside(x, y) || String(this.#castle) === `${x},${y}`) return;
      this.#castle = [x, y];
      this.#drawCastle();
    } else if (!this.#painted.has(`${x},${y}`)) {
      this.#painted.add(`${x},${y}`);
      this.#paint(x, y, true);
    }
  }

  /** @param {boolean} isDropped */
  #release(isDropped) {
    if (!this.#painted) return;
    this.#painted = null;
    this.kingdom.held = false;
    if (!this.hasCastle) return;
    if (!isDropped) this.#hold(false);
    else if (!this.#isPickedUp || String(this.#castle) !== "0,0") this.#putDown();
  }

  /** @param {PointerEvent} event @returns {Square} */
  #at({ clientX, clientY }) {
    const { x, y } = this.kingdom.placeAt(clientX, clientY);
    return [Math.round(x), Math.round(y)];
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const square = event.target instanceof HTMLElement && event.target.closest("[role=gridcell]");
    if (!(square instanceof HTMLElement)) return;
    const [x, y] = [Number(square.dataset.x), Number(square.dataset.y)];
    if (event.key === "Escape" && this.hasCastle) this.#hold(false);
    else if (event.key !== "Enter" && event.key !== " ") return;
    else if (this.hasCastle) {
      this.#castle = [x, y];
      this.#putDown();
    } else if (x === 0 && y === 0) {
      this.#hold(true);
    } else {
      this.emit("begin", undefined);
      this.#paint(x, y, false);
    }
    event.preventDefault();
  }
}
