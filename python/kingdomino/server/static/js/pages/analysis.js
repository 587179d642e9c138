/**
 * The analysis board: every action of a position and what it is worth, moves by hand, and positions to set up.
 *
 * `/analysis?position=kd1…` is a position; `?table=ID&game=1` a finished game and `?game=ID` an imported one, at `&ply=12`.
 */
import { artReady, dominoName, dominoSvg, seal, SEATS } from "../draw/art.js";
import { byId, el, find, replaceContent } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { Line } from "../draw/line.js";
import { t, wordsReady } from "../i18n/locale.js";
import { chanceText, percent, whole } from "../i18n/numbers.js";
import { recordText } from "../i18n/record-text.js";
import { pathTo } from "../net/address.js";
import { attempt, errorText, get, post, RequestError, start } from "../net/api.js";
import { isRecord, trimmed } from "../net/pasted.js";
import { promiseNonce, takePart } from "../table/nonces.js";
import { Placing } from "../table/placing.js";
import { covered, draftFromText, draftOf, emptyDraft, SetUpBoard, textOfDraft } from "../analysis/setup.js";
import { AnalysisStream } from "../analysis/stream.js";
import { faultText, headline, moveText, namesOf, placeIn } from "../analysis/text.js";
import { Values } from "../analysis/values.js";

/**
 * @import { Item } from "../draw/line.js"
 * @import { Known } from "../analysis/stream.js"
 * @import { Bot, Studied } from "../net/types.js"
 *
 * @typedef {object} Node a position, and those that were played from it
 * @property {string} text
 * @property {string} move that led here; empty at the root
 * @property {Node | null} parent
 * @property {Node[]} children
 * @property {number | null} seat that decides here, once it is known
 */

/** Milliseconds between two announcements of what is best so far. */
const SAY = 10_000;
const NONE = -1;

const root = find(document, ".study");
const kingdom = find(root, ".mine kd-kingdom", Kingdom);
const caption = find(root, ".caption");
const [turn, flip, place] = ["turn", "flip", "place"].map((name) => find(root, `.hand .${name}`, HTMLButtonElement));
const [empty, edit, play, analyse, back] = ["empty", "edit", "play", "analyse", "back"].map((id) => byId(id, HTMLButtonElement));
const right = find(root, ".right");
const placing = new Placing(kingdom, { caption, buttons: { turn, flip, place } });
const lines = [".line.this ol", ".line.coming ol"].map((selector) => new Line(find(root, selector, HTMLOListElement)));
const stream = new AnalysisStream();
const values = new Values();
const progress = el("p.label", { "aria-live": "off" });
const stop = el("button.button.bare", { type: "button" });
const refused = byId("refused");

let nameOf = namesOf([]);
const board = new SetUpBoard(root, kingdom, (seat) => nameOf(seat));
/** @type {Node} */
let node = newRoot("");
/** @type {Studied | null} */
let studied = null;
/** The positions of a record. @type {readonly string[]} */
let record = [];
/** How the address names the record, like `table=ID&game=1`; empty for one that was read from a text. */
let source = "";
/** Every position that was shown, by its address. @type {Map<string, Node>} */
const nodes = new Map();
/** How often one went somewhere. An answer that comes after that is late. */
let goes = 0;
/** @type {Studied | null} */
let draftChecked = null;
/** @type {Known | null} */
let known = null;
/** The seat whose kingdom is large. */
let home = 0;
/** @type {number[]} */
let line = [];
let said = -Infinity;
let isEditing = false;
/** @type {readonly Bot[]} */
let bots = [];

// Positions

/** The address of a position: that of the record if it has it. @param {string} text */
function addressOf(text) {
  const ply = source ? record.indexOf(text) : NONE;
  return `?${ply === NONE ? new URLSearchParams({ position: text }) : `${source}&ply=${ply}`}`;
}

/** Goes to a position. @param {Node} to @param {Studied} [shown] @param {boolean} [isStep] that the browser's Back undoes */
async function go(to, shown, isStep = false) {
  const asked = (goes += 1);
  const now = shown ?? await post("/api/analysis/position", {}, { position: to.text });
  if (asked !== goes) return;
  node = to;
  studied = now;
  node.text = now.position;
  node.seat = now.seat;
  home = now.seat ?? home % now.rules.players;
  line = [];
  const address = addressOf(node.text);
  nodes.set(address, node);
  if (address !== location.search) history[isStep ? "pushState" : "replaceState"](null, "", address);
  show();
}

/** Plays a move from here, in the branch where it was played before, if it was. @param {string} move */
function playMove(move) {
  const from = node;
  const isLate = () => isEditing || from !== node;
  inTurn(async () => {
    const isDone = await attempt(async () => {
      if (isLate()) return;
      const shown = await post("/api/analysis/position", {}, { position: from.text, moves: [move] });
      if (isLate()) return;
      const old = from.children.find(({ text }) => text === shown.position);
      const next = old ?? { ...newRoot(shown.position), move, parent: from };
      if (!old) from.children.push(next);
      await go(next, shown, true);
      focusHead();
    }, refused);
    if (isDone || isLate() || !move.startsWith("place")) return;
    startPlacing();
    placing.pick(move);
  });
}

/** Moves the focus where it does not get lost with a button. */
function focusHead() {
  find(root, "h1").focus({ preventScroll: true });
}

/** @param {string} text of a record @param {number} ply @param {string} from how the address names it */
async function openRecord(text, ply, from = "") {
  const read = await post("/api/analysis/record", {}, { record: text }).catch((error) => {
    const isFault = error instanceof RequestError && error.code === "bad_record";
    throw isFault ? new Error(recordText(error, text)) : error;
  });
  [record, source] = [read.positions, from];
  nodes.clear();
  nameOf = namesOf(read.players);
  await go(newRoot(record[Math.min(Math.max(ply, 0), record.length - 1)]));
}

/** @param {string} text @returns {Node} */
function newRoot(text) {
  return { text, move: "", parent: null, children: [], seat: null };
}

/** Opens a text: a position or a record. @param {string} text */
function openText(text) {
  const tidy = trimmed(text);
  return attempt(async () => {
    if (isRecord(tidy)) return openRecord(text, 0);
    [record, source] = [[], ""];
    nodes.clear();
    return go(newRoot(tidy)).catch((error) => { throw withFaults(error, tidy); });
  }, refused);
}

/** What is wrong with the text of a position, all of it. @param {unknown} error @param {string} text */
function withFaults(error, text) {
  if (!(error instanceof RequestError) || error.code !== "bad_position") return error;
  return new Error([errorText(error), ...error.faults.map((fault) => faultText(fault, nameOf, placeIn(text)))].join(" "));
}

// The board

function show() {
  if (!studied) return;
  if (isEditing) for (const each of lines) each.list.replaceChildren(); // their buttons belong to the set-up
  board.stop();
  isEditing = false;
  root.classList.remove("editing");
  known = null;
  said = -Infinity;
  [empty.hidden, analyse.hidden, edit.hidden] = [true, true, false];
  play.hidden = studied.seat === null;
  play.disabled = true;
  drawHead();
  drawSide();
  drawKingdoms();
  drawPath();
  const { seat, choices, phase } = studied;
  if (seat === null || !choices) {
    stream.stop();
    placing.stop();
    caption.textContent = "";
    right.replaceChildren(...chance(studied));
    return;
  }
  values.show(studied, nameOf(seat));
  const isPlacing = phase === "place" && choices.placements.length > 0;
  turn.hidden = flip.hidden = !isPlacing;
  if (isPlacing) startPlacing();
  else {
    placing.stop();
    caption.textContent = phase === "place" ? t("kingdom.fits_nowhere", { number: studied.domino ?? 0 }) : "";
  }
  right.replaceChildren(values.element, el("div.progress", progress, stop), playOn());
  think();
}

/** Lets the domino of the position be placed. */
function startPlacing() {
  const choices = studied?.choices;
  if (choices && choices.domino !== null) placing.start({ ...choices, domino: choices.domino });
}

function think() {
  if (!studied) return;
  refused.textContent = "";
  progress.textContent = t("analysis.thinking");
  stop.textContent = t("analysis.stop");
  stop.hidden = false;
  stream.start(studied.position);
}

function drawHead() {
  if (!studied) return;
  find(root, "h1").textContent = headline(studied, nameOf);
  find(root, ".next").textContent = "";
}

/** The line beside a position. @param {Studied["line"]} entries @returns {Item[]} */
function items(entries) {
  const offered = studied?.phase === "claim" ? (studied.choices?.claims ?? []) : [];
  return entries.map(({ domino, seat, done }) => {
    const claim = offered.find((each) => each.domino === domino);
    const name = seat === null ? "" : nameOf(seat);
    if (claim) {
      const key = claim.fits ? (claim.points ? "table.fits" : "table.fits_bare") : "table.fits_nowhere";
      const selected = values.chosen === claim.action;
      return { domino, seat: selected ? (studied?.seat ?? null) : null, name, king: selected, selected, state: "offer", note: t(key, { points: claim.points }) };
    }
    const isNow = !done && domino === studied?.domino;
    const state = done ? "gone" : isNow ? (studied?.fits ? "now" : "now unfit") : seat === null ? "free" : "held";
    const key = done ? "table.done_by" : "table.king_of";
    return { domino, seat, name, king: seat !== null && !done, state, note: name && t(key, { name }) };
  });
}

function drawSide() {
  if (!studied) return;
  lines[0].show(items(studied.line));
  lines[1].show(items(studied.next_line));
  const strip = find(root, ".unseen");
  const isDue = studied.due === "line";
  find(strip, "h2").textContent = t("analysis.unseen", { n: studied.unseen.length });
  find(strip, ".label").textContent = isDue ? t("analysis.tap_line") : t("analysis.in_deck", { n: studied.in_deck });
  replaceContent(find(strip, "ol"), ...studied.unseen.map((number) => {
    const face = [el("span", { "aria-hidden": "true" }, number), el("div.domino", dominoSvg(number))];
    const pick = () => {
      line = line.includes(number) ? line.filter((each) => each !== number) : [...line, number];
      drawSide();
      if (studied) right.replaceChildren(...chance(studied));
    };
    return el("li", isDue
      ? el("button", { type: "button", "data-key": `d${number}`, "aria-label": dominoName(number), "aria-pressed": String(line.includes(number)), onclick: pick }, ...face)
      : el("div", { role: "img", "aria-label": dominoName(number) }, ...face));
  }));
}

/** @param {number} seat @param {readonly {x: number, y: number, terrain: string, crowns?: number}[]} squares @param {number} score @param {(() => void) | false} choose */
function otherKingdom(seat, squares, score, choose) {
  const small = new Kingdom();
  const { size } = isEditing ? board.facts : (studied?.rules ?? { size: 5 });
  // The key is the place: when this one becomes large, the focus stays on the one that comes here.
  const at = seat - Number(seat > (isEditing ? board.seat : home));
  small.show({ size, seat, frame: "window", plain: size === 7, squares: squares.map((one) => ({ crowns: 0, ...one })), label: nameOf(seat) });
  return el("div", { class: `seat-${SEATS[seat]}` },
    el("div.who", seal(seat), el("h2.name", nameOf(seat)), score >= 0 && el("span.score", score)),
    choose
      ? el("button", { type: "button", "data-key": `k${at}`, "aria-label": t("table.kingdom_of", { name: nameOf(seat) }), onclick: choose }, small)
      : el("div.frame", small));
}

/** @param {number} seat */
function drawWho(seat, score = NONE, note = "") {
  const who = find(root, ".mine .who");
  who.className = `who seat-${SEATS[seat]}`;
  const old = who.firstElementChild;
  old?.replaceWith(seal(seat));
  find(who, ".name").textContent = nameOf(seat);
  find(who, "small").textContent = note;
  find(who, ".score b").textContent = score < 0 ? "" : String(score);
  find(who, ".score i").textContent = "";
}

function drawKingdoms() {
  if (!studied) return;
  const { kingdoms, seat, rules } = studied;
  drawWho(home, kingdoms[home].score.total, home === seat ? t("analysis.to_move") : "");
  kingdom.show({
    size: rules.size, dominoes: [], squares: covered(kingdoms[home].squares), seat: home,
    frame: seat === null || studied.phase !== "place" ? "box" : "reach", label: nameOf(home), plain: false,
  });
  replaceContent(find(root, ".others"), ...kingdoms.flatMap(({ squares, score }, each) =>
    (each === home ? [] : [otherKingdom(each, squares, score.total, studied?.phase !== "place" && (() => {
      home = each;
      drawKingdoms();
    }))])));
}

/** What chance brings next: a line or a king, by hand or by chance. @param {Studied} now */
function chance({ due, rules, kings, phase }) {
  if (phase !== "chance") return [];
  const byChance = el("button.button", { type: "button", onclick: () => playMove("chance") }, t("analysis.by_chance"));
  if (due === "king") {
    return [el("div.acts", ...kings.map((seat) =>
      el("button.button", { type: "button", onclick: () => playMove(`draw ${seat}`) }, seal(seat), nameOf(seat))), byChance)];
  }
  const reveal = el("button.button.primary", { type: "button", onclick: () => playMove(`reveal ${line.join(" ")}`) },
    t("analysis.reveal", { n: line.length, of: rules.line }));
  reveal.disabled = line.length !== rules.line;
  return [el("p", t("analysis.tap_line")), el("div.acts", reveal, byChance)];
}

/** How it came to this, what was tried from here, and the decisions of a record. */
function drawPath() {
  const path = [];
  for (let each = /** @type {Node | null} */ (node); each?.parent; each = each.parent) path.unshift(each);
  const button = (/** @type {Node} */ to) => el("button.button.bare", {
    type: "button", "data-key": to.text, "aria-current": to === node ? "true" : null, onclick: () => attempt(() => go(to, undefined, true), refused),
  }, moveText(to.move, nameOf));
  /** @type {HTMLInputElement} */
  const slider = el("input", {
    type: "range", min: 0, max: record.length - 1, value: Math.max(0, record.indexOf(node.text)), "aria-label": t("analysis.decision"),
    "data-key": "slider",
    onchange: () => {
      const text = record[Number(slider.value)];
      return attempt(() => go(nodes.get(addressOf(text)) ?? newRoot(text)), refused);
    },
  });
  back.disabled = node.parent === null;
  replaceContent(find(byId("path"), "ol"), ...path.map((each) => el("li", button(each))),
    ...node.children.map((each) => el("li", "↳ ", button(each))),
    record.length > 1 && el("li", slider));
  byId("path").hidden = !path.length && !node.children.length && record.length < 2;
}

// Playing on

/** Chooses whom to play on against, at a table that begins here, for the seat to move. */
function playOn() {
  const select = el("select", { id: "bot" }, ...bots.map(({ bot, name, level, usual }) =>
    new Option(t("new.who_bot", { name, level }), bot, usual, usual)));
  const start = el("button.button", { type: "button" }, t("analysis.play_on"));
  start.onclick = () => attempt(async () => {
    if (studied?.seat == null) return;
    const { position, seat: own, kingdoms } = studied;
    const seats = kingdoms.map((_, seat) =>
      (seat === own ? /** @type {const} */ ({ kind: "me" }) : /** @type {const} */ ({ kind: "bot", bot: select.value })));
    const { table, you } = await post("/api/tables", {}, { position, seats, digest: promiseNonce() });
    await takePart(table, you.seats);
    location.assign(pathTo(`/t/${table.id}`));
  }, refused, start);
  return el("div.play-on.sheet", el("label.legend", { for: "bot" }, t("analysis.play_on_against")), el("div.acts", select, start));
}

// What is known

/** @param {string} action */
function choose(action) {
  values.choose(action);
  play.disabled = !action;
  if (studied?.phase === "place" && action.startsWith("place")) placing.pick(action);
  if (studied?.phase === "claim") lines[1].show(items(studied.next_line));
}

values.on("choose", choose);
lines[1].on("choose", ({ domino, sure }) => {
  choose(`claim ${domino}`);
  if (sure) playMove(`claim ${domino}`);
});
placing.on("choose", (candidate) => {
  if (isEditing || !studied) return;
  values.choose(candidate?.action ?? "");
  play.disabled = !candidate;
  find(root, ".mine .score i").textContent = candidate ? `→ ${(studied.choices?.score ?? 0) + candidate.points}` : "";
});
placing.on("place", ({ action }) => playMove(action));

/** @param {Known} message @param {boolean} isLast */
function write(message, isLast) {
  if (!studied || studied.seat === null) return;
  values.update(message, isLast);
  const [best] = message.actions;
  const error = best?.error ?? null;
  stop.hidden = message.exact;
  const count = { n: message.playouts, count: whole(message.playouts) };
  progress.textContent = message.exact ? t("analysis.exact")
    : t(stream.isOpen ? "analysis.looking" : "analysis.looked", { ...count, error: error === null ? "" : percent(Math.max(2 * error, 0.01)) });
  if (best?.win == null) return;
  const sure = message.exact && best.win === 1 ? "_wins" : message.exact && best.win === 0 ? "_loses" : "";
  const words = t(`analysis.best_${studied.phase === "place" ? "spot" : "claim"}${sure}`, { n: message.actions.length, name: nameOf(studied.seat), chance: chanceText(best.win, message.exact) });
  find(root, ".next").textContent = words;
  const now = performance.now();
  if (now - said < SAY && !isLast) return;
  said = now;
  byId("announcer").textContent = words;
}

stream.on("analysis", (message) => {
  known = message;
  write(message, message.exact);
});
stream.on("ahead", ({ ahead }) => { progress.textContent = t(ahead ? "analysis.ahead" : "analysis.next", { n: ahead }); });
stream.on("end", () => ended());
stream.on("lost", () => {
  ended();
  refused.textContent = t("common.refused_offline");
});
stream.on("refused", ({ refusal }) => {
  ended();
  const key = `common.refused_${refusal.code}`;
  refused.textContent = t(key) === key ? refusal.reason : t(key);
});

function ended() {
  if (known) write(known, true);
  else progress.textContent = "";
  stop.textContent = t("analysis.go_on");
}

stop.onclick = () => {
  if (!stream.isOpen) return think();
  stream.stop();
  return ended();
};

// Setting up

/** @param {typeof board.draft} draft */
function startEditing(draft) {
  stream.stop();
  placing.stop();
  goes += 1;
  isEditing = true;
  root.classList.add("editing");
  [empty.hidden, analyse.hidden, edit.hidden, play.hidden] = [false, false, true, true];
  turn.hidden = flip.hidden = true;
  byId("path").hidden = true;
  find(root, "h1").textContent = t("analysis.set_up_head");
  find(root, ".next").textContent = t("analysis.set_up_how");
  board.seat = home % draft.players;
  board.start(draft);
  drawDraft();
}

function drawDraft() {
  drawWho(board.seat);
  replaceContent(find(root, ".others"), ...board.draft.kingdoms.flatMap((squares, seat) =>
    (seat === board.seat ? [] : [otherKingdom(seat, squares, NONE, () => {
      board.seat = seat;
      board.changed();
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
  attempt(() => go(newRoot(checked.position), checked), refused);
  focusHead();
};
edit.onclick = () => {
  if (!studied) return;
  startEditing(draftOf(studied));
  focusHead();
};
empty.onclick = () => startEditing(emptyDraft());
play.onclick = () => { if (values.chosen) playMove(values.chosen); };
back.onclick = () => inTurn(async () => {
  const { parent } = node;
  if (!parent || isEditing) return;
  await attempt(() => go(parent, undefined, true), refused);
  if (back.disabled) focusHead();
});
addEventListener("pagehide", () => stream.stop());
// A page that the browser kept comes back without its stream, and with the button that led away still disabled.
addEventListener("pageshow", ({ persisted }) => persisted && !isEditing && show());

/** @param {string} path */
async function textOf(path) {
  const answer = await fetch(pathTo(path));
  if (!answer.ok) throw new Error(t("analysis.no_game"));
  return answer.text();
}

/** Shows what an address asks for; a set-up if there is nothing to show. @param {string} search */
async function showAddress(search) {
  const shown = nodes.get(search);
  if (shown) {
    await attempt(() => go(shown), refused);
    return;
  }
  const asked = new URLSearchParams(search);
  const [position, setup, table, game] = ["position", "setup", "table", "game"].map((name) => asked.get(name) ?? "");
  const ply = Math.trunc(Number(asked.get("ply"))) || 0;
  const from = new URLSearchParams(table ? { table, game: game || "1" } : { game }).toString();
  const read = () => textOf(table ? `/api/tables/${table}/record?game=${game || 1}` : `/api/games/${game}/record`);
  if (position && await openText(position)) return;
  if (!position && (table || game) && await attempt(async () => openRecord(await read(), ply, from), refused)) return;
  const why = refused.textContent;
  startEditing(draftFromText(setup) ?? emptyDraft());
  refused.textContent = why;
  find(right, "textarea", HTMLTextAreaElement).value = position;
}

async function ready() {
  [bots] = await Promise.all([get("/api/bots"), artReady, wordsReady]);
  document.addEventListener("language", () => (isEditing ? startEditing(board.draft) : show()));
}

let pending = start(ready());

/** Does one thing after another, so that what was asked for last is shown last, however long others take.
 * @param {() => Promise<unknown>} work */
function inTurn(work) {
  pending = pending.then(async () => { await work(); }).catch(reportError); // what comes after it is still done
}

function openAddress() {
  const { search } = location;
  inTurn(() => showAddress(search));
}

addEventListener("popstate", openAddress);
openAddress();
