/**
 * A decision that is tried: the kingdom with its spots, or the line with its claims; both lines and the other kingdoms
 * beside it; why something costs points; and how it goes on. The pages of mistakes and of puzzles have its elements.
 */
import { dominoName, dominoSvg, seal, SEATS, squareSvg } from "../draw/art.js";
import { byId, el, Emitter, find, replaceContent } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { Line } from "../draw/line.js";
import { lineItems, otherKingdom } from "../analysis/side.js";
import { landOf, linesOf, play, study } from "../analysis/study.js";
import { wonSentence } from "../i18n/game-text.js";
import { t } from "../i18n/locale.js";
import { partTexts } from "../i18n/mistakes-text.js";
import { pointsText, whyText } from "../i18n/review-text.js";
import { errorText } from "../net/api.js";
import { Placing } from "../table/placing.js";
import { judgedAt, offeredClaims } from "./attempt.js";
import { Board, claimLine } from "./board.js";
import { choiceOf } from "./game.js";

/**
 * @import { Decision, Outcome } from "../../engine/calls.js"
 * @import { Studied } from "../analysis/study.js"
 * @import { NameOf } from "../analysis/text.js"
 * @import { Ended } from "../i18n/game-text.js"
 * @import { Labels, Land, Marked } from "./board.js"
 *
 * @typedef {object} Scene what a decision is about
 * @property {Land} table before it
 * @property {number} seat that decides
 * @property {boolean} isYou whether it is called *you*
 * @property {number} domino to be placed; 0 for a claim
 * @property {string} label of the kingdom
 * @property {(Node | string)[]} whose kingdom it is
 * @property {string} what is decided
 * @property {NameOf} nameOf
 *
 * @typedef {Pick<Decision, "line" | "exact">} Following the first moves; exact: play to the end of the game is known
 */

/** How a game ends. @param {Outcome} outcome @param {Scene} scene */
const endText = ({ decided_by, ranking, scores, winners }, { isYou, nameOf, seat }) => wonSentence(
  { decided_by: /** @type {Ended["decided_by"]} */ (decided_by), ranking, winners }, scores.map(({ total }) => total), isYou ? [seat] : [],
  scores.map((_, one) => nameOf(one)));

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
  #back = byId("back", HTMLButtonElement);
  #on = byId("on", HTMLButtonElement);
  #placing = new Placing(this.#kingdom, { caption: this.#caption, buttons: this.#buttons });
  #board = new Board(this.#kingdom);
  #lines = ["this", "coming"].map((which) => {
    const section = find(document, `#trying .line.${which}`);
    return { section, line: new Line(find(section, "ol", HTMLOListElement)) };
  });
  /** How often something else was shown. */
  #shown = 0;
  /** @type {Scene | null} */
  #scene = null;
  /** @type {Following | null} */
  #follows = null;
  /** What follows, while it is walked through. @type {{moves: string[], steps: Studied[], step: number} | null} */
  #walk = null;

  constructor() {
    super();
    this.#placing.on("place", ({ action }) => this.emit("try", action));
    this.#back.onclick = () => this.#take(-1);
    this.#on.onclick = () => this.#take(1);
  }

  /** Returns a function that says whether still the same is shown: an answer may come late. */
  watch() {
    const now = this.#shown;
    return () => now === this.#shown;
  }

  /** Ends what is shown. */
  stop() {
    this.#shown += 1;
    this.#walk = null;
    this.#placing.stop();
    this.#board.clear();
  }

  /**
   * Shows what does not depend on the position.
   * @param {Scene} scene
   * @param {{isAnswered: boolean, follows?: Following | null}} state `follows`: what can be shown of how it goes on
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
    byId("parts").hidden = byId("walk").hidden = true;
    for (const part of [...Object.values(this.#buttons), byId("domino")]) part.hidden = !domino || isAnswered;
    this.#again.hidden = !isAnswered;
    this.follows = isAnswered ? follows : null;
    this.#showMe.hidden = isAnswered;
  }

  /** Shows the kingdom before the decision, until there are choices. */
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
    this.#showSide(studied);
    this.#caption.textContent = t("review.choose_domino");
    if (!studied.choices) return;
    if (domino) return this.#placing.start({ ...studied.choices, domino });
    byId("claims").replaceChildren(...offeredClaims(table, studied.choices, nameOf, (action) => this.emit("try", action)));
  }

  /** Frames choices in the kingdom or the line; `see` is shown in full. @param {Marked} marked @param {Labels} labels @param {keyof Marked} see */
  mark(marked, labels, see) {
    const { domino, label, nameOf, seat, table } = this.#shownScene;
    byId("mine").dataset.see = see;
    this.#board.show(table, seat, label, domino ? marked : { yours: null, best: null }, labels);
    if (!domino) byId("claims").replaceChildren(...claimLine(table, marked, labels, nameOf));
  }

  /** Says why something costs points, and the parts that add up to it. @param {Decision} decision */
  explain(decision) {
    const { isYou, nameOf } = this.#shownScene;
    this.#caption.textContent = whyText(decision, isYou, nameOf);
    const parts = partTexts(decision, nameOf);
    byId("parts").hidden = !parts.length;
    byId("parts").replaceChildren(...parts.map(({ part, words, figure }) => el(part.kind === "opponent" ? `li.seat-${SEATS[part.seat]}` : "li",
      part.kind === "terrain" ? el("span.sq", { "aria-hidden": "true" }, squareSvg(part.terrain)) : part.kind === "opponent" ? seal(part.seat) : null,
      el("span", words), el("b", figure))), el("li.total", el("b", pointsText(decision.cost_points))));
  }

  /** Says why there is no more to show. @param {unknown} error */
  fail(error) {
    this.#caption.textContent = errorText(error);
  }

  /** What can be shown of how it goes on. @param {Following | null} follows */
  set follows(follows) {
    this.#follows = follows;
    this.#goesOn.hidden = !follows || (follows.line.length < 2 && !follows.exact);
  }

  /** Walks through what follows a position, move by move: to the end of the game, where that is known. @param {Studied} position */
  async goOn(position) {
    const { line, exact } = this.#follows ?? { line: [], exact: false };
    this.#shown += 1;
    const isStill = this.watch();
    this.#caption.textContent = t("review.thinking");
    try {
      const moves = [...line];
      const steps = [position];
      for (const move of moves) steps.push(await play(steps[steps.length - 1].text, move));
      for (let last = steps[steps.length - 1]; exact && last.actions.length; last = steps[steps.length - 1]) {
        const [only, ...others] = last.actions;
        moves.push(others.length ? (await judgedAt(last.text, only)).best : only);
        steps.push(await play(last.text, moves[moves.length - 1]));
      }
      if (!isStill()) return;
      this.#board.clear();
      this.#walk = { moves, steps, step: 1 };
      for (const part of ["claims", "parts"]) byId(part).hidden = true;
      byId("walk").hidden = false;
      this.#goesOn.hidden = true;
      this.#showStep();
      this.#on.focus();
    } catch (error) {
      if (isStill()) this.fail(error);
    }
  }

  get #shownScene() {
    if (!this.#scene) throw new Error("nothing is shown");
    return this.#scene;
  }

  /** Shows the position after a move of the line. */
  #showStep() {
    if (!this.#walk) return;
    const { label, nameOf, seat, isYou } = this.#shownScene;
    const { moves, steps, step } = this.#walk;
    const [before, after] = [steps[step - 1], steps[step]];
    const [word] = moves[step - 1].split(" ");
    const kind = word === "claim" ? "claimed" : word === "place" ? "placed" : "discarded";
    const { domino } = choiceOf(moves[step - 1], before.domino ?? 0);
    const by = before.to_move ?? seat;
    const what = t(`mistakes.step_${kind}_${isYou && by === seat ? "you" : "other"}`, { who: nameOf(by), n: domino });
    byId("step").textContent = t("mistakes.step", { n: step, of: moves.length, what });
    this.#back.ariaDisabled = step === 1 ? "true" : null;
    this.#on.ariaDisabled = step === moves.length ? "true" : null;
    this.#caption.textContent = after.outcome ? endText(after.outcome, this.#shownScene) : "";
    const own = after.kingdoms[seat];
    byId("score").textContent = String(own.score.total);
    this.#kingdom.show({ size: after.rules.size, seat, squares: landOf(own), dominoes: [], label, frame: "window" });
    this.#showSide(after);
  }

  /** @param {1 | -1} by */
  #take(by) {
    if (!this.#walk || this.#walk.step + by < 1 || this.#walk.step + by > this.#walk.moves.length) return;
    this.#walk.step += by;
    this.#showStep();
  }

  /** Both lines and the other kingdoms. @param {Studied} studied */
  #showSide(studied) {
    const { nameOf, seat } = this.#shownScene;
    for (const [at, slots] of linesOf(studied).entries()) {
      const { section, line } = this.#lines[at];
      line.show(lineItems({ ...studied, choices: null }, slots, "", nameOf));
      section.hidden = !slots.length;
    }
    const others = studied.kingdoms.flatMap((land, one) => (one === seat ? [] : [otherKingdom({
      seat: one, name: nameOf(one), squares: landOf(land), score: land.score.total, size: studied.rules.size,
    }, seat, false)]));
    replaceContent(byId("others"), ...others);
  }
}
