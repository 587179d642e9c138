/**
 * A kingdom at the end and what it scored: large on its sheet, where it is counted, and as a list for the eye
 * and the ear. Imports art.js, h.js, kingdom.js, rich.js, verdict.js and words.js.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./verdict.js").Part} Part
 * @typedef {import("./verdict.js").Territory} Territory
 */
import { SEATS, seal, squareSvg, terrainWord } from "./art.js";
import { h } from "./h.js";
import "./kingdom.js";
import { nameOf } from "./rich.js";
import { parts } from "./verdict.js";
import { list, t } from "./words.js";

/**
 * A kingdom on its sheet, not counted yet; `count` lights one part of its score and adds it.
 * @param {Table} table
 * @param {number} seat
 */
export function uncounted(table, seat) {
  const kingdom = picture(table, seat);
  const drawn = new Promise((settle) => kingdom.addEventListener("drawn", settle, { once: true }));
  const score = h("span", { class: "score" }, "0");
  const bonuses = h("p", { class: "bonuses" });
  const name = nameOf(table, seat);
  const lost = table.kingdoms[seat].discarded.length;
  let sum = 0;
  return {
    element: h("section", { class: `mine sheet seat-${SEATS[seat]}`, "aria-label": name },
      h("div", { class: "who" },
        seal(seat), h("span", { class: "name" }, name),
        lost > 0 && h("small", {}, t("end.discarded", { n: lost })), score),
      kingdom, bonuses, h("div", { class: "visually-hidden" }, account(table, seat))),
    /** @param {Part} part */
    count(part) {
      sum += part.points;
      score.textContent = String(sum);
      if ("bonus" in part) {
        bonuses.append(h("span", {}, t(`common.${part.bonus}`), " ", h("b", {}, `+${part.points}`)));
      } else {
        drawn.then(() => kingdom.light(part.squares, pill(part)));
      }
    },
  };
}

/** The same, with all of it counted. @param {Table} table @param {number} seat */
export function counted(table, seat) {
  const kingdom = uncounted(table, seat);
  for (const part of inTurn(table, seat)) kingdom.count(part);
  return kingdom.element;
}

/** What is counted one after another: the territories, the largest last, then the bonuses. */
export function inTurn(/** @type {Table} */ table, /** @type {number} */ seat) {
  const { territories, bonuses } = parts(table.finished.scores[seat]);
  return [...territories.reverse(), ...bonuses];
}

/** The kingdom of a seat as it was left. @param {Table} table @param {number} seat */
export function picture(table, seat) {
  const { dominoes } = table.kingdoms[seat];
  const label = t("end.kingdom_of", { who: nameOf(table, seat) });
  return Object.assign(h("kd-kingdom"), { size: table.rules.size, seat, frame: "window", dominoes, label });
}

/** What a seat scored, part by part, in figures and in words. @param {Table} table @param {number} seat */
export function account(table, seat) {
  const { territories, bonuses } = parts(table.finished.scores[seat]);
  const rows = territories.map((part) => h("li", {},
    squareSvg(part.terrain), h("span", { class: "visually-hidden" }, spoken(part)),
    h("span", { "aria-hidden": "true" }, terrainWord(part.terrain)),
    h("span", { class: "figures", "aria-hidden": "true" }, figures(part)),
    h("b", { "aria-hidden": "true" }, part.points)));
  if (bonuses.length) {
    const points = bonuses.map((part) => part.points);
    rows.push(h("li", { class: "bonus" },
      list(bonuses.map(({ bonus }) => t(`common.${bonus}`))),
      h("span", { class: "figures" }, points.length > 1 && points.join(" + ")),
      h("b", {}, points.reduce((sum, one) => sum + one))));
  }
  return h("ul", { class: "terr" }, ...rows);
}

/** @param {Territory} territory */
const figures = ({ squares, crowns }) => `${squares.length} × ${crowns}`;

/** What is written on a territory; on a single square there is room for points only. @param {Territory} part */
const pill = (part) => (part.squares.length > 1 ? `${figures(part)} = ${part.points}` : String(part.points));

/** @param {Territory} territory */
const spoken = ({ terrain, squares, crowns, points }) => t("end.territory", {
  terrain: terrainWord(terrain), squares: t("end.squares", { n: squares.length }),
  crowns: t("end.crowns", { n: crowns }), points: t("end.points", { n: points }),
});
