/**
 * A try at a decision: the kingdom with its spots, or the line with its claims; the reason for a cost; and the likely
 * moves after it. The pages for reviews, mistakes and puzzles contain its elements.
 */
import { dominoName, dominoSvg, seal, SEATS, squareSvg } from "../draw/art.js";
import { byId, el, Emitter } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { landOf } from "../analysis/study.js";
import { t } from "../i18n/locale.js";
import { partTexts } from "../i18n/mistakes-text.js";
import { pointsText, whyText } from "../i18n/review-text.js";
import { errorText } from "../net/api.js";
import { Placing } from "../table/placing.js";
import { offeredClaims } from "./attempt.js";
import { Board, claimLine } from "./board.js";
import { goesOn, pathFrom, Walk } from "./walk.js";

/**
 * @import { Decision } from "../../engine/calls.js"
 * @import { Studied } from "../analysis/study.js"
 * @import { NameOf } from "../analysis/text.js"
 * @import { Labels, Land, Marked } from "./board.js"
 * @import { Following } from "./walk.js"
 *
 * @typedef {object} Scene a decision
 * @property {Land} table before the decision
 * @property {number} seat that decides
 * @property {boolean} isYou whether the seat is addressed as *you*
 * @property {number} domino to place; 0 for a claim
 * @property {string} label of the kingdom
 * @property {(Node | string)[]} whose kingdom it is
 * @property {string} what the task
 * @property {NameOf} nameOf
 */

/** @extends {Emitter<{try: string}>} */
export class Trial extends Emitter {
  #kingdom = byId("kingdom", Kingdom);
  #caption = byId("caption");
  #buttons = {
    turn: byId("turn", HTMLButtonElement), flip: byId("flip", HTMLButtonElement), place: byId("place", HTMLButtonElement),
  };
  #again = byId("again", HTMLButtonElement);
  #goesOn = byId("goes-on", HTMLButtonElement);
  #showMe = byId("show", HTMLButtonElement);
  #placing = new Placing(this.#kingdom, { caption: this.#caption, buttons: this.#buttons });
  #board = new Board(this.#kingdom);
  /** Counts the scenes, to recognize answers that come too late. */
  #shown = 0;
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Following | null} */
  #follows = null;
  #walk = new Walk((after, ending) => this.#showStep(after, ending));

  /** @param {(studied: Studied, scene: Scene) => void} showBeside shows the rest of the table at a position */
  constructor(showBeside) {
    super();
    this.showBeside = showBeside;
    this.#placing.on("place", ({ action }) => this.emit("try", action));
  }

  /** Returns a check whether the same scene is still on show, for answers that come late. */
  watch() {
    const now = this.#shown;
    return () => now === this.#shown;
  }

  /** The position of the walk; null between walks. */
  get walked() {
    return this.#walk.position;
  }

  /** Ends the scene. */
  stop() {
    this.#shown += 1;
    this.#walk.stop();
    this.#placing.stop();
    this.#board.clear();
  }

  /**
   * Shows the parts that do not depend on the position.
   * @param {Scene} scene
   * @param {{isAnswered: boolean, follows?: Following | null}} state `follows`: the likely next moves
   */
  show(scene, { isAnswered, follows = null }) {
    this.stop();
    this.#scene = scene;
    const { domino, seat, table } = scene;
    byId("mine").className = `mine sheet seat-${SEATS[seat]}${domino ? "" : " claiming"}`;
    byId("seal").replaceChildren(seal(seat));
    byId("whose").replaceChildren(...scene.whose);
    byId("what").textContent = scene.what;
    byId("score").textContent = String(table.kingdoms[seat].score.total);
    byId("claims").hidden = Boolean(domino);
    byId("parts").hidden = true;
    for (const part of [...Object.values(this.#buttons), byId("domino")]) part.hidden = !domino || isAnswered;
    this.#again.hidden = !isAnswered;
    this.follows = isAnswered ? follows : null;
    this.#showMe.hidden = isAnswered;
  }

  /** Shows the kingdom before the decision until the choices arrive. */
  wait() {
    const { domino, label, seat, table } = this.#shownScene;
    const { squares, dominoes } = table.kingdoms[seat];
    this.#kingdom.show({ size: table.rules.size, seat, squares, dominoes, label, frame: "reach" });
    byId("claims").replaceChildren();
    if (domino) {
      byId("domino").replaceChildren(dominoSvg(domino));
      byId("domino").ariaLabel = dominoName(domino);
    }
    this.#caption.textContent = t("review.thinking");
  }

  /** Offers the choices of a position. @param {Studied} studied */
  offer(studied) {
    const { domino, nameOf, table } = this.#shownScene;
    this.showBeside(studied, this.#shownScene);
    this.#caption.textContent = t("review.choose_domino");
    if (!studied.choices) return;
    if (domino) return this.#placing.start({ ...studied.choices, domino });
    byId("claims").replaceChildren(...offeredClaims(table, studied.choices, nameOf, (action) => this.emit("try", action)));
  }

  /** Frames choices in the kingdom or the line, and draws `see` in full. @param {Marked} marked @param {Labels} labels @param {keyof Marked} see */
  mark(marked, labels, see) {
    const { domino, label, nameOf, seat, table } = this.#shownScene;
    byId("mine").dataset.see = see;
    this.#board.show(table, seat, label, domino ? marked : { yours: null, best: null }, labels);
    if (!domino) byId("claims").replaceChildren(...claimLine(table, marked, labels, nameOf));
  }

  /** Shows the reason for a cost, and the parts that add up to it. @param {Decision} decision */
  explain(decision) {
    const { isYou, nameOf } = this.#shownScene;
    this.#caption.textContent = whyText(decision, isYou, nameOf);
    const parts = partTexts(decision, nameOf);
    byId("parts").hidden = !parts.length;
    byId("parts").replaceChildren(...parts.map(({ part, words, figure }) => el(part.kind === "opponent" ? `li.seat-${SEATS[part.seat]}` : "li",
      part.kind === "terrain" ? el("span.sq", { "aria-hidden": "true" }, squareSvg(part.terrain)) : part.kind === "opponent" ? seal(part.seat) : null,
      el("span", words), el("b", figure))), el("li.total", el("b", pointsText(decision.cost_points))));
  }

  /** Shows an error. @param {unknown} error */
  fail(error) {
    this.#caption.textContent = errorText(error);
  }

  /** Offers the likely next moves. @param {Following | null} follows */
  set follows(follows) {
    this.#follows = follows;
    this.#goesOn.hidden = !follows || !goesOn(follows);
  }

  /** Walks through the moves after a position. @param {Studied | Promise<Studied>} position */
  async goOn(position) {
    const follows = this.#follows;
    if (!follows) return;
    this.#shown += 1;
    const isStill = this.watch();
    this.#caption.textContent = t("review.thinking");
    try {
      const path = await pathFrom(await position, follows);
      if (!isStill()) return;
      this.#board.clear();
      for (const part of ["claims", "parts"]) byId(part).hidden = true;
      this.#goesOn.hidden = true;
      this.#walk.begin(path, this.#shownScene);
    } catch (error) {
      if (isStill()) this.fail(error);
    }
  }

  get #shownScene() {
    if (!this.#scene) throw new Error("nothing is shown");
    return this.#scene;
  }

  /** Shows a position of the walk. @param {Studied} after @param {string} ending */
  #showStep(after, ending) {
    const { label, seat } = this.#shownScene;
    this.#caption.textContent = ending;
    const own = after.kingdoms[seat];
    byId("score").textContent = String(own.score.total);
    this.#kingdom.show({ size: after.rules.size, seat, squares: landOf(own), dominoes: [], label, frame: "window" });
    this.showBeside(after, this.#shownScene);
  }
}
