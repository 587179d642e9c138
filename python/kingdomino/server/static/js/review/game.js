/**
 * The decisions of a finished game, from its events: the table before each decision, and the choice.
 */
import { isMove } from "../net/events.js";
import { apply, emptyTable } from "../net/reducer.js";

/**
 * @import { Entry, Square } from "../draw/kingdom-map.js"
 * @import { Move, TableEvent } from "../net/events.js"
 * @import { Table } from "../net/types.js"
 * @typedef {{move: Move, table: Table}} Moment a decision, and the table before it
 * @typedef {{domino: number, left?: Square, right?: Square}} Choice the effect of an action: a placement, or a claim
 */

export class Game {
  /** @type {Moment[]} */
  moments = [];

  /**
   * @param {TableEvent[]} events
   * @param {number} number of the game, in a Dynasty
   * @param {readonly number[]} seats yours
   * @param {number | null} [asked] the requested seat
   */
  constructor(events, number, seats, asked = null) {
    this.seats = seats;
    let table = emptyTable("");
    for (const event of events) {
      if (isMove(event) && table.game === number) this.moments.push({ move: event, table });
      table = apply(table, event);
      if (event.kind === "finished" && table.game === number) break;
    }
    /** The table at the end. */
    this.end = table;
    /** The seat to review; null if that is unclear. */
    this.learner = asked !== null && asked < table.seats.length ? asked : this.viewer;
  }

  /** The seat addressed as *you*, if there is exactly one. */
  get viewer() {
    return this.seats.length === 1 ? this.seats[0] : null;
  }

  /** Whether this seat is addressed as *you*. @param {number} seat */
  isYou(seat) {
    return seat === this.viewer;
  }
}

/**
 * Reads the text of an action. A discard has the domino of its turn.
 * @param {string} action
 * @param {number} domino to place
 * @returns {Choice}
 */
export function choiceOf(action, domino) {
  const [word, rest = ""] = action.split(" ");
  if (word === "claim") return { domino: Number(rest) };
  if (word !== "place") return { domino };
  const [left, right] = rest.split(">").map((square) => /** @type {Square} */ (square.split(",").map(Number)));
  return { domino, left, right };
}

/** A domino in a kingdom; null for a claim or a discard. @param {Choice} choice @returns {Entry | null} */
export const entryOf = ({ domino, left, right }) => (left && right ? [domino, ...left, ...right] : null);
