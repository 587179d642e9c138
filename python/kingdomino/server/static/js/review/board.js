/**
 * The kingdom before a decision, with the player's choice and the better one: two frames over it, or around dominoes of
 * the line. The frames always stay; one of the two placements is shown in full.
 */
import { dominoName, dominoSvg, group, king } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { ghostMarkup } from "../draw/ghost.js";
import { boundsOf, KingdomMap } from "../draw/kingdom-map.js";
import { t } from "../i18n/locale.js";

/**
 * @import { Kingdom } from "../draw/kingdom.js"
 * @import { Entry, Square, TerrainSquare } from "../draw/kingdom-map.js"
 * @import { Table } from "../net/types.js"
 * @import { Choice } from "./game.js"
 * @typedef {"yours" | "best"} See
 * @typedef {Record<See, Choice | null>} Marked
 * @typedef {Record<See, string>} Labels
 * @typedef {{squares: TerrainSquare[], dominoes: Entry[], score: {total: number}}} LandOf
 * @typedef {Pick<Table, "next_line"> & {rules: {size: number}, kingdoms: readonly LandOf[]}} Land the parts of a table that matter for a decision
 */

export class Board {
  #marks = { yours: group("played"), best: group("ghost") };
  #labels = { yours: el("span.bubble.quiet"), best: el("span.bubble") };
  /** @type {Marked} */
  #marked = { yours: null, best: null };

  /** @param {Kingdom} kingdom */
  constructor(kingdom) {
    this.kingdom = kingdom;
    kingdom.marks.append(this.#marks.yours, this.#marks.best);
    kingdom.overlay.append(this.#labels.yours, this.#labels.best);
    kingdom.addEventListener("drawn", () => this.#draw());
  }

  /**
   * @param {Land} table
   * @param {number} seat
   * @param {string} label of the kingdom
   * @param {Marked} marked
   * @param {Labels} labels
   */
  show(table, seat, label, marked, labels) {
    const { dominoes, squares } = table.kingdoms[seat];
    const { size } = table.rules;
    this.#marked = marked;
    this.#labels.yours.textContent = labels.yours;
    this.#labels.best.textContent = labels.best;
    const frame = new KingdomMap(dominoes, squares).frame("reach", size);
    this.kingdom.show({ size, seat, squares, dominoes, label, frame });
    if (this.kingdom.isDrawn) this.#draw();
  }

  /** Removes both. */
  clear() {
    this.#marked = { yours: null, best: null };
    if (this.kingdom.isDrawn) this.#draw();
  }

  #draw() {
    for (const see of /** @type {const} */ (["yours", "best"])) {
      const choice = this.#marked[see];
      const isPlacement = choice?.left && choice.right;
      this.#labels[see].hidden = !isPlacement;
      this.#marks[see].innerHTML = isPlacement ? this.#markup(see, choice) : "";
      if (choice?.left && choice.right) this.#label(see, choice.left, choice.right);
    }
  }

  /** @param {See} see @param {Choice} choice */
  #markup(see, { domino, left = [0, 0], right = [0, 0] }) {
    return ghostMarkup(this.kingdom, domino, { left, right, fits: true }, see === "best" ? "legal" : "played");
  }

  /** Puts the label on the upper edge of the best choice, and into the middle of yours. */
  #label(/** @type {See} */ see, /** @type {Square} */ left, /** @type {Square} */ right) {
    const { left: west, top: north, columns, rows } = this.kingdom.bounds;
    const box = boundsOf([left, right]);
    const other = this.#marked[see === "best" ? "yours" : "best"];
    const taken = [String(other?.left), String(other?.right)];
    const free = [left, right].find((square) => !taken.includes(String(square))) ?? left;
    const [x, y] = see === "best" ? [(box.left + box.right) / 2, box.top + 0.5] : free;
    Object.assign(this.#labels[see].style, {
      left: `${((x - west + 0.5) / columns) * 100}%`, top: `${((north - y + 0.5) / rows) * 100}%`,
    });
  }
}

/**
 * The line from which someone claimed.
 * @param {Pick<Land, "next_line">} table
 * @param {Marked} marked
 * @param {Labels} labels
 * @param {(seat: number) => string} nameOf
 */
export function claimLine(table, { yours, best }, labels, nameOf) {
  return table.next_line.map(({ domino, seat }) => {
    const [isYours, isBest] = [yours?.domino === domino, best?.domino === domino];
    const notes = [isBest && labels.best, isYours && labels.yours].filter(Boolean);
    const taken = seat === null ? "" : t("table.king_of", { name: nameOf(seat) });
    const name = [dominoName(domino), ...notes, taken].filter(Boolean).join(". ");
    const classes = `${isBest ? ".is-best" : ""}${isYours && !isBest ? ".is-yours" : ""}${seat === null ? "" : ".taken"}`;
    return el(`li${classes}`, el("span.no", { "aria-hidden": "true" }, domino),
      el("div.face.domino", { role: "img", "aria-label": name }, dominoSvg(domino)),
      seat !== null && king(seat),
      notes.length > 0 && el("span.tag", { "aria-hidden": "true" }, notes.join(" · ")));
  });
}
