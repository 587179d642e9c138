/**
 * The best possible kingdom with the same dominoes that a second's search finds.
 */
import { engine } from "../engine/study.js";
import { possible, rulesReady, rulesSet } from "../pages/rules-sets.js";
import { squaresOf } from "./sheet.js";

/**
 * @import { Land, Sheet } from "./sheet.js"
 */

/** About a second. */
const STEPS = 20_000;

/**
 * The best arrangement of a kingdom's dominoes: the placed ones, or else some that make its squares.
 * @param {Sheet} sheet
 * @param {Land} land
 * @param {string} text the kingdom
 */
export async function bestArrangement({ size, edition, harmony, middle_kingdom }, land, text) {
  await rulesReady;
  const { text: rules } = rulesSet(possible({ players: 2, edition, harmony, middle_kingdom, mighty_duel: size === 7 }));
  const areKnown = 2 * land.dominoes.length === squaresOf(land).length;
  const given = areKnown ? { dominoes: land.dominoes.map(([number]) => number) } : { kingdom: text, dominoes: [] };
  const { kingdom } = await engine.ask("best_arrangement", { ...given, rules, steps: STEPS, seed: 1 });
  return kingdom;
}
