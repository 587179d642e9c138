/**
 * Puzzles: one clearly best action to find. `/puzzles` is today's, `#2026-06-05` another day's; `#level`, `#own` and
 * `#harmony` are the next one of a series, and `#level/a12` is one of its puzzles.
 */
import { artReady, dominoSvg } from "../draw/art.js";
import { copyFrom } from "../draw/copy.js";
import { announce, byId, el, replaceContent, updateContent } from "../draw/dom.js";
import { isElsewhere } from "../draw/keys.js";
import { factsText } from "../analysis/side.js";
import { landOf, linesOf, listedFor, study } from "../analysis/study.js";
import { EngineRefusal, NoEngine } from "../engine/engine.js";
import { engine } from "../engine/study.js";
import { dateText, otherNames } from "../i18n/game-text.js";
import { language, t, wordsReady } from "../i18n/locale.js";
import { namesOf } from "../i18n/names.js";
import { dayText, foundText, stakeText, wrongText } from "../i18n/puzzle-text.js";
import { readReviewed, reviewedOf } from "../local/reviewed.js";
import { linkTo, loadFile, pathTo } from "../net/address.js";
import { errorText, start } from "../net/api.js";
import { judgedAt } from "../review/attempt.js";
import { lookOf } from "../review/choices.js";
import { choiceOf } from "../review/game.js";
import { Beside } from "../review/beside.js";
import { Trial } from "../review/trial.js";
import { nextOf, ownPuzzles, posedOf } from "../puzzles/posed.js";
import { keepResult, readProgress } from "../puzzles/progress.js";

/**
 * @import { Studied } from "../analysis/study.js"
 * @import { Choice } from "../review/game.js"
 * @import { Posed } from "../puzzles/posed.js"
 * @import { Following } from "../review/walk.js"
 */

const THEMES = ["harmony", "centre", "room", "crowns", "points", "opponent", "order", "ending"];
const DATE = /^\d{4}-\d\d-\d\d$/;
const DAYS = 7;

const beside = new Beside();
const trial = new Trial((studied, scene) => beside.show(studied, scene));
const [again, goesOn, showMe, next, copy] = ["again", "goes-on", "show", "next", "copy"].map((id) => byId(id, HTMLButtonElement));
const [title, why] = ["cost", "why"].map((id) => byId(id));

/** The puzzles of the file; none if reading it failed. @type {Posed[]} */
let listed = [];
/** @type {Posed[]} */
let own = [];
/** @type {Posed | null} */
let today = null;
/** `day`, `level`, `own` or a theme. */
let series = "day";
/** The day of the puzzle. */
let date = "";
/** @type {Posed | null} */
let posed = null;
/** @type {Studied | null} */
let studied = null;
/** Whether the page has shown a puzzle: the next ones get the focus. */
let hasPosed = false;
/** The number of tries. */
let tries = 0;
/** The first wrong try. @type {Choice | null} */
let first = null;
/** The likely moves after the solution. @type {Following | null} */
let follows = null;

/** A day like `2026-06-05`. @param {number} [ago] days */
function dayOf(ago = 0) {
  const day = new Date();
  day.setDate(day.getDate() - ago);
  return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

const nameOf = (/** @type {number} */ seat) => (posed?.game ? namesOf(posed.game.played.players)[seat] : t(`analysis.seat_${seat}`));
const toPlace = () => studied?.domino ?? 0;

/** The puzzle of a day like `2026-06-05`. @param {string} day */
const puzzleOf = async (day) => listed[await engine.ask("daily_puzzle", { date: day, puzzles: listed.length })];

/** @param {string} of */
const seriesOf = (of) => (of === "own" ? own : of === "level" ? listed : listed.filter(({ themes }) => themes.includes(of)));

// The question

/** Poses the puzzle of the address, or says why there is none. */
async function follow() {
  const [of, name] = location.hash.slice(1).split("/");
  const isDay = !of || DATE.test(of);
  series = isDay ? "day" : of;
  date = isDay ? of || dayOf() : "";
  trial.stop();
  const isStill = trial.watch();
  if (isDay && date > dayOf()) return lack(t("puzzle.future"));
  if (!listed.length && series !== "own") return lackFile();
  try {
    if (isDay) {
      const one = await puzzleOf(date);
      return isStill() && pose(one);
    }
    const all = seriesOf(of);
    const one = name ? all.find((each) => each.name === name) : nextOf(all, readProgress(), posed?.name);
    if (!one) return lack(t(of === "own" ? "puzzle.own_none" : "puzzle.none"));
    if (!name) history.replaceState(null, "", `#${of}/${one.name}`);
    return await pose(one);
  } catch {
    return isStill() && lack(t("puzzle.none"));
  }
}

/** @param {Posed} one */
async function pose(one) {
  posed = one;
  studied = null;
  [tries, first, follows] = [0, null, one.follows];
  const isStill = trial.watch();
  const position = await study(await one.read());
  if (!isStill()) return;
  studied = position;
  byId("trying").classList.remove("lacking");
  byId("ways").replaceChildren();
  ask();
}

/** Asks, for the first time or again. */
function ask() {
  if (!posed || !studied) return;
  const { game } = posed;
  show(false);
  trial.wait();
  title.textContent = game ? t("review.find_you", { n: Math.round(posed.cost) }) : toPlace() ? t("puzzle.where", { n: toPlace() }) : t("puzzle.which");
  why.textContent = [
    game && t("puzzle.from_game", { names: otherNames(game.played), date: dateText(game.ended) }),
    readProgress().tries[posed.name] ? t("puzzle.solved_before") : !game && t("puzzle.one_best"),
  ].filter(Boolean).join(" ");
  byId("where").textContent = [
    series === "day" ? dayText(date, dayOf(), language) : t(`puzzle.series_${series}`), posed.level && t("puzzle.level", { level: posed.level }),
  ].filter(Boolean).join(", ");
  byId("what").textContent = factsText(studied);
  if (hasPosed) title.focus({ preventScroll: true });
  hasPosed = true;
  scrollTo(0, 0);
  trial.offer(studied);
  drawList();
}

/** Draws the parts that do not depend on the attempt. @param {boolean} isAnswered @param {boolean} [isSolved] */
function show(isAnswered, isSolved = false) {
  if (!posed || !studied) return;
  const seat = studied.to_move ?? 0;
  const { kingdoms, rules, text } = studied;
  trial.show({
    table: { rules, next_line: linesOf(studied)[1], kingdoms: kingdoms.map((each) => ({ squares: landOf(each), dominoes: [], score: each.score })) },
    seat, isYou: true, domino: toPlace(), label: t("table.your_kingdom"), whose: [t("table.your_kingdom")], what: factsText(studied), nameOf,
  }, { isAnswered, follows: isSolved ? follows : null });
  again.hidden = !isAnswered || isSolved;
  showMe.hidden = isSolved;
  next.classList.toggle("primary", isSolved);
  copy.hidden = !isSolved || posed.game !== null;
  copy.textContent = t("puzzle.copy");
  const analysis = byId("analysis", HTMLAnchorElement);
  analysis.hidden = !isSolved;
  analysis.href = pathTo(`/analysis?${new URLSearchParams({ position: text })}`);
}

// Answers

/** The look of a choice, the same for both ways to turn the domino. @param {string} action */
const lookFor = (action) => lookOf(choiceOf(studied ? listedFor(studied, action) : action, toPlace()));

/** @param {string} action */
async function answer(action) {
  if (!posed || !studied) return;
  tries += 1;
  if (posed.solutions.some((one) => lookFor(one) === lookFor(action))) return solve(action);
  const choice = choiceOf(action, toPlace());
  first ??= choice;
  show(true);
  trial.mark({ yours: choice, best: null }, { yours: t("puzzle.yours"), best: "" }, "yours");
  title.textContent = t("review.thinking");
  why.textContent = t("puzzle.another");
  again.focus();
  const isStill = trial.watch();
  try {
    const decision = await judgedAt(studied.text, action);
    if (!isStill()) return;
    title.textContent = wrongText(decision, nameOf);
    announce(title.textContent);
    trial.explain(decision);
  } catch (error) {
    if (isStill()) title.textContent = errorText(error);
  }
}

/** Shows the solution. @param {string} action @param {boolean} [isShown] whether it was not found */
async function solve(action, isShown = false) {
  if (!posed || !studied) return;
  const day = series === "day" ? { date, domino: choiceOf(action, toPlace()).domino } : null;
  keepResult({ name: posed.name, tries: isShown ? 0 : tries, isRated: posed.level > 0 && !day, day });
  show(true, true);
  trial.mark({ yours: first, best: choiceOf(action, toPlace()) }, { yours: t("puzzle.first"), best: t("review.label_best") }, "best");
  title.textContent = t(isShown ? "puzzle.solution" : "puzzle.right");
  why.textContent = [!isShown && foundText(tries), stakeText(posed)].filter(Boolean).join(" ");
  drawList();
  title.focus({ preventScroll: true });
  if (follows) return;
  const isStill = trial.watch();
  const found = await judgedAt(studied.text, action).catch(() => null); // the solution stands without it
  if (!found || !isStill() || lookFor(found.best) !== lookFor(action)) return;
  trial.follows = follows = found;
}

// The list

function drawList() {
  const { level, tries: done, days } = readProgress();
  const left = (/** @type {readonly Posed[]} */ all) => all.filter(({ name }) => !(name in done)).length;
  const row = (/** @type {string} */ of, /** @type {string} */ name, /** @type {string} */ note) =>
    el("li", el("a", { href: `#${of}`, "aria-current": (of ? of === series : date === dayOf()) && "true", "data-key": of || "day" },
      el("b", name), el("small", note)));
  updateContent(byId("series"),
    listed.length > 0 && row("", t("puzzle.series_day"), t(today && done[today.name] ? "puzzle.solved" : "puzzle.for_all")),
    listed.length > 0 && row("level", t("puzzle.series_level"), t("puzzle.level_now", { level })),
    own.length > 0 && row("own", t("puzzle.series_own"), left(own) ? t("puzzle.left", { n: left(own) }) : t("puzzle.all_solved")));
  const themes = THEMES.filter((theme) => seriesOf(theme).length);
  byId("by-theme").hidden = !themes.length;
  updateContent(byId("themes"), ...themes.map((theme) => el("li", el("a", {
    href: `#${theme}`, "data-key": theme, "aria-current": theme === series && "true",
  }, t(`puzzle.series_${theme}`), el("small", left(seriesOf(theme)))))));
  byId("in-week").hidden = !listed.length;
  const week = Array.from({ length: DAYS }, (_, ago) => dayOf(DAYS - 1 - ago));
  updateContent(byId("week"), ...week.map((day) => {
    const noon = new Date(`${day}T12:00`);
    const name = noon.toLocaleDateString(language, { weekday: "long", day: "numeric", month: "long" });
    return el("li", el("a", {
      href: `#${day}`, "data-key": day, "aria-label": day in days ? t("puzzle.day_solved", { day: name }) : name,
      "aria-current": series === "day" && day === date && "true",
    }, el(day in days ? "div.domino" : "div.domino.empty", day in days && dominoSvg(days[day])), noon.toLocaleDateString(language, { weekday: "short" })));
  }));
}

/** Says why there is no puzzle, with ways on. @param {string} sentence @param {...Node} ways */
function lack(sentence, ...ways) {
  posed = studied = null;
  byId("trying").classList.add("lacking");
  title.textContent = sentence;
  why.textContent = byId("where").textContent = "";
  replaceContent(byId("ways"), ...ways,
    listed.length > 0 && el("a.button.primary", { href: "#", "data-key": "today" }, t("puzzle.to_today")),
    el("a.button", { href: pathTo("/"), "data-key": "home" }, t("common.home")));
  title.focus({ preventScroll: true });
  drawList();
}

/** Why the file could not be read. */
let lackOfFile = "";
const lackFile = () => lack(lackOfFile, el("button.button.primary", { type: "button", "data-key": "again", onclick: () => location.reload() }, t("offline.again")));

/** Goes to the next puzzle of the series; after today's, to one of your level. */
function goNext() {
  const of = series === "day" || !seriesOf(series).length ? "level" : series;
  history.pushState(null, "", `#${of}`);
  follow();
}

/** @param {KeyboardEvent} event */
function press(event) {
  if (event.shiftKey || event.key.toLowerCase() !== "n" || isElsewhere(event, "[role=grid], #walk")) return;
  event.preventDefault();
  if (posed) goNext();
}

/** Reads the file of puzzles. */
async function readFile() {
  try {
    const text = await (await loadFile("puzzles.txt")).text();
    listed = (await engine.ask("read_puzzles", { text })).map(posedOf);
    today = await puzzleOf(dayOf());
  } catch (error) {
    lackOfFile = error instanceof NoEngine ? error.message : t(error instanceof EngineRefusal ? "puzzle.damaged" : "puzzle.not_loaded");
  }
}

/** Finds the puzzles of your own games. If that fails, the others remain. */
async function readOwn() {
  const { games, reviews } = await readReviewed();
  own = ownPuzzles(reviewedOf(games, reviews));
}

trial.on("try", answer);
again.onclick = ask;
showMe.onclick = () => posed && solve(posed.solutions[0], true);
copy.onclick = () => posed && copyFrom(copy, "puzzle.copy", linkTo(`/puzzles#level/${posed.name}`));
goesOn.onclick = () => studied && trial.goOn(studied);
next.onclick = goNext;
addEventListener("keydown", press);
addEventListener("hashchange", follow);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

await start(Promise.all([wordsReady, artReady]));
const ownReady = readOwn().catch(() => {});
await Promise.all([readFile(), location.hash.startsWith("#own") && ownReady]);
await follow();
await ownReady;
drawList();
