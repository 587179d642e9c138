/**
 * The home page: one button that starts a game at once, and quietly beside it all else that one can do.
 */
import { attempt, explain, get, post, put } from "./api.js";
import { seal, sheet } from "./art.js";
import { byId, h, refill } from "./h.js";
import { keep, kept } from "./keep.js";
import { Options, botWhy, extent, settled, summary, variants, wishesFrom } from "./options.js";
import { start } from "./start.js";
import { chooseLanguage, list, ready, t } from "./words.js";

const STORED = "play";
const EVERY = 5000;
const SHOWN = 4;

/** @type {{name: string, tables: any[]}} */
let me = { name: "", tables: [] };
/** @type {{bot: string, name: string, level: number, usual: boolean}[]} */
let bots = [];
/** @type {{open: any[], watch: any[]}} */
let tables = { open: [], watch: [] };
let bot = "";

/* a game at once */

function play() {
  return attempt(async () => {
    await loaded;
    await start(settled(options.wishes), bot, byId("name").value.trim());
  }, byId("refused"), byId("play"));
}

/** Says what the large button will do, by the rules chosen so far. */
function describe() {
  const { players } = options.wishes;
  const name = bots.find((one) => one.bot === bot)?.name;
  const { minutes } = extent(options.wishes);
  byId("seats").textContent = name && t("home.seats", { n: players - 1, name, minutes });
  byId("summary").textContent = summary(options.wishes);
  byId("why-bot").textContent = botWhy(bot);
}

/** Remembers what was chosen, and says what comes of it. */
function chosen() {
  bot = byId("bot").value;
  keep(STORED, { ...options.wishes, bot });
  describe();
}

/* what goes on elsewhere */

/** Everybody who sits there, each with the seal of the seat. @param {any[]} seats */
function names(seats) {
  const seated = seats.filter((seat) => seat.name);
  return h("b", ...seated.map((seat) => h("span", seal(seat.seat), seat.name)));
}

/** @param {string[]} facts */
function facts(facts) {
  return h("p.label", ...facts.flatMap((fact, n) => [n > 0 && " · ", h("span", fact)]));
}

/** A row that leads to a table. @param {string} id @param {Node} title @param {string[]} about @param {string} go */
function link(id, title, about, go) {
  return h("li", h("a.row", { href: `/t/${id}`, "data-key": id },
    h("div", title, facts(about)), h("span.go", t(go))));
}

/** @param {any} table one of the lobby's */
function openRow(table) {
  const free = table.seats.filter((/** @type {any} */ seat) => seat.kind === "open");
  const refused = h("p.refusal", { role: "alert" });
  const sit = () => attempt(async () => {
    await post(`/api/tables/${table.id}/seats`, { seat: free[0].seat, name: byId("name").value.trim() || t("common.guest") });
    location.assign(`/t/${table.id}`);
  }, refused, button);
  const button = h("button.button", { type: "button", "data-key": table.id, onclick: sit }, t("home.sit"));
  const players = t("common.players", { n: table.rules.players });
  const about = [players, t("home.free", { n: free.length }), ...variants(table.rules)];
  return h("li", h("div.row", h("div", names(table.seats), facts(about)), button), refused);
}

/** @param {any} table one of the lobby's */
function watchRow({ id, round, rules, seats }) {
  return link(id, names(seats), [roundOf(round, rules.rounds), ...variants(rules)], "home.watch");
}

/** @param {any} table one of mine */
function mineRow({ id, names, state, round, rounds, your_turn: mine }) {
  const others = names.filter(Boolean);
  const title = others.length ? t("home.game_with", { names: list(others) }) : t("home.game_alone");
  const where = state === "waiting" ? t("home.waiting") : roundOf(round, rounds);
  const turn = state === "between" ? "home.between" : mine && "home.your_turn";
  return link(id, h("b", title), turn ? [where, t(turn)] : [where], "home.go_on");
}

/** @param {number} round @param {number} rounds */
const roundOf = (round, rounds) => (round ? t("common.round", { round, rounds }) : t("common.opening_now"));

function drawTables() {
  const mine = new Set(me.tables.map(({ id }) => id));
  const [open, watch] = [tables.open, tables.watch].map((all) =>
    all.filter(({ id }) => !mine.has(id)).slice(0, SHOWN));
  refill(byId("tables").querySelector("ul"), ...open.map(openRow), ...watch.map(watchRow));
  byId("tables").querySelector(".none").hidden = open.length + watch.length > 0;
  refill(byId("mine").querySelector("ul"), ...me.tables.slice(0, SHOWN).map(mineRow));
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

/** What could not be asked now is asked the next time. */
const look = () => document.hidden || refresh().catch(() => {});

/* a name and a code */

async function rename() {
  const name = byId("name").value.trim();
  if (name && name !== me.name) {
    await attempt(async () => Object.assign(me, await put("/api/me", { name })), byId("refused"));
  }
  byId("name").value = name || me.name;
}

/** @param {Event} event */
function byCode(event) {
  event.preventDefault();
  const code = byId("code").value.trim().toLowerCase().split(/[\s.,-]+/).join(" ");
  if (!code) return byId("code").focus();
  return attempt(async () => {
    const { id, secret } = await post("/api/code", { code });
    location.assign(`/t/${id}#seat=${secret}`);
  }, byId("code-refused"), byId("by-code").querySelector("button"));
}

/** Everything that script writes, in the language spoken now. */
function draw() {
  options.draw();
  byId("bot").replaceChildren(
    ...bots.map((one) => new Option(t("lay.who_bot", one), one.bot, false, one.bot === bot)));
  describe();
  drawTables();
}

await ready;
const before = kept(STORED) ?? {};
const options = new Options(wishesFrom(before));
const loaded = Promise.all([get("/api/bots"), refresh(), sheet]).then(([known]) => {
  bots = known;
  bot = (bots.find((one) => one.bot === before.bot) ?? bots.find((one) => one.usual) ?? bots[0]).bot;
  byId("name").value ||= me.name;
  draw();
});

chooseLanguage(byId("language"));
document.addEventListener("language", draw);
options.addEventListener("change", chosen);
byId("bot").onchange = chosen;
byId("play").onclick = play;
byId("name").onchange = rename;
byId("me").onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  byId("name").blur();
};
byId("by-code").onsubmit = byCode;
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
loaded.catch((error) => {
  byId("refused").textContent = explain(error);
});
import("./picture.js").then(({ draw: paint }) => paint(byId("picture")));
