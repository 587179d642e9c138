/**
 * The home page: one button that starts a game at once, and quietly beside it all else that one can do.
 * Imports words.js, api.js, art.js, h.js, options.js, start.js and, when the rest is there, picture.js.
 */
import { explain, get, post, put } from "./api.js";
import { seal, sheet } from "./art.js";
import { h } from "./h.js";
import { Options, botWhy, extent, settled, summary, variants, wishesFrom } from "./options.js";
import { start } from "./start.js";
import { chooseLanguage, list, ready, t } from "./words.js";

const STORED = "kingdomino.play";
const EVERY = 5000;
const SHOWN = 4;

/** @type {(id: string) => any} */
const byId = (id) => document.getElementById(id);

/** @type {{name: string, tables: any[]}} */
let me = { name: "", tables: [] };
/** @type {{bot: string, name: string}[]} */
let bots = [];
/** @type {{open: any[], watch: any[]}} */
let tables = { open: [], watch: [] };
let bot = "";

/** Whatever was chosen the last time. */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? "{}");
  } catch {
    return {};
  }
}

function remember() {
  try {
    localStorage.setItem(STORED, JSON.stringify({ ...options.wishes, bot }));
  } catch {
    /* a browser that stores nothing asks again next time */
  }
}

/**
 * Does something that may be refused, with its button resting meanwhile, and says why if it is.
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} place where a refusal is told
 * @param {() => Promise<unknown>} work
 */
async function attempt(button, place, work) {
  if (button.disabled) return;
  button.disabled = true;
  place.textContent = "";
  try {
    await work();
  } catch (error) {
    place.textContent = explain(error);
    button.disabled = false;
  }
}

/* a game at once */

function play() {
  return attempt(byId("play"), byId("refused"), async () => {
    await loaded;
    await start(settled(options.wishes), bot, me.name);
  });
}

/** Says what the large button will do, by the rules chosen so far. */
function describe() {
  const { players } = options.wishes;
  const name = bots.find((one) => one.bot === bot)?.name ?? "";
  const { minutes } = extent(options.wishes);
  byId("seats").textContent = name && t("home.seats", { n: players - 1, name, minutes });
  byId("summary").textContent = summary(options.wishes);
  byId("why-bot").textContent = botWhy(bot);
}

function drawChoices() {
  options.drawPlayers(byId("players"));
  const offered = bots.map((one) => h("option", { value: one.bot, selected: one.bot === bot }, one.name));
  byId("bot").replaceChildren(...offered);
}

/* what goes on elsewhere */

/** Everybody who sits there, each with the seal of the seat. @param {any[]} seats */
function names(seats) {
  const seated = seats.filter((seat) => seat.name);
  return h("b", {}, ...seated.map((seat) => h("span", {}, seal(seat.seat), seat.name)));
}

/** @param {string[]} facts */
function facts(facts) {
  return h("p", { class: "label" }, ...facts.flatMap((fact, n) => [n > 0 && " · ", h("span", {}, fact)]));
}

/** @param {any} table one of the lobby's */
function openRow(table) {
  const free = table.seats.filter((/** @type {any} */ seat) => seat.kind === "open");
  const refused = h("p", { class: "refusal", role: "alert" });
  const button = h("button", {
    class: "button", type: "button", "data-key": table.id,
    onclick: () => attempt(button, refused, async () => {
      await post(`/api/tables/${table.id}/seats`, { seat: free[0].seat, name: me.name || t("common.guest") });
      location.assign(`/t/${table.id}`);
    }),
  }, t("home.sit"));
  const players = t("common.players", { n: table.rules.players });
  const about = [players, t("home.free", { n: free.length }), ...variants(table.rules)];
  const row = h("div", { class: "row" }, h("div", {}, names(table.seats), facts(about)), button);
  return h("li", {}, row, refused);
}

/** @param {any} table one of the lobby's */
function watchRow(table) {
  const about = [roundOf(table.round, table.rules.rounds), ...variants(table.rules)];
  return h("li", {}, h("a", { class: "row", href: `/t/${table.id}`, "data-key": table.id },
    h("div", {}, names(table.seats), facts(about)), h("span", { class: "go" }, t("home.watch"))));
}

/** @param {any} table one of mine */
function mineRow(table) {
  const others = table.names.filter(Boolean);
  const title = others.length ? t("home.game_with", { names: list(others) }) : t("home.game_alone");
  const where = table.state === "waiting" ? t("home.waiting") : roundOf(table.round, table.rounds);
  const turn = table.state === "between" ? t("home.between") : table.your_turn ? t("home.your_turn") : "";
  return h("li", {}, h("a", { class: "row", href: `/t/${table.id}`, "data-key": table.id },
    h("div", {}, h("b", {}, title), facts([where, turn].filter(Boolean))),
    h("span", { class: "go" }, t("home.go_on"))));
}

/** @param {number} round @param {number} rounds */
const roundOf = (round, rounds) => (round ? t("common.round", { round, rounds }) : t("common.opening_now"));

/**
 * Puts rows into a list without taking the focus from one that stays.
 * @param {Element} place
 * @param {Node[]} rows
 */
function fillRows(place, rows) {
  const key = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.key;
  const held = key && place.contains(document.activeElement);
  place.replaceChildren(...rows);
  if (held) /** @type {HTMLElement | null} */ (place.querySelector(`[data-key="${key}"]`))?.focus();
}

function drawTables() {
  const mine = new Set(me.tables.map((table) => table.id));
  const open = tables.open.filter((table) => !mine.has(table.id)).slice(0, SHOWN).map(openRow);
  const watch = tables.watch.filter((table) => !mine.has(table.id)).slice(0, SHOWN).map(watchRow);
  fillRows(byId("tables").querySelector("ul"), [...open, ...watch]);
  byId("tables").querySelector(".none").hidden = open.length + watch.length > 0;
  fillRows(byId("mine").querySelector("ul"), me.tables.slice(0, SHOWN).map(mineRow));
  byId("mine").hidden = me.tables.length === 0;
}

let shown = "";

/** Asks what goes on, and draws it if it is something else than before. */
async function refresh() {
  [me, tables] = await Promise.all([get("/api/me"), get("/api/tables")]);
  const seen = JSON.stringify([me, tables]);
  if (seen !== shown) drawTables();
  shown = seen;
}

async function follow() {
  if (!document.hidden) await refresh().catch(() => {});
  setTimeout(follow, EVERY);
}

/* a name and a code */

async function rename() {
  const name = byId("name").value.trim();
  if (!name || name === me.name) {
    byId("name").value = me.name;
    return;
  }
  try {
    me = { ...me, ...(await put("/api/me", { name })) };
    byId("refused").textContent = "";
  } catch (error) {
    byId("refused").textContent = explain(error);
  }
}

/** @param {Event} event */
function byCode(event) {
  event.preventDefault();
  const code = byId("code").value.trim().toLowerCase().split(/[\s.,-]+/).join(" ");
  if (!code) return byId("code").focus();
  return attempt(byId("by-code").querySelector("button"), byId("code-refused"), async () => {
    const { id, secret } = await post("/api/code", { code });
    location.assign(`/t/${id}#seat=${secret}`);
  });
}

/** Everything that script writes, in the language spoken now. */
function draw() {
  options.draw();
  drawChoices();
  describe();
  drawTables();
}

await ready;
const options = new Options(byId("options"), byId("pace"), wishesFrom(remembered()));
const loaded = Promise.all([get("/api/bots"), refresh(), sheet]).then(([known]) => {
  bots = known;
  bot = (bots.find((one) => one.bot === remembered().bot) ?? bots.find((one) => one.usual) ?? bots[0]).bot;
  byId("name").value = me.name;
  draw();
});

chooseLanguage(byId("language"));
document.addEventListener("language", draw);
options.addEventListener("change", () => {
  remember();
  describe();
});
byId("bot").addEventListener("change", () => {
  bot = byId("bot").value;
  remember();
  describe();
});
byId("play").addEventListener("click", play);
byId("name").addEventListener("change", rename);
byId("me").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  byId("name").blur();
});
byId("by-code").addEventListener("submit", byCode);
document.addEventListener("visibilitychange", () => document.hidden || refresh().catch(() => {}));
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
loaded.catch((error) => {
  byId("refused").textContent = explain(error);
});
setTimeout(follow, EVERY);
import("./picture.js").then(({ draw: paint }) => paint(byId("picture")));
