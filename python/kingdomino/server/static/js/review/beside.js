/**
 * The table beside a try: both lines and the other kingdoms. The pages for mistakes and puzzles contain its elements.
 */
import { find, replaceContent } from "../draw/dom.js";
import { Line } from "../draw/line.js";
import { lineItems, otherKingdom } from "../analysis/side.js";
import { landOf, linesOf } from "../analysis/study.js";

/**
 * @import { Studied } from "../analysis/study.js"
 * @import { Scene } from "./trial.js"
 */

export class Beside {
  #lines = ["this", "coming"].map((which) => {
    const section = find(document, `#trying .line.${which}`);
    return { section, line: new Line(find(section, "ol", HTMLOListElement)) };
  });

  /** @param {Studied} studied @param {Scene} scene */
  show(studied, { nameOf, seat }) {
    for (const [at, slots] of linesOf(studied).entries()) {
      const { section, line } = this.#lines[at];
      line.show(lineItems({ ...studied, choices: null }, slots, "", nameOf));
      section.hidden = !slots.length;
    }
    const others = studied.kingdoms.flatMap((land, one) => (one === seat ? [] : [otherKingdom({
      seat: one, name: nameOf(one), squares: landOf(land), score: land.score.total, size: studied.rules.size,
    }, seat, false)]));
    replaceContent(find(document, "#others"), ...others);
  }
}
