/**
 * Positions as the analysis board shows them, and the moves between them. The engine reads and plays them.
 */
import { engine } from "../engine/study.js";

/**
 * @import { Choices, LineEntry, Position } from "../../engine/calls.js"
 * @import { TerrainSquare } from "../draw/kingdom-map.js"
 * @typedef {Position & {choices: Choices | null}} Studied
 */

/** @param {Position} position @returns {Promise<Studied>} */
const withChoices = async (position) => ({ ...position, choices: await engine.ask("choices", { position: position.text }) });

/** Reads a position. @param {string} text */
export const study = async (text) => withChoices(await engine.ask("position", { position: text }));

/**
 * Plays a move: an action, `reveal 3 9 22 41`, `draw 1`, or `chance` for a random outcome.
 * @param {string} position
 * @param {string} move
 */
export async function play(position, move) {
  const [word, ...numbers] = move.split(" ");
  const seed = crypto.getRandomValues(new Uint32Array(1))[0];
  return withChoices(await (
    word === "chance" ? engine.ask("sample", { position, seed })
      : word === "reveal" ? engine.ask("reveal", { position, dominoes: numbers.map(Number) })
        : word === "draw" ? engine.ask("draw", { position, seat: Number(numbers[0]) })
          : engine.ask("move_on", { position, action: move })));
}

/** The action under which a search lists this one: symmetric placements share a value. @param {Position} position @param {string} action */
export const listedFor = ({ representatives }, action) => representatives[action] ?? action;

/** The squares of a kingdom, without its castle. @param {Position["kingdoms"][number]} kingdom @returns {TerrainSquare[]} */
export const landOf = ({ squares }) => squares
  .filter(({ terrain }) => terrain !== "castle").map(({ at: [x, y], terrain, crowns }) => ({ x, y, terrain, crowns }));

/** The line to place, and the line to claim. @param {Position} position @returns {[LineEntry[], LineEntry[]]} */
export const linesOf = ({ round, line, next_line }) => (round ? [line, next_line] : [[], line]);

/** The seat to move. Where chance decides, the seat that places next, if it is known; at the end, a winner. @param {Position} position */
export const seatOf = ({ to_move, line, outcome }) => to_move ?? outcome?.winners[0] ?? line.find(({ done, seat }) => !done && seat !== null)?.seat ?? 0;
