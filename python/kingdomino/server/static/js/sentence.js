/**
 * The one sentence that says whose turn it is and what is to be done, and the next step under it.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {{seats: number[]}} You
 */
import { nameOf } from "./rich.js";
import { list, t } from "./words.js";

/**
 * @param {Table} table
 * @param {You} you
 * @param {boolean} laid whether the domino lies in the kingdom already, and only the claim is missing
 * @returns {{title: string, next: string}}
 */
export function sentence(table, you, laid = false) {
  const { turn } = table;
  if (!turn || table.finished) return { title: t("table.over"), next: t("table.over_next") };
  const { seat, round } = turn;
  const own = you.seats.includes(seat) && !table.seats[seat].away;
  const who = !own ? "other" : you.seats.length > 1 ? "name" : "you";
  const params = { name: nameOf(table, seat), domino: turn.domino ?? 0 };
  let what = turn.phase === "claim" || laid ? (round ? "claim" : "open") : "place";
  if (what === "place" && !turn.fits) what = "discard";
  return { title: t(`table.${what}_${who}`, params), next: own ? then(table, what) : ahead(table, you) };
}

/** What comes after this step of one's own. @param {Table} table @param {string} what */
function then(table, what) {
  if (what === "open") return t("table.drawn");
  if (what === "claim") return t("table.low_first");
  const free = table.next_line.filter((offer) => offer.seat === null).map((offer) => String(offer.domino));
  return free.length ? t("table.then_claim", { dominoes: list(free, "disjunction") }) : t("table.last_round");
}

/** When it is one's own turn again. @param {Table} table @param {You} you */
function ahead(table, you) {
  if (!table.round) return t("table.drawing");
  const waiting = queue(table);
  const own = waiting.findIndex((offer) => you.seats.includes(offer.seat));
  if (own < 0 && you.seats.length === 1) return done(table, you.seats[0]);
  const next = waiting[Math.max(own, 0)];
  if (!next) return "";
  const params = { name: nameOf(table, next.seat), domino: next.domino };
  if (own < 0 || you.seats.length > 1) return t("table.next_other", params);
  if (own === 0) return t("table.next_you", params);
  const before = [...new Set(waiting.slice(0, own).map((offer) => nameOf(table, offer.seat)))];
  return t("table.after_you", { ...params, names: list(before) });
}

/** @param {Table} table @param {number} seat */
function done(table, seat) {
  const held = claimedBy(table, seat);
  if (!held.length) return table.next_line.length ? "" : t("table.last_placed");
  return t("table.claimed_you", { dominoes: list(held) });
}

/**
 * Those who still come in this round after whoever acts now, in their order.
 * @param {Table} table
 * @returns {{domino: number, seat: number}[]}
 */
function queue({ line, turn }) {
  const waiting = /** @type {any[]} */ (line.filter((offer) => !offer.done && offer.seat !== null));
  return turn?.phase === "place" ? waiting.slice(1) : waiting;
}

/** The dominoes that a seat has claimed for the next round. @param {Table} table @param {number} seat */
const claimedBy = (table, seat) =>
  table.next_line.filter((offer) => offer.seat === seat).map((offer) => String(offer.domino));

/** Where a seat stands in the round, in a few words: what is written under its name. */
export function standing(/** @type {Table} */ table, /** @type {number} */ seat) {
  const { turn } = table;
  const entry = table.seats[seat];
  if (entry.away) return t(`table.away_${entry.away}`);
  if (!turn) return "";
  if (turn.seat === seat && turn.phase === "claim") return t("table.claims_now");
  if (turn.seat === seat) return t("table.places_now", { domino: turn.domino ?? 0 });
  const waiting = queue(table);
  const at = waiting.findIndex((offer) => offer.seat === seat);
  if (at === 0) return t("table.places_next");
  if (at > 0) return t("table.places_later", { domino: waiting[at].domino });
  const held = claimedBy(table, seat);
  return held.length ? t("table.has_claimed", { dominoes: list(held) }) : "";
}
