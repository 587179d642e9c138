/**
 * Shortcuts: keys that mean something wherever the focus is. Those of one letter can be switched off, because a person
 * who dictates would type them by a word.
 */
import { loadSetting, saveSetting } from "../net/storage.js";

export const hasShortcuts = () => loadSetting("shortcuts") !== false;

/** @param {boolean} has */
export function setShortcuts(has) {
  saveSetting("shortcuts", has);
  showShortcuts();
}

/** The buttons name their keys while these do something. */
const showShortcuts = () => document.documentElement.classList.toggle("no-shortcuts", !hasShortcuts());
showShortcuts();

/**
 * Whether a key is not meant for the shortcuts of the page: it is switched off, another part has the focus that has keys
 * of its own, or a dialog or a menu is open over the page.
 * @param {KeyboardEvent} event
 * @param {string} [more] what else has keys of its own on this page, as a selector
 */
export function isElsewhere({ target, key, altKey, ctrlKey, metaKey }, more = "") {
  const input = key.startsWith("Arrow") ? "input" : "input:not([type=radio])"; // to a radio, other keys mean nothing
  const parts = [input, "textarea, select, dialog, [popover], .details", more].filter(Boolean).join();
  return altKey || ctrlKey || metaKey || document.querySelector(":modal, :popover-open") !== null ||
    (/^\S$/u.test(key) && !hasShortcuts()) || (target instanceof Element && target.closest(parts) !== null);
}
