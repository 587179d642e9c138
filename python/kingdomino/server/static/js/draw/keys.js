/**
 * Shortcuts: keys that mean something wherever the focus is.
 */

/**
 * Whether a key is not meant for the shortcuts of the page: another part has the focus that has keys of its own, or a
 * dialog or a menu is open over the page.
 * @param {KeyboardEvent} event
 * @param {string} [more] what else has keys of its own on this page, as a selector
 */
export function isElsewhere({ target, key, altKey, ctrlKey, metaKey }, more = "") {
  const input = key.startsWith("Arrow") ? "input" : "input:not([type=radio])"; // to a radio, other keys mean nothing
  const parts = [input, "textarea, select, dialog, [popover], .details", more].filter(Boolean).join();
  return altKey || ctrlKey || metaKey || document.querySelector(":modal, :popover-open") !== null ||
    (target instanceof Element && target.closest(parts) !== null);
}
