/**
 * Settings in local storage. Without it, they last until the person leaves the page.
 */

/** The setting, or undefined. @param {string} name @returns {unknown} */
export function loadSetting(name) {
  try {
    return JSON.parse(localStorage[`kingdomino.${name}`]);
  } catch {
    return undefined;
  }
}

/** @param {string} name @param {unknown} value */
export function saveSetting(name, value) {
  try {
    localStorage[`kingdomino.${name}`] = JSON.stringify(value);
  } catch {
    /* local storage is full or not allowed */
  }
}

/** @param {string} name */
export function forgetSetting(name) {
  try {
    localStorage.removeItem(`kingdomino.${name}`);
  } catch {
    /* local storage is not allowed */
  }
}

/** Forgets all but these. @param {Iterable<string>} names */
export function forgetAllBut(names) {
  const kept = new Set(names);
  try {
    for (const key of Object.keys(localStorage)) {
      const name = /^kingdomino\.(.*)/.exec(key)?.[1];
      if (name && !kept.has(name)) forgetSetting(name);
    }
  } catch {
    /* local storage is not allowed */
  }
}
