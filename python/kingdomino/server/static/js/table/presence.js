/**
 * Who is at the table, and for how long the others have been away.
 */
import { t, timeText } from "../i18n/locale.js";

/**
 * @import { Messages } from "../net/table.js"
 * @import { Table, You } from "../net/types.js"
 * @typedef {{seat: number, time: string}} Absent the player whom the others wait for, and for how long
 */

/** Milliseconds until asking a player who wants to wait again. */
const WAIT = 120_000;
/** From this many seconds for a turn on, being away is normal. */
const LONG_TURN = 3600;

export class Presence {
  /** @type {Messages["presence"]["seats"]} */
  #seats = [];
  /** Time of the last message. */
  #at = 0;
  #waitUntil = 0;
  /** The number of clients without a seat. */
  watching = 0;

  /** @param {Messages["presence"]} message */
  update({ seats, watching }) {
    this.#seats = seats;
    this.#at = performance.now();
    this.watching = watching;
  }

  /** Does not suggest a bot for a while. */
  wait() {
    this.#waitUntil = performance.now() + WAIT;
  }

  /** Whether the player of a seat is here, or has only just left. @param {number} seat */
  isPresent(seat) {
    const state = this.#seats[seat]?.state;
    return state === "here" || state === "gone";
  }

  /** `away`, or `away for 2 minutes`; "" for a player who is here or has only just left. @param {number} seat */
  text(seat) {
    const state = this.#seats[seat]?.state;
    if (state === "away") return t("table.away");
    return state === "long_away" ? t("table.away_for", { time: this.#time(seat) }) : "";
  }

  /**
   * The player to move, if the others have waited long and may let a bot play.
   * @param {Table} table
   * @param {Pick<You, "seats">} you
   * @returns {Absent | null}
   */
  absent({ turn, state, seats, seconds }, you) {
    if (!turn || state !== "playing" || (seconds ?? 0) >= LONG_TURN || performance.now() < this.#waitUntil) return null;
    const { seat } = turn;
    const isLong = this.#seats[seat]?.state === "long_away";
    if (!isLong || seats[seat].away || you.seats.includes(seat)) return null;
    return { seat, time: this.#time(seat) };
  }

  /** @param {number} seat */
  #time(seat) {
    const away = (this.#seats[seat]?.ms ?? 0) + performance.now() - this.#at;
    return timeText(Math.floor(away / 1000));
  }
}
