/**
 * Shortcuts: keys that work wherever the focus is. People can switch off single letters, because dictation types them
 * with any word.
 */
import { loadSetting, saveSetting } from "../net/storage.js";

export const hasShortcuts = () => loadSetting("shortcuts") !== false;

/** @param {boolean} has */
export function setShortcuts(has) {
  saveSetting("shortcuts", has);
  showShortcuts();
}

/** Buttons show their keys while these work. */
const showShortcuts = () => document.documentElement.classList.toggle("no-shortcuts", !hasShortcuts());
showShortcuts();

/**
 * Whether a key is not for the page's shortcuts: it is switched off, the focus is in a part with keys of its own, or a
 * dialog or a menu is open.
 * @param {KeyboardEvent} event
 * @param {string} [more] a selector of other parts with keys of their own
 */
export function isElsewhere({ target, key, altKey, ctrlKey, metaKey }, more = "") {
  const input = key.startsWith("Arrow") ? "input" : "input:not([type=radio])"; // a radio ignores other keys
  const parts = [input, "textarea, select, dialog, [popover], .details", more].filter(Boolean).join();
  return altKey || ctrlKey || metaKey || document.querySelector(":modal, :popover-open") !== null ||
    (/^\S$/u.test(key) && !hasShortcuts()) || (target instanceof Element && target.closest(parts) !== null);
}
