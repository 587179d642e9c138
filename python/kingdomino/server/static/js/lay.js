/**
 * Laying a table: how many, who sits where, which rules. `/lay` is for friends, `/lay#here` for one device.
 *
 * @typedef {{who: string, name: string}} Sitting `who`: "me", "here", "friend", "open" or "bot:" and a spec
 */
import { attempt, explain, get, post, put } from "./api.js";
import { king, sheet } from "./art.js";
import { byId, h, refill } from "./h.js";
import { keep, kept } from "./keep.js";
import { Options, botWhy, extent, settled, summary, wishesFrom } from "./options.js";
import { ready, t } from "./words.js";

const STORED = "lay";
/** @type {Record<string, string>} */
const KINDS = { me: "me", here: "me", friend: "invited", open: "open" };

let me = { name: "" };
/** @type {{bot: string, name: string}[]} */
let bots = [];
let open = false;
const preset = location.hash === "#here" ? "here" : "friend";
/** @type {Sitting[]} */
const sitting = ["me", preset, preset, preset].map((who) => ({ who, name: "" }));

const taken = () => sitting.slice(0, options.wishes.players);
const botOf = (/** @type {Sitting} */ one) => bots.find((bot) => `bot:${bot.bot}` === one.who);

/** What somebody who typed no name is called. @param {Sitting} one @param {number} seat */
function unnamed(one, seat) {
  return one.who === "me" ? me.name || t("common.guest") : t("lay.player", { n: seat + 1 });
}

/* who sits where */

/** @param {Sitting} one @param {number} seat */
function row(one, seat) {
  const n = seat + 1;
  const bot = botOf(one);
  const kind = bot ? "bot" : one.who;
  const choices = [
    ...Object.keys(KINDS).map((who) => [t(`lay.who_${who}`), who]),
    ...bots.map((known) => [t("lay.who_bot", known), `bot:${known.bot}`]),
  ];
  const select = h("select", { "data-key": `who-${seat}`, "aria-label": t("lay.who", { n }),
    onchange: () => sit(seat, select.value) },
    ...choices.map(([words, who]) => new Option(words, who, false, who === one.who)));
  const person = h("input.field", { "data-key": `name-${seat}`, "aria-label": t("lay.name", { n }), maxlength: 24,
    autocomplete: "off", spellcheck: "false", value: one.name, placeholder: unnamed(one, seat),
    oninput: () => { one.name = person.value; } });
  const named = KINDS[one.who] === "me" ? person : h("b", bot?.name ?? t(`lay.seat_${kind}`));
  const why = bot ? botWhy(bot.bot) : t(`lay.why_${kind}`);
  return h("li", king(seat), h("div", named, h("small", why)), select);
}

/**
 * Somebody else sits on this seat; there is one of me, so whoever was here changes places with me.
 * @param {number} seat
 * @param {string} who
 */
function sit(seat, who) {
  const mine = sitting.find((one) => one.who === "me");
  const name = who === "me" && mine ? mine.name : "";
  if (who === "me" && mine) Object.assign(mine, sitting[seat]);
  sitting[seat] = { who, name };
  update();
}

/* the sum of it */

/** Shows the seats and what will come of it all. */
function update() {
  const lobby = taken().some((one) => one.who === "open");
  const free = taken().filter((one) => ["friend", "open"].includes(one.who)).length;
  const hosted = taken().some((one) => KINDS[one.who] === "me");
  refill(byId("sitting"), ...taken().map(row));
  byId("public").checked = open || lobby;
  byId("public").disabled = lobby;
  byId("why-public").textContent = t(lobby ? "lay.public_needed" : "lay.public_why");
  byId("dominoes").textContent = extent(options.wishes).dominoes;
  byId("summary").textContent = summary(options.wishes);
  byId("draw").textContent = t(free ? "lay.lay" : "lay.draw");
  byId("draw").disabled = !hosted;
  const next = free ? "lay.next_waiting" : "lay.next_full";
  byId("next").textContent = t(hosted ? next : "lay.no_host", { n: free });
}

/** A seat as the server wants it. @param {Sitting} one @param {number} seat */
function wanted(one, seat) {
  const bot = botOf(one);
  if (bot) return { kind: "bot", bot: bot.bot };
  const kind = KINDS[one.who];
  return kind === "me" ? { kind, name: one.name.trim() || unnamed(one, seat) } : { kind };
}

const lay = () => attempt(async () => {
  const name = taken().find((one) => one.who === "me")?.name.trim();
  if (name && name !== me.name) await put("/api/me", { name });
  const wish = { ...settled(options.wishes), public: byId("public").checked, seats: taken().map(wanted) };
  const { table } = await post("/api/tables", wish);
  location.assign(`/t/${table.id}`);
}, byId("refused"), byId("draw"));

await ready;
const options = new Options(wishesFrom(kept(STORED) ?? {}));
options.addEventListener("change", () => {
  keep(STORED, options.wishes);
  update();
});
byId("public").onchange = () => { open = byId("public").checked; };
byId("draw").onclick = lay;
for (const form of document.forms) form.onsubmit = (event) => event.preventDefault();
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
try {
  [me, bots] = await Promise.all([get("/api/me"), get("/api/bots"), sheet]);
} catch (error) {
  byId("refused").textContent = explain(error);
}
update();
