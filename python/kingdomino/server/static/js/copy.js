/**
 * Putting a text on the clipboard.
 */

/**
 * Copies a text, also where the browser has no clipboard for pages because they came without HTTPS.
 * @param {string} text
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
    field.className = "visually-hidden";
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
    focused?.focus();
  }
}
