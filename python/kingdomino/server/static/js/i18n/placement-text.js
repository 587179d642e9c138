/**
 * The line under the kingdom: the gain of a placement, its place, or why it is illegal.
 */
import { terrainWord } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { capital, hasWords, t } from "./locale.js";

/**
 * @import { Frame, Square } from "../draw/kingdom-map.js"
 * @import { TerritoryGain, Refused } from "../net/types.js"
 * @typedef {Omit<Refused, "placements">} Refusal
 */

const HOLE = "\u0000"; // the place of the points in a sentence, to make them bold

/** The places of squares, for people who do not see them. @param {Square[]} squares @param {Frame} frame of the kingdom */
export const squaresText = (squares, { left, top }) =>
  squares.map(([x, y]) => t("hint.where", { column: x - left + 1, row: top - y + 1 })).join(" ");

/** A refusal as a sentence; the engine's sentence for a code without words. @param {Refusal} refusal */
export function refusalText({ code, squares, terrains, text }) {
  if (!hasWords(`kingdom.${code}`)) return text;
  if (code !== "no_match") return t(`kingdom.${code}`, { n: squares });
  const [terrain, other] = terrains.map(terrainWord);
  return other ? t("kingdom.no_match_two", { terrain, other }) : t("kingdom.no_match", { terrain });
}

/**
 * `Wheat grows to 6 squares × 3 crowns +8 and lake to 6 × 1 +1`; `A new lake, +1, and a new forest.`
 * @param {TerritoryGain[]} gains
 */
export function placementText(gains) {
  // New territories come last, the others by points.
  const isNew = (/** @type {TerritoryGain} */ { squares }) => squares === (gains.length === 1 ? 2 : 1);
  const ordered = [...gains].sort((one, other) =>
    Number(isNew(one)) - Number(isNew(other)) || other.points - one.points);
  const words = ordered.flatMap((gain, index) => {
    const position = index ? "then" : "first";
    const kind = isNew(gain) ? (gain.points ? "new" : "new_bare") : gain.crowns ? "grows" : "bare";
    const afterNew = index > 0 && isNew(ordered[0]) && ordered[0].points > 0;
    const [long, short] = [`kingdom.${kind}_${position}`, `kingdom.${isNew(gain) ? kind : "short"}_${position}`];
    return [
      afterNew ? ", " : " ",
      sentence(long, gain, "long"),
      sentence(short, gain, "short"),
    ];
  });
  return ordered.every(isNew) ? [...words, "."] : words;
}

/** @param {string} key @param {TerritoryGain} gain @param {string} className */
function sentence(key, { terrain, squares, crowns, points }, className) {
  const [word, the] = [terrainWord(terrain), t(`kingdom.the_${terrain}`)];
  const fresh = t(`kingdom.new_${terrain}`);
  const words = {
    terrain: word, Terrain: capital(word), the, The: capital(the), fresh, Fresh: capital(fresh), squares, n: crowns,
  };
  const [before, after] = t(key, { ...words, gain: points ? HOLE : "" }).trim().split(HOLE);
  return el(`span.${className}`, before, points > 0 && el("b", `+${points}`), after);
}
