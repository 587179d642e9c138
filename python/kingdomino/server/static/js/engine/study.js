/**
 * The engine of a page that studies: reviews, puzzles, scores and photographs need calls that the engine for play does
 * without.
 */
import { Engine } from "./engine.js";

/** @import { Calls } from "../../engine/calls.js" */

const MOST_ENGINES = 4;

/** Starts with the first request. @returns {Engine<keyof Calls>} */
const whole = () => new Engine("kingdomino");

/** The engine of this page. */
export const engine = whole();

/** As many engines as the machine can run at once, including this one. */
export const team = Array.from(
  { length: Math.min(navigator.hardwareConcurrency || 1, MOST_ENGINES) }, (_, at) => (at ? whole() : engine));
/** The engines for a common search. Together their trees take at most 150 MB. */
export const searchers = team.slice(0, 2);
