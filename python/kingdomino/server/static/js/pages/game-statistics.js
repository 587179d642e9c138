/**
 * Statistics of your games: the best kingdom, and for each set of rules the games against every level as countable marks.
 */
import { svg } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { dateText, otherNames, rulesName } from "../i18n/game-text.js";
import { t } from "../i18n/locale.js";
import { bots } from "../i18n/names.js";
import { decimal, percent } from "../i18n/numbers.js";
import { ENOUGH } from "../local/statistics.js";
import { gamePath, smallKingdom } from "./game-rows.js";
import { variantNames } from "../i18n/rules-text.js";

/**
 * @import { AgainstBot, Statistics, Tally, UnderRules } from "../local/statistics.js"
 * @import { Played } from "../net/types.js"
 */

/** The most marks of a column, above the line or below it. */
const TALLEST = 10;
/** Possible numbers of games for a mark. */
const UNITS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/** Units of the drawing: a column, a mark, and the gap under it. */
const [COLUMN, MARK, GAP] = [45, 5, 2];

/** @param {HTMLElement} place @param {Statistics} statistics */
export function showStatistics(place, { best, rules }) {
  const columns = rules.flatMap((one) => one.bots.map(({ tally }) => tally));
  const most = Math.max(1, ...columns.flatMap(({ won, lost }) => [won, lost]));
  const unit = UNITS.find((one) => most / one <= TALLEST) ?? most;
  const rated = rules.some(({ rate }) => rate);
  place.replaceChildren(...(best ? [bestKingdom(best)] : []));
  if (rules.length === 0) return;
  place.append(el("section", el("h2", t(columns.length ? "games.by_level" : "games.by_rules")),
    el("p.label", columns.length > 0 && t("games.mark", { n: unit }), " ",
      !rated && t("games.too_few", { n: ENOUGH })),
    el("ol.multiples", ...rules.map((one) => group(one, unit)))));
}

/** @param {Played} game */
function bestKingdom(game) {
  const points = Math.max(...game.scores.map((scores) => scores[game.seat]));
  const { dynasty, ended, rules } = game;
  const when = t("games.best_when", { date: dateText(ended), names: otherNames(game) });
  return el("section", el("h2", t("games.best")),
    el("a.best", { href: gamePath(game) }, smallKingdom(game),
      el("div", el("b", points), el("p", when.charAt(0).toLocaleUpperCase() + when.slice(1)),
        el("p.label", variantNames({ ...rules, dynasty }).join(" · ")))));
}

/** One set of rules. @param {UnderRules} rules @param {number} unit games of a mark */
function group({ rules, dynasty, tally, rate, bots: against }, unit) {
  const levels = bots.map(({ bot, level }) =>
    ({ level, tally: against.find((one) => one.bot === bot)?.tally }));
  return el("li",
    el("h3", rulesName(rules, variantNames({ ...rules, dynasty })), " ", el("span.label", tallyText(tally))),
    levels.some((one) => one.tally) && marks(levels, unit),
    rate && el("p", t("games.share", { share: percent(rate.value), low: percent(rate.low), high: percent(rate.high) })),
    el("p", t("games.mean", { n: Math.round(tally.mean) })),
    against.length > 0 && el("details.fold", el("summary", t("games.as_table")), table(against, tally)));
}

/** @param {Tally} tally */
const tallyText = ({ won, lost, shared }) =>
  t(shared ? "games.won_lost_shared" : "games.won_lost", { won, lost, shared });

/**
 * A column for each level; the table has the same figures.
 * @param {{level: number, tally?: Tally}[]} levels
 * @param {number} unit
 */
function marks(levels, unit) {
  const height = (/** @type {"won" | "lost"} */ which) =>
    Math.max(1, ...levels.map(({ tally }) => Math.ceil((tally?.[which] ?? 0) / unit))) * (MARK + GAP);
  const line = height("won") + GAP;
  const below = line + height("lost") + GAP;
  const columns = levels.map(({ level, tally }, at) => {
    const middle = (at + 0.5) * COLUMN;
    const column = (/** @type {number} */ n, /** @type {string} */ kind, /** @type {(k: number) => number} */ y) =>
      Array.from({ length: Math.ceil(n / unit) }, (_, k) =>
        `<rect class="${kind}" x="${middle - 9}" y="${y(k)}" width="18" height="${MARK}" rx="1.5"/>`).join("");
    return column(tally?.won ?? 0, "won", (k) => line - (k + 1) * (MARK + GAP))
      + column(tally?.lost ?? 0, "lost", (k) => line + GAP + k * (MARK + GAP))
      + `<text x="${middle}" y="${below + 16}">${Number(level)}</text>`;
  });
  const width = levels.length * COLUMN;
  return svg(`0 -2 ${width} ${below + 24}`, `${columns.join("")}<path d="M0 ${line}H${width}"/>`);
}

/** @param {readonly AgainstBot[]} against @param {Tally} all */
function table(against, all) {
  const head = (/** @type {string} */ key) => el("th", { scope: "col" }, t(key));
  const row = (/** @type {string} */ name, /** @type {Tally} */ { won, lost, shared, mean }) => el("tr",
    el("th", { scope: "row" }, name), ...[won, lost, shared, decimal(mean)].map((figure) => el("td", figure)));
  const rows = bots.flatMap(({ bot, name, level }) => {
    const found = against.find((one) => one.bot === bot);
    return found ? [row(t("new.who_bot", { name, level }), found.tally)] : [];
  });
  return el("table",
    el("thead", el("tr", head("games.column_bot"), head("games.which_won"), head("games.which_lost"),
      head("games.column_shared"), head("games.column_mean"))),
    el("tbody", ...rows, row(t("games.all_of_them"), all)));
}
