/**
 * Learn from your mistakes: an account of a game's margin, and its costly decisions, to try each again.
 * `/mistakes/ID` and `/mistakes?id=ID` are the account, `#12` the twelfth decision; `?game=2` the second game of a
 * Dynasty, `?seat=1` another player's decisions.
 */
import { artReady, seal, SEATS } from "../draw/art.js";
import { announce, byId, el, find, replaceContent } from "../draw/dom.js";
import { isElsewhere } from "../draw/keys.js";
import { Kingdom } from "../draw/kingdom.js";
import { t, wordsReady } from "../i18n/locale.js";
import { accountText } from "../i18n/mistakes-text.js";
import { botsReady, fullName, kingdomName, nameOf as nameAt } from "../i18n/names.js";
import { answerText, levelText, lossOf, pointsText, progressText, questionText } from "../i18n/review-text.js";
import { analysisPath, mistakesPath, pathTo, reviewPath, tablePath } from "../net/address.js";
import { errorText, start } from "../net/api.js";
import { judged } from "../review/attempt.js";
import { Beside } from "../review/beside.js";
import { choiceOf } from "../review/game.js";
import { ID, isTable, NUMBER, openGame } from "../review/opened.js";
import { costliest } from "../review/kept.js";
import { costItem, whatText } from "../review/strip.js";
import { Trial } from "../review/trial.js";

/**
 * @import { Account, Decision } from "../../engine/calls.js"
 * @import { Choice, Game } from "../review/game.js"
 * @import { ReviewWork } from "../review/work.js"
 */

const beside = new Beside();
const trial = new Trial((studied, scene) => beside.show(studied, scene));
const [again, goesOn, showMe, next] = ["again", "goes-on", "show", "next"].map((id) => byId(id, HTMLButtonElement));
const [earlier, later] = ["earlier", "later"].map((id) => byId(id, HTMLButtonElement));

/** @type {Game} */
let game;
/** @type {ReviewWork} */
let work;
/** Whose decisions these are. */
let seat = 0;
/** The decisions, costliest first. @type {Decision[]} */
let mistakes = [];
/** The decision to try again; -1: none, the page shows the account. */
let at = -1;
let isAnswered = false;
/** Whether the page has shown the decision of the address. */
let hasFollowed = false;
/** The decisions that the player has answered, or whose answer they have seen. @type {Set<number>} */
const done = new Set();

const nameOf = (/** @type {number} */ one) => nameAt(game.end, one);
const isYou = () => game.isYou(seat);
const form = () => (isYou() ? "you" : "other");
const decision = () => work.known.decisions[at];
const moment = () => game.moments[at];
/** The domino to place; 0 for a claim. */
const toPlace = () => (moment().move.kind === "claimed" ? 0 : moment().move.domino);
const order = () => mistakes.findIndex(({ ply }) => ply === at);

// The account

function showOverview() {
  const account = work.known.seats[seat]?.account;
  const isReady = work.known.passes.filter(Boolean).length === work.plies;
  replaceContent(byId("links"), el("a.narrow", { href: reviewPath(ID, NUMBER), "data-key": "review" }, t("review.look_short")), isTable
    ? el("a", { href: tablePath(ID), "data-key": "end" }, t("mistakes.to_end"))
    : el("a", { href: pathTo("/games"), "data-key": "games" }, t("games.headline")));
  byId("account").textContent = account ? accountText(account, isYou(), nameOf(seat)) : t("mistakes.loading");
  byId("six").hidden = !account || !mistakes.length;
  byId("ways").hidden = !account;
  const worth = mistakes.length ? t("mistakes.worth", { n: mistakes.length }) : t(`mistakes.none_${form()}`, { who: nameOf(seat) });
  byId("intro").textContent = [account && isReady && worth, !work.isOver && !work.failure && progressText(work)].filter(Boolean).join(" ");
  if (!account) return byId("sum").replaceChildren();
  byId("sum").replaceChildren(accountTable(account));
  replaceContent(find(byId("six"), "ol"), ...mistakes.map((one) =>
    costItem(one, game.moments[one.ply], `#${one.ply + 1}`, { isDone: done.has(one.ply) })));
  byId("rest").textContent = restText();
  const first = mistakes.find(({ ply }) => !done.has(ply)) ?? mistakes[0];
  replaceContent(byId("ways"),
    first && el("a.button.primary.big", { href: `#${first.ply + 1}`, "data-key": "first" }, t("mistakes.first")),
    el(first ? "a.button.bare" : "a.button.big", { href: reviewPath(ID, NUMBER), "data-key": "whole" }, t("mistakes.whole")));
}

/** The decisions outside the strip, and the level. */
function restText() {
  const one = work.known.seats[seat];
  const others = work.known.decisions.filter((each) => each.seat === seat && each.cost_points > 0 && !mistakes.includes(each));
  const cost = others.reduce((sum, each) => sum + each.cost_points, 0);
  return [
    others.length > 0 && t("mistakes.rest", { n: others.length, points: pointsText(cost) }),
    one.level && t(`review.level_${form()}`, { who: nameOf(seat), level: levelText(one.level) }),
  ].filter(Boolean).join(" ");
}

/** The sum that adds up to the margin, beside the kingdoms. @param {Account} account */
function accountTable({ start: odds, cost, received, play, luck, margin }) {
  const figure = (/** @type {number} */ n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");
  const row = (/** @type {string} */ key, /** @type {number} */ n, /** @type {Node | null} */ brace, kind = "tr", who = nameOf(seat)) =>
    el(kind, el("th", { scope: "row" }, t(key, { who })), el("td", figure(n)), brace);
  const brace = (/** @type {string} */ key, /** @type {number} */ n, rows = 1) => {
    const cell = el("td.brace", el("span", el("b", figure(n)), t(key)));
    cell.setAttribute("rowspan", String(rows));
    return cell;
  };
  const kingdoms = game.end.kingdoms.map(({ squares, dominoes, score }, one) => {
    const small = new Kingdom();
    small.show({ size: game.end.rules.size, seat: one, frame: "window", plain: true, squares, dominoes });
    return el(`figure.seat-${SEATS[one]}`,
      el("div.who", seal(one), el("span.name", ...fullName(game.end, one)), el("span.score", score.total)),
      el("div.mini", { "aria-hidden": "true" }, small));
  });
  return el("section.account", { "aria-label": t("mistakes.how") }, el("div.ends", ...kingdoms),
    el("table.addup", el("tbody",
      odds !== 0 && row("mistakes.row_start", odds, brace("mistakes.sum_start", odds), "tr.cut"),
      row(`mistakes.row_cost_${form()}`, -cost, brace("mistakes.sum_play", play, 2)),
      row(kingdoms.length > 2 ? "mistakes.row_received" : "mistakes.row_received_one", received, null, "tr", kingdoms.length > 2 ? "" : nameOf(1 - seat)),
      row("mistakes.row_luck", luck, brace("mistakes.sum_luck", luck), "tr.cut"),
      row("mistakes.row_margin", margin, el("td"), "tr.total"))));
}

// A decision, tried again

/** @param {number} ply the decision; out of range: the account */
function go(ply) {
  at = decisionAt(ply) ? ply : -1;
  byId("overview").hidden = at >= 0;
  byId("trying").hidden = at < 0;
  if (at < 0) {
    trial.stop();
    showOverview();
    return byId("account").focus();
  }
  return tryIt();
}

/** @param {number} ply */
const decisionAt = (ply) => mistakes.some((one) => one.ply === ply) || work.known.decisions[ply]?.seat === seat;

/** Shows the position before the decision. */
async function tryIt() {
  const one = decision();
  isAnswered = false;
  showFrame();
  byId("cost").textContent = questionText(one, isYou(), nameOf);
  byId("why").textContent = t(toPlace() ? "mistakes.every_spot" : "mistakes.every_domino", { n: toPlace() });
  trial.wait();
  byId("cost").focus({ preventScroll: true });
  scrollTo(0, 0);
  const isStill = trial.watch();
  try {
    const studied = await work.position(one.ply);
    if (isStill()) trial.offer(studied);
  } catch (error) {
    if (isStill()) trial.fail(error);
  }
}

/** Draws the parts that do not depend on the position. */
function showFrame() {
  const { table } = moment();
  trial.show({
    table, seat, isYou: isYou(), domino: toPlace(), label: kingdomName(table, seat, [...game.seats]), whose: fullName(game.end, seat),
    what: whatText(moment()), nameOf,
  }, { isAnswered, follows: decision() });
  byId("where").textContent = order() < 0 ? "" : t("mistakes.of", { n: order() + 1, of: mistakes.length });
  earlier.ariaDisabled = order() <= 0 ? "true" : null;
  later.ariaDisabled = order() >= mistakes.length - 1 ? "true" : null;
  const analysis = byId("analysis", HTMLAnchorElement);
  analysis.hidden = !isAnswered;
  analysis.href = analysisPath(ID, isTable, NUMBER, at);
  const isLast = mistakes.every(({ ply }) => ply === at || done.has(ply));
  byId("next-words").textContent = t(isLast ? "mistakes.finish" : "mistakes.next");
  next.classList.toggle("primary", isAnswered);
  showList();
}

function showList() {
  replaceContent(byId("list"), ...mistakes.map((one) => {
    const isHere = one.ply === at;
    return costItem(one, game.moments[one.ply], `#${one.ply + 1}`, { isHere, isHidden: isHere && !isAnswered, isDone: done.has(one.ply) });
  }));
  byId("list").querySelector(".at")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** Says how good a try is. @param {string} action */
async function answer(action) {
  const one = decision();
  isAnswered = true;
  done.add(one.ply);
  showFrame();
  showBoth(choiceOf(action, toPlace()), "mistakes.now");
  byId("cost").textContent = t("review.thinking");
  byId("why").textContent = inGameText(one);
  trial.explain(one);
  again.focus();
  const isStill = trial.watch();
  try {
    const { loss, isSame } = await judged(work, one, action, toPlace());
    if (!isStill()) return;
    if (isSame) showBoth(null, "mistakes.now");
    byId("cost").textContent = answerText(lossOf(one), loss, isSame);
    announce(byId("cost").textContent);
  } catch (error) {
    if (isStill()) byId("cost").textContent = errorText(error);
  }
}

function showBest() {
  const one = decision();
  isAnswered = true;
  done.add(one.ply);
  showFrame();
  showBoth(choiceOf(one.best, toPlace()), "review.label_best");
  byId("cost").textContent = t("mistakes.was_better");
  byId("why").textContent = inGameText(one);
  trial.explain(one);
  byId("cost").focus({ preventScroll: true });
}

/** @param {Decision} one */
const inGameText = (one) => t(`mistakes.in_game_${form()}`, { who: nameOf(seat), n: Math.round(one.cost_points) });

/** Your decision then, and a choice beside it. @param {Choice | null} choice @param {string} key of the choice's label */
function showBoth(choice, key) {
  const yours = choiceOf(decision().action, toPlace());
  trial.mark({ yours, best: choice }, { yours: t("mistakes.then"), best: t(key) }, choice ? "best" : "yours");
}

// Going from one to the next

/** @param {number} step */
function walkList(step) {
  const to = mistakes[order() + step];
  if (to) location.hash = `#${to.ply + 1}`;
}

/** Goes to the next open decision; after the last one, to the end. */
function goNext() {
  const here = order();
  const after = [...mistakes.slice(here + 1), ...mistakes.slice(0, Math.max(0, here))].find(({ ply }) => !done.has(ply));
  if (after) location.hash = `#${after.ply + 1}`;
  else if (mistakes.every(({ ply }) => done.has(ply))) finish();
  else location.hash = "#";
}

/** Ends: says whether the game would have been won without the cost of all these decisions. */
function finish() {
  const account = work.known.seats[seat]?.account;
  const all = t("mistakes.done", { n: mistakes.length });
  const margin = (account?.margin ?? 0) + Math.round(mistakes.reduce((sum, one) => sum + one.cost_points, 0));
  const isTurned = account && account.margin < 0 && margin > 0;
  history.pushState(null, "", `${location.pathname}${location.search}`);
  go(-1);
  byId("intro").textContent = isTurned ? t(`mistakes.would_have_won_${form()}`, { done: all, who: nameOf(seat), n: margin }) : all;
  byId("ways").prepend(el("a.button.primary.big", { href: pathTo("/"), "data-key": "again" }, t("end.again")));
  find(byId("ways"), "[data-key=first]").classList.remove("primary");
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.shiftKey || isElsewhere(event, "[role=grid], #walk")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "n") at < 0 ? byId("ways").querySelector("a")?.click() : goNext();
  else if (at >= 0 && key === "ArrowLeft") walkList(-1);
  else if (at >= 0 && key === "ArrowRight") walkList(1);
  else return;
  event.preventDefault();
}

/** Writes the decision into the address. */
function follow() {
  hasFollowed = true;
  return go(Number(location.hash.slice(1)) - 1);
}

function hear() {
  mistakes = costliest(work.known, seat);
  if (work.failure) {
    const retry = el("button.button", { type: "button", "data-key": "again", onclick: () => work.open() }, t("offline.again"));
    replaceContent(byId("refused"), errorText(work.failure), " ", retry);
  } else byId("refused").replaceChildren();
  if (at >= 0) return showList();
  if (location.hash.length > 1 && work.known.seats[seat]?.account && !hasFollowed) return follow();
  return showOverview();
}

/** Asks whose decisions to show, if that is unclear. */
function askWhose() {
  byId("account").textContent = t("mistakes.whose");
  byId("ways").hidden = false;
  byId("ways").replaceChildren(...game.end.seats.map((_, one) =>
    el("a.button", { href: mistakesPath(ID, NUMBER, one), "data-key": `seat${one}` }, seal(one), nameOf(one))));
}

trial.on("try", answer);
again.onclick = tryIt;
showMe.onclick = showBest;
goesOn.onclick = () => trial.goOn(work.position(at));
earlier.onclick = () => walkList(-1);
later.onclick = () => walkList(1);
next.onclick = goNext;
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

await start(Promise.all([wordsReady, artReady, botsReady.catch(() => {})]));
try {
  ({ game, work } = await openGame());
  if (game.learner === null) askWhose();
  else {
    seat = game.learner;
    addEventListener("keydown", press);
    addEventListener("hashchange", follow);
    showOverview();
    work.on("news", hear);
    await work.open();
    hear();
  }
} catch (error) {
  byId("account").textContent = errorText(error);
  byId("links").replaceChildren(el("a", { href: pathTo("/games") }, t("games.headline")));
}
