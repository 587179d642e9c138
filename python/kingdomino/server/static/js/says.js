/**
 * The line under the kingdom: what a placement brings, or why it cannot be.
 *
 * @typedef {import("./spots.js").Turn} Turn
 * @typedef {import("./spots.js").Growth} Growth
 * @typedef {import("./spots.js").Refusal} Refusal
 */
import { terrainWord } from "./art.js";
import { h } from "./h.js";
import { has, language, t } from "./words.js";

const HOLE = "\u0000"; // where the points stand in a sentence, to be set in bold

/** @param {string} word */
const capital = (word) => word.charAt(0).toLocaleUpperCase(language) + word.slice(1);

/** The reason as a sentence; the engine's English for a code without words. @param {Refusal} refusal */
export function reason({ code, squares, terrains, text }) {
  if (!has(`kingdom.${code}`)) return text;
  if (code !== "no_match") return t(`kingdom.${code}`, { n: squares });
  const [terrain, other] = terrains.map(terrainWord);
  return t(other ? "kingdom.no_match_two" : "kingdom.no_match", { terrain, other });
}

/** What a turn makes grow, as elements: `Wheat grows to 6 squares × 3 crowns +8`, `and lake to 6 × 1 +1`. */
export function growth(/** @type {Turn} */ { grows, left, right }) {
  // What begins comes after what grows; among those, what brings most comes first.
  const fresh = (/** @type {Growth} */ { squares }) => squares === (grows.length === 1 ? 2 : 1);
  const ordered = [...grows].sort((one, other) =>
    Number(fresh(one)) - Number(fresh(other)) || other.points - one.points);
  return ordered.flatMap((each, index) => {
    const place = index ? "then" : "first";
    const kind = fresh(each) ? "begins" : each.crowns ? "grows" : "bare";
    return [
      sentence(`kingdom.${kind}_${place}`, each, "long"),
      " ",
      sentence(`kingdom.short_${place}`, each, "short"),
      " ",
    ];
  });
}

/** @param {string} key @param {Growth} grown @param {string} name */
function sentence(key, { terrain, squares, crowns, points }, name) {
  const [word, the] = [terrainWord(terrain), t(`kingdom.the_${terrain}`)];
  const words = { terrain: word, Terrain: capital(word), the, The: capital(the), squares, n: crowns };
  const [before, after] = t(key, { ...words, gain: points ? HOLE : "" }).trim().split(HOLE);
  return h(`span.${name}`, before, points > 0 && h("b", `+${points}`), after);
}
