/**
 * All events of a table, from the first.
 */
import { get } from "./api.js";

/**
 * @import { Claimed, Discarded, Events, Placed } from "./types.js"
 * @typedef {Events["events"][number]} TableEvent
 * @typedef {Claimed | Placed | Discarded} Move
 */

const PAGE = 500;

/** Whether the event is a decision. @param {TableEvent} event @returns {event is Move} */
export const isMove = (event) => ["claimed", "placed", "discarded"].includes(event.kind);

/**
 * All events of a table with a number above `after`.
 * @param {string} table
 * @param {number} [after]
 */
export async function readEvents(table, after = 0) {
  /** @type {TableEvent[]} */
  const events = [];
  for (;;) {
    /** @type {TableEvent[]} */
    const page = (await get("/api/tables/{table}/events", { table, after })).events;
    events.push(...page);
    if (page.length < PAGE) return events;
    after = page[PAGE - 1].number;
  }
}

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
