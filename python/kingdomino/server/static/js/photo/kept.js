/**
 * The picture and its reading, for a reload: this tab alone stores them, until the kingdom is on the sheet.
 */

import { pictureOf } from "./picture.js";

/**
 * @import { Reading } from "../../engine/calls.js"
 * @import { Corners } from "./picture.js"
 *
 * @typedef {object} Work
 * @property {HTMLCanvasElement} picture
 * @property {Corners} corners
 * @property {boolean} isPlaced
 * @property {5 | 7} size
 * @property {"corners" | "read"} stage
 * @property {Reading["squares"]} read
 * @property {string[]} contents
 * @property {number[]} checked
 * @property {string} readFrom
 */
const KEY = "kingdomino.photo";
/** The format's version; the page ignores work of another one. */
const VERSION = 1;
const TYPE = "image/jpeg";

/** @type {WeakMap<HTMLCanvasElement, string>} */
const encoded = new WeakMap();

/** @param {HTMLCanvasElement} picture */
function textOf(picture) {
  const text = encoded.get(picture) ?? picture.toDataURL(TYPE, 0.9);
  encoded.set(picture, text);
  return text;
}

/** Stores the work; null deletes it. @param {Work | null} work @param {string} of the address it belongs to */
export function keepWork(work, of) {
  try {
    if (work) sessionStorage[KEY] = JSON.stringify({ ...work, version: VERSION, of, picture: textOf(work.picture) });
    else sessionStorage.removeItem(KEY);
  } catch {
    /* the picture is too large, or storage is not allowed */
  }
}

/** The kept work of this address, or null. @param {string} of @returns {Promise<Work | null>} */
export async function keptWork(of) {
  try {
    const kept = JSON.parse(sessionStorage[KEY]);
    if (kept.version !== VERSION || kept.of !== of) return null;
    const bytes = Uint8Array.from(atob(kept.picture.split(",")[1]), (letter) => letter.charCodeAt(0));
    return { ...kept, picture: await pictureOf(new Blob([bytes], { type: TYPE })) };
  } catch {
    return null;
  }
}
