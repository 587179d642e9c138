/**
 * Scoring a real game, `/score`: paint kingdoms square by square, or place their dominoes. The engine counts, and reports
 * what is impossible. Everything stays on the device.
 */
import { artReady, dominoName, dominoSvg, icon, seal, SEATS, terrainWord } from "../draw/art.js";
import { choice, group, toggle } from "../draw/controls.js";
import { copyFrom } from "../draw/copy.js";
import { announceInstead, byId, el, find, replaceContent } from "../draw/dom.js";
import { clearFaultMarks, markFault } from "../draw/fault-marks.js";
import { Kingdom } from "../draw/kingdom.js";
import { addCountLabel } from "../draw/kingdom-map.js";
import { isElsewhere } from "../draw/keys.js";
import { Painter } from "../draw/painter.js";
import { figures } from "../draw/scores.js";
import { engine } from "../engine/study.js";
import { capital, t, wordsReady } from "../i18n/locale.js";
import { LONGEST_NAME } from "../i18n/names.js";
import { pathTo } from "../net/address.js";
import { attempt, errorText, later, start } from "../net/api.js";
import { asTerritory, countedRows, scoresOf } from "../score/counted.js";
import { doubtText, gamesText, lasting, possibleText, resultText } from "../score/result.js";
import {
  DYNASTY_GAMES, emptySheet, holderOf, keepSheet, keptSheet, landOf, MOST_PLAYERS, repainted, squaresOf, withCastleAt, withDynasty,
  withLand, withoutPlayer, withPlayer,
} from "../score/sheet.js";
import { readText } from "../score/text.js";
import { Placing } from "../table/placing.js";
import { myName } from "./begin.js";

/**
 * @import { Kingdom as Arranged, Outcome, Scored, Terrain } from "../../engine/calls.js"
 * @import { Land, Sheet } from "../score/sheet.js"
 */

const ALL = Array.from({ length: 48 }, (_, at) => at + 1);
const MOST_STEPS = 200;

const root = find(document, ".scorer");
const kingdom = find(root, ".mine kd-kingdom", Kingdom);
const [mine, who, caption, hand, tabs, picker, counted, rest] =
  [".mine", ".mine .who", ".caption", ".hand", ".tabs", ".picker", ".counted", ".rest"].map((selector) => find(root, selector));
const [add, undo, done, whatIf] = ["add", "undo", "done", "what-if"].map((id) => byId(id, HTMLButtonElement));
const [turn, flip, place] = ["turn", "flip", "place"].map((name) => find(hand, `.${name}`, HTMLButtonElement));
const photo = byId("photo", HTMLAnchorElement);
const refused = byId("refused");
const placing = new Placing(kingdom, { caption, buttons: { turn, flip, place } });
const best = find(counted, ".possible kd-kingdom", Kingdom);
/** The small kingdoms in the tabs, by seat. */
const minis = Array.from({ length: MOST_PLAYERS }, () => new Kingdom());

const kept = keptSheet();
let sheet = kept.sheet ?? emptySheet([myName() ?? ""]);
let { past } = kept;
/** The engine's answer for each game of a sheet, and for a Dynasty. @type {{of: Sheet, games: Scored[], dynasty: Outcome | null} | null} */
let known = null;
/** The best arrangement of a kingdom's dominoes under the rules of a sheet. @type {{of: Sheet, best: Arranged} | null} */
let possible = null;
/** The domino to place; 0: none. */
let chosen = 0;
let isCounting = false;
/** Whether the next change begins a step to undo. */
let isStep = true;
/** The faults of a text. @type {string[]} */
let textFaults = [];

const nameOf = (/** @type {number} */ seat) => sheet.names[seat] || t(`analysis.seat_${seat}`);
const isFull = (/** @type {Land} */ land) => squaresOf(land).length === sheet.size ** 2 - 1;
const isDone = (/** @type {Land} */ land) => land.isDone || isFull(land);

// Changes

/** Goes on with another sheet; undo returns to this one. @param {Sheet} next */
function change(next) {
  if (isStep) past = [...past, sheet].slice(-MOST_STEPS);
  isStep = true;
  show(next);
}

/** Shows another sheet. @param {Sheet} next */
function show(next) {
  const isOther = next.seat !== sheet.seat || next.game !== sheet.game || next.how !== sheet.how;
  sheet = next;
  refused.textContent = "";
  keepSheet(sheet, past);
  if (isOther) {
    choose(0);
    enter();
  }
  draw();
  count();
}

const painter = new Painter(kingdom, find(root, ".palette"), () => squaresOf(landOf(sheet)));
painter.on("begin", () => { isStep = true; });
painter.on("paint", (squares) => {
  const isFirst = isStep;
  change(withLand(sheet, { ...repainted(landOf(sheet), squares), isDone: false }));
  isStep = false; // the rest of a stroke is one step with its beginning
  if (isFirst) announceSquare();
});
painter.on("castle", (to) => change(withLand(sheet, withCastleAt(landOf(sheet), to))));
painter.on("choose", () => write());
for (const kind of ["pointerup", "pointercancel", "keyup"]) addEventListener(kind, () => { isStep = true; }, { capture: true });

undo.onclick = () => {
  const before = past.pop();
  if (before) show({ ...before, how: sheet.how });
};

/** Announces the square with the focus, which keys have just painted. */
function announceSquare() {
  kingdom.addEventListener("drawn", () => {
    announceInstead(kingdom.querySelector("[role=gridcell]:focus-visible")?.ariaLabel ?? "");
  }, { once: true });
}

// The kingdom

function draw() {
  const { how, seat, size } = sheet;
  const land = landOf(sheet);
  const isPainted = how === "squares";
  root.className = `scorer by-${how}`;
  for (const input of root.querySelectorAll("[name=how]")) if (input instanceof HTMLInputElement) input.checked = input.value === how;
  drawHead();
  drawTabs();
  who.className = `who seat-${SEATS[seat]}`;
  who.firstElementChild?.replaceWith(seal(seat));
  find(who, ".name").textContent = nameOf(seat);
  find(who, "small").textContent = isPainted || land.squares.length
    ? t("score.squares_of", { n: squaresOf(land).length + 1, of: size ** 2 })
    : t("score.dominoes_of", { n: land.dominoes.length, of: (size ** 2 - 1) / 2 });
  mine.setAttribute("aria-labelledby", `tab-${seat}`);
  kingdom.show({
    size, seat, dominoes: land.dominoes, squares: land.squares, frame: "reach", label: t("table.kingdom_of", { name: nameOf(seat) }),
    plain: false,
  });
  undo.disabled = past.length === 0;
  picker.hidden = isPainted;
  hand.hidden = isPainted;
  drawPicker();
  drawPhoto();
  drawRest();
  drawCount();
}

/** Offers to read this kingdom from a photograph, or the next one after it. */
function drawPhoto() {
  const lands = sheet.games[sheet.game];
  const isNext = squaresOf(landOf(sheet)).length > 0;
  photo.hidden = isNext && lands.length === MOST_PLAYERS && lands.every((land) => squaresOf(land).length);
  photo.href = pathTo(isNext ? "/photo?next" : "/photo");
  replaceContent(photo, icon("camera"), t(isNext ? "score.photo_next" : "score.photo"));
}

function drawTabs() {
  const lands = sheet.games[sheet.game];
  replaceContent(tabs, ...lands.map((land, seat) => {
    const tab = tabs.querySelector(`#tab-${seat}`) ?? newTab(seat);
    tab.setAttribute("aria-selected", String(seat === sheet.seat));
    if (tab instanceof HTMLElement) tab.tabIndex = seat === sheet.seat ? 0 : -1;
    find(tab, ".name").textContent = nameOf(seat);
    minis[seat].show({ size: sheet.size, seat, dominoes: land.dominoes, squares: land.squares, frame: "window", plain: sheet.size === 7 });
    return tab;
  }));
  add.hidden = lands.length === MOST_PLAYERS;
}

/** @param {number} seat */
function newTab(seat) {
  return el(`button.tab.seat-${SEATS[seat]}`, {
    type: "button", id: `tab-${seat}`, role: "tab", "aria-controls": "mine", "data-key": `tab${seat}`,
    onclick: () => show({ ...sheet, seat }),
  }, seal(seat), el("span.name"), el("b"), el("div.mini", { "aria-hidden": "true" }, minis[seat]));
}

tabs.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const players = sheet.names.length;
  show({ ...sheet, seat: (sheet.seat + step + players) % players });
  byId(`tab-${sheet.seat}`).focus();
});

add.onclick = () => {
  change(withPlayer(sheet));
  byId(`tab-${sheet.seat}`).focus();
};

for (const input of root.querySelectorAll("[name=how]")) {
  if (input instanceof HTMLInputElement) input.onchange = () => show({ ...sheet, how: input.value === "squares" ? "squares" : "dominoes" });
}

/** Shows the next step, or the facts of a finished kingdom. */
function drawHead() {
  const land = landOf(sheet);
  const total = known?.of === sheet ? known.games[sheet.game].kingdoms[sheet.seat].score.total : null;
  if (isDone(land) && total === null) return; // the engine is counting
  const [head, next] = isDone(land) ? ["has", "change"] : sheet.how === "squares" ? ["paint", "crown"] : ["choose", "number"];
  const words = { name: nameOf(sheet.seat), n: total ?? 0 };
  find(root, "h1").replaceChildren(el("span.long", t(`score.${head}_head`, words)), el("span.short", t(`score.${head}_short`, words)));
  find(root, ".next").textContent = t(`score.${next}_next`);
}

/** Writes the line under the kingdom: a doubt about it, or what to do. */
function write() {
  if (sheet.how === "squares" && painter.palette.hidden) return;
  if (sheet.how === "dominoes") {
    if (!chosen) caption.textContent = doubts().map(doubtText)[0] ?? "";
    return;
  }
  const { terrain, hasCastle } = painter;
  const [doubt] = doubts().map(doubtText);
  caption.classList.toggle("no", Boolean(doubt) && !hasCastle);
  caption.textContent = hasCastle ? t("kingdom.put_castle") : doubt ?? (terrain
    ? t("score.tap", { Terrain: capital(terrainWord(terrain)) }) : t("analysis.tap_empty"));
}

// Dominoes

/** Takes a domino into the hand, or says whose it is; 0 puts it back. @param {number} number */
async function choose(number) {
  placing.stop();
  chosen = 0;
  const holder = number ? holderOf(sheet, number) : -1;
  if (holder >= 0) {
    drawPicker();
    caption.replaceChildren(t("score.lies_in", { number, name: nameOf(holder) }), " ", el("button.button.bare", {
      type: "button", onclick: () => takeOut(number, holder),
    }, t("score.take_out")));
    return;
  }
  chosen = number;
  drawPicker();
  if (!number) return;
  const choices = await engine.ask("placements", { size: sheet.size, squares: squaresOf(landOf(sheet)), domino: number }).catch((error) => {
    refused.textContent = errorText(error);
    return null;
  });
  if (chosen !== number) return;
  if (choices) placing.start({ ...choices, domino: number });
  if (!choices?.placements.length) caption.textContent = t(choices ? "score.fits_nowhere" : "score.cannot_place", { number });
  else if (picker.querySelector(":focus-visible")) kingdom.focus();
}

/** @param {number} number @param {number} seat */
function takeOut(number, seat) {
  const land = sheet.games[sheet.game][seat];
  change(withLand({ ...sheet, seat }, { ...land, dominoes: land.dominoes.filter(([other]) => other !== number), isDone: false }));
  caption.textContent = "";
  faceOf(number)?.focus();
}

/** @param {number} number @returns {HTMLElement | null} */
const faceOf = (number) => picker.querySelector(`[data-key="d${number}"]`);

placing.on("place", ({ entry }) => {
  const land = landOf(sheet);
  chosen = 0;
  if (kingdom.querySelector(":focus-visible")) faceOf(entry[0])?.focus();
  change(withLand(sheet, { ...land, dominoes: [...land.dominoes, entry], isDone: false }));
});
placing.on("choose", (candidate) => {
  find(who, ".score i").textContent = candidate ? `→ ${(scored()?.score.total ?? 0) + candidate.points}` : "";
});

function drawPicker() {
  if (sheet.how === "squares") return;
  replaceContent(find(picker, "ol"), ...ALL.map((number) => {
    const holder = holderOf(sheet, number);
    const words = holder < 0 ? dominoName(number) : `${dominoName(number)}. ${t("score.lies_in", { number, name: nameOf(holder) })}`;
    return el(holder < 0 ? "li" : "li.used", el("button", {
      type: "button", "data-key": `d${number}`, "aria-label": words, "aria-pressed": String(number === chosen), onclick: () => choose(number),
    }, el("span", { "aria-hidden": "true" }, number), el("div.domino", dominoSvg(number))));
  }));
}

document.addEventListener("keydown", (event) => {
  if (sheet.how === "squares" || isElsewhere(event)) return;
  if (event.key.toLowerCase() === "l") faceOf(chosen || 1)?.focus();
  else if (event.key.toLowerCase() === "k") kingdom.focus();
  else return;
  event.preventDefault();
});

// The count

/** The engine's answer for the large kingdom, if the kingdom has not changed since. */
const scored = () => (known?.of.games === sheet.games ? known.games[sheet.game]?.kingdoms[sheet.seat] : undefined);

/** Asks the engine, one sheet after another, and leaves out those that have changed meanwhile. */
async function count() {
  if (isCounting) return;
  isCounting = true;
  try {
    while (known?.of !== sheet) {
      const of = sheet;
      const games = await Promise.all(of.games.slice(0, of.dynasty ? DYNASTY_GAMES : 1).map((lands) => scoresOf(of, lands)));
      const points = games.map(({ kingdoms }) => kingdoms.map(({ score }) => score.total));
      const dynasty = of.dynasty && await engine.ask("dynasty_outcome", { dynasty: of.dynasty, games: points });
      known = { of, games, dynasty };
    }
    drawCount();
  } catch (error) {
    refused.textContent = errorText(error);
  } finally {
    isCounting = false;
  }
}

/** The doubts about the large kingdom. */
const doubts = () => lasting(scored()?.doubts ?? [], isDone(landOf(sheet)));

/** Draws the engine's answer. */
function drawCount() {
  if (known?.of !== sheet) return;
  const { seat, game } = sheet;
  const now = known.games[game];
  for (const [at, { score: { total } }] of now.kingdoms.entries()) find(tabs, `#tab-${at} b`).textContent = String(total);
  const land = landOf(sheet);
  drawHead();
  find(who, ".score b").textContent = String(now.kingdoms[seat].score.total);
  find(counted, "h2").textContent = t("score.counts", { name: nameOf(seat) });
  replaceContent(find(counted, ".terr"), ...countedRows(sheet, now.kingdoms[seat]));
  const result = [resultText(sheet, now, nameOf, isDone), gamesText(sheet, known.dynasty, nameOf, isDone)].filter(Boolean).join(" ");
  const place = find(counted, ".result");
  if (place.textContent !== result) place.textContent = result;
  const all = doubts().map(doubtText);
  replaceContent(find(counted, ".doubts"), ...(all.length > 1 ? all.map((words) => el("li", words)) : []));
  done.hidden = isFull(land) || (!squaresOf(land).length && !land.isDone);
  done.ariaPressed = String(land.isDone);
  done.textContent = t(land.isDone ? "score.go_on" : "score.done", { name: nameOf(seat) });
  drawPossible();
  mark();
  write();
}

/** Shows the best arrangement, or offers to look for it once the kingdom is finished. */
function drawPossible() {
  const [land, one] = [landOf(sheet), scored()];
  const isKnown = possible?.of === sheet;
  whatIf.hidden = isKnown || !one || !isDone(land) || !squaresOf(land).length || one.doubts.length > 0;
  const place = find(counted, ".possible");
  place.hidden = !isKnown;
  if (!isKnown || !one || !possible) return;
  const { score } = possible.best;
  const squares = possible.best.squares.filter(({ terrain }) => terrain !== "castle")
    .map(({ at: [x, y], terrain, crowns }) => ({ x, y, terrain: /** @type {Terrain} */ (terrain), crowns }));
  find(place, "p").textContent = possibleText(score.total, one.score.total);
  best.hidden = score.total <= one.score.total;
  best.show({ size: sheet.size, seat: sheet.seat, dominoes: [], squares, frame: "box", plain: false, label: t("score.possible") });
}

whatIf.onclick = () => attempt(async () => {
  const [of, text] = [sheet, scored()?.text ?? ""];
  const { bestArrangement } = await later(() => import("../score/possible.js"));
  const found = await bestArrangement(of, landOf(of), text);
  if (of === sheet) possible = { of, best: found };
  drawCount();
}, refused, whatIf).then(() => { whatIf.disabled = false; });

/** Marks the territories with their points, and the squares with doubts. */
function mark() {
  clearFaultMarks(kingdom);
  const one = scored();
  if (!one || !kingdom.isDrawn) return;
  kingdom.clearHighlights();
  for (const territory of sheet.how === "squares" ? one.territories : []) {
    const { squares, crowns, score } = territory;
    if (!crowns) continue;
    const label = squares.length > 1 ? `${figures(asTerritory(territory))} = ${score}` : String(score);
    addCountLabel(kingdom.marks, squares.map(([x, y]) => kingdom.corner(x, y)), label);
  }
  for (const [at, { squares }] of doubts().entries()) for (const square of squares) markFault(kingdom, square, at + 1);
}

kingdom.addEventListener("drawn", () => {
  if (!scored()) kingdom.clearHighlights();
  mark();
});
done.onclick = () => change(withLand(sheet, { ...landOf(sheet), isDone: !landOf(sheet).isDone }));

// Names, rules, and sharing

function drawRest() {
  const { names, size, edition, harmony, middle_kingdom, dynasty, game } = sheet;
  const name = (/** @type {string} */ own, /** @type {number} */ seat) => el(`li.seat-${SEATS[seat]}`, seal(seat),
    el("input.field", {
      value: own, maxlength: LONGEST_NAME, autocomplete: "off", spellcheck: "false", placeholder: nameOf(seat), "data-key": `name${seat}`,
      "aria-label": t("score.name", { n: seat + 1 }),
      onchange: ({ target }) => change({ ...sheet, names: names.with(seat, /** @type {HTMLInputElement} */ (target).value.trim()) }),
    }),
    names.length > 1 && el("button.button.bare.icon", {
      type: "button", "aria-label": t("score.remove", { name: nameOf(seat) }), onclick: () => {
        change(withoutPlayer(sheet, seat));
        byId(`tab-${sheet.seat}`).focus();
      },
    }, icon("close")));
  const old = rest.querySelector("textarea");
  const text = el("textarea", { "aria-label": t("score.text"), "aria-describedby": "text-faults", spellcheck: "false", placeholder: "w1wf/.Cl2" });
  if (old) text.value = old.value;
  const button = (/** @type {string} */ key, /** @type {(pressed: HTMLButtonElement) => unknown} */ work) =>
    el("button.button", { type: "button", "data-key": key, onclick: ({ currentTarget }) => work(/** @type {HTMLButtonElement} */ (currentTarget)) }, t(key));
  replaceContent(rest,
    el("ol.names", ...names.map(name)),
    group(t("score.size"), choice("size", [[/** @type {5 | 7} */ (5), "5×5"], [/** @type {5 | 7} */ (7), "7×7"]], size, (value) => change({ ...sheet, size: value }))),
    toggle("harmony", t("common.harmony"), harmony, (isOn) => change({ ...sheet, harmony: isOn }), t("common.harmony_why")),
    toggle("middle_kingdom", t("common.middle_kingdom"), middle_kingdom, (isOn) => change({ ...sheet, middle_kingdom: isOn }), t("common.middle_kingdom_why")),
    group(t("common.edition"), choice("edition", [[/** @type {"first" | "second"} */ ("second"), t("common.edition_second")], ["first", t("common.edition_first")]],
      edition, (value) => change({ ...sheet, edition: value })), t(`common.edition_${edition}_tie_why`)),
    group(t("common.dynasty"), choice("dynasty", [[/** @type {"" | "total" | "best"} */ (""), t("common.dynasty_none")], ["total", t("common.dynasty_total")], ["best", t("common.dynasty_best")]],
      dynasty ?? "", (value) => change(withDynasty(sheet, value || null))), t(`common.dynasty_${dynasty ?? "none"}_why`)),
    dynasty && group(t("score.game"), choice("game", Array.from({ length: DYNASTY_GAMES }, (_, at) => /** @type {[number, string]} */ ([at, t("end.game_n", { game: at + 1 })])),
      game, (value) => show({ ...sheet, game: value }))),
    el("div.opt", el("b", { "aria-hidden": "true" }, t("score.text")), text, button("score.read", () => read(text.value)),
      el("div.refusal", { id: "text-faults", role: "status" }, el("ul", ...textFaults.map((words) => el("li", words))))),
    el("div.opt", button("end.share", (pressed) => attempt(sharePicture, refused, pressed).then(() => { pressed.disabled = false; })),
      button("score.copy", copy), button("score.analyse", (pressed) => attempt(analyse, refused, pressed)),
      button("score.again", () => change({ ...emptySheet(names), ...{ size, edition, harmony, middle_kingdom, how: sheet.how } }))));
}

/** @param {string} text */
async function read(text) {
  const now = sheet;
  const { squares, faults } = await readText(text, now.size);
  if (sheet !== now) return;
  textFaults = faults;
  if (faults.length) drawRest();
  else change(withLand(sheet, { squares, dominoes: [], isDone: false }));
}

/** The text of the last line, or the number of points. */
const sentence = () => find(counted, ".result").textContent || `${nameOf(0)}: ${t("end.points", { n: known?.games[sheet.game].kingdoms[0].score.total ?? 0 })}`;

async function sharePicture() {
  const [{ pictureOf }, { share }] = await later(() => Promise.all([import("../score/picture.js"), import("./share.js")]));
  const kingdoms = sheet.games[sheet.game].map((land, seat) => ({
    seat, name: nameOf(seat), size: sheet.size, squares: squaresOf(land), total: known?.games[sheet.game].kingdoms[seat].score.total ?? 0,
  }));
  await share(await pictureOf(kingdoms, sentence()));
}

/** @param {HTMLButtonElement} pressed */
async function copy(pressed) {
  const parts = sheet.games[sheet.game].map((_, seat) => {
    const one = known?.games[sheet.game].kingdoms[seat];
    const lines = (one?.territories ?? []).filter(({ crowns }) => crowns)
      .map((territory) => `${terrainWord(territory.terrain)} ${figures(asTerritory(territory))} = ${territory.score}`);
    const bonuses = /** @type {const} */ (["harmony", "middle_kingdom"]).filter((name) => one?.score[name])
      .map((name) => `${t(`common.${name}`)} ${one?.score[name]}`);
    return [`${nameOf(seat)}: ${one?.score.total}`, ...lines, ...bonuses, one?.text].filter(Boolean).join("\n");
  });
  await copyFrom(pressed, "score.copy", [sentence(), ...parts].join("\n\n"));
}

/** Opens the kingdoms on the analysis board, as at the end of a game. */
async function analyse() {
  const [{ emptyDraft, textOfDraft }, { possible, rulesReady, rulesSet }] =
    await later(() => Promise.all([import("../analysis/setup.js"), import("./rules-sets.js")]));
  await rulesReady;
  const { edition, harmony, middle_kingdom, size, names, games, game } = sheet;
  const kingdoms = games[game].map(squaresOf);
  const players = Math.max(2, names.length);
  const draft = possible({ ...emptyDraft(), players, edition, harmony, middle_kingdom, mighty_duel: size === 7 && players === 2 });
  while (kingdoms.length < players) kingdoms.push([]);
  const unseen = ALL.filter((number) => holderOf(sheet, number) < 0);
  const setup = textOfDraft({ ...draft, round: rulesSet(draft).rounds, unseen, kingdoms });
  location.assign(pathTo(`/analysis?${new URLSearchParams({ setup })}`));
}

// The page

/** Switches between painting kingdoms and placing dominoes. */
function enter() {
  if (sheet.how === "squares") painter.start();
  else painter.stop();
}

function begin() {
  undo.replaceChildren(icon("undo"));
  for (const [button, name] of /** @type {const} */ ([[turn, "turn"], [flip, "flip"], [place, "check"]])) {
    button.querySelector("svg")?.remove();
    button.prepend(icon(name));
  }
  known = null;
  find(picker, "ol").replaceChildren();
  draw();
  enter();
  count();
}

await start(Promise.all([artReady, wordsReady]));
begin();
if (kept.isOther) refused.textContent = t("score.other_version");
document.addEventListener("language", begin);
addEventListener("storage", ({ key }) => { // another tab has written
  const other = key === "kingdomino.score" && keptSheet();
  if (!other || !other.sheet) return;
  [sheet, past] = [other.sheet, other.past];
  begin();
});
