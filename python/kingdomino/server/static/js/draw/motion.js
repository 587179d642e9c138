/**
 * Animations. Times and easing come from the tokens, so that nothing moves with reduced motion or while the page is
 * hidden: then everything is in its place at once.
 */
import { endMarkup, svg } from "./art.js";
import { el } from "./dom.js";

/** @param {string} name of a token */
export function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The milliseconds of `--quick`, `--move` or `--settle`. @param {string} name */
export function duration(name) {
  return Number.parseFloat(token(name)) || 0;
}

/** @param {string} name of the duration */
function timing(name) {
  return { duration: duration(name), easing: token("--ease") || "ease-out" };
}

/** Whether anything should move now. */
export const motionAllowed = () => !document.hidden && duration("--move") > 0;

/** A hidden page would pause its animations until it is visible again. */
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) return;
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
});

/** @param {number} ms */
export const delay = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Animates, and settles when the animation ends or stops.
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} options
 */
const animate = (element, frames, options) =>
  element.animate(frames, { fill: "backwards", ...options }).finished.catch(() => {});

/**
 * Animates a change of size, given the old and the new place of a part of the element.
 * @param {HTMLElement} element
 * @param {DOMRect} before
 * @param {DOMRect} now
 */
export function animateResize(element, before, now) {
  const [origin, scale] = [element.getBoundingClientRect(), before.width / now.width];
  if (!before.width || !now.width || !duration("--settle")) return;
  const x = before.left - origin.left - (now.left - origin.left) * scale;
  const y = before.top - origin.top - (now.top - origin.top) * scale;
  const start = { transform: `translate(${x}px, ${y}px) scale(${scale})`, transformOrigin: "0 0" };
  element.animate([start, { transform: "none", transformOrigin: "0 0" }], timing("--settle"));
}

/**
 * Moves a domino over the page, each end on its own path, because art is never rotated. Settles when it arrives.
 * @param {number} number
 * @param {DOMRect} from where it lies, its left end at the left
 * @param {[DOMRect, DOMRect]} to where its ends will lie
 */
export async function flyDomino(number, from, to) {
  const flights = /** @type {const} */ (["left", "right"]).map(async (end, index) => {
    const { left, top, width } = to[index];
    const square = svg("0 0 100 100", endMarkup(number, end, 0, 0));
    square.classList.add("flying");
    Object.assign(square.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
    document.body.append(square);
    const [x, y] = [from.left + (index * from.width) / 2 - left, from.top - top];
    const away = `translate(${x}px, ${y}px) scale(${from.width / 2 / width})`;
    const path = [
      { transform: away },
      { transform: `${away} translateY(-8%) scale(1.06)`, offset: 0.15 },
      { transform: "none" },
    ];
    await square.animate(path, timing("--move")).finished.catch(() => {});
    return square;
  });
  for (const square of await Promise.all(flights)) square.remove();
}

/**
 * Moves an element from another place to its own, where it already is.
 * @param {Element | null} element
 * @param {DOMRect | undefined} from
 * @param {number} [lift] how much larger it is at the start
 */
export async function slideFrom(element, from, lift = 1.06) {
  if (!element || !from?.width || !motionAllowed()) return;
  const to = element.getBoundingClientRect();
  const x = from.x + from.width / 2 - to.x - to.width / 2;
  const y = from.y + from.height / 2 - to.y - to.height / 2;
  if (!to.width || Math.hypot(x, y) < 1) return;
  const size = (from.width / to.width) * lift;
  const start = { transform: `translate(${x}px, ${y}px) scale(${size})`, zIndex: 5 };
  await animate(element, [start, { transform: "none", zIndex: 5 }], timing("--move"));
}

/** @param {Element} element */
export async function fadeIn(element) {
  if (motionAllowed()) await animate(element, [{ opacity: 0 }, { opacity: 1 }], timing("--move"));
}

/**
 * Turns a domino over from its back to its face.
 * @param {HTMLElement} face
 * @param {Element} back
 * @param {number} delay in milliseconds
 */
export async function turnOver(face, back, delay) {
  if (!motionAllowed()) return;
  const half = duration("--settle") / 2;
  const cover = el("div.domino.cover", back);
  face.parentElement?.append(cover);
  const edge = { transform: "rotateX(90deg)" };
  const flat = { transform: "none" };
  const shown = animate(face, [edge, flat], { duration: half, delay: delay + half, easing: "ease-out" });
  await animate(cover, [flat, edge], { duration: half, delay, easing: "ease-in", fill: "both" });
  cover.remove();
  await shown;
}

/**
 * Counts the number in an element up (or down), in whole numbers.
 * @param {HTMLElement} element
 * @param {number} from
 * @param {number} to
 * @param {() => boolean} isCurrent whether the number is still current
 */
export async function countTo(element, from, to, isCurrent) {
  const [lasting, start] = [duration("--move"), performance.now()];
  for (let part = 0; part < 1 && from !== to && motionAllowed();) {
    part = Math.min(1, (performance.now() - start) / lasting);
    element.textContent = String(Math.round(from + (to - from) * part));
    await delay(16);
    if (!isCurrent()) return;
  }
  element.textContent = String(to);
}
