/**
 * What moves on the table: kings and dominoes travel on one path, dominoes turn over, numbers count.
 * Only transforms and opacity move; for whoever wants no motion, and out of sight, everything simply stands
 * where it belongs.
 */
import { duration, timing } from "./motion.js";

/** Whether anything should move now. */
export const moving = () => !document.hidden && duration("--move") > 0;

/** @param {number} ms */
export const pause = (ms) => new Promise((go) => setTimeout(go, ms));

/**
 * Settles when the animation has ended, however.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
const animated = (element, frames, options) =>
  element.animate(frames, { fill: "backwards", ...options }).finished.catch(() => {});

/**
 * Lets an element that already stands in its place come there from where something was.
 * @param {Element | null} element
 * @param {DOMRect | undefined} from
 * @param {number} [lift] how much larger it is at the start, in the hand
 */
export async function travel(element, from, lift = 1.06) {
  if (!element || !from?.width || !moving()) return;
  const to = element.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  if (!to.width || Math.hypot(x, y) < 1) return;
  const size = (from.width / to.width) * lift;
  const start = { transform: `translate(${x}px, ${y}px) scale(${size})`, zIndex: 5 };
  await animated(element, [start, { transform: "none", zIndex: 5 }], timing("--move"));
}

/** @param {Element} element */
export async function appear(element) {
  if (moving()) await animated(element, [{ opacity: 0 }, { opacity: 1 }], timing("--move"));
}

/**
 * Turns a domino over: first its back is seen, then its face.
 * @param {HTMLElement} face
 * @param {Element} back
 * @param {number} delay in milliseconds
 */
export async function turnOver(face, back, delay) {
  if (!moving()) return;
  const half = duration("--settle") / 2;
  const cover = document.createElement("div");
  cover.className = "domino cover";
  cover.append(back);
  face.parentElement?.append(cover);
  const edge = { transform: "rotateX(90deg)" };
  const flat = { transform: "none" };
  const shown = animated(face, [edge, flat], { duration: half, delay: delay + half, easing: "ease-out" });
  await animated(cover, [flat, edge], { duration: half, delay, easing: "ease-in", fill: "both" });
  cover.remove();
  await shown;
}

/**
 * Counts a number in an element up (or down), in whole numbers.
 * @param {HTMLElement} element
 * @param {number} from
 * @param {number} to
 */
export async function count(element, from, to) {
  const [lasting, start] = [duration("--move"), performance.now()];
  for (let part = 0; part < 1 && from !== to && moving();) {
    part = Math.min(1, (performance.now() - start) / lasting);
    element.textContent = String(Math.round(from + (to - from) * part));
    await pause(16);
  }
  element.textContent = String(to);
}
