/**
 * A score by territory, on demand: squares × crowns, those that count first.
 *
 * @typedef {import("./fold.js").Score} Score
 */
import { squareSvg, terrainWord } from "./art.js";
import { h } from "./h.js";
import { t } from "./words.js";

/** @typedef {Score["territories"][number]} Territory */

/** `5 × 3`. @param {Territory} territory */
export const figures = ({ squares, crowns }) => `${squares.length} × ${crowns}`;

/** A territory in a list, in figures and in words. @param {Territory} territory @param {object} [attributes] */
export function territoryRow(territory, attributes = {}) {
  const { squares, crowns, points } = territory;
  const terrain = terrainWord(territory.terrain);
  const spoken = t("end.territory", {
    terrain, squares: t("end.squares", { n: squares.length }), crowns: t("end.crowns", { n: crowns }),
    points: t("end.points", { n: points }),
  });
  const seen = { "aria-hidden": "true" };
  return h("li", attributes, squareSvg(territory.terrain), h("span.visually-hidden", spoken),
    h("span.word", seen, terrain), h("span.figures", seen, figures(territory)), h("b", seen, points));
}

/**
 * @param {Score} score of a game that goes on
 * @param {any} kingdom where a territory is lit while it is pointed at
 * @param {number} before the points of the games before this one
 */
export function scoreList(score, kingdom, before) {
  const crowned = score.territories.filter(({ crowns }) => crowns > 0);
  const rows = crowned.map((territory) => territoryRow(territory, {
    onpointerenter: () => kingdom.light(territory.squares, `${figures(territory)} = ${territory.points}`),
    onpointerleave: () => kingdom.dark(),
  }));
  const more = (/** @type {string} */ words, /** @type {number} */ points) =>
    rows.push(h("li.more", h("span", words), h("b", points)));
  const bare = score.territories.reduce((sum, { crowns, squares }) => sum + (crowns ? 0 : squares.length), 0);
  if (bare) more(t("table.crownless", { n: bare }), 0);
  for (const bonus of /** @type {const} */ (["harmony", "middle_kingdom"])) {
    if (score[bonus]) more(t("table.if_now", { bonus: t(`common.${bonus}`) }), score[bonus]);
  }
  if (before) more(t("table.games_before"), before);
  return h("ul.terr", ...rows);
}
