/**
 * The events of a table.
 */

/**
 * @import { Claimed, Discarded, Events, Placed } from "./types.js"
 * @typedef {Events["events"][number]} TableEvent
 * @typedef {Claimed | Placed | Discarded} Move
 */

/** Whether the event is a decision. @param {TableEvent} event @returns {event is Move} */
export const isMove = (event) => ["claimed", "placed", "discarded"].includes(event.kind);

/**
 * The events of game `game` (1, 2, 3) of a table.
 * @param {TableEvent[]} events
 * @param {number} game
 */
export function eventsOfGame(events, game) {
  let current = 0;
  return events.filter((event) => {
    if (event.kind === "dealt") current = event.game;
    return current === game;
  });
}
