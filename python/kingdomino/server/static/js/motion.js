/**
 * How things move: times and easing from the tokens, so that whoever wants no motion gets none.
 */
import { endMarkup, svg } from "./art.js";

/** @param {string} name */
function token(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** The milliseconds of `--quick`, `--move` or `--settle`. @param {string} name */
export function duration(name) {
  return Number.parseFloat(token(name)) || 0;
}

/** @param {string} name of the duration */
export function timing(name) {
  return { duration: duration(name), easing: token("--ease") || "ease-out" };
}

/**
 * Lets an element grow or shrink to what it is from what it was, told by one part of it before and now.
 * @param {HTMLElement} element
 * @param {DOMRect} before
 * @param {DOMRect} now
 */
export function settle(element, before, now) {
  const [origin, scale] = [element.getBoundingClientRect(), before.width / now.width];
  if (!before.width || !now.width || !duration("--settle")) return;
  const x = before.left - origin.left - (now.left - origin.left) * scale;
  const y = before.top - origin.top - (now.top - origin.top) * scale;
  const start = { transform: `translate(${x}px, ${y}px) scale(${scale})`, transformOrigin: "0 0" };
  element.animate([start, { transform: "none", transformOrigin: "0 0" }], timing("--settle"));
}

/**
 * A domino flies over the page, each end on a path of its own, because art is never turned. Settles when it
 * has arrived.
 * @param {number} number
 * @param {DOMRect} from where it lies, its left end at the left
 * @param {[DOMRect, DOMRect]} to where its ends will lie
 */
export async function fly(number, from, to) {
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
