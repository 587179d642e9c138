/**
 * The starting points of the analysis board: examples, the last game, or your own position.
 */
import { svg, use } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { smallKingdom } from "../pages/game-rows.js";
import { landOf, seatOf, study } from "./study.js";

/**
 * @import { Played } from "../net/types.js"
 * @typedef {{name: string, position: string}} Example
 * @typedef {{game: Played, isCostliest: boolean, query: string}} Last the last game, and the address of the decision at
 *   which it opens: its costliest one, or the first
 */

/** @type {readonly Example[]} */
export const EXAMPLES = [
  {
    name: "room",
    position: "kd1 2.second.random.harmony.middle 4 place:1 *20@0,*21@0,*27@1,31@1 9,19@0,22@1,25@0 "
      + "1-7,10-11,13,16,18,23,32-45,48 gll../w1w1wf1g/sm2Cf1w/sm2.f./...l.;.ll1w./.l.../f1lCss/f1f1w../wwg..",
  },
  {
    name: "ending",
    position: "kd1 2.second.random.harmony.middle 6 place:1 *3@0,*14@0,26@1,37@1 - "
      + "6-7,12-13,15-16,19-20,23-25,27,29,33,35,38-42,44,46-48 ll1wwl1/ll1fw1s/Cwwws2/gffwl/ffffl;g..../gm2wgg/Cwww1g/ff1fwg1/l1lf..",
  },
];

/** @param {string} position */
async function pictureOf(position) {
  const studied = await study(position);
  const seat = seatOf(studied);
  const kingdom = new Kingdom();
  kingdom.show({ size: studied.rules.size, seat, frame: "window", plain: false, squares: landOf(studied.kingdoms[seat]) });
  return el("div.mini", { "aria-hidden": "true" }, kingdom);
}

/**
 * @param {string} shown the name of the example on show
 * @param {Last | undefined} last
 * @param {{example: (one: Example) => void, game: (query: string) => void, own: () => void, analyse: () => void}} choose
 */
export async function startFrom(shown, last, choose) {
  const row = (/** @type {string} */ name, /** @type {Node} */ picture, /** @type {() => void} */ onclick, why = "why") =>
    el("li", el("button", { type: "button", "data-key": name, "aria-current": name === shown ? "true" : null, onclick }, picture,
      el("span", el("b", t(`analysis.start_${name}`)), el("small", t(`analysis.start_${name}_${why}`)))));
  return el("section.list.start",
    el("div.head2", el("h2", t("analysis.start_from"))),
    el("ol.sources",
      last && row("last", smallKingdom(last.game), () => choose.game(last.query), last.isCostliest ? "costliest" : "begin"),
      ...await Promise.all(EXAMPLES.map(async (one) => row(one.name, await pictureOf(one.position), () => choose.example(one)))),
      row("own", el("div.mini", svg("0 0 100 100", use("castle", 20, 20, 60))), choose.own)),
    el("button.button.primary.big", { type: "button", onclick: choose.analyse }, t("analysis.analyse_it")));
}
