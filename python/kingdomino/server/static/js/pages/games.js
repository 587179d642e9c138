/**
 * Your games: unfinished and finished ones, and statistics; records to watch, import, download and delete.
 */
import { copyText } from "../draw/copy.js";
import { byId, el, find, replaceContent, saveFile } from "../draw/dom.js";
import { rulesName } from "../i18n/game-text.js";
import { t, wordsReady } from "../i18n/locale.js";
import { bots, botsReady } from "../i18n/names.js";
import { findSent, gamesHere, onlyHere, recordsHere, sendGames, together } from "../local/games.js";
import { opponentBot, statisticsOf } from "../local/statistics.js";
import { forgetTable } from "../local/store.js";
import { HAS_SERVER, isHere } from "../net/address.js";
import { attempt, errorText, get, getText, later, remove, RequestError, start } from "../net/api.js";
import { RecordFile } from "./file.js";
import { playedRow, unfinishedRow } from "./game-rows.js";
import { showStatistics } from "./game-statistics.js";
import { variantNames } from "../i18n/rules-text.js";

/**
 * @import { Played, PlayedGames, UnfinishedGame } from "../net/types.js"
 * @import { Finished } from "../local/games.js"
 * @import { Statistics } from "../local/statistics.js"
 * @typedef {{outcome: string, rules: number, bot: string}} Filter `rules` is an index in the statistics; -1: any
 */

const OUTCOMES = /** @type {const} */ (["all", "won", "lost"]);
/** Milliseconds until the page says that it is loading, and between two polls for turns. */
const LATE = 400;
const EVERY = 5000;

/** Finished games of this device. @type {readonly Finished[]} */
let here = [];
/** Whether the server's list is on the page, too. */
let isReached = false;
/** @type {UnfinishedGame[]} */
let unfinished = [];
/** @type {Statistics} */
let statistics = { finished: 0, won: 0, rules: [], best: null };
/** The games on the page. */
let shown = together([], null);
/** The number of games without a filter. */
let total = 0;
/** @type {Filter} */
const ANY = { outcome: "all", rules: -1, bot: "" };
/** The filter of the games on the page. */
let filter = ANY;
/** The last chosen filter. */
let wanted = ANY;

const list = find(byId("ended"), "ol");
const older = byId("older", HTMLButtonElement);
const status = byId("refused");

/** Loads everything, also again after a change. */
async function load() {
  const intro = byId("intro");
  const before = intro.textContent;
  const late = setTimeout(() => (intro.textContent = t("games.loading")), LATE);
  try {
    const mine = await gamesHere();
    const theirs = await askServer();
    here = findSent(mine.finished, theirs?.page.games ?? []);
    isReached = theirs !== null;
    unfinished = [...mine.unfinished, ...theirs?.open.games ?? []];
    const alone = onlyHere(here, isReached);
    statistics = statisticsOf(theirs?.sums ?? { sums: [], rules: [], best: null }, alone);
    shown = together(here, theirs?.page ?? null, readOn(ANY));
    await shown.more();
    total = shown.total;
    filter = wanted = ANY;
  } catch (error) {
    intro.textContent = before;
    throw error;
  } finally {
    clearTimeout(late);
  }
  draw();
}

/** What the server has; null without one. Throws if its games are on the page already. */
async function askServer() {
  if (!HAS_SERVER) return null;
  try {
    const [open, sums, page] = await Promise.all([get("/api/me/tables"), get("/api/me/statistics"), get("/api/me/games")]);
    return { open, sums, page };
  } catch (error) {
    if (isReached || !(error instanceof RequestError)) throw error;
    return null;
  }
}

/** Reloads the games in progress while the page is visible, because turns change. */
async function poll() {
  if (document.hidden) return;
  const mine = await gamesHere();
  const open = HAS_SERVER ? await get("/api/me/tables").catch(() => null) : null;
  if (isReached && !open) return;
  const games = [...mine.unfinished, ...open?.games ?? []];
  const hasEnded = unfinished.some(({ id }) => games.every((game) => game.id !== id));
  const isBack = !isReached && open !== null;
  if ((hasEnded || isBack) && filter === ANY) return load();
  if (JSON.stringify(games) === JSON.stringify(unfinished)) return;
  unfinished = games;
  drawUnfinished();
}

/** The query of a filter. @param {Filter} filter */
function query({ outcome, rules: index, bot }) {
  const { rules, dynasty } = statistics.rules[index] ?? {};
  return {
    ...(outcome !== "all" && { outcome }),
    ...(rules && { rules: rules.text }),
    ...(dynasty && { dynasty }),
    ...(bot && { bot }),
  };
}

/** Whether a game fits a filter, as the server decides it. @param {Played} game @param {Filter} filter */
function fits(game, { outcome, rules: index, bot }) {
  const { rules, dynasty } = statistics.rules[index] ?? {};
  return (outcome === "all" || game.outcome === outcome) && (!bot || opponentBot(game) === bot)
    && (!rules || (game.rules.text === rules.text && game.dynasty === dynasty));
}

/** Reads the next part of the server's list. @param {Filter} chosen @returns {(before: string) => Promise<PlayedGames>} */
const readOn = (chosen) => (before) => get("/api/me/games", { ...query(chosen), before });

/** @param {Partial<Filter>} change */
function choose(change) {
  const asked = (wanted = { ...wanted, ...change });
  return attempt(async () => {
    try {
      const page = isReached ? await get("/api/me/games", query(asked)) : null;
      if (asked !== wanted) return;
      const games = together(here.filter(({ game }) => fits(game, asked)), page, readOn(asked));
      await games.more();
      [shown, filter] = [games, asked];
      drawList();
    } catch (error) {
      if (asked !== wanted) return;
      wanted = filter;
      drawFilter();
      throw error;
    }
  }, byId("not-listed"));
}

function showOlder() {
  return attempt(async () => {
    const before = shown;
    const from = shown.games.length;
    await shown.more();
    older.disabled = false;
    if (before !== shown) return;
    drawList(from);
    find(list.children[from], "a").focus();
  }, byId("no-older"), older);
}

/* drawing */

function draw() {
  drawUnfinished();
  byId("ended").hidden = byId("filter").hidden = byId("own").hidden = byId("points").hidden = total === 0;
  drawFilter();
  drawList();
  showStatistics(byId("statistics"), statistics);
  drawWhere();
  byId("delete-all").replaceChildren(deleteAll());
}

/** Says where the games are kept, and what may happen to them there. */
function drawWhere() {
  const isSafe = isReached && here.every(({ sent }) => sent);
  byId("carry").hidden = !here.length && !unfinished.some(({ id }) => isHere(id));
  byId("where").textContent = [
    t(isReached ? "home.kept" : "games.kept_device"),
    isReached && !isSafe && t("games.some_here"),
    total > 0 && !isSafe && t("games.may_forget"),
  ].filter(Boolean).join(" ");
}

function drawUnfinished() {
  const { finished, won } = statistics;
  const sentences = [
    unfinished.length > 0 && t("games.waiting", { n: unfinished.length }),
    finished > 0 ? t("games.finished", { n: finished, won }) : t("games.none"),
    HAS_SERVER && !isReached && t("games.only_here"),
  ];
  byId("intro").textContent = sentences.filter(Boolean).join(" ");
  byId("unfinished").hidden = unfinished.length === 0;
  byId("none").hidden = total + unfinished.length > 0;
  replaceContent(find(byId("unfinished"), "ol"), ...unfinished.map((game) => unfinishedRow(game)));
}

/** Draws the list, or only its games from this index on. */
function drawList(from = 0) {
  const rows = shown.games.slice(from).map((game) => playedRow(game, () => forget(game)));
  if (from) list.append(...rows);
  else replaceContent(list, ...rows);
  for (const refused of ["not-listed", "no-older"]) byId(refused).textContent = "";
  byId("no-match").textContent = shown.games.length ? "" : t("games.no_match");
  older.hidden = shown.isWhole;
}

function drawFilter() {
  const radio = (/** @type {string} */ outcome) => el("label",
    el("input", {
      type: "radio", name: "outcome", checked: outcome === filter.outcome, "data-key": outcome, onchange: () => choose({ outcome }),
    }),
    el("span", t(`games.which_${outcome}`)));
  const names = statistics.rules.map(({ rules, dynasty }) => rulesName(rules, variantNames({ ...rules, dynasty })));
  const played = bots.filter(({ bot }) => statistics.rules.some((rules) => rules.bots.some((one) => one.bot === bot)));
  replaceContent(byId("filter"),
    el("div.seg", { role: "radiogroup", "aria-label": t("games.which") }, ...OUTCOMES.map(radio)),
    select("games.rules", "games.rules_any", names.map((name, index) => [name, String(index)]), String(filter.rules),
      (value) => choose({ rules: value ? Number(value) : -1 })),
    select("games.against", "games.against_any",
      played.map(({ bot, name, level }) => [t("new.who_bot", { name, level }), bot]), filter.bot,
      (value) => choose({ bot: value })));
}

/**
 * @param {string} label
 * @param {string} any the words of the first option
 * @param {string[][]} options words and value
 * @param {string} now the value that is chosen
 * @param {(value: string) => unknown} change
 */
function select(label, any, options, now, change) {
  /** @type {HTMLSelectElement} */
  const made = el("select", { "aria-label": t(label), "data-key": label, onchange: () => change(made.value) });
  made.append(new Option(t(any), ""), ...options.map(([words, value]) => new Option(words, value, false, value === now)));
  return made;
}

/* deleting */

/** @param {Played} game */
async function forget({ id }) {
  const sent = isHere(id) ? here.find(({ game }) => game.id === id)?.sent : id;
  if (sent) await forgetThere(sent);
  if (isHere(id)) await forgetTable(id);
  await load();
  byId("ended").hidden ? byId("choose").focus() : (list.querySelector("a") ?? older).focus();
}

/** Deletes a game from the server's list. @param {string} game */
async function forgetThere(game) {
  try {
    await remove("/api/me/games/{game}", { game });
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== "no_game") throw error;
  }
}

/** A button that deletes all games after a confirmation. */
function deleteAll() {
  const place = el("div.sure");
  const ask = el("button.button.bare", { type: "button", onclick: () => sure(true) }, t("games.delete_all"));
  const sure = (/** @type {boolean} */ asks) => {
    place.replaceChildren(...(asks ? question : [ask]));
    find(place, "button").focus();
  };
  const yes = el("button.button", { type: "button" }, t("games.delete_all"));
  const refused = el("p.refusal", { role: "alert" });
  yes.onclick = () => attempt(async () => {
    if (isReached) await remove("/api/me/games");
    for (const { game } of here) await forgetTable(game.id);
    await load();
    byId("choose").focus();
  }, refused, yes);
  const question = [
    el("p.refusal", { role: "alert" }, t("games.delete_all_sure", { n: total })),
    refused,
    el("div.acts", el("button.button", { type: "button", onclick: () => sure(false) }, t("games.delete_all_not")), yes),
  ];
  place.append(ask);
  return place;
}

await start(wordsReady);
const file = new RecordFile(byId("file"), status);
file.on("kept", () => attempt(load, byId("not-listed")));
const chosen = byId("chosen", HTMLInputElement);
byId("choose").onclick = () => chosen.click();
chosen.onchange = () => {
  if (chosen.files?.[0]) file.open(chosen.files[0]);
  chosen.value = "";
};
file.acceptDrops();
older.onclick = showOlder;
const download = byId("export", HTMLAnchorElement);
download.onclick = (/** @type {Event} */ event) => {
  event.preventDefault();
  attempt(async () => {
    const theirs = isReached ? await getText("/api/me/records", {}) : "";
    saveFile(new File([theirs, await recordsHere(isReached)], "kingdomino-games.txt", { type: "text/plain" }));
  }, status);
};
const carry = find(byId("carry"), "button", HTMLButtonElement);
carry.onclick = async () => {
  await attempt(async () => {
    const { linkWithAll } = await later(() => import("../local/carry.js"));
    if (await copyText(linkWithAll())) byId("carried").textContent = t("games.carry_copied");
  }, byId("carried"), carry);
  carry.disabled = false;
};
const look = () => poll().catch(() => {});
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
try {
  await botsReady;
  await load();
  if (isReached && await sendGames()) {
    here = (await gamesHere()).finished;
    drawWhere();
  }
} catch (error) {
  status.textContent = errorText(error);
}
