/**
 * Copying to the clipboard.
 */
import { t } from "../i18n/locale.js";
import { announce } from "./dom.js";

/** How long "Copied" is shown, in milliseconds. */
const COPIED = 2000;

/**
 * Copies a text to the clipboard, even without HTTPS, where browsers have no clipboard API. If the browser refuses, selects
 * the text, to be copied by hand.
 * @param {string | Promise<string>} text or a promise of it; throws if that rejects
 * @param {HTMLInputElement} [shown] the field that shows the text; without one, a dialog does
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyText(text, shown) {
  try {
    await (typeof text === "string" ? navigator.clipboard.writeText(text) : copyLater(text));
    return true;
  } catch {
    text = await text;
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
    field.className = "visually-hidden";
    const { activeElement } = document;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    if (activeElement instanceof HTMLElement) activeElement.focus();
    if (!isCopied && shown) shown.select();
    else if (!isCopied) prompt(t("common.copy_by_hand"), text);
    return isCopied;
  }
}

/**
 * Copies a text, and says so on the pressed button for a while.
 * @param {HTMLElement} label of the button
 * @param {string} key of its usual words
 * @param {string} text
 * @param {HTMLInputElement} [shown] the field that shows the text
 */
export async function copyFrom(label, key, text, shown) {
  if (await copyText(text, shown)) showCopied(label, () => t(key));
}

/**
 * Shows on a pressed button for a while that it copied something, and says so.
 * @param {HTMLElement} label of the button
 * @param {() => string | Node} usual what it shows afterwards, in the language of that moment
 * @param {string | Node} [done] what it shows for a while; by default "Copied"
 */
export function showCopied(label, usual, done = t("wait.copied")) {
  label.replaceChildren(done);
  announce(t("wait.copied"));
  setTimeout(() => label.replaceChildren(usual()), COPIED);
}

/**
 * Safari writes only during a click, so pass it the promise. Firefox accepts no promise before release 127, but writes for
 * some seconds after a click.
 * @param {Promise<string>} text
 */
async function copyLater(text) {
  if (!("ClipboardItem" in window)) return navigator.clipboard.writeText(await text);
  const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
  return navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
}
