/**
 * A domino in the hand: it follows the pointer over the page until it is let go.
 */
import { dominoSvg } from "./art.js";
import { h } from "./h.js";

const STARTED = 6; // pixels: a drag, no longer a click

/**
 * Carries a domino from a press on, until it is let go or the signal that this gives back is aborted.
 * @param {PointerEvent} press
 * @param {number} number
 * @param {object} how
 * @param {{dx: number, dy: number}} how.grip from the pointer to the middle of the domino, in pixels
 * @param {(x: number, y: number) => {unit: number, seen: boolean}} how.moved told where its middle is; says
 *   how wide a square is there, and whether the domino itself is to be seen
 * @param {(carried: boolean, dropped: boolean) => void} how.ended whether it was a drag, and not given up
 */
export function carry(press, number, { grip, moved, ended }) {
  const carrying = new AbortController();
  const { signal } = carrying;
  /** @type {HTMLElement | undefined} */
  let hand;
  const move = (/** @type {PointerEvent} */ now) => {
    const far = Math.hypot(now.clientX - press.clientX, now.clientY - press.clientY);
    if (now.pointerId !== press.pointerId || (!hand && far < STARTED)) return;
    if (!hand) document.body.append((hand = h("div.in-hand", dominoSvg(number))));
    const [x, y] = [now.clientX + grip.dx, now.clientY + grip.dy];
    const { unit, seen } = moved(x, y);
    hand.hidden = !seen;
    hand.style.width = `${2 * unit}px`;
    hand.style.transform = `translate(${x - unit}px, ${y - unit / 2}px)`;
  };
  const end = (/** @type {PointerEvent} */ now) => {
    if (now.pointerId !== press.pointerId) return;
    carrying.abort();
    ended(!!hand, now.type === "pointerup");
  };
  signal.addEventListener("abort", () => hand?.remove());
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", end, { signal });
  window.addEventListener("pointercancel", end, { signal });
  return carrying;
}
