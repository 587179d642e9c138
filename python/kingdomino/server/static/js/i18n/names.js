/**
 * The names of seats and kingdoms, and sentences with a word in bold.
 */
import { el } from "../draw/dom.js";
import { loadFile } from "../net/address.js";
import { t } from "./locale.js";

/** @import { Bot, Player, SeatEntry, Table } from "../net/types.js" */

/** The most letters that a name may have; the server refuses longer ones. */
export const LONGEST_NAME = 24;
const MARK = "\uE000";

/** The bots to choose from, weakest first. @type {readonly Bot[]} */
export let bots = [];

/** Settles when the bots have loaded; without them names have no levels. */
export const botsReady = loadFile("bots.json").then(async (file) => { bots = await file.json(); });
botsReady.catch(() => {}); // the pages that need them say so

/** @param {string | null | undefined} spec */
const offer = (spec) => bots.find(({ bot }) => bot === spec);

/** The level of a bot to choose from. @param {string | null} spec */
export const levelOf = (spec) => offer(spec)?.level;

/** Such a bot, or else the default opponent. @param {string | undefined} spec */
export const opponent = (spec) => offer(spec) ?? bots.find(({ usual }) => usual) ?? bots[0];

/** The name of such a bot. @param {string} spec */
export const botName = (spec) => offer(spec)?.name ?? spec;

/**
 * The text of `key` as nodes, with `bold` (one of its parameters) in bold. Names stay text.
 * @param {string} key
 * @param {Record<string, string | number>} params
 * @param {string} bold
 */
export function withBold(key, params, bold) {
  const [before, after] = t(key, { ...params, [bold]: MARK }).split(MARK);
  return [before, el("b", params[bold]), after ?? ""];
}

/** Whether someone can still take the seat. @param {Pick<SeatEntry, "kind">} entry */
export const isFree = ({ kind }) => kind === "invited" || kind === "open";

/**
 * A player's name. Players with the same name get numbers: `Ann`, `Ann 2`.
 * @param {{seats: readonly Pick<SeatEntry, "kind" | "name">[]}} table
 * @param {number} seat
 */
export const nameOf = ({ seats }, seat) =>
  numbered(seats.map((entry) => (isFree(entry) ? "" : entry.name || t("common.guest"))))[seat];

/** The same for the players of a game that has begun. @param {readonly Pick<Player, "name">[]} players */
export const namesOf = (players) => numbered(players.map(({ name }) => name || t("common.guest")));

/** Numbers repeated names; empty ones stay empty. @param {readonly string[]} names */
function numbered(names) {
  /** @type {string[]} */
  const distinct = [];
  for (const own of names) {
    let name = own;
    for (let n = 2; name && distinct.includes(name); n += 1) name = `${own} ${n}`;
    distinct.push(name);
  }
  return distinct;
}

/**
 * A player's name as separate nodes; a bot's with its level: `Fennel, level 4`.
 * @param {Pick<Table, "seats">} table
 * @param {number} seat
 */
export function fullName(table, seat) {
  const [name, level] = [nameOf(table, seat), levelOf(table.seats[seat].bot)];
  if (level === undefined) return [name];
  const [before, after] = t("new.who_bot", { name: MARK, level }).split(MARK);
  return [before, name, el("span.level", after)];
}

/** `Your kingdom`, `Mara's kingdom`. @param {Table} table @param {number} seat @param {number[]} own your seats */
export function kingdomName(table, seat, own) {
  return own.length === 1 && own[0] === seat
    ? t("table.your_kingdom")
    : t("table.kingdom_of", { name: nameOf(table, seat) });
}
