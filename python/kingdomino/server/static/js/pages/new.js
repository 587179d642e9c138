/**
 * The page that creates a table: players, seats and rules. `/new` is for friends, `/new#here` for
 * one device.
 *
 * @typedef {object} SeatChoice
 * @property {string} who "me", "here" (another person at this device), "friend", "open", or "bot:" and a spec
 * @property {string} name
 */
import { king, symbolsReady } from "../draw/art.js";
import { byId, el, replaceContent } from "../draw/dom.js";
import { language, t, timeText, wordsReady } from "../i18n/locale.js";
import { bots, botsReady, LONGEST_NAME } from "../i18n/names.js";
import { botDescription, rulesSummary } from "../i18n/rules-text.js";
import { HAS_SERVER, tablePath } from "../net/address.js";
import { attempt, errorText, get, later, post, put, start } from "../net/api.js";
import { saveSetting } from "../net/storage.js";
import { promiseNonce, takePart, unbegunGames } from "../table/nonces.js";
import { myName, startHere } from "./begin.js";
import { RulesForm, storedRules } from "./rules.js";
import { possible, rulesReady, rulesSet } from "./rules-sets.js";

/** @import { Person, SeatWish } from "../net/types.js" */

const STORED = "new";
/** @type {Record<string, "me" | "invited" | "open">} */
const KINDS = { me: "me", here: "me", friend: "invited", open: "open" };

/** @type {Pick<Person, "name">} */
let me = { name: "" };
let isPublic = false;
const SECONDS = [30, 120, 300, 86_400, null];
/** The usual time for a turn with players on other devices; the server's, too. */
const WITH_FRIENDS = 120;
/** The chosen time, for the next table only: it may be for other people. @type {number | null} */
let seconds = WITH_FRIENDS;
const preset = HAS_SERVER && location.hash !== "#here" ? "friend" : "here";
/** @type {SeatChoice[]} */
const choices = ["me", preset, preset, preset].map((who) => ({ who, name: "" }));

const seated = () => choices.slice(0, form.settings.players);
const botOf = (/** @type {SeatChoice} */ choice) => bots.find((bot) => `bot:${bot.bot}` === choice.who);

/** The name of a person who has typed none. @param {SeatChoice} choice @param {number} seat */
function defaultName(choice, seat) {
  return choice.who === "me" ? me.name || t("common.guest") : t("new.player", { n: seat + 1 });
}

/* who sits where */

/** @param {SeatChoice} choice @param {number} seat */
function row(choice, seat) {
  const n = seat + 1;
  const bot = botOf(choice);
  const kind = bot ? "bot" : choice.who;
  const options = [
    ...Object.keys(KINDS).filter((who) => HAS_SERVER || KINDS[who] === "me").map((who) => [t(`new.who_${who}`), who]),
    ...bots.map(({ bot, name, level }) => [t("new.who_bot", { name, level }), `bot:${bot}`]),
  ];
  /** @type {HTMLSelectElement} */
  const select = el("select", { "data-key": `who-${seat}`, "aria-label": t("new.who", { n }),
    onchange: () => choose(seat, select.value) },
    ...options.map(([words, who]) => new Option(words, who, false, who === choice.who)));
  /** @type {HTMLInputElement} */
  const name = el("input.field", { "data-key": `name-${seat}`, "aria-label": t("new.name", { n }), maxlength: LONGEST_NAME,
    autocomplete: "off", spellcheck: "false", value: choice.name, placeholder: defaultName(choice, seat),
    oninput: () => { choice.name = name.value; } });
  const title = KINDS[choice.who] === "me" ? name : el("b", bot?.name ?? t(`new.seat_${kind}`));
  const why = bot ? botDescription(bot.bot) : t(`new.why_${kind}`);
  return el("li", king(seat), el("div", title, el("small", why)), select);
}

/**
 * Gives a seat to someone else. You have one seat, so if you take it, you change places.
 * @param {number} seat
 * @param {string} who
 */
function choose(seat, who) {
  const mine = choices.find((choice) => choice.who === "me");
  const name = who === "me" && mine ? mine.name : "";
  if (who === "me" && mine) Object.assign(mine, choices[seat]);
  choices[seat] = { who, name };
  update();
}

/* the summary */

/** Shows the seats and what happens next. */
function update() {
  const isOpen = seated().some((choice) => choice.who === "open");
  const friends = seated().filter((choice) => choice.who === "friend").length;
  const free = friends + seated().filter((choice) => choice.who === "open").length;
  const hasHost = seated().some((choice) => KINDS[choice.who] === "me");
  const facts = rulesSet(form.settings);
  replaceContent(byId("seats"), ...seated().map(row));
  byId("shared").hidden = free === 0;
  byId("public", HTMLInputElement).checked = isPublic || isOpen;
  byId("public", HTMLInputElement).disabled = isOpen;
  byId("why-public").textContent = t(isOpen ? "new.public_needed" : "new.public_why");
  byId("dominoes", SVGTextElement).textContent = String(facts.dominoes);
  byId("summary").textContent = rulesSummary(facts);
  button.textContent = t(free ? "new.create" : "new.draw");
  button.disabled = !hasHost;
  const next = free ? `new.next_${isOpen ? (friends ? "mixed" : "open") : "waiting"}` : "new.next_full";
  byId("next").textContent = t(hasHost ? next : "new.no_host", { n: free });
}

/** A seat in the server's form. @param {SeatChoice} choice @param {number} seat @returns {SeatWish} */
function seatWish(choice, seat) {
  const bot = botOf(choice);
  if (bot) return { kind: "bot", bot: bot.bot };
  const kind = KINDS[choice.who];
  if (kind !== "me") return { kind };
  return { kind, name: choice.name.trim() || (choice.who === "me" ? null : defaultName(choice, seat)) };
}

/** Whether all players are at this device, so that the game needs no server. */
const isHere = () => seated().every((choice) => KINDS[choice.who] === "me" || botOf(choice));

/** A seat at a table on this device. @param {SeatChoice} choice @param {number} seat */
function seatHere(choice, seat) {
  const bot = botOf(choice);
  if (bot) return { name: bot.name, bot: bot.bot };
  return { name: choice.name.trim() || (choice.who === "me" ? me.name || myName() : defaultName(choice, seat)), bot: null };
}

const create = () => attempt(async () => {
  if (isHere()) return startHere(form.settings, seated().map(seatHere));
  const name = seated().find((choice) => choice.who === "me")?.name.trim();
  if (name && name !== me.name) await put("/api/me", { name });
  const wish = { ...possible(form.settings), seconds, public: byId("public", HTMLInputElement).checked, language };
  const body = { ...wish, seats: seated().map(seatWish), digest: promiseNonce() };
  const { table, you } = await post("/api/tables", {}, body);
  await takePart(table, you.seats);
  location.assign(tablePath(table.id));
}, byId("refused"), button);

await start(Promise.all([wordsReady, rulesReady]));
const button = byId("create", HTMLButtonElement);
const form = new RulesForm(storedRules(STORED).rules);
form.on("change", () => {
  saveSetting(STORED, form.settings);
  update();
});
const pace = byId("seconds", HTMLSelectElement);
pace.append(...SECONDS.map((each) => new Option(each ? timeText(each) : t("common.seconds_none"), String(each ?? ""))));
pace.value = String(WITH_FRIENDS);
pace.onchange = () => { seconds = pace.value ? Number(pace.value) : null; };
byId("public").onchange = () => { isPublic = byId("public", HTMLInputElement).checked; };
button.onclick = create;
for (const each of document.forms) each.onsubmit = (event) => event.preventDefault();
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
if (unbegunGames().length) later(() => import("./lost-game.js")).then(({ tellOfLostGames }) => tellOfLostGames());
try {
  const known = get("/api/me").catch(() => me); // an overloaded server refuses this before it refuses a new game
  [me] = await Promise.all([known, botsReady, symbolsReady]);
} catch (error) {
  byId("refused").textContent = errorText(error);
}
update();
