/**
 * The games of a Dynasty so far, in a table: a row a seat, a column a game.
 *
 * @typedef {import("./fold.js").Table} Table
 */
import { SEATS, seal } from "./art.js";
import { h } from "./h.js";
import { history } from "./history.js";
import { nameOf } from "./rich.js";
import { t } from "./words.js";

/** The points by game and seat; its rows come once the earlier games have been read. @param {Table} table */
export function dynastyTable(table) {
  const { game, games, dynasty } = table;
  const head = (/** @type {string} */ words) => h("th", { scope: "col" }, words);
  const columns = Array.from({ length: game }, (_, at) => head(t("end.game_n", { game: at + 1 })));
  const body = h("tbody");
  const element = h("table", { class: "totals" },
    h("caption", t(game < games ? "end.dynasty_so_far" : "end.dynasty_over", { game, games })),
    h("thead", h("tr", h("td"), ...columns, head(t(`common.dynasty_${dynasty}`)))), body);
  results(table).then((ended) => body.append(...rows(table, ended)), () => element.remove());
  return element;
}

/** The `finished` events of the table, one a game. @param {Table} table */
async function results({ id, game, finished }) {
  return game === 1 ? [finished] : (await history(id)).filter(({ kind }) => kind === "finished");
}

/** Those with most points first. @param {Table} table @param {any[]} ended */
function rows(table, ended) {
  const points = table.seats.map((_, seat) => ended.map(({ scores }) => scores[seat].total));
  const result = table.finished.totals;
  const order = [...table.seats.keys()].sort((one, other) => result[other] - result[one]);
  return order.map((seat) => {
    const name = h("span.who", seal(seat), h("span.name", nameOf(table, seat)));
    const cells = [...points[seat], h("b", result[seat])].map((cell) => h("td", cell));
    return h(`tr.seat-${SEATS[seat]}`, h("th", { scope: "row" }, name), ...cells);
  });
}
