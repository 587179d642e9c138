/**
 * The review of a finished game: the cost of each decision, the reason, a better choice, and a second try.
 * `/review/ID#12` and `/review?id=ID#12` are the twelfth decision; `?game=2` is the second game of a Dynasty.
 */
import { linesOf } from "../analysis/study.js";
import { artReady, dominoName, dominoSvg, king, seal, SEATS } from "../draw/art.js";
import { announce, announceInstead, byId, el, find, replaceContent } from "../draw/dom.js";
import { isElsewhere } from "../draw/keys.js";
import { Kingdom } from "../draw/kingdom.js";
import { t, wordsReady } from "../i18n/locale.js";
import { botsReady, fullName, kingdomName, nameOf as nameAt } from "../i18n/names.js";
import { placementText } from "../i18n/placement-text.js";
import {
  answerText, changeText, costText, isCostly, levelText, lossOf, pointsText, progressText, questionText, roundText, whyText,
} from "../i18n/review-text.js";
import { analysisPath, pathTo, replayPath } from "../net/address.js";
import { errorText, start } from "../net/api.js";
import { judged } from "../review/attempt.js";
import { choicesList, lookOf } from "../review/choices.js";
import { choiceOf } from "../review/game.js";
import { Graph, numbers } from "../review/graph.js";
import { costliest } from "../review/kept.js";
import { ID, isTable, NUMBER, openGame } from "../review/opened.js";
import { Trial } from "../review/trial.js";

/**
 * @import { Decision, LineEntry } from "../../engine/calls.js"
 * @import { Studied } from "../analysis/study.js"
 * @import { See } from "../review/board.js"
 * @import { Game } from "../review/game.js"
 * @import { ReviewWork } from "../review/work.js"
 */

/** Milliseconds between two announcements of the review's progress. */
const SAY = 10_000;

const [earlier, later, retry, retryWide] = ["earlier", "later", "retry", "retry-wide"].map((id) => byId(id, HTMLButtonElement));
const kingdom = byId("kingdom", Kingdom);
const trial = new Trial(showSeats);
const graph = new Graph(byId("lines"), go);

/** @type {Game} */
let game;
/** @type {ReviewWork} */
let work;
let at = 0;
/** Whose art is shown. @type {See} */
let see = "best";
/** The choice shown in place of the best one, and its name; "" for the best. */
let opened = { action: "", title: "" };
/** Whether the player tries the decision again: no, yes, or already answered. @type {"no" | "yes" | "done"} */
let trying = "no";
/** The positions before decisions, as far as they are requested. @type {Map<number, Promise<Studied>>} */
const asked = new Map();
let said = -Infinity;
/** The decision on show. @type {Decision | undefined} */
let drawn;

const nameOf = (/** @type {number} */ seat) => nameAt(game.end, seat);
const moment = () => game.moments[at];
const decision = () => work.known.decisions[at];
/** The form of address: `you` for the viewer's only seat. @param {number} seat */
const form = (seat) => (game.isYou(seat) ? "you" : "other");
/** The domino to place; 0 for a claim. */
const toPlace = () => (moment().move.kind === "claimed" ? 0 : moment().move.domino);

/** @param {number} ply */
function positionAt(ply) {
  const known = asked.get(ply) ?? work.position(ply);
  asked.set(ply, known);
  known.catch(() => asked.delete(ply));
  return known;
}

// Going from decision to decision

/** @param {number} ply */
function go(ply) {
  at = Math.min(Math.max(ply, 0), game.moments.length - 1);
  see = "best";
  opened = { action: "", title: "" };
  trying = "no";
  history.replaceState(null, "", `#${at + 1}`);
  show();
  const words = [byId("where").textContent, decision() && byId("cost").textContent];
  announceInstead(words.filter(Boolean).join(". "));
}

/** Goes to the next decision marked in the graph. */
function goToCostly() {
  const plies = costliest(work.known, game.viewer).map(({ ply }) => ply).sort((one, other) => one - other);
  if (plies.length) go(plies.find((ply) => ply > at) ?? plies[0]);
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.shiftKey || isElsewhere(event, "[role=grid], #table, ol")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (key === "ArrowLeft") go(at - 1);
  else if (key === "ArrowRight") go(at + 1);
  else if (key === "Home") go(0);
  else if (key === "End") go(game.moments.length - 1);
  else if (key === "n") goToCostly();
  else if (key === "b" && trying === "no") look(see === "best" ? "yours" : "best");
  else return;
  event.preventDefault();
}

/** Shows the player's choice, or the better one. @param {See} wanted */
function look(wanted) {
  see = wanted;
  if (trial.walked) return show();
  for (const input of radios()) input.checked = input.value === see;
  byId("mine").dataset.see = see;
  const one = decision();
  trial.follows = one ? followingOf(one) : null;
  writeCaption();
  showOthers();
}

/** The action on show. @param {Decision} one */
const actionShown = (one) => (see === "yours" ? one.action : opened.action || one.best);

/** The action on show, and its likely continuation. @param {Decision} one */
function followingOf(one) {
  const action = actionShown(one);
  const line = one.alternatives.find((each) => each.action === action)?.line ?? [];
  return { line: line.length ? line : [action], exact: one.exact };
}

/** Shows another choice in place of the best one or the player's own. @param {string} action @param {string} title */
function open(action, title) {
  const one = decision();
  if (!one) return;
  if (action !== one.action || action === one.best) opened = { action: title ? action : "", title };
  see = action === one.action && action !== one.best ? "yours" : "best";
  show();
  kingdom.scrollIntoView({ block: "nearest" });
}

/** @returns {NodeListOf<HTMLInputElement>} */
const radios = () => document.querySelectorAll("#compare input");

// Drawing

function show() {
  const { table, move: { seat } } = moment();
  const one = (drawn = decision());
  trial.show({
    table, seat, isYou: game.isYou(seat), domino: toPlace(), label: kingdomName(table, seat, [...game.seats]), whose: fullName(game.end, seat),
    what: [roundText(table.round), toPlace() ? t("review.domino", { n: toPlace() }) : ""].filter(Boolean).join(", "), nameOf,
  }, { isAnswered: trying !== "yes" });
  byId("show").hidden = false;
  byId("where").textContent = t("review.where", { n: at + 1, of: game.moments.length });
  earlier.ariaDisabled = at === 0 ? "true" : null;
  later.ariaDisabled = at === game.moments.length - 1 ? "true" : null;
  byId("see-yours").textContent = t(`review.see_${form(seat)}`, { who: nameOf(seat) });
  byId("hand").hidden = trying === "no";
  byId("compare").hidden = trying !== "no";
  byId("mine").hidden = byId("graph").hidden = byId("step").hidden = false;
  byId("see-best").textContent = opened.title || t("review.see_best");
  const isDifferent = Boolean(one && (opened.action || one.best) !== one.action);
  find(document, "#compare fieldset").hidden = !isDifferent;
  if (!isDifferent) see = "best";
  const canTry = Boolean(one && isCostly(lossOf(one)) && trying === "no");
  retry.hidden = retryWide.hidden = !canTry;
  if (trying === "no") {
    showBoth();
    look(see);
  } else showOthers();
  writeHead();
  showSeats();
  showLinks();
  drawGraph();
}

/** Draws the decision with both frames. */
function showBoth() {
  const { move } = moment();
  const one = decision();
  const yours = one ? choiceOf(one.action, toPlace()) : choiceOfMove();
  const other = one && choiceOf(opened.action || one.best, toPlace());
  const best = other && lookOf(other) !== lookOf(yours) ? other : null;
  const labels = { yours: t(`review.label_${form(move.seat)}`, { who: nameOf(move.seat) }), best: opened.title || t("review.label_best") };
  trial.mark({ yours, best }, labels, see);
}

/** The player's choice, from the event. */
function choiceOfMove() {
  const { move } = moment();
  if (move.kind !== "placed") return { domino: move.domino };
  const [left, right] = [move.left, move.right].map(([x, y]) => /** @type {[number, number]} */ ([x, y]));
  return { domino: move.domino, left, right };
}

/** Draws the cost and the reason, or the task of a second try. */
function writeHead() {
  const one = decision();
  const { seat } = moment().move;
  if (!one) {
    byId("cost").textContent = t("review.headline");
    byId("why").textContent = "";
  } else if (trying === "no") {
    byId("cost").textContent = costText(one, game.isYou(seat), nameOf);
    byId("why").textContent = whyText(one, game.isYou(seat), nameOf);
  } else {
    const task = t(toPlace() ? "review.task_place" : "review.task_claim", { n: toPlace() });
    byId("cost").textContent = questionText(one, game.isYou(seat), nameOf);
    byId("why").textContent = `${task} ${t(`review.hidden_${form(seat)}`)}`;
  }
}

/** Says what the placement on show does, and its worth. */
async function writeCaption() {
  const one = decision();
  const caption = byId("caption");
  if (trying !== "no") return;
  if (!one) return caption.replaceChildren();
  const action = actionShown(one);
  const value = one.alternatives.find((each) => each.action === action)?.value ?? one.after;
  const worth = el("span.worth", t("review.on_average", { points: pointsText(value.mean_scores[one.seat]) }));
  const isStill = trial.watch();
  if (toPlace() && action !== "discard") {
    const found = await positionAt(at).catch(() => null);
    if (!isStill() || trying !== "no" || action !== actionShown(one)) return;
    const placement = found?.choices?.placements.find((each) => each.action === action);
    const words = placement ? placementText(placement.gains) : [];
    caption.replaceChildren(...words, words.length ? " " : "", worth);
  } else caption.replaceChildren(worth);
}

/** Draws the side column: the other choices, except during a second try, and the review's progress. */
function showOthers() {
  const { table, move: { seat } } = moment();
  const one = decision();
  const place = byId("others");
  place.hidden = trying !== "no";
  const parts = one && one.alternatives.length > 1
    ? [el("h2", t("review.others")), el("p.label", t("review.others_how")),
      choicesList(one, table, toPlace(), form(seat), nameOf(seat), actionShown(one), open)]
    : [];
  replaceContent(place, ...parts, progress());
}

/** Draws the progress of the review, or why it stopped. */
function progress() {
  if (work.isOver) return null;
  if (work.failure) {
    return el("p.refusal", errorText(work.failure), " ",
      el("button.button", { type: "button", "data-key": "again", onclick: () => work.open() }, t("offline.again")));
  }
  return el("p.progress", progressText(work));
}

/** Draws each seat's kingdom at this moment, the cost of its decisions and its luck, and both lines. */
function showSeats() {
  const { seats } = work.known;
  const { table, move } = moment();
  const sections = game.end.seats.map((_, seat) => {
    const one = seats[seat];
    const small = new Kingdom();
    const { squares, dominoes, score } = table.kingdoms[seat];
    small.show({ size: game.end.rules.size, seat, frame: "window", plain: game.end.rules.size > 5, squares, dominoes });
    return el(`section.seat-${SEATS[seat]}`,
      el("div.who", seal(seat), el("h2.name", ...fullName(game.end, seat)), el("span.score", score.total)),
      seat !== move.seat && el("div.mini", { "aria-hidden": "true" }, small),
      one && work.known.decisions.length > 0 && el("dl.facts", el("dt", t("review.decisions_cost")), el("dd", pointsText(one.cost_points)),
        el("dt", t("review.luck")), el("dd", changeText(one.luck))),
      one?.level && el("p", t(`review.level_${form(seat)}`, { who: nameOf(seat), level: levelText(one.level) })));
  });
  byId("seats").replaceChildren(...sections, linesThen(trial.walked ? linesOf(trial.walked) : [table.line, table.next_line]));
}

/** Both lines on the table. @param {readonly (Pick<LineEntry, "domino" | "seat" | "done">)[][]} lines */
function linesThen(lines) {
  const named = lines.map((all, at) => /** @type {const} */ ([at ? "table.next_line" : "table.this_line", all]));
  return el("div.then", ...named.filter(([, all]) => all.length).map(([key, all]) => el("div", el("h2", t(key)), el("ol", ...all.map(
    ({ domino, seat, done }) => el(done ? "li.done" : "li", el("div.face.domino", {
      role: "img", "aria-label": [dominoName(domino), seat === null ? "" : t("table.king_of", { name: nameOf(seat) })].filter(Boolean).join(". "),
    }, dominoSvg(domino)), seat !== null && king(seat)))))));
}

function showLinks() {
  const replay = isTable ? replayPath(ID, NUMBER) : pathTo(`/g/${ID}${NUMBER > 1 ? `#game-${NUMBER}` : ""}`);
  const position = analysisPath(ID, isTable, NUMBER, at);
  replaceContent(byId("links"), el("a", { href: position, "data-key": "analysis" }, t("review.to_analysis")),
    el("a", { href: replay, "data-key": "replay" }, t("end.look_back")), el("a", { href: pathTo("/games"), "data-key": "games" }, t("games.headline")));
}

function drawGraph() {
  byId("legend").textContent = game.viewer === null ? "" : t("review.legend");
  graph.show(work.known, game, at, nameOf);
  if (byId("numbers", HTMLDetailsElement).open) {
    byId("table").replaceChildren(numbers(work.known, game, nameOf, whatText));
  }
}

/** The choice of a decision in a few words. @param {number} ply */
function whatText(ply) {
  const { kind, domino } = game.moments[ply].move;
  return t(`review.${kind}`, { n: domino });
}

// Trying again

async function tryAgain() {
  const one = decision();
  if (!one) return;
  trying = "yes";
  see = "best";
  show();
  trial.wait();
  byId("cost").focus();
  const isStill = trial.watch();
  try {
    const position = await positionAt(at);
    if (isStill()) trial.offer(position);
  } catch (error) {
    if (isStill()) trial.fail(error);
  }
}

/** Says how good a try is. @param {string} action */
async function answer(action) {
  const one = decision();
  if (!one) return;
  trying = "done";
  show();
  trial.mark({ yours: null, best: choiceOf(action, toPlace()) }, { yours: "", best: t("mistakes.now") }, "best");
  byId("again").focus();
  const caption = byId("caption");
  caption.textContent = t("review.thinking");
  const isStill = trial.watch();
  try {
    const { loss, isSame } = await judged(work, one, action, toPlace());
    if (isStill()) caption.replaceChildren(el("b", answerText(lossOf(one), loss, isSame)));
  } catch (error) {
    if (isStill()) trial.fail(error);
  }
}

function stopTrying() {
  trying = "no";
  see = "best";
  show();
  byId("cost").focus();
}

trial.on("try", answer);
retry.onclick = retryWide.onclick = byId("again").onclick = tryAgain;
byId("show").onclick = stopTrying;
byId("goes-on").onclick = () => trial.goOn(positionAt(at));
earlier.onclick = () => go(at - 1);
later.onclick = () => go(at + 1);
for (const input of radios()) input.onchange = () => look(/** @type {See} */ (input.value));
byId("numbers").addEventListener("toggle", drawGraph);
addEventListener("keydown", (event) => work && press(event));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
new ResizeObserver(() => requestAnimationFrame(() => work && !byId("graph").hidden && drawGraph())).observe(byId("lines"));

function hear() {
  const isWhole = work.isOver;
  const worst = costliest(work.known, game.viewer)[0];
  if (said === -Infinity && isWhole && !location.hash && worst) at = worst.ply;
  if (trying === "no" && decision() !== drawn) show();
  else {
    showSeats();
    drawGraph();
    if (trying === "no") showOthers();
  }
  if (performance.now() - said < SAY && !isWhole) return;
  said = performance.now();
  announce(progress()?.textContent ?? "");
}

await start(Promise.all([wordsReady, artReady, botsReady.catch(() => {})]));
try {
  ({ game, work } = await openGame());
  const asks = Number(location.hash.slice(1));
  at = Math.min(Math.max(0, Number.isInteger(asks) ? asks - 1 : 0), game.moments.length - 1);
  show();
  addEventListener("hashchange", () => go(Number(location.hash.slice(1)) - 1 || 0));
  work.on("news", hear);
  await work.open();
} catch (error) {
  byId("cost").textContent = errorText(error);
  replaceContent(byId("links"), el("a", { href: pathTo("/games") }, t("games.headline")));
}
