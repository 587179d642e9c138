/**
 * All that has happened at a table, from its first event.
 *
 * @typedef {import("./fold.js").TableEvent} TableEvent
 */
import { get } from "./api.js";

const PAGE = 500;

/**
 * The events of table `id` with a number above `after`, however many there are.
 * @param {string} id
 * @param {number} [after]
 * @returns {Promise<TableEvent[]>}
 */
export async function history(id, after = 0) {
  /** @type {TableEvent[]} */
  const events = [];
  for (;;) {
    /** @type {TableEvent[]} */
    const page = (await get(`/api/tables/${id}/events?after=${after}`)).events;
    events.push(...page);
    if (page.length < PAGE) return events;
    after = page[PAGE - 1].number;
  }
}

/**
 * Those of `events` that belong to game `game` (1, 2, 3) of a table.
 * @param {TableEvent[]} events
 * @param {number} game
 */
export function ofGame(events, game) {
  let at = 0;
  return events.filter((event) => {
    if (event.kind === "dealt") at = event.game;
    return at === game;
  });
}
