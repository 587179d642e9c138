/**
 * Dragging a domino: it follows the pointer over the page until it is dropped.
 */
import { dominoSvg } from "./art.js";
import { el } from "./dom.js";

const DRAG = 6; // pixels: less is a click

/**
 * Drags a domino from a press until it is dropped, or until the controller that this returns aborts it.
 * @param {PointerEvent} press
 * @param {number} number
 * @param {object} how
 * @param {{dx: number, dy: number}} how.grip from the pointer to the middle of the domino, in pixels
 * @param {(x: number, y: number) => {unit: number, seen: boolean}} how.moved gets its middle; returns
 *   the width of a square there, and whether to show the domino
 * @param {(isDrag: boolean, isDropped: boolean) => void} how.ended whether it was a drag, and was not cancelled
 */
export function dragDomino(press, number, { grip, moved, ended }) {
  const dragging = new AbortController();
  const { signal } = dragging;
  const dragged = el("div.in-hand", dominoSvg(number));
  const move = (/** @type {PointerEvent} */ now) => {
    const far = Math.hypot(now.clientX - press.clientX, now.clientY - press.clientY);
    if (now.pointerId !== press.pointerId || (!dragged.isConnected && far < DRAG)) return;
    if (!dragged.isConnected) document.body.append(dragged);
    const [x, y] = [now.clientX + grip.dx, now.clientY + grip.dy];
    const { unit, seen } = moved(x, y);
    dragged.hidden = !seen;
    dragged.style.width = `${2 * unit}px`;
    dragged.style.transform = `translate(${x - unit}px, ${y - unit / 2}px)`;
  };
  const end = (/** @type {PointerEvent} */ now) => {
    if (now.pointerId !== press.pointerId) return;
    const isDrag = dragged.isConnected;
    dragging.abort();
    ended(isDrag, now.type === "pointerup");
  };
  signal.addEventListener("abort", () => dragged.remove());
  window.addEventListener("pointermove", move, { signal });
  window.addEventListener("pointerup", end, { signal });
  window.addEventListener("pointercancel", end, { signal });
  return dragging;
}
