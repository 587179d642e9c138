/**
 * The names of seats and kingdoms, and sentences with a word in bold.
 */
import { el } from "../draw/dom.js";
import { t } from "./locale.js";

/** @import { Table } from "../net/types.js" */

const MARK = "\uE000";

/**
 * The text of `key` as nodes, with `bold` (one of its holes) in bold. Names stay text.
 * @param {string} key
 * @param {Record<string, string | number>} params
 * @param {string} bold
 */
export function withBold(key, params, bold) {
  const [before, after] = t(key, { ...params, [bold]: MARK }).split(MARK);
  return [before, el("b", params[bold]), after ?? ""];
}

/** @param {Pick<Table, "seats">} table @param {number} seat */
export const nameOf = (table, seat) => table.seats[seat].name || t("common.guest");

/** `Your kingdom`, `Mara's kingdom`. @param {Table} table @param {number} seat @param {number[]} own your seats */
export function kingdomName(table, seat, own) {
  return own.length === 1 && own[0] === seat
    ? t("table.your_kingdom")
    : t("table.kingdom_of", { name: nameOf(table, seat) });
}
