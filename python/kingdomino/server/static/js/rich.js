/**
 * Sentences with some of their words set off, and the names of seats.
 *
 * @typedef {import("./fold.js").Table} Table
 */
import { h } from "./h.js";
import { t } from "./words.js";

const MARK = "\uE000";

/**
 * The text of `key` as nodes, with `bold` (one of its holes) in bold. Names stay text.
 * @param {string} key
 * @param {Record<string, string | number>} params
 * @param {string} bold
 * @returns {(string | Element)[]}
 */
export function rich(key, params, bold) {
  const [before, after] = t(key, { ...params, [bold]: MARK }).split(MARK);
  return [before, h("b", params[bold]), after ?? ""];
}

/** What somebody is called. @param {Pick<Table, "seats">} table @param {number} seat */
export const nameOf = (table, seat) => table.seats[seat].name || t("common.guest");

/** `Your kingdom`, `Mara's kingdom`. @param {Table} table @param {number} seat @param {number[]} mine */
export function kingdomOf(table, seat, mine) {
  const own = mine.length === 1 && mine[0] === seat;
  return own ? t("table.your_kingdom") : t("table.kingdom_of", { name: nameOf(table, seat) });
}
