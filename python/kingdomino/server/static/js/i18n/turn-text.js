/**
 * Sentences about the turn: whose it is, what to do, what comes next.
 */
import { list, t } from "./locale.js";
import { nameOf } from "./names.js";

/**
 * @import { Table, You } from "../net/types.js"
 * @import { Absent } from "../table/presence.js"
 */

/**
 * Whose turn it is and what to do, and the next step.
 * @param {Table} table
 * @param {Pick<You, "seats">} you
 * @param {boolean} isPlaced whether the domino is already placed, and only the claim is missing
 */
export function turnSentence(table, you, isPlaced = false) {
  const { turn } = table;
  if (!turn || table.finished) return { title: t("table.over"), next: t("table.over_next") };
  const { seat, round } = turn;
  const own = you.seats.includes(seat) && !table.seats[seat].away;
  const who = !own ? "other" : you.seats.length > 1 ? "name" : "you";
  const params = { name: nameOf(table, seat), domino: turn.domino ?? 0 };
  let task = turn.phase === "claim" || isPlaced ? (round ? "claim" : "open") : "place";
  if (task === "place" && !turn.fits) task = "discard";
  return { title: t(`table.${task}_${who}`, params), next: own ? afterTask(table, task) : ownNextTurn(table, you) };
}

/**
 * Says that the player to move has been away for long, and what to do.
 * @param {Table} table
 * @param {Absent} absent
 * @param {boolean} isShort whether there is room only for a short title; then the caption says for how long
 */
export function absentSentence(table, { seat, time }, isShort) {
  const { turn } = table;
  const name = nameOf(table, seat);
  const task = turn?.phase === "claim" ? "claim" : turn?.fits ? "place" : "discard";
  return {
    title: t(isShort ? "table.absent_short" : "table.absent", { name, time }),
    next: t(`table.absent_${task}`, { name, domino: turn?.domino ?? 0 }),
  };
}

/** The next step of your own turn. @param {Table} table @param {string} task */
function afterTask(table, task) {
  if (task === "open") return t(`table.drawn_${table.rules.opening}`);
  if (task === "claim") return t("table.low_first");
  const free = table.next_line.filter((entry) => entry.seat === null).map((entry) => String(entry.domino));
  if (free.length === 1) return t("table.then_get", { domino: free[0] });
  return free.length ? t("table.then_claim", { dominoes: list(free, "disjunction") }) : t("table.last_round");
}

/** When your next turn comes. @param {Table} table @param {Pick<You, "seats">} you */
function ownNextTurn(table, you) {
  if (!table.round) return t(`common.opening_${table.rules.opening}_why`);
  const waiting = upcoming(table);
  const own = waiting.findIndex((entry) => you.seats.includes(entry.seat));
  if (own < 0 && you.seats.length === 1) return claimedText(table, you.seats[0]);
  const next = waiting[Math.max(own, 0)];
  if (!next) return "";
  const params = { name: nameOf(table, next.seat), domino: next.domino };
  if (own < 0 || you.seats.length > 1) return t("table.next_other", params);
  if (own === 0) return t("table.next_you", params);
  const before = [...new Set(waiting.slice(0, own).map((entry) => nameOf(table, entry.seat)))];
  return t("table.after_you", { ...params, names: list(before) });
}

/** @param {Table} table @param {number} seat */
function claimedText(table, seat) {
  const claimed = claimedBy(table, seat);
  if (!claimed.length) return table.next_line.length ? "" : t("table.last_placed");
  return t("table.claimed_you", { dominoes: list(claimed) });
}

/** The seats after the current one in this round, in order. @param {Table} table */
function upcoming({ line, turn }) {
  const waiting = line.flatMap(({ domino, seat, done }) => (done || seat === null ? [] : [{ domino, seat }]));
  return turn?.phase === "place" ? waiting.slice(1) : waiting;
}

/** The dominoes that a seat has claimed for the next round. @param {Table} table @param {number} seat */
const claimedBy = (table, seat) =>
  table.next_line.filter((entry) => entry.seat === seat).map((entry) => String(entry.domino));

/** What a seat is about to do, in a few words. @param {Table} table @param {number} seat */
export function seatStatus(table, seat) {
  const { turn } = table;
  const { away } = table.seats[seat];
  if (away) return t(`table.away_${away}`);
  if (!turn) return "";
  if (turn.seat === seat && turn.phase === "claim") return t("table.claims_now");
  if (turn.seat === seat) return t("table.places_now", { domino: turn.domino ?? 0 });
  const waiting = upcoming(table);
  const index = waiting.findIndex((entry) => entry.seat === seat);
  if (index === 0) return t("table.places_next");
  if (index > 0) return t("table.places_later", { domino: waiting[index].domino });
  const claimed = claimedBy(table, seat);
  return claimed.length ? t("table.has_claimed", { dominoes: list(claimed) }) : "";
}

/**
 * When a seat that claims this free domino will place it: `With 33 you would place second next round.` In the opening
 * that is the first round.
 * @param {Table} table
 * @param {number} domino
 * @param {number[]} turns
 */
export function claimOrderText(table, domino, turns) {
  const places = turns.map((turn) => t(`table.place_${turn}`));
  return t(table.round ? "table.cost" : "table.cost_opening", { domino, places: list(places, "disjunction") });
}
