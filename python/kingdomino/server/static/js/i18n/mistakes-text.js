/**
 * Sentences about costly decisions: how a margin came about, and the reason for a cost.
 */
import { terrainWord } from "../draw/art.js";
import { t } from "./locale.js";
import { percent } from "./numbers.js";

/**
 * @import { Account, CostPart, Decision } from "../../engine/calls.js"
 * @typedef {(seat: number) => string} NameOf
 */

/**
 * `You lost by 12: 7 were play, 5 were luck.`
 * @param {Account} account
 * @param {boolean} isYou
 * @param {string} who
 */
export function accountText({ margin, start, play, luck }, isYou, who) {
  const form = isYou ? "you" : "other";
  const isLost = margin < 0;
  if (isLost && play > 0 && !start) return t(`mistakes.lost_to_luck_${form}`, { who, n: -margin, luck: -luck });
  const kind = isLost ? "lost" : margin ? "won" : "tied";
  const lead = t(`mistakes.${kind}_${form}`, { who, n: Math.abs(margin) });
  const parts = Object.entries({ start, play, luck }).filter(([, points]) => points)
    .sort(([, one], [, other]) => Math.abs(other) - Math.abs(one));
  const part = (/** @type {string} */ how) => (/** @type {[string, number]} */ [what, points]) =>
    t(`mistakes.${what}_${how}`, { n: Math.abs(points) });
  const said = [
    ...parts.filter(([, points]) => points < 0 === isLost).map(part("was")),
    ...parts.filter(([, points]) => points < 0 !== isLost).map(part(isLost ? "gave" : "took")),
  ];
  return said.length ? t("mistakes.account", { lead, parts: said.join(", ") }) : t("mistakes.account_alone", { lead });
}

/** The theme of a cost, in one word. @param {Decision} decision @param {string} round the text without a theme */
export const wordText = ({ theme }, round) => (theme ? t(`mistakes.theme_${theme}`) : round);

/** The order of the parts of a cost in a sentence. @type {CostPart["kind"][]} */
const KINDS = ["harmony", "middle_kingdom", "terrain", "opponent"];

/**
 * The parts of a cost that are at least a point: bonuses, terrains by size, what opponents gain. Own points are missing.
 * @param {Decision} decision
 * @param {NameOf} nameOf
 */
export function partTexts({ parts }, nameOf) {
  const said = parts.filter(({ whole }) => whole).sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
  return said.map((part) => {
    const { kind, whole, chances } = part;
    const words = kind === "terrain" ? terrainWord(part.terrain) : kind === "opponent" ? nameOf(part.seat)
      : [t(`common.${kind}`), ...(chances ? [`(${chances.map(percent).join(" → ")})`] : [])].join(" ");
    const isMore = (kind === "opponent") === whole > 0;
    return { part, words, figure: `${isMore ? "+" : "−"}${Math.abs(whole)}` };
  });
}
