/**
 * Sentences about a table's rules: the rules in play, differences to the plain game, the state of the bonuses.
 */
import { pathTo } from "../net/address.js";
import { hasWords, t, timeText } from "./locale.js";
import { nameOf } from "./names.js";

/**
 * @import { NewTable, Table } from "../net/types.js"
 * @typedef {Omit<NewTable, "digest" | "language" | "position" | "public" | "seats" | "seconds">} Chosen
 * @typedef {Required<Chosen> & Pick<NewTable, "seconds">} Settings without `seconds` the time for a turn follows from
 *   the seats
 */

/** The variants that are on or off. */
export const SWITCHES = /** @type {const} */ (["harmony", "middle_kingdom", "mighty_duel"]);
const BONUSES = /** @type {const} */ (["harmony", "middle_kingdom"]);

/**
 * `Two players, 24 of the 48 dominoes, 6 rounds, kingdoms of 5×5.`
 * @param {{players: number, dominoes: number, rounds: number, size: number}} facts
 */
export function rulesSummary({ players, dominoes, rounds, size }) {
  const which = t(dominoes === 48 ? "common.dominoes_all" : "common.dominoes_some", { n: dominoes });
  return t("common.summary", { players: t(`common.players_${players}`), dominoes: which, rounds, size });
}

/**
 * Differences to the default rules, each in a word or two.
 * @param {Pick<Settings, "edition" | "harmony" | "middle_kingdom" | "mighty_duel" | "opening">
 *   & Partial<Pick<Settings, "dynasty" | "seconds">>} rules
 */
export function variantNames(rules) {
  return [
    ...SWITCHES.filter((name) => rules[name]).map((name) => t(`common.${name}`)),
    rules.dynasty && t("common.dynasty"),
    rules.edition === "first" && t("common.edition_first_long"),
    rules.opening === "snake" && t("common.opening_snake_long"),
    rules.seconds && t("common.seconds_long", { time: timeText(rules.seconds) }),
  ].filter((name) => typeof name === "string");
}

/** A line about how a bot plays; empty for an unknown bot. @param {string} spec */
export function botDescription(spec) {
  const key = `common.bot_${spec.replace(/\W/g, "_")}_why`;
  return hasWords(key) ? t(key) : "";
}

/**
 * The state of each bonus in play for these seats: `Middle Kingdom: 10 if it ended now.`
 * @param {Table} table
 * @param {number[]} seats
 */
export function bonusLines(table, seats) {
  return seats.flatMap((seat) => BONUSES.filter((bonus) => table.rules[bonus]).map((bonus) => {
    const key = seats.length > 1 ? "table.bonus_of" : "table.bonus";
    return t(key, { name: nameOf(table, seat), bonus: t(`common.${bonus}`), state: bonusState(table, seat, bonus) });
  }));
}

/** @param {Table} table @param {number} seat @param {typeof BONUSES[number]} bonus */
function bonusState({ kingdoms, rules }, seat, bonus) {
  const { score } = kingdoms[seat];
  if (score[bonus]) return t("table.bonus_now", { points: score[bonus] });
  if (bonus === "middle_kingdom") return t("table.bonus_none");
  return score.harmony_lost ? t("table.bonus_lost") : t("table.bonus_open", { points: rules.harmony_points });
}

/** The address of the rules page, with the variants of these rules switched on. @param {Partial<Settings>} rules */
export function rulesAddress({ players, edition, mighty_duel, harmony, middle_kingdom, opening, dynasty }) {
  const on = { harmony, middle_kingdom, mighty_duel, dynasty, first: edition === "first", snake: opening === "snake" };
  const shown = Object.entries(on).flatMap(([name, isOn]) => (isOn ? [name] : []));
  return pathTo(`/rules#${[players ?? 2, ...shown].join(",")}`);
}
