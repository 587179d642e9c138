/**
 * The likely moves after a choice, one by one. The pages contain its elements: the text of the step, and two buttons.
 */
import { play } from "../analysis/study.js";
import { byId } from "../draw/dom.js";
import { wonSentence } from "../i18n/game-text.js";
import { t } from "../i18n/locale.js";
import { judgedAt } from "./attempt.js";
import { choiceOf } from "./game.js";

/**
 * @import { Decision, Outcome } from "../../engine/calls.js"
 * @import { Studied } from "../analysis/study.js"
 * @import { NameOf } from "../analysis/text.js"
 * @import { Ended } from "../i18n/game-text.js"
 *
 * @typedef {Pick<Decision, "line" | "exact">} Following the first moves; exact: the moves to the end of the game are known
 * @typedef {{moves: string[], positions: Studied[]}} Path the moves, and the positions around them
 */

/** Whether there is more to show than the choice itself. @param {Following} following */
export const goesOn = ({ line, exact }) => line.length > 1 || exact;

/** The moves after a position, to the end of the game if they are known. @param {Studied} position @param {Following} following @returns {Promise<Path>} */
export async function pathFrom(position, { line, exact }) {
  const [moves, positions] = [[...line], [position]];
  for (const move of line) positions.push(await play(positions[positions.length - 1].text, move));
  for (let last = positions[positions.length - 1]; exact && last.actions.length; last = positions[positions.length - 1]) {
    const [only, ...others] = last.actions;
    moves.push(others.length ? (await judgedAt(last.text, only)).best : only);
    positions.push(await play(last.text, moves[moves.length - 1]));
  }
  return { moves, positions };
}

export class Walk {
  #place = byId("walk");
  #back = byId("back", HTMLButtonElement);
  #on = byId("on", HTMLButtonElement);
  /** @type {Path | null} */
  #path = null;
  #step = 1;
  /** @type {{seat: number, isYou: boolean, nameOf: NameOf}} */
  #who = { seat: 0, isYou: false, nameOf: String };

  /** @param {(after: Studied, ending: string) => void} show shows a position, and the result if the game ends there */
  constructor(show) {
    this.show = show;
    this.#back.onclick = () => this.#take(-1);
    this.#on.onclick = () => this.#take(1);
  }

  /** The position on show; null without a walk. */
  get position() {
    return this.#path?.positions[this.#step] ?? null;
  }

  stop() {
    this.#path = null;
    this.#place.hidden = true;
  }

  /** @param {Path} path @param {{seat: number, isYou: boolean, nameOf: NameOf}} who the deciding seat, and whether it is addressed as *you* */
  begin(path, who) {
    this.#path = path;
    this.#who = who;
    this.#step = 1;
    this.#place.hidden = false;
    this.#draw(path);
    this.#on.focus();
  }

  /** @param {1 | -1} by */
  #take(by) {
    if (!this.#path || this.#step + by < 1 || this.#step + by > this.#path.moves.length) return;
    this.#step += by;
    this.#draw(this.#path);
  }

  /** Shows the position after a move. @param {Path} path */
  #draw({ moves, positions }) {
    const [step, { seat, isYou, nameOf }] = [this.#step, this.#who];
    const [before, after] = [positions[step - 1], positions[step]];
    const [word] = moves[step - 1].split(" ");
    const kind = word === "claim" ? "claimed" : word === "place" ? "placed" : "discarded";
    const { domino } = choiceOf(moves[step - 1], before.domino ?? 0);
    const by = before.to_move ?? seat;
    const what = t(`mistakes.step_${kind}_${isYou && by === seat ? "you" : "other"}`, { who: nameOf(by), n: domino });
    byId("walked").textContent = t("mistakes.step", { n: step, of: moves.length, what });
    this.#back.ariaDisabled = step === 1 ? "true" : null;
    this.#on.ariaDisabled = step === moves.length ? "true" : null;
    this.show(after, after.outcome ? endText(after.outcome, this.#who) : "");
  }
}

/** The result of a game. @param {Outcome} outcome @param {{seat: number, isYou: boolean, nameOf: NameOf}} who */
const endText = ({ decided_by, ranking, scores, winners }, { isYou, nameOf, seat }) => wonSentence(
  { decided_by: /** @type {Ended["decided_by"]} */ (decided_by), ranking, winners }, scores.map(({ total }) => total), isYou ? [seat] : [],
  scores.map((_, one) => nameOf(one)));
