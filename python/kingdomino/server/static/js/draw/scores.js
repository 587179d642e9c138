/**
 * A score by territory: squares × crowns, most points first.
 */
import { t } from "../i18n/locale.js";
import { squareSvg, terrainWord } from "./art.js";
import { el } from "./dom.js";

/**
 * @import { Attributes } from "./dom.js"
 * @import { Score, Territory } from "../net/types.js"
 * @import { Kingdom } from "./kingdom.js"
 */

/** `5 × 3`. @param {Territory} territory */
export const figures = ({ squares, crowns }) => `${squares.length} × ${crowns}`;

/** A territory as a list item. @param {Territory} territory @param {Attributes} [attributes] */
export function territoryRow(territory, attributes = {}) {
  const { squares, crowns, points } = territory;
  const terrain = terrainWord(territory.terrain);
  const spoken = t("end.territory", {
    terrain, squares: t("end.squares", { n: squares.length }), crowns: t("end.crowns", { n: crowns }),
    points: t("end.points", { n: points }),
  });
  const hidden = { "aria-hidden": "true" };
  return el("li", attributes, squareSvg(territory.terrain), el("span.visually-hidden", spoken),
    el("span.word", hidden, terrain), el("span.figures", hidden, figures(territory)), el("b", hidden, points));
}

/**
 * The list of territories of a kingdom, in an unfinished game.
 * @param {Score} score
 * @param {Kingdom} kingdom highlights a territory while the mouse is over its row
 * @param {number} before the points of earlier games
 */
export function scoreList(score, kingdom, before) {
  const crowned = score.territories.filter(({ crowns }) => crowns > 0);
  const rows = crowned.map((territory) => territoryRow(territory, {
    onpointerenter: () => kingdom.highlight(territory.squares, `${figures(territory)} = ${territory.points}`),
    onpointerleave: () => kingdom.clearHighlights(),
  }));
  const add = (/** @type {string} */ words, /** @type {number} */ points) =>
    rows.push(el("li.more", el("span", words), el("b", points)));
  const bare = score.territories.reduce((sum, { crowns, squares }) => sum + (crowns ? 0 : squares.length), 0);
  if (bare) add(t("table.crownless", { n: bare }), 0);
  for (const bonus of /** @type {const} */ (["harmony", "middle_kingdom"])) {
    if (score[bonus]) add(t("table.if_now", { bonus: t(`common.${bonus}`) }), score[bonus]);
  }
  if (before) add(t("table.games_before"), before);
  return el("ul.terr", ...rows);
}
