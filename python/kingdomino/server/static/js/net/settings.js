/**
 * A person's settings: colours, pace, sound and language. Stored in this browser, and on the server for other devices. A
 * setting that was never chosen is null: then the system decides.
 */
import { language, setLanguage } from "../i18n/locale.js";
import { get, later, put } from "./api.js";
import { forgetSetting, loadSetting, saveSetting } from "./storage.js";

/**
 * @import { Language } from "../i18n/locale.js"
 * @import { Settings } from "./types.js"
 */

const NAMES = /** @type {const} */ (["theme", "pace", "sound", "language", "warning"]);
/** Set until the server has the last choice. */
const UNSENT = "unsent.settings";
/** The names of all that this module stores. */
export const STORED = [...NAMES, UNSENT];

/** The number of choices on this page. */
let choices = 0;

/** @returns {Settings} */
export const settings = () =>
  /** @type {Settings} */ (Object.fromEntries(NAMES.map((name) => [name, loadSetting(name) ?? null])));

/** Stores a choice. Fires `settings` at the document. @param {Partial<Settings>} choice */
export function choose(choice) {
  choices += 1;
  keep(choice);
  saveSetting(UNSENT, true);
  send().catch(() => {}); // `adopt` tries again
}

/** Switches to another language, and stores that choice. @param {Language} code */
export async function chooseLanguage(code) {
  choices += 1;
  await later(() => setLanguage(code));
  if (code === language) choose({ language: code });
}

/**
 * Applies settings chosen on another device. Does nothing if the language's words do not load, or if a choice made here
 * is newer.
 */
export async function adopt() {
  if (loadSetting(UNSENT)) return send();
  const before = choices;
  const stored = await get("/api/me/settings");
  if (!stored || choices !== before) return;
  if (stored.language && stored.language !== language) await setLanguage(stored.language);
  if (choices === before) keep(stored);
}

/** @param {Partial<Settings>} choice */
function keep(choice) {
  for (const [name, value] of Object.entries(choice)) saveSetting(name, value);
  document.dispatchEvent(new Event("settings"));
}

/** If this fails, the browser still has the choice. */
async function send() {
  const sent = choices;
  await put("/api/me/settings", settings());
  if (choices === sent) forgetSetting(UNSENT);
}
