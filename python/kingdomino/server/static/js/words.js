/**
 * Words: everything a person reads comes from here, in the language that the person reads.
 *
 * One catalogue a language (`/static/words/CODE.json`), flat keys. A value is a text with `{holes}`, or
 * several by the plural of `params.n`: `{"one": "{n} square", "other": "{n} squares"}`.
 *
 * @typedef {Record<string, string | number>} Params
 * @typedef {string | Record<string, string>} Entry
 */
import { keep, kept } from "./keep.js";

/** The languages there are, each in its own words. */
export const LANGUAGES = { en: "English", fr: "Français", es: "Español" };

/** The code of the language spoken now: the one asked for before, or the first of the browser's that there is. */
export let language = [kept("language", ""), ...navigator.languages]
  .map((tag) => String(tag).slice(0, 2).toLowerCase())
  .find((code) => code in LANGUAGES) ?? "en";

/** @type {Record<string, Entry>} */
let entries = {};

/** @param {string} code */
async function load(code) {
  const answer = await fetch(`/static/words/${code}.json`);
  entries = await answer.json();
  language = code;
  document.documentElement.lang = code;
  fill();
}

/**
 * The text of `key` with its holes filled; the key itself where the catalogue has none.
 * @param {string} key
 * @param {Params} [params]
 */
export function t(key, params = {}) {
  return text(entries[key] ?? key, params, new Intl.PluralRules(language));
}

/** @param {Entry} entry @param {Params} params @param {Intl.PluralRules} rules */
function text(entry, params, rules) {
  const form = typeof entry === "string" ? entry : (entry[rules.select(Number(params.n))] ?? entry.other);
  return form.replace(/\{(\w+)\}/g, (hole, name) => String(params[name] ?? hole));
}

/** Whether the catalogue has an entry for `key`. @param {string} key */
export const has = (key) => key in entries;

/** `1st`, `2nd`… in the language spoken now. @param {number} n */
export function ordinal(n) {
  return text(entries["common.ordinal"], { n }, new Intl.PluralRules(language, { type: "ordinal" }));
}

/** `a, b and c`; `a, b or c`. @param {string[]} items @param {"conjunction" | "disjunction"} [type] */
export function list(items, type = "conjunction") {
  return new Intl.ListFormat(language, { type }).format(items);
}

/** Writes the words into `[data-t]` (text), `[data-t-label]` (aria-label) and `[data-t-hint]` (placeholder). */
function fill() {
  for (const each of document.querySelectorAll("[data-t], [data-t-label], [data-t-hint]")) {
    const element = /** @type {HTMLInputElement} */ (each);
    const { t: text, tLabel, tHint } = element.dataset;
    if (text) element.textContent = t(text);
    if (tLabel) element.ariaLabel = t(tLabel);
    if (tHint) element.placeholder = t(tHint);
  }
}

/**
 * Speaks another language from now on, here and on the next visit; `document` fires `language` when it does.
 * @param {string} code
 */
export async function setLanguage(code) {
  keep("language", code);
  await load(code);
  document.dispatchEvent(new Event("language"));
}

/** Lets a `<select>` choose the language. @param {HTMLSelectElement} select */
export function chooseLanguage(select) {
  for (const [code, name] of Object.entries(LANGUAGES)) {
    const option = new Option(name, code, false, code === language);
    option.lang = code;
    select.add(option);
  }
  select.onchange = () => setLanguage(select.value);
}

/** Settles when the words are there. */
export const ready = load(language);
