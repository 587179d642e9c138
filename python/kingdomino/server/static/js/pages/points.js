/**
 * Where you lose points: what your decisions cost in the games that this device has reviewed.
 */
import { artReady, dominoSvg, svg } from "../draw/art.js";
import { byId, el, find, replaceContent } from "../draw/dom.js";
import { markSquares } from "../draw/ghost.js";
import { Kingdom } from "../draw/kingdom.js";
import { landOf, linesOf } from "../analysis/study.js";
import { engine } from "../engine/study.js";
import { dateText, otherNames, rulesName } from "../i18n/game-text.js";
import { list, t, wordsReady } from "../i18n/locale.js";
import { botsReady } from "../i18n/names.js";
import { percent } from "../i18n/numbers.js";
import { levelText, roundText } from "../i18n/review-text.js";
import { variantNames } from "../i18n/rules-text.js";
import { STRONGEST } from "../local/bots.js";
import { FEWEST, mainReason, pointsOf, wholeParts } from "../local/points.js";
import { keyOf, readReviewed, reviewedOf } from "../local/reviewed.js";
import { mistakesPath } from "../net/address.js";
import { attempt, errorText, start } from "../net/api.js";
import { importedRecord, isImported } from "../net/imported.js";
import { choiceOf } from "../review/game.js";
import { allKept } from "../review/kept.js";
import { ReviewWork } from "../review/work.js";
import { clientOf } from "../table/client.js";

/**
 * @import { Theme } from "../../engine/calls.js"
 * @import { ByReason, Costly, Estimate, Points } from "../local/points.js"
 * @import { Reviewed, Reviews } from "../local/reviewed.js"
 * @import { Played } from "../net/types.js"
 */

/** Choices of how many of the last games to count; 0 for all. */
const LAST = [20, 50, 0];
/** How many decisions of a reason are listed at first. */
const LISTED = 5;

/** Finished games of one seat of yours, newest first. @type {Played[]} */
let games = [];
/** @type {Reviews} */
let reviews = new Map();
/** The reviewed games that were chosen. @type {Reviewed[]} */
let counted = [];
/** Their sums; null if the games are too few. @type {Points | null} */
let points = null;
/** Counts the requests for sums, to recognize answers that come too late. */
let asked = 0;
let chosen = { last: LAST[0], rules: "" };
/** The reason whose decisions are on show. @type {Theme | null | undefined} */
let shown;
/** Whether all its decisions are listed. */
let areAllListed = false;

/** The reviewed games under a set of rules. */
const reviewed = () => reviewedOf(games.filter(({ rules }) => rules.text === chosen.rules), reviews).slice(0, chosen.last || undefined);

async function load() {
  ({ games, reviews } = await readReviewed());
  const count = (/** @type {string} */ rules) => games.filter((one) => one.rules.text === rules && reviews.get(keyOf(one, 1))).length;
  const texts = [...new Set(games.map(({ rules }) => rules.text))].sort((one, other) => count(other) - count(one));
  if (!texts.includes(chosen.rules)) chosen.rules = texts[0] ?? "";
  await sumUp();
}

/** Sums up the games that were chosen, and shows them. */
async function sumUp() {
  const now = (asked += 1);
  const some = reviewed();
  const found = some.length < FEWEST ? null : await pointsOf(some, chosen.rules);
  if (now !== asked) return;
  [counted, points] = [some, found];
  draw();
}

function draw() {
  const old = games.filter((game) => reviews.get(keyOf(game, 1)) === null).length;
  byId("figures").hidden = !points;
  byId("left-out").textContent = old ? t("points.old", { n: old }) : "";
  drawMissing();
  drawFilter();
  if (!points) {
    byId("headline").textContent = t("points.few");
    byId("intro").textContent = t("points.so_far", { n: counted.length });
    return;
  }
  const { reasons, rounds, placing, claiming } = points;
  const main = mainReason(points);
  const isShown = reasons.some(({ theme }) => theme === shown);
  if (!isShown) shown = (main ?? reasons[0])?.theme;
  byId("headline").textContent = main ? t(`points.most_${main.theme}`) : t("points.many");
  byId("intro").textContent = t("points.cost", { n: Math.round(points.cost.mean), games: points.games });
  drawReasons(points);
  drawExamples(reasons.find(({ theme }) => theme === shown));
  replaceContent(byId("rounds"), bars(rounds.map(({ round, estimate }) => ({
    name: round ? String(round) : t("points.opening"), spoken: roundText(round), estimate,
  })), t("points.by_round")));
  replaceContent(byId("kinds"), bars(Object.entries({ placing, claiming }).map(([kind, estimate]) => (
    { name: t(`points.${kind}`), spoken: t(`points.${kind}`), estimate })), t("points.kinds")));
  replaceContent(byId("help"), ...(main ? [el("h2", t("points.help")), el("p", t(`points.help_${main.theme}`))] : []));
  drawLevel(points);
}

/** Offers to review the other games. */
function drawMissing() {
  const n = missing().length;
  byId("missing").hidden = !n;
  byId("review").textContent = t("points.review", { n });
}

/** The games without a review, newest first. */
const missing = () => games.flatMap((game) => game.scores.map((_, at) => ({ game, number: at + 1 })))
  .filter(({ game, number }) => game.rules.text === chosen.rules && !reviews.get(keyOf(game, number))).slice(0, LAST[0]);

/** Reviews them one after another. Their progress is stored, even if you leave the page. */
async function reviewOthers() {
  const all = missing();
  for (const [at, { game, number }] of all.entries()) {
    const record = await (isImported(game) ? importedRecord(game.id, number) : clientOf(game.id).record(number));
    const { actions } = await engine.ask("read_record", { record });
    const work = new ReviewWork(keyOf(game, number), record, actions.length);
    const say = () => {
      byId("progress").textContent = t("points.reviewing", { n: at + 1, of: all.length, percent: percent(work.made / work.steps) });
    };
    say();
    work.on("news", say);
    await work.open();
    if (work.failure) throw work.failure;
    reviews = await allKept();
    await sumUp();
  }
  byId("progress").textContent = "";
}

function drawFilter() {
  const sets = new Map(games.map(({ rules, dynasty }) => [rules.text, rulesName(rules, variantNames({ ...rules, dynasty }))]));
  byId("filter").hidden = !games.length;
  /** @type {HTMLSelectElement} */
  const rules = el("select", { "aria-label": t("games.rules"), "data-key": "rules", onchange: () => choose({ rules: rules.value }) });
  rules.append(...[...sets].map(([value, name]) => new Option(name, value, false, value === chosen.rules)));
  replaceContent(byId("filter"),
    el("div.seg", { role: "radiogroup", "aria-label": t("points.how_many") }, ...LAST.map((last) => el("label",
      el("input", { type: "radio", name: "last", checked: last === chosen.last, "data-key": `last${last}`, onchange: () => choose({ last }) }),
      el("span", last ? t("points.last", { n: last }) : t("points.all"))))),
    sets.size > 1 && rules);
}

/** @param {Partial<typeof chosen>} change */
async function choose(change) {
  chosen = { ...chosen, ...change };
  await attempt(sumUp, byId("refused"));
}

/** `9 to 13`. @param {Estimate} estimate */
const rangeText = ({ low, high }) => t("points.range", { low: Math.round(low), high: Math.round(high) });

/** @param {Points} points */
function drawReasons({ reasons, cost }) {
  const most = Math.max(1, ...reasons.map(({ estimate }) => estimate.high));
  const figures = wholeParts(reasons.map(({ estimate }) => estimate.mean), Math.round(cost.mean));
  replaceContent(byId("reasons"), ...reasons.map(({ theme, estimate, decisions }, at) => {
    const share = (/** @type {number} */ points) => `${(100 * points) / most}%`;
    const bar = el("div.pbar", { "aria-hidden": "true" }, el("i"), el("u"));
    for (const [name, value] of Object.entries({ v: estimate.mean, lo: estimate.low, hi: estimate.high })) bar.style.setProperty(`--${name}`, share(value));
    const name = theme ?? "none";
    return el(at ? "li" : "li.most",
      el("div", el("b", t(`points.${name}`)), el("small", t(`points.${name}_how`))), bar,
      el("span.fig", el("b", figures[at]), el("small", rangeText(estimate))),
      el("button.link", {
        type: "button", "aria-pressed": String(theme === shown), "data-key": name,
        "aria-label": `${t(`points.${name}`)}, ${t("points.times", { n: decisions.length })}`,
        onclick: () => {
          [shown, areAllListed] = [theme, false];
          draw();
          byId("examples").scrollIntoView({ block: "nearest" }); // on a phone it is below
        },
      }, t("points.times", { n: decisions.length })));
  }));
}

/** Lists the costliest decisions of a reason. @param {ByReason | undefined} reason */
function drawExamples(reason) {
  if (!reason) return byId("examples").replaceChildren();
  const [first, ...others] = reason.decisions;
  const pic = el("div.mini", { "aria-hidden": "true" });
  replaceContent(byId("examples"), el("h2", t("points.costliest")),
    el("div.bestk", pic, el("div", el("b", figureOf(first)), el("p", whenText(first)),
      el("a.button", { href: pathOf(first), "data-key": "try" }, t("review.try")))),
    others.length > 0 && el("ol.more", ...others.slice(0, areAllListed ? undefined : LISTED).map((one, at) =>
      el("li", el("a", { href: pathOf(one), "data-key": `more${at}` }, el("b", figureOf(one)), " ", whenText(one))))),
    others.length > LISTED && !areAllListed && el("button.link", { type: "button", onclick: () => listAll(reason) }, t("points.list_all", { n: reason.decisions.length })));
  drawPicture(pic, first).catch((error) => { byId("refused").textContent = errorText(error); });
}

/** Lists all decisions of a reason, and moves the focus to the first new one. @param {ByReason} reason */
function listAll(reason) {
  areAllListed = true;
  drawExamples(reason);
  find(byId("examples"), `[data-key=more${LISTED}]`).focus();
}

/** @param {Costly} costly */
const figureOf = ({ decision }) => `−${Math.round(decision.cost_points)}`;

/** `round 3, against Sorrel, 12 November`. @param {Costly} costly */
function whenText({ game, decision: { round } }) {
  const { played } = /** @type {Reviewed} */ (game);
  return t("points.when", { where: roundText(round), names: otherNames(played), date: dateText(played.ended) });
}

/** @param {Costly} costly */
const pathOf = ({ game, decision }) => `${mistakesPath(game.id, game.number)}#${decision.ply + 1}`;

/** Draws the kingdom before a decision with the placed domino, or the dominoes to claim. @param {HTMLElement} place @param {Costly} costly */
async function drawPicture(place, { game, decision: { ply, action, seat } }) {
  const { positions } = await engine.ask("read_record", { record: /** @type {Reviewed} */ (game).record });
  const position = await engine.ask("position", { position: positions[ply] });
  const { domino, left, right } = choiceOf(action, position.domino ?? 0);
  if (!left || !right) {
    const [, claimed] = linesOf(position);
    const dominoes = position.phase === "claim" ? claimed.map((one) => one.domino) : [domino];
    place.replaceChildren(el("div.four", ...dominoes.map((one) => el(one === domino ? "div.domino.chosen" : "div.domino", dominoSvg(one)))));
    return;
  }
  const kingdom = new Kingdom();
  kingdom.addEventListener("drawn", () => markSquares(kingdom, [left, right], "put"), { once: true });
  kingdom.show({ size: position.rules.size, seat, frame: "window", plain: true, squares: landOf(position.kingdoms[seat]), dominoes: [[domino, ...left, ...right]] });
  place.replaceChildren(kingdom);
}

/** Bars of points per game, with their ranges. @param {{name: string, spoken: string, estimate: Estimate}[]} columns @param {string} label */
function bars(columns, label) {
  const [wide, high, room] = [columns.length * 58, 150, 22];
  const most = Math.max(1, ...columns.map(({ estimate }) => estimate.high));
  const y = (/** @type {number} */ points) => high - ((high - room) * points) / most;
  const drawn = columns.map(({ name, estimate: { mean, low, high: top } }, at) => {
    const x = at * 58 + 14;
    const whisk = `M${x + 9} ${y(top)}h14M${x + 16} ${y(top)}V${y(low)}M${x + 9} ${y(low)}h14`;
    const figure = Math.min(y(mean) + 4, high - 5); // above the base line
    return `<rect class="col" x="${x}" y="${y(mean)}" width="32" height="${high - y(mean)}" rx="3"/>` +
      `<path class="whisk case" d="${whisk}"/><path class="whisk" d="${whisk}"/>` +
      `<text class="figs" x="${x + 35}" y="${figure}">${Math.round(mean)}</text><text x="${x + 16}" y="${high + 18}">${name}</text>`;
  });
  const picture = svg(`0 0 ${wide} ${high + 24}`, `${drawn.join("")}<path class="base" d="M0 ${high}H${wide}"/>`);
  picture.style.maxWidth = `${wide}px`; // both pictures have the same scale
  picture.setAttribute("role", "img");
  picture.ariaHidden = null;
  picture.ariaLabel = `${label}: ${list(columns.map(({ spoken, estimate }) =>
    t("points.spoken", { name: spoken, n: Math.round(estimate.mean), range: rangeText(estimate) })))}`;
  return picture;
}

/** The level that plays as well, if the games show it. @param {Points} points */
function drawLevel({ level: known }) {
  const place = byId("level");
  place.replaceChildren();
  if (!known) return;
  const { level, low, high } = known;
  place.append(el("h2", t("points.level", { level: levelText(known) })),
    el("div.level", { "aria-hidden": "true" }, ...Array.from({ length: STRONGEST }, (_, at) => at + 1).map((one) =>
      el(one === level ? "span.in.at" : low <= one && one <= high ? "span.in" : "span", one))),
    el("p.label", t("points.level_how")));
}

await start(Promise.all([wordsReady, artReady, botsReady.catch(() => {})]));
const button = byId("review", HTMLButtonElement);
button.onclick = async () => {
  await attempt(reviewOthers, byId("refused"), button);
  button.disabled = false;
};
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
try {
  await load();
} catch (error) {
  byId("refused").textContent = errorText(error);
}
