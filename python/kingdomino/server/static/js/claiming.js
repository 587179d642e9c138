/**
 * What the number of a domino costs: when one would place with it.
 *
 * @typedef {import("./fold.js").Table} Table
 */
import { list, t } from "./words.js";

/**
 * `With 33 you would place second next round.`
 * @param {Table} table
 * @param {number} domino a free one
 */
export function cost(table, domino) {
  const others = table.next_line.filter((offer) => offer.domino !== domino);
  const taken = others.filter(({ seat }) => seat !== null);
  const lower = (/** @type {{domino: number}[]} */ offers) =>
    offers.filter((offer) => offer.domino < domino).length;
  const free = others.filter(({ seat }) => seat === null);
  const coming = table.rules.players * table.rules.kings - taken.length - 1;
  // Whoever claims after this may take a lower number or a higher one.
  const least = lower(taken) + Math.max(0, coming - (free.length - lower(free)));
  const most = lower(taken) + Math.min(coming, lower(free));
  const places = Array.from({ length: most - least + 1 }, (_, at) => t(`table.place_${least + at + 1}`));
  return t("table.cost", { domino, places: list(places, "disjunction") });
}
