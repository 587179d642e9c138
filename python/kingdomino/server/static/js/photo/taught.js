/**
 * The look of the squares of your own box, stored on the device: corrections of readings teach the engine.
 */
import { loadSetting, saveSetting } from "../net/storage.js";

const TAUGHT = "taught";
/** Another version's examples teach nothing. */
const VERSION = 1;

/** The examples for `read_photo`, or null. @returns {string | null} */
export function keptExamples() {
  const kept = /** @type {{version?: unknown, examples?: unknown} | null | undefined} */ (loadSetting(TAUGHT));
  return kept?.version === VERSION && typeof kept.examples === "string" ? kept.examples : null;
}

/** @param {string} examples */
export const keepExamples = (examples) => saveSetting(TAUGHT, { version: VERSION, examples });
