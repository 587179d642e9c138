/**
 * The points that each domino of the line would bring to every kingdom, before any move.
 */
import { dominoName, dominoSvg, king, seal } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { decimal } from "../i18n/numbers.js";

/**
 * @import { DominoWorth } from "../../engine/calls.js"
 * @import { NameOf } from "./text.js"
 */

/** A row for each domino, a column for each kingdom. @param {readonly DominoWorth[]} worths @param {NameOf} nameOf */
export function worthTable(worths, nameOf) {
  const seats = worths[0]?.gains.map((_, seat) => seat) ?? [];
  const most = seats.map((seat) => Math.max(...worths.map(({ gains }) => gains[seat] ?? -Infinity)));
  const gain = (/** @type {number | null} */ points, /** @type {number} */ seat) => (points === null
    ? el("td", el("span", { "aria-hidden": "true" }, "–"), el("span.visually-hidden", t("table.fits_nowhere")))
    : el(points === most[seat] ? "td.most" : "td", decimal(points, true)));
  return el("table", el("caption", t("analysis.worth_how")),
    el("thead", el("tr", el("th", { scope: "col" }, el("span.visually-hidden", t("analysis.domino"))),
      ...seats.map((seat) => el("th", { scope: "col", title: nameOf(seat) }, seal(seat), el("span.visually-hidden", nameOf(seat)))))),
    el("tbody", ...worths.map(({ domino, seat, gains }) => el("tr",
      el("th", { scope: "row" }, el("div.face",
        el("div.domino", { role: "img", "aria-label": dominoName(domino) }, dominoSvg(domino)),
        seat !== null && king(seat), seat !== null && el("span.visually-hidden", t("table.king_of", { name: nameOf(seat) })))),
      ...gains.map(gain)))));
}
