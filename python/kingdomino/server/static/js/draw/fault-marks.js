/**
 * Numbers on the squares where something is wrong.
 */
import { group } from "./art.js";

/**
 * @import { Kingdom } from "./kingdom.js"
 * @import { Square } from "./kingdom-map.js"
 */

/** Removes the numbers. @param {Kingdom} kingdom */
export function clearFaultMarks(kingdom) {
  for (const mark of kingdom.marks.querySelectorAll(".fault")) mark.remove();
}

/** Frames a square, with the number of its fault. @param {Kingdom} kingdom @param {Square} square @param {number} number */
export function markFault(kingdom, square, number) {
  const [x, y] = kingdom.corner(...square);
  const mark = group("fault");
  mark.innerHTML = `<rect x="${x + 4}" y="${y + 4}" width="92" height="92" fill="none" stroke="currentColor" stroke-width="7" ` +
    `stroke-dasharray="16 10"/><circle cx="${x + 78}" cy="${y + 76}" r="24" fill="currentColor"/>` +
    `<text x="${x + 78}" y="${y + 88}">${number}</text>`;
  kingdom.marks.append(mark);
}
