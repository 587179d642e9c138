/**
 * What this browser keeps from one visit to the next; one that keeps nothing forgets it.
 */

/** What was kept under this name, or `otherwise`. @param {string} name @param {any} [otherwise] */
export function kept(name, otherwise) {
  try {
    return JSON.parse(localStorage[`kingdomino.${name}`]);
  } catch {
    return otherwise;
  }
}

/** @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    localStorage[`kingdomino.${name}`] = JSON.stringify(value);
  } catch {
    /* it is asked for again next time */
  }
}
