/**
 * A solver's progress, stored on this device: the attempts at each puzzle, the level of the next one, and the week.
 */
import { STRONGEST } from "../local/bots.js";
import { loadSetting, saveSetting } from "../net/storage.js";

/**
 * @typedef {object} Progress
 * @property {number} version of this format; the page ignores others
 * @property {number} level for the next puzzle
 * @property {Record<string, number>} tries by the name of a puzzle, the last ones at the end; 0: the solution was shown
 * @property {Record<string, number>} days the domino of each day's puzzle that was solved, by date
 */

const PUZZLES = "puzzles";
const VERSION = 1;
const FIRST_LEVEL = 3;
const KEPT_DAYS = 7;

const DOMINOES = 48;

const isCount = (/** @type {unknown} */ value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const areCounts = (/** @type {unknown} */ value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isCount);
const isWithin = (/** @type {number | undefined} */ value, /** @type {number} */ most) => isCount(value) && Number(value) >= 1 && Number(value) <= most;

/** @returns {Progress} */
export function readProgress() {
  const kept = /** @type {Partial<Progress> | null | undefined} */ (loadSetting(PUZZLES));
  const isKnown = kept?.version === VERSION && isWithin(kept.level, STRONGEST) && areCounts(kept.tries) && areCounts(kept.days)
    && Object.values(kept.days ?? {}).every((domino) => isWithin(domino, DOMINOES));
  return isKnown ? /** @type {Progress} */ (kept) : { version: VERSION, level: FIRST_LEVEL, tries: {}, days: {} };
}

/**
 * Keeps the result of a puzzle. The first one of a puzzle with a level moves the level: solved at the first try, the next
 * one is harder, else easier.
 * @param {{name: string, tries: number, isRated: boolean, day?: {date: string, domino: number} | null}} result 0 tries: its solution was shown
 */
export function keepResult({ name, tries, isRated, day = null }) {
  const progress = readProgress();
  const isNew = !(name in progress.tries);
  if (isNew && isRated) progress.level = Math.min(STRONGEST, Math.max(1, progress.level + (tries === 1 ? 1 : -1)));
  const before = progress.tries[name];
  delete progress.tries[name]; // so that it comes last
  progress.tries[name] = before || tries;
  if (day && tries) {
    const days = Object.entries({ ...progress.days, [day.date]: day.domino }).sort(([one], [other]) => (one < other ? 1 : -1));
    progress.days = Object.fromEntries(days.slice(0, KEPT_DAYS));
  }
  saveSetting(PUZZLES, progress);
}
