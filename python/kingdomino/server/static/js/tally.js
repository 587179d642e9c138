/**
 * A kingdom at the end and what it scored: large on its sheet, where it is counted, and as a list for the eye
 * and the ear.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./verdict.js").Part} Part
 * @typedef {import("./verdict.js").Territory} Territory
 */
import { SEATS, seal } from "./art.js";
import { h } from "./h.js";
import "./kingdom.js";
import { nameOf } from "./rich.js";
import { figures, territoryRow } from "./scores.js";
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
  const score = h("span.score", "0");
  const bonuses = h("p.bonuses");
  const name = nameOf(table, seat);
  const lost = table.kingdoms[seat].discarded.length;
  let sum = 0;
  return {
    element: h(`section.mine.sheet.seat-${SEATS[seat]}`, { "aria-label": name },
      h("div.who",
        seal(seat), h("span.name", name),
        lost > 0 && h("small", t("end.discarded", { n: lost })), score),
      kingdom, bonuses, h("div.visually-hidden", account(table, seat))),
    /** @param {Part} part */
    count(part) {
      sum += part.points;
      score.textContent = String(sum);
      if ("bonus" in part) {
        bonuses.append(h("span", t(`common.${part.bonus}`), " ", h("b", `+${part.points}`)));
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
  const rows = territories.map((part) => territoryRow(part));
  if (bonuses.length) {
    const points = bonuses.map((part) => part.points);
    rows.push(h("li.bonus",
      list(bonuses.map(({ bonus }) => t(`common.${bonus}`))),
      h("span.figures", points.length > 1 && points.join(" + ")),
      h("b", points.reduce((sum, one) => sum + one))));
  }
  return h("ul.terr", ...rows);
}

/** What is written on a territory; on a single square there is room for points only. @param {Territory} part */
const pill = (part) => (part.squares.length > 1 ? `${figures(part)} = ${part.points}` : String(part.points));
