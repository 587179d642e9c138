/**
 * What happened, told in sentences: for the eye (`+6`) and for the ear (`plus 6`, and where it lies).
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").TableEvent} TableEvent
 */
import { seal } from "./art.js";
import { h } from "./h.js";
import { nameOf, rich } from "./rich.js";
import { list, t } from "./words.js";

/** So many turns are news. */
const NEWS = 3;
const MOVES = ["placed", "discarded", "claimed"];

/**
 * The events of one turn together: a placement (or discard) and the claim that followed it.
 * @param {TableEvent[]} events
 * @returns {TableEvent[][]} oldest first
 */
export function turns(events) {
  /** @type {TableEvent[][]} */
  const found = [];
  for (const event of events) {
    const [first] = found.at(-1) ?? [];
    const laid = first && first.kind !== "claimed" && first.ply === event.ply - 1;
    if (laid && event.kind === "claimed") found.at(-1)?.push(event);
    else if (MOVES.includes(event.kind)) found.push([event]);
  }
  return found;
}

/** @param {Table} table @param {number[]} mine @param {TableEvent[]} turn @param {boolean} spoken */
function told(table, mine, [first, claim], spoken) {
  const own = mine.length === 1 && mine[0] === first.seat;
  const key = `table.did_${first.kind}${claim ? "_claimed" : ""}_${own ? "you" : "other"}`;
  const { seat, domino } = first;
  const params = { name: nameOf(table, seat), domino, points: "", claim: claim?.domino ?? 0 };
  if (first.kind === "placed") {
    params.points = spoken ? t("table.plus", { n: first.points }) : `+${first.points}`;
    if (spoken) params.domino = t("table.laid_at", { domino: first.domino, where: where(first) });
  }
  return { key, params };
}

/** A turn as one line for the ear. @param {Table} table @param {number[]} mine @param {TableEvent[]} turn */
export function spoken(table, mine, turn) {
  const { key, params } = told(table, mine, turn, true);
  return t(key, params);
}

/** Where both ends lie, as steps from the castle. @param {TableEvent} event */
function where({ left, right }) {
  const steps = (/** @type {[number, number]} */ [x, y]) => [
    x && t(x > 0 ? "table.right" : "table.left", { n: Math.abs(x) }),
    y && t(y > 0 ? "table.up" : "table.down", { n: Math.abs(y) }),
  ].filter(Boolean).join(" ");
  return list([steps(left), steps(right)]);
}

/**
 * A turn as an entry of a list.
 * @param {Table} table
 * @param {number[]} mine
 * @param {TableEvent[]} turn
 */
export function item(table, mine, turn) {
  const { key, params } = told(table, mine, turn, false);
  const words = key.endsWith("_you") ? [t(key, params)] : rich(key, params, "name");
  return h("li", seal(turn[0].seat), h("span", ...words));
}

/** The last turns, newest first. @param {Element} ul @param {Table} table @param {number[]} mine */
export function showNews(ul, table, mine) {
  const latest = turns(table.recent).slice(-NEWS).reverse();
  ul.replaceChildren(...latest.map((turn) => item(table, mine, turn)));
}

/**
 * What changed about a seat, for the ear; empty for other events.
 * @param {Table} table
 * @param {TableEvent} event
 */
export function aboutSeat(table, event) {
  if (event.kind === "left") return t(`table.went_${event.why}`, { name: nameOf(table, event.seat) });
  return event.kind === "returned" ? t("table.came_back", { name: nameOf(table, event.seat) }) : "";
}

/**
 * The whole story of a game, newest first: a heading a round with its line, then who did what.
 * @param {Table} table
 * @param {number[]} mine
 * @param {TableEvent[]} events of one game
 */
export function story(table, mine, events) {
  /** @type {{line: number[], events: TableEvent[]}[]} */
  const rounds = [];
  for (const event of events) {
    if (event.kind === "revealed") rounds.push({ line: event.line, events: [] });
    else rounds.at(-1)?.events.push(event);
  }
  // The line revealed in round n is placed in round n + 1: its numbers head the round in which it is placed.
  const last = table.rules.rounds;
  const late = rounds.at(-1);
  if (late && rounds.length === last) {
    const cut = late.events.findIndex(({ turn }) => turn?.round === last) + 1;
    if (cut) rounds.push({ line: [], events: late.events.splice(cut) });
  }
  return rounds.flatMap(({ events: during }, round) => {
    const placing = round ? rounds[round - 1].line : rounds[0].line;
    const params = { round, dominoes: placing.join(", ") };
    const heading = t(round ? "table.story_round" : "table.story_opening", params);
    const entries = turns(during).map((turn) => item(table, mine, turn));
    return entries.length ? [h("section", h("h3", heading), h("ul", ...entries.reverse()))] : [];
  }).reverse();
}
