/**
 * A score by territory, on demand: squares × crowns, those that count first.
 * Imports art.js, h.js and words.js.
 *
 * @typedef {import("./fold.js").Score} Score
 */
import { squareSvg, terrainWord } from "./art.js";
import { h } from "./h.js";
import { t } from "./words.js";

/**
 * @param {Score} score of a game that goes on, or a final one
 * @param {{kingdom?: any, before?: number}} [options] `kingdom`: where a territory is lit while it is
 *   pointed at; `before`: the points of the games before this one
 */
export function scoreList(score, { kingdom, before = 0 } = {}) {
  const crowned = score.territories.filter(({ crowns }) => crowns > 0);
  const rows = crowned.map(({ terrain, squares, crowns, points }) => {
    const product = `${squares.length} × ${crowns}`;
    const light = () => kingdom?.light(squares, `${product} = ${points}`);
    return h("li", { onpointerenter: light, onpointerleave: () => kingdom?.dark() },
      squareSvg(terrain),
      h("span", { class: "visually-hidden" },
        t("table.territory", { terrain: terrainWord(terrain), n: squares.length, crowns, points })),
      h("span", { class: "word", "aria-hidden": "true" }, terrainWord(terrain)),
      h("span", { class: "figures", "aria-hidden": "true" }, product),
      h("b", { "aria-hidden": "true" }, points));
  });
  const more = (/** @type {string} */ words, /** @type {number} */ points) =>
    rows.push(h("li", { class: "more" }, h("span", {}, words), h("b", {}, points)));
  const bare = score.territories.reduce((sum, { crowns, squares }) => sum + (crowns ? 0 : squares.length), 0);
  if (bare) more(t("table.crownless", { n: bare }), 0);
  for (const bonus of /** @type {const} */ (["harmony", "middle_kingdom"])) {
    if (score[bonus]) more(t("table.if_now", { bonus: t(`common.${bonus}`) }), score[bonus]);
  }
  if (before) more(t("table.games_before"), before);
  return h("ul", { class: "terr" }, ...rows);
}
