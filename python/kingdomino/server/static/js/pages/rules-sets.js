/**
 * The rules sets of the game with their facts from the engine, and choices among them.
 */
import { loadFile } from "../net/address.js";

/**
 * @import { Rules } from "../../engine/calls.js"
 * @import { Settings } from "../i18n/rules-text.js"
 */

/** @type {Settings} */
export const DEFAULT_RULES = {
  players: 2, edition: "second", mighty_duel: false, harmony: false, middle_kingdom: false,
  opening: "random", dynasty: null,
};
const OPTIONS = /** @type {const} */ (["edition", "mighty_duel", "harmony", "middle_kingdom", "opening"]);

/** @type {Rules[]} */
let sets = [];

/** Settles when the rules sets are loaded. */
export const rulesReady = loadFile("rules-sets.json").then(async (file) => { sets = await file.json(); });
rulesReady.catch(() => {}); // the pages that need them say so

/** @param {Rules} set @param {Partial<Settings>} settings */
const agreement = (set, settings) => OPTIONS.filter((name) => set[name] === settings[name]).length;

/** The rules set closest to these settings: some options are for two players only. @param {Pick<Settings, "players"> & Partial<Settings>} settings */
export const rulesSet = (settings) => sets.filter(({ players }) => players === settings.players)
  .reduce((best, set) => (agreement(set, settings) > agreement(best, settings) ? set : best));

/** The settings with the options of the closest rules set. @template {Pick<Settings, "players"> & Partial<Settings>} S @param {S} settings @returns {S} */
export function possible(settings) {
  const set = rulesSet(settings);
  return { ...settings, ...Object.fromEntries(OPTIONS.map((name) => [name, set[name]])) };
}

/** Whether this option is possible with this number of players. @param {number} players @param {Partial<Settings>} choice */
export const canHave = (players, choice) => sets.some((set) =>
  set.players === players && OPTIONS.every((name) => !(name in choice) || set[name] === choice[name]));
