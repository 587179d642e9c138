/**
 * Where a domino fits in a kingdom that lies on a table. The engine says it of a position: the last round of a game in which
 * this player is to place the domino.
 */
import { engine } from "../engine/engine.js";

/**
 * @import { Choices } from "../../engine/calls.js"
 * @import { Painted } from "../draw/painter.js"
 */

/** Rules with kingdoms of each size, and the seats of the other kings in the line. Its last round is the twelfth. */
const RULES = {
  5: { rules: "4.second.random", players: 4, others: [1, 2, 3] },
  7: { rules: "2.second.random.duel", players: 2, others: [0, 1, 1] },
};
const LAST_ROUND = 12;

/**
 * @param {5 | 7} size
 * @param {Painted[]} squares
 * @param {number} number
 * @returns {Promise<Choices | null>} null if the kingdom cannot be continued by the rules
 */
export async function choicesFor(size, squares, number) {
  const { rules, players, others } = RULES[size];
  const asked = Math.max(number, 2); // 1 and 2 are equal, and with a lower one in the line the kingdom may be larger
  const free = [1, 48, 47, 46].filter((other) => other !== asked);
  const line = [{ domino: asked, seat: 0 }, ...others.map((seat, at) => ({ domino: free[at], seat }))]
    .sort((one, other) => one.domino - other.domino);
  const { position } = await engine.ask("check_setup", {
    setup: {
      rules, round: LAST_ROUND, finished: line.findIndex(({ domino }) => domino === asked), settled: false, seat: 0, line,
      next_line: [], unseen: [], kingdoms: Array.from({ length: players }, (_, seat) => (seat ? [] : squares)),
    },
  });
  return position && engine.ask("choices", { position: position.text });
}
