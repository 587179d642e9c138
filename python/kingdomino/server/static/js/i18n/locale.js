/**
 * All words that a person reads, in the person's language.
 *
 * Each language is a file, `words/CODE.json`, with flat keys. A value is a text with `{holes}`, or several
 * by the plural of `params.n`: `{"one": "{n} square", "other": "{n} squares"}`.
 */
import { loadFile } from "../net/address.js";
import { saveSetting } from "../net/storage.js";

/**
 * @typedef {Record<string, string | number>} Params
 * @typedef {string | Record<string, string>} Entry
 */

/** @typedef {keyof typeof LANGUAGES} Language */
export const LANGUAGES = { en: "English", fr: "Français", es: "Español" }; // first.js, no module, has the same codes

/** The code of the current language; at first the one that first.js has chosen. */
export let language = /** @type {Language} */ (document.documentElement.lang);

/** Before these, French shortens `de`: `Royaume d’Ida`. */
const VOWEL = /^[aeiouàâæéèêëîïôœùûü]/i;

/** Units of time, in seconds. */
const UNITS = /** @type {const} */ ([["days", 86_400], ["hours", 3600], ["minutes", 60], ["seconds", 1]]);

/** @type {Record<string, Entry>} */
let entries = {};

/** The plurals of the language, made once: that takes longer than to fill a sentence. */
let plurals = new Intl.PluralRules();

/** The language that was chosen last: its words may come before those of another. */
let wanted = language;

/** @param {Language} code */
const loadWords = async (code) => (await loadFile(`words/${code}.json`)).json();

/** @param {Language} code */
async function load(code) {
  wanted = code;
  const { firstWords } = window;
  const words = await (code === firstWords?.language ? firstWords.words : loadWords(code));
  if (code !== wanted) return;
  entries = words;
  language = code;
  plurals = new Intl.PluralRules(code);
  document.documentElement.lang = code;
  fill();
}

/**
 * The text of `key` with its holes filled; the key itself if it has no text.
 * @param {string} key
 * @param {Params} [params]
 */
export function t(key, params = {}) {
  return text(entries[key] ?? key, params, plurals);
}

/** @param {Entry} entry @param {Params} params @param {Intl.PluralRules} rules */
function text(entry, params, rules) {
  const form = typeof entry === "string" ? entry : (entry[rules.select(Number(params.n))] ?? entry.other);
  return form.replace(/(\bde )?\{(\w+)\}/g, (hole, of = "", name) => {
    const value = String(params[name] ?? `{${name}}`);
    return (of && language === "fr" && VOWEL.test(value) ? "d’" : of) + value;
  });
}

/** @param {string} key */
export const hasWords = (key) => key in entries;

/** `1st`, `2nd`… @param {number} n */
export function ordinal(n) {
  return text(entries["common.ordinal"], { n }, new Intl.PluralRules(language, { type: "ordinal" }));
}

/** `a, b and c`; `a, b or c`. @param {string[]} items @param {"conjunction" | "disjunction"} [type] */
export function list(items, type = "conjunction") {
  return new Intl.ListFormat(language, { type }).format(items);
}

/** `2 minutes`, in the largest unit of which there is a whole one. @param {number} seconds */
export function timeText(seconds) {
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? UNITS[UNITS.length - 1];
  return t(`common.${unit}`, { n: Math.floor(seconds / length) });
}

/** What is left of a turn: `2:05` if that is more than a minute and less than an hour. @param {number} seconds */
export function clockText(seconds) {
  if (seconds < 60 || seconds >= 3600) return timeText(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Writes the words into `[data-t]` (text), `[data-t-label]` (aria-label) and `[data-t-hint]` (placeholder). */
function fill() {
  for (const element of document.querySelectorAll("[data-t], [data-t-label], [data-t-hint]")) {
    if (!(element instanceof HTMLElement)) continue;
    const { t: text, tLabel, tHint } = element.dataset;
    if (text) element.textContent = t(text);
    if (tLabel) element.ariaLabel = t(tLabel);
    if (tHint) element.setAttribute("placeholder", t(tHint));
  }
}

/**
 * Switches to another language, and remembers it. Fires `language` at the document.
 * @param {Language} code
 */
export async function setLanguage(code) {
  await load(code);
  if (code !== language) return;
  saveSetting("language", code);
  document.dispatchEvent(new Event("language"));
}

/**
 * Makes a `<select>` choose the language.
 * @param {HTMLSelectElement} select
 * @param {(code: Language) => void} choose called when another has been chosen
 */
export function fillLanguageSelect(select, choose) {
  for (const [code, name] of Object.entries(LANGUAGES)) {
    const option = new Option(name, code, false, code === language);
    option.lang = code;
    select.add(option);
  }
  select.onchange = () => choose(/** @type {Language} */ (select.value));
}

/** Settles when the words have been loaded. */
export const wordsReady = load(language);
