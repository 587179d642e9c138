/**
 * The value of an unknown next line: samples possible lines, and searches each briefly. Computes the chance over all
 * samples with its spread, and the average value of each domino.
 */
import { dominoName, dominoSvg } from "../draw/art.js";
import { el, Emitter } from "../draw/dom.js";
import { team } from "../engine/study.js";
import { list, t } from "../i18n/locale.js";
import { chanceText, decimal, percent } from "../i18n/numbers.js";

/**
 * @import { SampledLine } from "../../engine/calls.js"
 * @import { Node } from "./tree.js"
 *
 * @typedef {object} Worth from the side of one seat
 * @property {number} win the mean of its chances
 * @property {number} spread their standard deviation
 * @property {[number, number]} range that contains four of five
 * @property {Map<number, number>} points of each domino, relative to the mean
 * @property {SampledLine} best
 * @property {SampledLine} worst
 */

/** The number of samples, and the playouts for each. */
const LINES = 240;
const PLAYOUTS = 250;
/** The fewest samples to show a result, and the samples between two reports. */
const FIRST = 16;
/** The fewest samples with a domino to show its value. */
const FEW = 3;
/** The part of the samples outside the range at each end. */
const RARE = 0.1;

/** The last engine: the first one answers requests. */
const sampler = team[team.length - 1];

/** @param {readonly number[]} values */
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The value of the samples to a seat; null if there are too few. @param {readonly SampledLine[]} lines @param {number} seat @returns {Worth | null} */
export function worthOf(lines, seat) {
  if (lines.length < FIRST) return null;
  const wins = lines.map(({ win_rates }) => win_rates[seat]);
  const ordered = [...lines].sort((one, other) => one.win_rates[seat] - other.win_rates[seat]);
  const rare = Math.floor(lines.length * RARE);
  const margin = mean(lines.map(({ mean_margin }) => mean_margin[seat]));
  /** @type {Map<number, number[]>} */
  const margins = new Map();
  for (const { dominoes, mean_margin } of lines) {
    for (const number of dominoes) margins.set(number, [...(margins.get(number) ?? []), mean_margin[seat]]);
  }
  const win = mean(wins);
  return {
    win, spread: Math.sqrt(mean(wins.map((one) => (one - win) ** 2))),
    range: [ordered[rare].win_rates[seat], ordered[ordered.length - 1 - rare].win_rates[seat]],
    points: new Map([...margins].filter(([, all]) => all.length >= FEW).map(([number, all]) => [number, mean(all) - margin])),
    best: ordered[ordered.length - 1], worst: ordered[0],
  };
}

/** @extends {Emitter<{changed: Node, failed: unknown}>} */
export class DueLine extends Emitter {
  #asked = 0;

  /** Samples lines for a position that needs one, and continues earlier sampling. @param {Node} node */
  async start(node) {
    const asked = (this.#asked += 1);
    const { lines } = node;
    if (lines.length) this.emit("changed", node);
    try {
      while (lines.length < LINES) {
        const line = await sampler.ask("sample_line", { position: node.text, seed: lines.length, playouts: PLAYOUTS });
        if (asked !== this.#asked) return;
        lines.push(line);
        if (lines.length % FIRST === 0) this.emit("changed", node);
      }
    } catch (error) {
      if (asked === this.#asked) this.emit("failed", error);
    }
  }

  stop() {
    this.#asked += 1;
  }
}

/** @param {Worth} worth @param {string} name */
export const dueText = ({ win, range: [low, high] }, name) => t("analysis.over_lines", {
  name, chance: chanceText(win, false), low: percent(low), high: percent(high),
});

/**
 * All unseen dominoes with their values; a tap puts one into the line.
 * @param {readonly number[]} unseen
 * @param {readonly number[]} line
 * @param {Worth | null} worth
 * @param {string} name
 * @param {(number: number) => void} pick
 */
export function dueGrid(unseen, line, worth, name, pick) {
  return el("ol.worth", { tabindex: "0", "aria-label": t("analysis.each_brings", { name }) }, ...unseen.map((number) => {
    const points = worth?.points.get(number);
    const words = points === undefined ? "" : decimal(points, true);
    const label = points === undefined ? dominoName(number) : t("analysis.brings", { domino: dominoName(number), points: words, name });
    return el("li", el("button", {
      type: "button", "data-key": `d${number}`, "aria-label": label, "aria-pressed": String(line.includes(number)), onclick: () => pick(number),
    }, el("span", number), el("b", words), el("div.domino", dominoSvg(number))));
  }));
}

/** The best and the worst sample. @param {Worth} worth @param {number} seat @param {string} name */
export function extremesText({ best, worst }, seat, name) {
  const numbers = (/** @type {SampledLine} */ { dominoes }) => list(dominoes.map(String));
  const chance = (/** @type {SampledLine} */ { win_rates }) => chanceText(win_rates[seat], false);
  return t("analysis.extremes", { name, best: numbers(best), high: chance(best), worst: numbers(worst), low: chance(worst) });
}

/** The three dominoes that bring most, and the three that bring least. @param {Worth} worth */
export function highAndLow({ points }) {
  const ordered = [...points].sort(([, one], [, other]) => other - one);
  const item = (/** @type {[number, number]} */ [number, value]) =>
    el("li", el("div.domino", { role: "img", "aria-label": dominoName(number) }, dominoSvg(number)), el("b", decimal(value, true)));
  const shown = Math.min(3, Math.floor(ordered.length / 2));
  return el("ol.hilo", ...ordered.slice(0, shown).map(item), el("li.gap", { "aria-hidden": "true" }), ...(shown ? ordered.slice(-shown).reverse().map(item) : []));
}
