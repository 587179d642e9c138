/**
 * The analysis board: every action of a position with its value, moves by hand, and positions to set up. The engine
 * in the page does all of it, so it works without the server once it is loaded.
 *
 * `/analysis?position=kd1…` is a position; `?table=ID&game=1` a finished game and `?game=ID` an imported one (`&number=2` of
 * a Dynasty), at `&ply=12`. `?position=kd1…&moves=claim+31;place…&name=…` is a branch.
 */
import { branchesFrom, branchOf, branchTo, follow as followBranch, keepBranch, LONGEST_NAME, queryOf } from "../analysis/branches.js";
import { copyFrom } from "../draw/copy.js";
import { artReady, dominoName, dominoSvg, icon, seal } from "../draw/art.js";
import { announce, byId, el, find, replaceContent } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { isElsewhere } from "../draw/keys.js";
import { Line } from "../draw/line.js";
import { EngineRefusal, searchWith } from "../engine/engine.js";
import { engine, searchers } from "../engine/study.js";
import { t, wordsReady } from "../i18n/locale.js";
import { botName, bots, botsReady, withBold } from "../i18n/names.js";
import { chanceText, percent, whole } from "../i18n/numbers.js";
import { recordText } from "../i18n/record-text.js";
import { lastGames } from "../local/games.js";
import { linkTo, pathTo } from "../net/address.js";
import { attempt, errorText, get, RequestError, start } from "../net/api.js";
import { importedRecord, isImported } from "../net/imported.js";
import { isRecord, trimmed } from "../net/pasted.js";
import { costliest, kept } from "../review/kept.js";
import { clientOf } from "../table/client.js";
import { Placing } from "../table/placing.js";
import { myName, startTable } from "./begin.js";
import { rulesReady } from "./rules-sets.js";
import { DueLine, dueGrid, dueText, extremesText, highAndLow, worthOf } from "../analysis/due.js";
import { draftFromText, draftOf, emptyDraft, SetUpBoard, textOfDraft } from "../analysis/setup.js";
import { EXAMPLES, startFrom } from "../analysis/start.js";
import { drawWho, factsText, lineItems, NONE, otherKingdom } from "../analysis/side.js";
import { landOf, linesOf, listedFor, play as playFrom, seatOf, study } from "../analysis/study.js";
import { faultText, headline, namesOf, placeIn } from "../analysis/text.js";
import { chanceOf, childOf, drawTree, newNode, rootOf } from "../analysis/tree.js";
import { bestFirst, errorOf, Values } from "../analysis/values.js";
import { worthTable } from "../analysis/worth.js";

/**
 * @import { Position } from "../../engine/calls.js"
 * @import { Found } from "../engine/engine.js"
 * @import { Example, Last } from "../analysis/start.js"
 * @import { Studied } from "../analysis/study.js"
 * @import { Node } from "../analysis/tree.js"
 * @import { Bot } from "../net/types.js"
 */

/** Milliseconds between two announcements of the best action so far. */
const SAY = 10_000;

const root = find(document, ".study");
const kingdom = find(root, ".mine kd-kingdom", Kingdom);
const [caption, who] = [".caption", ".mine .who"].map((selector) => find(root, selector));
const [turn, flip, place] = ["turn", "flip", "place"].map((name) => find(root, `.hand .${name}`, HTMLButtonElement));
const [empty, edit, byChance, reveal, play, analyse, back] = ["empty", "edit", "chance", "reveal", "play", "analyse", "back"]
  .map((id) => byId(id, HTMLButtonElement));
const decision = byId("decision", HTMLInputElement);
const right = find(root, ".right");
const placing = new Placing(kingdom, { caption, buttons: { turn, flip, place } });
const lines = [".line.this ol", ".line.coming ol"].map((selector) => new Line(find(root, selector, HTMLOListElement)));
const values = new Values();
const due = new DueLine();
const progress = el("p.label", { "aria-live": "off" });
const stop = el("button.button.bare", { type: "button" });
const worth = el("section.due");
const playOn = el("div.play-on.sheet");
const branchName = byId("branch-name", HTMLInputElement);
const copy = byId("branch-copy", HTMLButtonElement);
const refused = byId("refused");

let nameOf = namesOf([]);
const board = new SetUpBoard(root, kingdom, (seat) => nameOf(seat));
let node = newNode("");
/** The positions of a record, and the actions between them. @type {readonly string[]} */
let record = [];
/** @type {readonly string[]} */
let actions = [];
/** How the address names the record, like `table=ID&game=1`; empty for a record pasted as text. */
let source = "";
/** The visited positions by address. @type {Map<string, Node>} */
const nodes = new Map();
/** Counts the visits, to recognize answers that come too late. */
let visits = 0;
/** The running search. @type {AbortController | null} */
let running = null;
/** @type {Position | null} */
let draftChecked = null;
/** The seat whose kingdom is large. */
let home = 0;
/** The dominoes chosen for the next line. @type {number[]} */
let line = [];
/** When the page last announced the best action. */
let announced = -Infinity;
let isEditing = false;
/** The example in the first view; null once the user analyses. @type {Example | null} */
let example = null;
/** @type {Last | undefined} */
let last;

// Positions

/** The address of a position, within the record if it has this position. @param {string} text */
function addressOf(text) {
  const ply = source ? record.indexOf(text) : -1;
  return `?${ply < 0 ? new URLSearchParams({ position: text }) : `${source}&ply=${ply}`}`;
}

/** Goes to a position. @param {Node} to @param {boolean} [isStep] whether the browser's Back undoes it */
async function go(to, isStep = false) {
  const visit = (visits += 1);
  to.studied ??= await study(to.text);
  if (visit !== visits) return;
  node = to;
  node.text = to.studied.text;
  home = seatOf(to.studied);
  line = [];
  const ply = record.indexOf(node.text);
  if (ply >= 0 && ply < actions.length) childOf(node, actions[ply], record[ply + 1], true);
  const address = example ? location.pathname : addressOf(node.text);
  if (!example) nodes.set(address, node);
  if (!example && address !== location.search) history[isStep ? "pushState" : "replaceState"](null, "", address);
  await show();
  if (!to.parent) restoreBranches(to);
}

/** Adds the branches that this device stores for a position. @param {Node} from */
async function restoreBranches(from) {
  for (const branch of branchesFrom(from.text)) await followBranch(from, branch).catch(() => {}); // from an older release
  if (rootOf(node) === from && !isEditing) drawPath();
}

/** Opens a branch, or only its position if its moves are impossible. @param {URLSearchParams} asked */
async function openBranch(asked) {
  const branch = branchOf(asked);
  await openPosition(trimmed(asked.get("position") ?? ""));
  const root = node;
  const last = branch && await followBranch(root, branch).catch(() => null);
  if (!branch || !last) {
    refused.textContent = t("analysis.bad_branch");
    return;
  }
  if (node !== root) return;
  await go(last);
  const address = queryOf({ ...branch, root: root.text });
  nodes.set(address, last);
  history.replaceState(null, "", address);
}

/** Plays a move from here, or returns to the branch that has it already. @param {string} move */
function playMove(move) {
  const from = node;
  const isLate = () => isEditing || from !== node;
  inTurn(async () => {
    if (isLate()) return;
    const isDone = await attempt(async () => {
      const studied = await playFrom(from.text, move);
      if (isLate()) return;
      if (example) {
        nodes.set(addressOf(from.text), from);
        history.replaceState(null, "", addressOf(from.text));
        example = null;
      }
      const next = childOf(from, move, studied.text);
      next.studied = studied;
      await go(next, true);
      focusHead();
    }, refused);
    if (isDone || isLate() || !move.startsWith("place")) return;
    startPlacing();
    placing.pick(move);
  });
}

/** Moves the focus to a place that stays when its button goes. */
function focusHead() {
  find(root, "h1").focus({ preventScroll: true });
}

/** @param {string} text of a record @param {number} ply @param {string} [from] how the address names it */
async function openRecord(text, ply, from = "") {
  const read = await engine.ask("read_record", { record: text }).catch((error) => {
    throw error instanceof EngineRefusal ? new Error(recordText(error, text)) : error;
  });
  [record, actions, source, example] = [read.positions, read.actions, from, null];
  nodes.clear();
  nameOf = namesOf(read.players);
  await go(newNode(record[Math.min(Math.max(ply, 0), record.length - 1)]));
}

/** Opens a position. @param {string} text @param {Example | null} [shown] its example, if it has one */
async function openPosition(text, shown = null) {
  [record, actions, source, example] = [[], [], "", shown];
  nodes.clear();
  nameOf = namesOf([]);
  await go(newNode(text)).catch((error) => { throw withFaults(error, text); });
}

/** Opens a text: a position or a record. @param {string} text */
function openText(text) {
  const tidy = trimmed(text);
  return attempt(() => (isRecord(tidy) ? openRecord(text, 0) : openPosition(tidy)), refused);
}

/** All faults in the text of a position. @param {unknown} error @param {string} text */
function withFaults(error, text) {
  if (!(error instanceof EngineRefusal)) return error;
  return new Error([t("common.refused_bad_position"), ...error.faults.map((fault) => faultText(fault, nameOf, placeIn(text)))].join(" "));
}

// The board

async function show() {
  const { studied } = node;
  if (!studied) return;
  if (isEditing) for (const each of lines) each.list.replaceChildren(); // their buttons belong to the set-up
  running?.abort();
  running = null;
  due.stop();
  board.stop();
  isEditing = false;
  announced = -Infinity;
  const isDue = studied.due === "line";
  root.className = ["study", example && "starting", isDue && "is-due", studied.rules.players > 2 && "many"].filter(Boolean).join(" ");
  [empty.hidden, analyse.hidden, edit.hidden] = [true, true, example !== null || isDue];
  play.hidden = studied.to_move === null || example !== null;
  play.disabled = true;
  byChance.hidden = studied.phase !== "chance";
  reveal.hidden = !isDue;
  values.chosen = "";
  find(root, "h1").textContent = example && studied.domino ? t("analysis.where_place", { domino: studied.domino }) : headline(studied, nameOf);
  find(root, ".next").textContent = example ? t(`analysis.start_${example.name}_next`) : "";
  find(root, ".unseen", HTMLDetailsElement).open = false;
  drawSide(studied);
  drawKingdoms(studied);
  drawPath();
  drawBranch();
  drawDecision();
  drawWorth(node);
  const { choices, phase, to_move } = studied;
  const isPlacing = phase === "place" && studied.fits;
  turn.hidden = flip.hidden = !isPlacing;
  if (isPlacing) startPlacing();
  else {
    placing.stop();
    caption.textContent = phase === "place" ? t("kingdom.fits_nowhere", { number: studied.domino ?? 0 })
      : isDue ? t("analysis.tap_line", { n: studied.rules.line }) : "";
  }
  if (example) {
    const shown = example;
    const list = await startFrom(shown.name, last, {
      example: (one) => attempt(() => openPosition(one.position, one), refused),
      game: (query) => location.assign(pathTo(`/analysis${query}`)),
      own: () => { startEditing(emptyDraft(), 0); focusHead(); },
      analyse: () => { example = null; attempt(() => go(node, true), refused).then(focusHead); },
    });
    if (shown === example) right.replaceChildren(list);
  } else if (isDue) {
    right.replaceChildren();
    drawPlayOn();
    drawDue();
    due.start(node);
  }
  else if (to_move === null || !choices) {
    right.replaceChildren(...kings(studied), ...studied.outcome ? [] : [playOn]);
    drawPlayOn();
  }
  else {
    values.show(studied, nameOf(to_move));
    worth.replaceChildren();
    right.replaceChildren(values.element, el("div.progress", progress, stop), worth, playOn);
    drawPlayOn();
    if (node.found) write(node, node.found, node.found.isWhole);
    think();
  }
}

/** Lets the domino of the position be placed. */
function startPlacing() {
  const choices = node.studied?.choices;
  if (choices && choices.domino !== null) placing.start({ ...choices, domino: choices.domino });
}

/** @param {Studied} studied */
function drawSide(studied) {
  const { unseen, in_deck, due: what, rules } = studied;
  const [now, next] = linesOf(studied);
  lines[0].show(lineItems(studied, now, values.chosen, nameOf));
  lines[1].show(lineItems(studied, next, values.chosen, nameOf));
  if (what === "line") {
    const place = (/** @type {number | undefined} */ number) => (number === undefined
      ? el("li", el("span.no"), el("div.face.open"))
      : el("li", { "data-domino": number }, el("span.no", { "aria-hidden": "true" }, number),
        el("div.face.domino", { role: "img", "aria-label": dominoName(number) }, dominoSvg(number))));
    lines[1].list.replaceChildren(...Array.from({ length: rules.line }, (_, at) => place(line[at])));
  }
  const strip = find(root, ".unseen");
  const count = t("table.dominoes", { n: unseen.length });
  const words = unseen.length ? withBold(in_deck && in_deck < unseen.length ? "table.unseen_boxed" : "table.unseen", { count, deck: in_deck }, "count") : [t("table.all_seen")];
  strip.children[0].replaceChildren(icon("open"), el("span", ...words), el("span.label", factsText(studied)));
  replaceContent(find(strip, "ol"), ...unseen.map((number) => el("li",
    el("div", { role: "img", "aria-label": dominoName(number) }, el("span", { "aria-hidden": "true" }, number), el("div.domino", dominoSvg(number))))));
}

/** @param {Studied} studied */
function drawKingdoms(studied) {
  const { kingdoms, to_move, rules, phase, due: what, outcome } = studied;
  // As at the table, bonuses count when the game is over.
  const pointsOf = (/** @type {Position["kingdoms"][number]["score"]} */ { total, territories }) => (outcome ? total : territories);
  const note = to_move === home ? "analysis.to_move" : what === "line" && home === seatOf(studied) ? "analysis.places_first" : "";
  drawWho(who, home, nameOf(home), pointsOf(kingdoms[home].score), note && t(note));
  kingdom.show({
    size: rules.size, dominoes: [], squares: landOf(kingdoms[home]), seat: home,
    frame: to_move === null || phase !== "place" ? "box" : "reach", label: nameOf(home), plain: false,
  });
  replaceContent(find(root, ".others"), ...kingdoms.flatMap((one, each) =>
    (each === home ? [] : [otherKingdom(
      { seat: each, name: nameOf(each), squares: landOf(one), score: pointsOf(one.score), size: rules.size }, home,
      phase !== "place" && (() => {
        home = each;
        drawKingdoms(studied);
      }),
    )])));
}

/** Buttons to choose the king to draw next. @param {Studied} studied */
function kings({ due: what, kings_to_draw }) {
  if (what !== "king") return [];
  return [el("section.list", el("div.head2", el("h2", t("analysis.which_king"))), el("div.acts", ...[...new Set(kings_to_draw)].map((seat) =>
    el("button.button", { type: "button", onclick: () => playMove(`draw ${seat}`) }, seal(seat), nameOf(seat)))))];
}

/** Draws the moves that led here, the moves tried from here, and the decisions of a record. */
function drawPath() {
  drawTree(find(byId("path"), "ol"), node, nameOf, (to) => attempt(() => go(to, true), refused));
  back.disabled = node.parent === null;
  byId("path").hidden = example !== null;
}

/** Draws the name of the branch that ends here. */
function drawBranch() {
  byId("branch").hidden = example !== null || !node.parent;
  branchName.value = node.name;
}

/** Shows the points that each domino of the line would bring. @param {Node} at */
async function drawWorth(at) {
  at.worths ??= await engine.ask("worth", { position: at.text }).catch(() => null); // the board reports the error elsewhere
  if (at !== node || isEditing) return;
  root.classList.toggle("has-worth", Boolean(at.worths?.length) && !example);
  replaceContent(byId("worths"), ...(at.worths?.length ? [worthTable(at.worths, nameOf)] : []));
}

/** Shows the current decision of a record. */
function drawDecision() {
  let played = /** @type {Node | null} */ (node);
  while (played && !record.includes(played.text)) played = played.parent;
  decision.hidden = record.length < 2;
  decision.max = String(record.length - 1);
  decision.value = String(Math.max(0, record.indexOf(played?.text ?? "")));
}

decision.onchange = () => {
  const text = record[Number(decision.value)];
  return attempt(() => go(nodes.get(addressOf(text)) ?? newNode(text)), refused);
};

// Playing on

/** Asks for your seat and the opponents of a game that begins at this position. */
function drawPlayOn() {
  const { studied } = node;
  if (!studied) return;
  const own = el("select", { id: "own" }, ...studied.kingdoms.map((_, seat) =>
    new Option(nameOf(seat), String(seat), seat === seatOf(studied), seat === seatOf(studied))));
  const select = el("select", { id: "bot" }, ...bots.map(({ bot, name, level, usual }) =>
    new Option(t("new.who_bot", { name, level }), bot, usual, usual)));
  const begin = el("button.button", { type: "button" }, t("analysis.play_on"));
  begin.onclick = () => attempt(async () => {
    const bot = { name: botName(select.value), bot: select.value };
    const seats = studied.kingdoms.map((_, seat) => (String(seat) === own.value ? { name: myName(), bot: null } : bot));
    await startTable({ rules: studied.rules.text, dynasty: null, start: studied.text }, seats);
  }, refused, begin);
  playOn.replaceChildren(
    el("div", el("label.label", { for: "own" }, t("analysis.play_on_as")), own),
    el("div", el("label.label", { for: "bot" }, t("analysis.play_on_against")), select), begin);
  playOn.hidden = !bots.length;
}

// The search

/** Searches the position, and continues an earlier search of it. */
async function think() {
  const [stopper, at] = [new AbortController(), node];
  const { parent, move, text: position, studied } = node;
  const seat = studied?.to_move ?? 0;
  running = stopper;
  const isShown = () => running === stopper && at === node && !isEditing;
  const after = parent && /^(claim|place|discard)/.test(move) ? { position: parent.text, action: move } : undefined;
  refused.textContent = "";
  if (!at.found) progress.textContent = t("analysis.thinking");
  stop.textContent = t("analysis.stop");
  stop.hidden = Boolean(at.found?.isWhole);
  /** Keeps the result with more playouts. @param {Found} found */
  const keep = (found) => {
    const known = at.found?.analysis;
    Object.assign(found.analysis, { actions: bestFirst(found.analysis, seat) });
    if (!known || found.analysis.exact || (!known.exact && found.analysis.playouts >= known.playouts)) at.found = found;
    if (found.isShort && isShown()) refused.textContent ||= t("engine.part_died");
    return at.found ?? found;
  };
  try {
    const found = await searchWith(searchers, { position, after },
      (soFar) => { const known = keep(soFar); if (isShown()) write(at, known, false); }, stopper.signal);
    const known = keep(found);
    if (!isShown()) return;
    running = null;
    write(at, known, true);
    showWorth(at);
  } catch (error) {
    if (!isShown()) return;
    running = null;
    stop.hidden = false;
    stop.textContent = t("analysis.go_on");
    progress.textContent = errorText(error);
  }
}

/** @param {string} action */
function choose(action) {
  values.choose(action);
  play.disabled = !action;
  if (!node.studied) return;
  if (node.studied.phase === "place" && action.startsWith("place")) placing.pick(action);
  if (node.studied.phase === "claim") lines[1].show(lineItems(node.studied, linesOf(node.studied)[1], values.chosen, nameOf));
}

values.on("choose", choose);
lines[1].on("choose", ({ domino, sure }) => {
  choose(`claim ${domino}`);
  if (sure) playMove(`claim ${domino}`);
});
placing.on("choose", (candidate) => {
  if (isEditing || !node.studied) return;
  values.choose(candidate?.action ?? "");
  play.disabled = !candidate;
  const { choices } = node.studied;
  find(root, ".mine .score i").textContent = candidate ? `→ ${(choices?.score ?? 0) + candidate.points}` : "";
  const listed = candidate && listedFor(node.studied, candidate.action);
  const next = node.found?.analysis.actions.find(({ action }) => action === listed)?.line[1];
  if (example || !next?.startsWith("claim")) return;
  caption.append(caption.textContent?.endsWith(".") ? " " : ". ", el("span", t("analysis.then_claim", { domino: next.split(" ")[1] })));
});
placing.on("place", ({ action }) => playMove(action));

/** @param {Node} at @param {Found} found @param {boolean} isLast */
function write(at, { analysis, isWhole }, isLast) {
  const { studied } = at;
  if (!studied || studied.to_move === null) return;
  const { actions: all, exact, playouts } = analysis;
  values.update(analysis, isLast);
  const [best] = all;
  stop.hidden = isWhole;
  stop.textContent = t(running ? "analysis.stop" : "analysis.go_on");
  const win = best?.win_rates[studied.to_move];
  const error = best ? percent(Math.max(2 * errorOf(best, studied.to_move), 0.01)) : "";
  const count = { n: playouts, count: whole(playouts) };
  progress.textContent = exact ? t("analysis.exact") : t(running ? "analysis.looking" : "analysis.looked", { ...count, error });
  if (win == null) return;
  if (isLast) drawPath();
  else find(byId("path"), "[aria-current] b").textContent = chanceOf(at);
  const sure = exact && win === 1 ? "_wins" : exact && win === 0 ? "_loses" : "";
  const words = t(`analysis.best_${studied.phase === "place" ? "spot" : "claim"}${sure}`, { n: all.length, name: nameOf(studied.to_move), chance: chanceText(win, exact) });
  find(root, ".next").textContent = words;
  const now = performance.now();
  if (now - announced < SAY && !isLast) return;
  announced = now;
  announce(words);
}

stop.onclick = () => {
  if (!running) return think();
  return running.abort();
};

// The next line

/** Shows all dominoes that may come up, with their values. */
function drawDue() {
  const { studied, lines: sampled } = node;
  if (!studied) return;
  const seat = seatOf(studied);
  const known = worthOf(sampled, seat);
  const name = nameOf(seat);
  reveal.textContent = t("analysis.reveal", { n: line.length, of: studied.rules.line });
  reveal.disabled = line.length !== studied.rules.line;
  find(root, ".next").textContent = known ? dueText(known, name) : t("analysis.thinking");
  const pick = (/** @type {number} */ number) => {
    line = line.includes(number) ? line.filter((each) => each !== number) : [...(line.length < studied.rules.line ? line : line.slice(1)), number];
    drawSide(studied);
    drawDue();
  };
  const old = right.querySelector(".worth");
  const scrolled = old?.scrollTop ?? 0;
  const grid = dueGrid(studied.unseen, line, known, name, pick);
  replaceContent(right, el("section.list",
    el("div.head2", el("h2", t("analysis.each_brings", { name })), el("span.label", t("analysis.on_average"))),
    grid, el("p.extremes", known ? extremesText(known, seat, name) : "")), playOn);
  grid.scrollTop = scrolled;
}

/** Values the line after the best actions, beside the actions. @param {Node} from */
async function showWorth(from) {
  const best = from.found?.analysis.actions[0];
  if (!best || from.found?.analysis.exact) return;
  let at = from;
  try {
    for (const move of best.line) {
      const studied = await playFrom(at.text, move);
      at = newNode(studied.text, { move, parent: at, studied });
    }
  } catch {
    return; // the board reports the error where it matters
  }
  if (at.studied?.due === "line" && from === node && !running) due.start(at);
}

due.on("changed", (at) => {
  if (at === node) {
    drawDue();
    drawPath();
    return;
  }
  const seat = node.studied?.to_move;
  const known = seat == null || isEditing ? null : worthOf(at.lines, seat);
  if (!known || !at.studied || seat == null) return;
  const name = nameOf(seat);
  const all = el("button.link", { type: "button", "data-key": "all", onclick: () => follow(at) }, t("analysis.all_dominoes", { n: at.studied.unseen.length }));
  replaceContent(worth, el("div.head2", el("h2", t("analysis.next_worth")), all),
    el("p", t("analysis.either_way", { name, percent: percent(known.spread) })), highAndLow(known));
});
due.on("failed", (error) => {
  if (node.studied?.due === "line") find(root, ".next").textContent = errorText(error);
});

/** Goes to a node of the tree, move by move. @param {Node} to */
function follow(to) {
  const path = [];
  for (let each = /** @type {Node | null} */ (to); each && each !== node; each = each.parent) path.unshift(each);
  let at = node;
  for (const { move, text, studied, lines: sampled } of path) {
    at = childOf(at, move, text);
    at.studied ??= studied;
    if (!at.lines.length) at.lines = sampled;
  }
  return attempt(() => go(at, true), refused).then(focusHead);
}

byChance.onclick = () => playMove("chance");
reveal.onclick = () => playMove(`reveal ${[...line].sort((one, other) => one - other).join(" ")}`);

// Setting up

/** @param {typeof board.draft} draft @param {number} [seat] whose kingdom is large @param {boolean} [isOwn] whether a person set it up */
function startEditing(draft, seat = home, isOwn = false) {
  running?.abort();
  running = null;
  due.stop();
  placing.stop();
  visits += 1;
  isEditing = true;
  example = null;
  root.className = "study editing";
  [empty.hidden, analyse.hidden, edit.hidden, play.hidden, byChance.hidden, reveal.hidden] = [false, false, true, true, true, true];
  turn.hidden = flip.hidden = true;
  byId("path").hidden = true;
  find(root, ".unseen", HTMLDetailsElement).open = true;
  find(root, "h1").textContent = t("analysis.set_up_head");
  find(root, ".next").textContent = t("analysis.set_up_how");
  board.seat = seat % draft.players;
  board.start(draft, isOwn);
  drawDraft();
}

function drawDraft() {
  drawWho(who, board.seat, nameOf(board.seat));
  replaceContent(find(root, ".others"), ...board.draft.kingdoms.flatMap((squares, seat) =>
    (seat === board.seat ? [] : [otherKingdom({ seat, name: nameOf(seat), squares, score: NONE, size: board.facts.size }, board.seat, () => {
      board.look(seat);
      drawDraft();
    })])));
}

board.on("changed", () => {
  draftChecked = null;
  analyse.disabled = true;
  refused.textContent = "";
});
board.on("checked", (checked) => {
  draftChecked = checked;
  if (isEditing) history.replaceState(null, "", `?${new URLSearchParams({ setup: textOfDraft(board.draft) })}`);
  analyse.disabled = !checked;
  drawDraft();
});
board.on("failed", (error) => { refused.textContent = errorText(error); });
board.on("read", (text) => openText(text));
analyse.onclick = () => {
  const checked = draftChecked;
  if (!checked) return;
  attempt(() => go(newNode(checked.text)), refused);
  focusHead();
};
edit.onclick = () => {
  if (!node.studied) return;
  startEditing(draftOf(node.studied));
  focusHead();
};
empty.onclick = () => startEditing(emptyDraft(), 0);
play.onclick = () => { if (values.chosen) playMove(values.chosen); };
const goBack = () => inTurn(async () => {
  const { parent } = node;
  if (!parent || isEditing) return;
  await attempt(() => go(parent, true), refused);
  if (back.disabled) focusHead();
});
back.onclick = goBack;
byId("branch", HTMLFormElement).onsubmit = (event) => {
  event.preventDefault();
  const branch = branchTo(node);
  if (!branch) return;
  branch.name = node.name = branchName.value = branchName.value.trim();
  keepBranch(branch);
  drawPath();
  announce(t(node.name ? "analysis.branch_kept" : "analysis.branch_forgotten"));
};
copy.onclick = () => {
  const branch = branchTo(node);
  if (!branch) return;
  copyFrom(copy, "analysis.branch_copy", linkTo(`/analysis${queryOf({ ...branch, name: branchName.value.trim() })}`));
};
document.addEventListener("keydown", (event) => {
  if (event.key !== "Backspace" || isElsewhere(event) || isEditing) return;
  event.preventDefault();
  goBack();
});
// The browser may restore the page as it was left, with a disabled button.
addEventListener("pageshow", ({ persisted }) => persisted && !isEditing && show());

/** @param {string} table empty for an imported game @param {string} imported the id of an imported game, or empty @param {number} game its number in a Dynasty */
async function readRecord(table, imported, game) {
  try {
    return await (table ? clientOf(table).record(game) : importedRecord(imported, game));
  } catch (error) {
    throw error instanceof RequestError && error.status ? new Error(t("analysis.no_game")) : error;
  }
}

/** Finds the last game, and its costliest decision if this device has reviewed it. */
async function findLast() {
  const { games: [game] } = await lastGames();
  if (!game) return;
  const { id, seats } = game;
  const isFile = isImported(game);
  const text = await (isFile ? readRecord("", id, 1) : readRecord(id, "", 1));
  const known = await kept(`${id}#1`, text);
  const { actions: all } = await engine.ask("read_record", { record: text });
  const isJudged = known?.passes.filter(Boolean).length === all.length;
  const [worst] = known && isJudged ? costliest(known, seats.length === 1 ? seats[0] : null) : [];
  last = { game, isCostliest: Boolean(worst), query: `?${isFile ? "game" : "table"}=${id}&ply=${worst?.ply ?? 0}` };
  if (example) show();
}

/** Shows the position of an address, or by default an example. @param {string} search */
async function showAddress(search) {
  const shown = nodes.get(search);
  if (shown) {
    await attempt(() => go(shown), refused);
    return;
  }
  const asked = new URLSearchParams(search);
  const [position, setup, table, game] = ["position", "setup", "table", "game"].map((name) => asked.get(name) ?? "");
  const ply = Math.trunc(Number(asked.get("ply"))) || 0;
  const number = Number(table ? game || 1 : asked.get("number") ?? 1);
  const from = new URLSearchParams(table ? { table, game: String(number) } : { game, ...number > 1 && { number: String(number) } }).toString();
  if (position && asked.has("moves") && await attempt(() => openBranch(asked), refused)) return;
  if (position && !asked.has("moves") && await openText(position)) return;
  if (!position && (table || game) && await attempt(async () => openRecord(await readRecord(table, game, number), ply, from), refused)) return;
  const why = refused.textContent;
  const draft = draftFromText(setup);
  if (position || draft) {
    startEditing(draft ?? emptyDraft(), 0, draft !== null && setup !== textOfDraft(emptyDraft()));
    refused.textContent = why;
    find(right, "textarea", HTMLTextAreaElement).value = position;
    return;
  }
  await attempt(() => openPosition(EXAMPLES[0].position, EXAMPLES[0]), refused);
  if (why) refused.textContent = why;
  if (!last) findLast().catch(() => {}); // without the server there is no last game
}

async function ready() {
  await Promise.all([artReady, rulesReady, wordsReady]);
  botsReady.then(drawPlayOn, () => {});
  document.addEventListener("language", () => (isEditing ? startEditing(board.draft, board.seat, true) : show()));
}

let pending = start(ready());

/** Runs one task after another, so that the last request wins, however long others take.
 * @param {() => Promise<unknown>} work */
function inTurn(work) {
  pending = pending.then(async () => { await work(); }).catch(reportError); // later tasks still run
}

function openAddress() {
  const { search } = location;
  inTurn(() => showAddress(search));
}

addEventListener("popstate", openAddress);
openAddress();
