/**
 * What a person has chosen: colours, pace, sound and language. Kept in this browser, and on the server for the person's
 * other devices. What was never chosen is null: then the system decides.
 */
import { language, setLanguage } from "../i18n/locale.js";
import { later, put } from "./api.js";
import { loadSetting, saveSetting } from "./storage.js";

/**
 * @import { Language } from "../i18n/locale.js"
 * @import { Settings } from "./types.js"
 */

const NAMES = /** @type {const} */ (["theme", "pace", "sound", "language", "warning"]);

/** @returns {Settings} */
export const settings = () =>
  /** @type {Settings} */ (Object.fromEntries(NAMES.map((name) => [name, loadSetting(name) ?? null])));

/** Keeps a choice. Fires `settings` at the document. @param {Partial<Settings>} choice */
export function choose(choice) {
  keep(choice);
  send();
}

/** Switches to another language, and keeps that choice. @param {Language} code */
export async function chooseLanguage(code) {
  await later(() => setLanguage(code));
  if (code === language) choose({ language: code });
}

/**
 * Takes over what the same person has chosen on another device; nothing if the words of the language do not come.
 * @param {Settings | null} stored by the server
 */
export async function adopt(stored) {
  if (!stored) return;
  if (stored.language && stored.language !== language) await setLanguage(stored.language);
  keep(stored);
}

/** @param {Partial<Settings>} choice */
function keep(choice) {
  for (const [name, value] of Object.entries(choice)) saveSetting(name, value);
  document.dispatchEvent(new Event("settings"));
}

/** Without the server this browser still has the choice, and sends it with the next one. */
function send() {
  put("/api/me/settings", settings()).catch(() => {});
}
