/**
 * Lengths of time in words.
 */
import { t } from "./locale.js";

const UNITS = /** @type {const} */ ([["days", 86_400], ["hours", 3600], ["minutes", 60], ["seconds", 1]]);

/** `2 minutes`, in the largest unit of which there is a whole one. @param {number} seconds */
export function timeText(seconds) {
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? UNITS[UNITS.length - 1];
  return t(`common.${unit}`, { n: Math.floor(seconds / length) });
}

/** What is left of a turn: `2:05` if that is more than a minute and less than an hour. @param {number} seconds */
export function clockText(seconds) {
  if (seconds < 60 || seconds >= 3600) return timeText(seconds);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
