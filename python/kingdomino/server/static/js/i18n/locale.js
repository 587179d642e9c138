/**
 * All words that a person reads, in the person's language.
 *
 * Each language has a file with flat keys, `words/CODE.json`, for all pages, and further ones, `words/CODE.NAME.json`, for
 * pages with this name in `<html data-words>`. A value is a text with `{parameters}`, or several texts by the plural of
 * `params.n`: `{"one": "{n} square", "other": "{n} squares"}`.
 */
import { saveSetting } from "../net/storage.js";

/**
 * @typedef {Record<string, string | number>} Params
 * @typedef {string | Record<string, string>} Entry
 */

/** @typedef {keyof typeof LANGUAGES} Language */
export const LANGUAGES = { en: "English", fr: "Français", es: "Español" }; // first.js, which is not a module, has the same codes

/** The code of the current language; initially the choice of first.js. */
export let language = /** @type {Language} */ (document.documentElement.lang);

/** Before these, French shortens `de`: `Royaume d’Ida`. */
const VOWEL = /^[aeiouàâæéèêëîïôœùûü]/i;

/** Units of time, in seconds. */
const UNITS = /** @type {const} */ ([["days", 86_400], ["hours", 3600], ["minutes", 60], ["seconds", 1]]);

/** @type {Record<string, Entry>} */
let entries = {};

/** The language's plural rules, cached: creating them takes longer than filling a sentence. */
let plurals = new Intl.PluralRules();

/** The last chosen language: several loads may finish in any order. */
let wanted = language;

/** @param {Language} code */
async function load(code) {
  wanted = code;
  const { first, load: loadWords } = window.words;
  const words = await (code === first.language ? first.words : loadWords(code));
  if (code !== wanted) return;
  entries = words;
  language = code;
  plurals = new Intl.PluralRules(code);
  document.documentElement.lang = code;
  fill();
}

/**
 * The text of `key` with its parameters filled in; the key itself if it has no text.
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

/** @param {string} word */
export const capital = (word) => word.charAt(0).toLocaleUpperCase(language) + word.slice(1);

/** `2 minutes`, in the largest unit that fits at least once. @param {number} seconds */
export function timeText(seconds) {
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? UNITS[UNITS.length - 1];
  return t(`common.${unit}`, { n: Math.floor(seconds / length) });
}

/** The time left of a turn: `2:05` between a minute and an hour. @param {number} seconds */
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
 * Switches to another language, and stores the choice. Fires `language` at the document.
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
 * @param {(code: Language) => void} choose called on a new choice
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
