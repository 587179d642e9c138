/**
 * A kingdom for a picture: all squares filled, and the castle in the centre. A test plays it with the engine.
 */

/** @import { Entry } from "../draw/kingdom-map.js" */

/** @type {Entry[]} */
export const FULL = [
  [29, 1, 0, 2, 0], [32, 1, -2, 1, -1], [24, 0, -1, 0, -2], [10, 2, -2, 2, -1], [25, -1, -1, -2, -1],
  [3, -2, -2, -1, -2], [26, -1, 0, -2, 0], [22, -2, 1, -1, 1], [40, -1, 2, -2, 2], [28, 1, 1, 1, 2],
  [4, 2, 1, 2, 2], [5, 0, 2, 0, 1],
];
