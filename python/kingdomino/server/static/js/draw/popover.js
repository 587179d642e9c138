/**
 * Closes popovers on a press outside. Browsers do so by themselves, but Safari on iPhones and iPads only since 18.3.
 */

/** @param {HTMLElement} popover */
export function closeOnOutsidePress(popover) {
  document.addEventListener("pointerdown", ({ target }) => {
    if (!popover.matches(":popover-open") || !(target instanceof Element) || popover.contains(target)) return;
    const opener = target.closest("button")?.popoverTargetElement; // its click closes the popover
    if (opener !== popover) popover.hidePopover();
  });
}
