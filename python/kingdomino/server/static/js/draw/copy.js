/**
 * Copying to the clipboard.
 */
import { t } from "../i18n/locale.js";

/** How long "Copied" is shown, in milliseconds. */
export const COPIED = 2000;

/**
 * Copies a text to the clipboard, also on a page without HTTPS, where browsers offer no clipboard API. Where the browser
 * refuses, the text is selected, to be copied by hand: some do if one had to wait for the text after a click.
 * @param {string} text
 * @param {HTMLInputElement} [shown] the field that shows the text; without one, a dialog does
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyText(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
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
