/**
 * Begins games on this device, with people here and bots.
 */
import { botName } from "../i18n/names.js";
import { tablePath } from "../net/address.js";
import { later } from "../net/api.js";
import { loadSetting } from "../net/storage.js";
import { rulesReady, rulesSet } from "./rules-sets.js";

/**
 * @import { Settings } from "../i18n/rules-text.js"
 * @import { StoredTable } from "../local/log.js"
 * @typedef {{name: string | null, bot: string | null}} Player a bot by its spec string
 */

/**
 * Creates a table on this device, for people here and bots, and goes there.
 * @param {Settings} settings
 * @param {Player[]} seats
 */
export async function startHere(settings, seats) {
  await rulesReady;
  await startTable({ rules: rulesSet(settings).text, dynasty: settings.dynasty, start: null }, seats);
}

/** @param {Pick<StoredTable, "rules" | "dynasty" | "start">} game @param {Player[]} seats */
export async function startTable(game, seats) {
  const entries = seats.map(({ name, bot }, seat) => ({
    seat, kind: bot === null ? /** @type {const} */ ("person") : /** @type {const} */ ("bot"), name, bot, away: null,
  }));
  const { createTable } = await later(() => import("../local/store.js")); // not needed on the first page
  location.assign(tablePath(await createTable({ ...game, seats: entries })));
}

/** The setting with your name, for games without a server. */
export const NAME = "name";
export const myName = () => /** @type {string | undefined} */ (loadSetting(NAME)) || null;

/**
 * Starts a game of one person against bots.
 * @param {Settings} settings
 * @param {string} bot the spec string for all other seats
 * @param {string | null} [name]
 */
export function startGame(settings, bot, name) {
  const others = Array.from({ length: settings.players - 1 }, () => ({ name: botName(bot), bot }));
  return startHere(settings, [{ name: name || myName(), bot: null }, ...others]);
}
