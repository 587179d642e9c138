/**
 * The home page: one button starts a game at once; everything else is around it.
 */
import { artReady, dominoSvg, king, seal } from "../draw/art.js";
import { byId, el, find, replaceContent } from "../draw/dom.js";
import { fillLanguageSelect, language, list, t, wordsReady } from "../i18n/locale.js";
import { bots, botsReady, fullName, isFree, LONGEST_NAME, nameOf, opponent } from "../i18n/names.js";
import { botDescription, rulesSummary, variantNames } from "../i18n/rules-text.js";
import { allTables } from "../local/store.js";
import { myTable } from "../local/summary.js";
import { tablePath } from "../net/address.js";
import { attempt, get, isOffline, joinByCode, later, post, put, start } from "../net/api.js";
import { adopt, chooseLanguage } from "../net/settings.js";
import { loadSetting, saveSetting } from "../net/storage.js";
import { NAME, startGame } from "./begin.js";
import { FULL } from "./full-kingdom.js";
import { RulesForm, storedRules } from "./rules.js";
import { rulesReady, rulesSet } from "./rules-sets.js";

/**
 * @import { Lobby, MyTable, Person, Played, SeatEntry, Summary } from "../net/types.js"
 */

const STORED = "play";
const EVERY = 5000;
const SHOWN = 4;
/** About as fast as people play against bots. */
const DOMINOES_A_MINUTE = 4.8;

/** The line of the picture, and the seats that have claimed its dominoes. */
const LINE = [{ domino: 16, seat: 2 }, { domino: 33, seat: 0 }, { domino: 36 }, { domino: 48, seat: 1 }];

/** @type {Person} */
let me = { name: "", tables: [] };
/** Your tables on this device. @type {MyTable[]} */
let here = [];
/** @type {Lobby} */
let tables = { open: [], watch: [] };
/** The last games of this device and of the server. @type {{games: Played[], total: number, isReached: boolean}} */
let played = { games: [], total: 0, isReached: false };
/** Whether the last games and the settings have loaded. */
let hasOwn = false;
let bot = "";

const nameField = byId("name", HTMLInputElement);
const botSelect = byId("bot", HTMLSelectElement);
const playButton = byId("play", HTMLButtonElement);

/* a game at once */

/** Also before the page is ready: a press waits for the bots. */
function play() {
  return attempt(async () => {
    await ready;
    await playAgainst(chooseBot());
  }, byId("refused"), playButton);
}

/** @param {string} opponent */
const playAgainst = (opponent) => startGame(form.settings, opponent, nameField.value.trim());

/** Describes the game that the large button starts. */
function describe() {
  const { players, dynasty } = form.settings;
  const name = bots.find((one) => one.bot === bot)?.name;
  const facts = rulesSet(form.settings);
  const minutes = Math.round(facts.dominoes / DOMINOES_A_MINUTE) * (dynasty ? 3 : 1);
  const seats = name ? t("home.seats", { n: players - 1, name, minutes }) : "";
  const current = currentGame();
  byId("seats").textContent = current ? whereText(current) : seats;
  byId("summary").textContent = rulesSummary(facts);
  byId("why-bot").textContent = botDescription(bot);
}

/** Stores the settings, and describes them. */
function settingsChanged() {
  bot = botSelect.value || bot;
  saveSetting(STORED, { ...form.settings, bot });
  describe();
}

/** The opponent: the last one, or else the default. */
function chooseBot() {
  return (bot = opponent(bot).bot);
}

/* other tables */

/** The players, each with the seal of the seat. @param {SeatEntry[]} seats */
function names(seats) {
  const seated = seats.filter((entry) => !isFree(entry));
  return el("b", ...seated.map(({ seat }) => el("span", seal(seat), ...fullName({ seats }, seat))));
}

/** @param {string[]} facts */
function factList(facts) {
  return el("p.label", ...facts.flatMap((fact, n) => [n > 0 && " · ", el("span", fact)]));
}

/** A row with a link to a table. @param {string} id @param {Node} title @param {string[]} facts @param {string} go */
function tableLink(id, title, facts, go) {
  return el("li", el("a.row", { href: tablePath(id), "data-key": id },
    el("div", title, factList(facts)), el("span.go", t(go))));
}

/** @param {Summary} table */
function openRow({ id, seats, rules }) {
  const free = seats.filter((seat) => seat.kind === "open");
  const refused = el("p.refusal", { role: "alert" });
  const sit = () => attempt(async () => {
    const name = nameField.value.trim() || null;
    const { promiseNonce, takePart } = await later(() => import("../table/nonces.js"));
    const body = { seat: free[0].seat, name, digest: promiseNonce() };
    const { table, you } = await post("/api/tables/{table}/seats", { table: id }, body);
    await takePart(table, you.seats);
    location.assign(tablePath(id));
  }, refused, button);
  /** @type {HTMLButtonElement} */
  const button = el("button.button", { type: "button", "data-key": id, onclick: sit }, t("home.sit"));
  const players = t("common.players", { n: rules.players });
  const facts = [players, t("home.free", { n: free.length }), ...variantNames(rules)];
  return el("li", el("div.row", el("div", names(seats), factList(facts)), button), refused);
}

/** @param {Summary} table */
function watchRow({ id, round, rules, seats }) {
  return tableLink(id, names(seats), [roundText(round, rules.rounds), ...variantNames(rules)], "home.watch");
}

/** @param {MyTable} table */
function mineRow(table) {
  const others = othersAt(table);
  const title = others.length ? t("home.game_with", { names: list(others) }) : t("home.game_alone");
  return tableLink(table.id, el("b", title), whereFacts(table), "home.go_on");
}

/** @param {MyTable} table */
const othersAt = ({ seats, own }) =>
  seats.filter((entry) => !own.includes(entry.seat) && !isFree(entry)).map(({ seat }) => nameOf({ seats }, seat));

/** @param {MyTable} table */
function whereFacts({ state, round, rounds, your_turn: isMyTurn }) {
  const where = state === "waiting" ? t("home.waiting") : roundText(round, rounds);
  const turn = state === "between" ? "home.between" : isMyTurn && "home.your_turn";
  return turn ? [where, t(turn)] : [where];
}

/** `Round 3 of 6, your turn.` @param {MyTable} table */
const whereText = (table) => `${whereFacts(table).join(", ")}.`;

/** All your tables, on this device and on the server. */
const mine = () => [...here, ...me.tables];

/** The game that the large button continues: one where it is your turn, or else the last one. */
function currentGame() {
  const begun = mine().filter(({ state }) => state !== "waiting");
  return begun.find(({ your_turn: isMyTurn, state }) => isMyTurn || state === "between") ?? begun[0];
}

/** Offers to continue your game instead of a new one. */
function drawCurrent() {
  const current = currentGame();
  const goOn = byId("go-on", HTMLAnchorElement);
  goOn.hidden = !current;
  playButton.classList.toggle("primary", !current);
  if (!current) return;
  const others = othersAt(current);
  goOn.href = tablePath(current.id);
  goOn.textContent = others.length ? t("home.go_on_with", { names: list(others) }) : t("home.go_on");
}

/* finished games */

/** Shows the last games. Loads their module only if there are any. */
async function drawLast() {
  byId("last").hidden = played.total === 0;
  byId("to-games").hidden = played.total + mine().length === 0;
  if (played.total === 0) return;
  const { showLastGames } = await later(() => import("./last-games.js"));
  showLastGames(played, playAgainst);
}

/** @param {number} round @param {number} rounds */
const roundText = (round, rounds) => (round ? t("common.round", { round, rounds }) : t("common.opening_now"));

/** The rows by their markup. @type {Map<string, HTMLElement>} */
let rows = new Map();

function drawTables() {
  const before = rows;
  rows = new Map();
  /** Returns the existing row if it has the same content. @param {HTMLElement} row */
  const kept = (row) => {
    const markup = row.outerHTML;
    const li = before.get(markup) ?? row;
    rows.set(markup, li);
    return li;
  };
  const own = new Set(mine().map(({ id }) => id));
  const [open, watch] = [tables.open, tables.watch].map((all) =>
    all.filter(({ id }) => !own.has(id)).slice(0, SHOWN));
  replaceContent(find(byId("tables"), "ul"), ...[...open.map(openRow), ...watch.map(watchRow)].map(kept));
  find(byId("tables"), ".none").hidden = open.length + watch.length > 0;
  const current = currentGame();
  const more = mine().filter((table) => table !== current);
  replaceContent(find(byId("mine"), "ul"), ...more.slice(0, SHOWN).map(mineRow).map(kept));
  byId("mine").hidden = more.length === 0;
  drawCurrent();
  describe();
}

let shown = "";

/** Your unfinished tables on this device. */
const tablesHere = async () =>
  (await allTables()).flatMap(({ unfinished, updated }) => (unfinished ? [myTable(unfinished, updated)] : []));

/** Loads the tables, and draws them if they have changed. */
async function refresh() {
  here = await tablesHere();
  drawChanges();
  [me, tables] = await Promise.all([get("/api/me"), get("/api/tables")]).catch((error) => {
    if (isOffline(error)) offerFriends(false);
    throw error;
  });
  offerFriends(true);
  if (me.name) saveSetting(NAME, me.name);
  if (document.activeElement !== nameField) nameField.value ||= me.name ?? "";
  drawChanges();
}

/** Whether the server has ever answered this page. */
let hasAnswered = false;

/** Offers games with friends, or says why there are none. @param {boolean} isReached whether there is a server */
async function offerFriends(isReached) {
  byId("friends").hidden = !isReached;
  byId("why-alone").hidden = isReached;
  hasAnswered ||= isReached;
  if (isReached) return;
  const { sayWhy, showAway } = await later(() => import("./away.js"));
  sayWhy();
  if (!hasAnswered) showAway();
}

function drawChanges() {
  const now = JSON.stringify([here, me, tables]);
  if (now !== shown) drawTables();
  shown = now;
}

/** Loads the server's data; after an error the next poll tries again. */
function load() {
  refresh().catch(() => {});
  if (!hasOwn) loadOwn().then(drawLast, () => {});
}

/* a name and a code */

async function rename() {
  const name = nameField.value.trim() || me.name || "";
  nameField.value = name;
  saveSetting(NAME, name);
  if (!name || name === me.name) return;
  await attempt(async () => {
    const you = await put("/api/me", { name }).catch((error) => {
      if (!isOffline(error)) throw error;
    });
    if (you) saveSetting(NAME, Object.assign(me, you).name);
  }, byId("refused"));
}

/** @param {Event} event */
function submitCode(event) {
  event.preventDefault();
  const field = byId("code", HTMLInputElement);
  if (!field.value.trim()) return field.focus();
  const button = find(byId("by-code"), "button", HTMLButtonElement);
  return attempt(() => joinByCode(field.value), byId("code-refused"), button);
}

/** Draws everything that depends on the language. */
function draw() {
  byId("language", HTMLSelectElement).value = language;
  form.draw();
  botSelect.replaceChildren(...bots.map(({ bot: spec, name, level }) =>
    new Option(t("new.who_bot", { name, level }), spec, false, spec === bot)));
  drawTables();
  drawLast();
}

async function drawPicture() {
  const { Kingdom } = await later(() => import("../draw/kingdom.js"));
  await artReady;
  const kingdom = new Kingdom();
  kingdom.show({ frame: "box", dominoes: FULL });
  const line = LINE.map(({ domino, seat }) =>
    el("li", el("div.domino", dominoSvg(domino)), seat !== undefined && king(seat)));
  byId("picture").append(el("div.sheet.tilt", kingdom), el("ol.fan", ...line));
}

/** Loads the last games, and settings from other devices. */
async function loadOwn() {
  const { lastGames, sendGames } = await later(() => import("../local/games.js"));
  played = await lastGames();
  if (!played.isReached) return;
  await adopt();
  hasOwn = true;
  sendGames();
}

const ready = start(Promise.all([wordsReady, rulesReady, botsReady]));
byId("settings").onclick = async () => {
  const { openSettings } = await later(() => import("./settings.js"));
  openSettings();
};
playButton.onclick = play;
nameField.onchange = rename;
byId("me").onsubmit = (event) => {
  event.preventDefault();
  nameField.blur();
};
byId("by-code").onsubmit = submitCode;
await ready;
const stored = storedRules(STORED);
const form = new RulesForm(stored.rules);
bot = stored.bot ?? "";
nameField.maxLength = LONGEST_NAME;
fillLanguageSelect(byId("language", HTMLSelectElement), chooseLanguage);
document.addEventListener("language", draw);
form.on("change", settingsChanged);
botSelect.onchange = settingsChanged;
const poll = () => document.hidden || load();
document.addEventListener("visibilitychange", poll);
setInterval(poll, EVERY);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
chooseBot();
draw();
load();
drawPicture();
if (loadSetting("unbegun")) later(() => import("./lost-game.js")).then(({ tellOfLostGames }) => tellOfLostGames());
