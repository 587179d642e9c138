/**
 * Sentences about events, for reading (`+6`) and for announcing (`plus 6`, and where the domino is).
 */
import { seal } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { isMove } from "../net/events.js";
import { list, t } from "./locale.js";
import { nameOf, withBold } from "./names.js";

/**
 * @import { Move, TableEvent } from "../net/events.js"
 * @import { LineEntry, Placed, Table, Wished } from "../net/types.js"
 */

/** The number of turns shown beside the table. */
const RECENT = 3;

/**
 * Groups moves by turn: a placement (or discard) and its claim, if one player decided both.
 * @param {TableEvent[]} events
 * @returns {Move[][]} oldest first
 */
export function groupTurns(events) {
  /** @type {Move[][]} */
  const turns = [];
  for (const event of events.filter(isMove)) {
    const [first] = turns.at(-1) ?? [];
    const follows = first && first.kind !== "claimed" && first.ply === event.ply - 1 && first.by === event.by;
    if (follows && event.kind === "claimed") turns.at(-1)?.push(event);
    else turns.push([event]);
  }
  return turns;
}

/**
 * The key and the parameters of the sentence about a turn.
 * @param {Table} table
 * @param {number[]} own your seats
 * @param {Move[]} turn
 * @param {boolean} isSpoken
 */
function turnParams(table, own, [first, claim], isSpoken) {
  const { seat, domino } = first;
  const isYours = own.length === 1 && own[0] === seat;
  const isOfBot = first.by === "stand-in";
  const key = `table.did_${first.kind}${claim ? "_claimed" : ""}_${isYours && !isOfBot ? "you" : "other"}`;
  let name = nameOf(table, seat);
  if (isOfBot) name = isYours ? t("table.your_bot") : t("table.bot_of", { name });
  /** @type {Record<string, string | number>} */
  const params = { name, domino, points: "", claim: claim?.domino ?? 0 };
  if (first.kind === "placed") {
    params.points = isSpoken ? t("table.plus", { n: first.points }) : `+${first.points}`;
    if (isSpoken) params.domino = t("table.placed_at", { domino, where: where(first) });
  }
  return { key, params };
}

/** A turn as an announcement. @param {Table} table @param {number[]} own your seats @param {Move[]} turn */
export function announcement(table, own, turn) {
  const { key, params } = turnParams(table, own, turn, true);
  return t(key, params);
}

/** Where both ends lie, as steps from the castle. @param {Placed} event */
function where({ left, right }) {
  const steps = (/** @type {[number, number]} */ [x, y]) => [
    x && t(x > 0 ? "table.right" : "table.left", { n: Math.abs(x) }),
    y && t(y > 0 ? "table.up" : "table.down", { n: Math.abs(y) }),
  ].filter(Boolean).join(" ");
  return list([steps(left), steps(right)]);
}

/** A turn as a list item. @param {Table} table @param {number[]} own your seats @param {Move[]} turn */
export function turnItem(table, own, turn) {
  const { key, params } = turnParams(table, own, turn, false);
  const words = key.endsWith("_you") ? [t(key, params)] : withBold(key, params, "name");
  return el("li", seal(turn[0].seat), el("span", ...words));
}

/** Lists the last turns, newest first. @param {Element} ul @param {Table} table @param {number[]} own your seats */
export function showRecent(ul, table, own) {
  const turns = groupTurns(table.recent).slice(-RECENT).reverse();
  ul.replaceChildren(...turns.map((turn) => turnItem(table, own, turn)));
}

/** Announces that a player left or returned; empty for other events. @param {Table} table @param {TableEvent} event */
export function seatAnnouncement(table, event) {
  if (event.kind === "left") return t(`table.went_${event.why}`, { name: nameOf(table, event.seat) });
  return event.kind === "returned" ? t("table.came_back", { name: nameOf(table, event.seat) }) : "";
}

/**
 * Announces another player's wish or refusal to end the game or to play again, and your own wishes.
 * @param {Table} table
 * @param {number[]} own your seats
 * @param {Wished} event
 */
export function wishAnnouncement(table, own, { seat, what, yes }) {
  const who = nameOf(table, seat);
  if (own.includes(seat)) return yes ? t(what === "end" ? "table.end_asked" : "end.wish_you") : "";
  if (what === "end") return yes ? t("table.end_wish", { who, n: 1 }) : t("table.end_declined", { who });
  return yes ? t("end.wish", { who }) : t("end.missing", { who, n: 1 });
}

/**
 * Sums up what a bot did for a player while it played for them.
 * @param {TableEvent[]} events of the table
 * @param {number[]} own your seats
 */
export function welcomeText(events, own) {
  const left = events.findLastIndex((event) => event.kind === "left" && own.includes(event.seat));
  const turns = groupTurns(events.slice(left).filter((event) =>
    isMove(event) && event.by === "stand-in" && own.includes(event.seat)));
  if (turns.length !== 1) return t(turns.length ? "table.welcome_turns" : "table.welcome", { n: turns.length });
  const [[first, claim]] = turns;
  const kind = `${first.kind}${claim ? "_claimed" : ""}`;
  return t(`table.welcome_${kind}`, { domino: first.domino, claim: claim?.domino ?? 0 });
}

/** The dominoes of a line. @param {LineEntry[]} line */
const numbers = (line) => line.map(({ domino }) => domino);

/**
 * All turns of a game, newest first, under a heading for each round with its line.
 * @param {Table} table
 * @param {number[]} own your seats
 * @param {TableEvent[]} events of one game
 */
export function gameLog(table, own, events) {
  const { start } = table;
  const first = start && { round: start.round, dominoes: numbers(start.round ? start.line : start.next_line), events: [] };
  /** @type {{round: number, dominoes: number[], events: TableEvent[]}[]} */
  const rounds = first ? [first] : [];
  for (const event of events) {
    if (event.kind === "round_began") rounds.push({ round: event.round, dominoes: numbers(event.line), events: [] });
    else if (event.kind === "revealed" && !event.round) rounds.push({ round: 0, dominoes: event.line, events: [] });
    else rounds.at(-1)?.events.push(event);
  }
  return rounds.flatMap(({ round, dominoes, events: during }) => {
    const params = { round, dominoes: dominoes.join(", ") };
    const heading = t(round ? "table.log_round" : "table.log_opening", params);
    const items = groupTurns(during).map((turn) => turnItem(table, own, turn));
    return items.length ? [el("section", el("h3", heading), el("ul", ...items.reverse()))] : [];
  }).reverse();
}
