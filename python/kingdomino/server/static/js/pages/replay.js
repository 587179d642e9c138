/**
 * The replay of a table's games, move by move: the table after each move, and the move in a sentence.
 * `/t/ID/replay#12` and `/replay?id=ID#12` are the moment of event 12, `#game-2` the start of the second game of a Dynasty. It also works for
 * an unfinished game: the step after the last one asks the server for more. `/g/ID` is an imported game.
 */
import { artReady, icon, seal, svg } from "../draw/art.js";
import { copyText, showCopied } from "../draw/copy.js";
import { el, replaceContent } from "../draw/dom.js";
import { isElsewhere } from "../draw/keys.js";
import { ask } from "../engine/engine.js";
import { list, t } from "../i18n/locale.js";
import { seatAnnouncement, turnItem } from "../i18n/move-text.js";
import { nameOf } from "../i18n/names.js";
import { readRecords } from "../local/import.js";
import { analysisPath, pathTo, reviewPath, tablePath } from "../net/address.js";
import { errorText, get } from "../net/api.js";
import { isMove } from "../net/events.js";
import { clientOf } from "../table/client.js";
import { apply, emptyTable, isKnown } from "../net/reducer.js";
import { TableView } from "../table/view.js";
import { watchedRecord } from "./watched.js";

/**
 * @import { TableEvent } from "../net/events.js"
 * @import { Table } from "../net/types.js"
 * @typedef {{event: TableEvent, table: Table}} Step an event and the table after it
 * @typedef {"first" | "back" | "next" | "last"} Way
 *
 * @typedef {object} Source where a game comes from
 * @property {string} id
 * @property {readonly number[]} seats yours
 * @property {(after: number) => Promise<TableEvent[]>} read returns the events after a number
 * @property {[path: string, key: string]} back the target of the link back, and its words
 * @property {((game: number, ply: number) => string) | null} analysis the path of a position of one of its games on the analysis board
 * @property {boolean} isShared whether its address works elsewhere too
 * @property {((game: number) => string) | null} review the path of the review of one of its games
 */

const STEPS = ["placed", "discarded", "claimed", "dealt", "left", "returned", "finished"];
const ICONS = {
  first: "M6 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z",
};
/** @type {Partial<Record<string, Way>>} */
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
/** Milliseconds until the address shows the moment. */
const SETTLED = 250;

/** The games of a table. @param {string} id @returns {Promise<Source>} */
export async function tableSource(id) {
  const client = clientOf(id);
  const { you } = await client.read();
  return {
    id, seats: you.seats, isShared: client.isShared, back: [tablePath(id), "replay.to_table"], read: (after) => client.events(after),
    analysis: (game, ply) => analysisPath(id, true, game, ply), review: (game) => reviewPath(id, game),
  };
}

/** An imported game, or without an id the record opened in this tab. @param {string} id @returns {Promise<Source>} */
export async function recordSource(id) {
  const { game, events } = await (id ? get("/api/games/{game}", { game: id }) : readRecords(ask, watchedRecord()));
  return {
    id: game.id, seats: game.seats, isShared: Boolean(id), back: [pathTo("/games"), "games.to_games"],
    read: async (after) => events.filter(({ number }) => number > after),
    analysis: id ? (game, ply) => analysisPath(id, false, game, ply) : null, review: id ? (game) => reviewPath(id, game) : null,
  };
}

/**
 * Shows a replay in the element `.play` of table.html.
 * @param {HTMLElement} root
 * @param {Source} source
 */
export async function replay(root, source) {
  await artReady;
  const history = new GameHistory(source);
  await history.read();
  if (history.isNewer) return root.replaceChildren(el("p.nothing", t("table.newer")));
  if (history.moments.length === 0) return location.replace(source.back[0]);
  new Replay(root, history, source.seats[0] ?? 0);
}

/** The moments of a table's games. */
class GameHistory {
  /** @type {Promise<void> | null} */
  #reading = null;

  /** @param {Source} source */
  constructor(source) {
    this.source = source;
    this.now = emptyTable(source.id);
    /** Each moment is a move and its following events. @type {Step[][]} */
    this.moments = [];
    /** Whether the server was updated after this page loaded. */
    this.isNewer = false;
  }

  /** Reads new events; never twice at once, which would apply an event twice. */
  read() {
    this.#reading ??= this.#read().finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #read() {
    for (const event of await this.source.read(this.now.number)) {
      this.isNewer ||= !isKnown(event);
      if (this.isNewer) return;
      this.now = apply(this.now, event);
      const step = { event, table: this.now };
      if (!this.now.game) continue;
      if (STEPS.includes(event.kind)) {
        this.moments.at(-1)?.forEach((before) => amend(before, event));
        this.moments.push([step]);
      } else this.moments.at(-1)?.push(step);
    }
  }

  /** The moment of an address, by default the first. @param {string} hash */
  find(hash) {
    const [, game, number] = hash.match(/^#(?:game-(\d+)|(\d+))$/) ?? [];
    if (game) return Math.max(0, this.startOf(Number(game)));
    const then = Number(number ?? 0);
    return Math.max(0, this.moments.findLastIndex(([{ event }]) => event.number <= then));
  }

  /** @param {number} game */
  startOf(game) {
    return this.moments.findIndex(([{ table }]) => table.game === game);
  }
}

/**
 * Only the last event of a turn has the next `turn`. Within a turn, the next event shows what remains: the claim of the
 * seat that has placed, or nothing.
 * @param {Step} step
 * @param {TableEvent} next
 */
function amend(step, next) {
  const { event, table } = step;
  if (event.turn !== undefined || !table.turn) return;
  if (next.kind === "finished") step.table = { ...table, turn: null };
  if (next.kind === "claimed") step.table = { ...table, turn: { ...table.turn, phase: "claim", domino: null } };
}

class Replay {
  #at = 0;
  #shown = -1;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressTimer;
  #sentence = el("p.sentence", { role: "status" });
  #games = el("div.games");
  #analysis = el("a", t("analysis.open"));
  #review = el("a", t("review.look"));
  #slider;
  #buttons;

  /**
   * @param {HTMLElement} root
   * @param {GameHistory} history
   * @param {number} home the seat whose kingdom is large at first
   */
  constructor(root, history, home) {
    this.root = root;
    this.history = history;
    this.home = home;
    this.view = new TableView(root);
    /** @type {HTMLInputElement} */
    const slider = el("input", {
      type: "range", min: 0, "aria-label": t("replay.moment"), oninput: () => this.#go(Number(slider.value)),
    });
    this.#slider = slider;
    const button = (/** @type {Way} */ way) =>
      iconButton(`replay.${way}`, svg("0 0 24 24", `<path d="${ICONS[way]}"/>`), () => this.#step(way));
    this.#buttons = { first: button("first"), back: button("back"), next: button("next"), last: button("last") };
    this.#build();
    this.view.on("opponent", ({ seat }) => {
      this.home = seat;
      this.#show();
    });
    addEventListener("hashchange", () => this.#go(history.find(location.hash)));
    addEventListener("keydown", (event) => this.#press(event));
    this.#go(history.find(location.hash));
  }

  #build() {
    const { first, back, next, last } = this.#buttons;
    const link = iconButton("replay.copy", icon("link"), async () => {
      const isCopied = await copyText(`${location.origin}${location.pathname}#${this.#moment[0].event.number}`);
      if (isCopied) showCopied(link, () => icon("link"), icon("check"));
    });
    this.root.classList.add("replay");
    const { back: [path, words], isShared } = this.history.source;
    this.view.nextLine.append(el("a", { href: path }, t(words)), " ", this.#analysis, " ", this.#review);
    this.view.mine.append(this.#sentence,
      el("div.steps", first, back, this.#slider, next, last, isShared && link), this.#games);
  }

  get #moment() {
    return this.history.moments[this.#at];
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const way = KEYS[event.key];
    if (!way || event.shiftKey || isElsewhere(event, "[role=grid]")) return;
    event.preventDefault();
    this.#step(way);
  }

  /** @param {Way} way */
  async #step(way) {
    const { moments, now } = this.history;
    const isEnd = way === "last" || (way === "next" && this.#at === moments.length - 1);
    if (isEnd && now.state !== "over" && !await this.#readMore()) return;
    const targets = { first: 0, back: this.#at - 1, next: this.#at + 1, last: moments.length - 1 };
    this.#go(targets[way]);
  }

  /** Asks for new events of an unfinished game; returns whether there was an answer. */
  async #readMore() {
    try {
      await this.history.read();
      return true;
    } catch (error) {
      this.#sentence.textContent = errorText(error);
      return false;
    }
  }

  /** @param {number} to */
  async #go(to) {
    const isNext = to === this.#at + 1 && this.#shown === this.#at;
    this.#at = Math.min(Math.max(to, 0), this.history.moments.length - 1);
    const moment = this.#moment;
    this.#shown = -1;
    this.#updateControls();
    clearTimeout(this.#addressTimer);
    const { number } = moment[0].event;
    this.#addressTimer = setTimeout(() => history.replaceState(null, "", `#${number}`), SETTLED);
    for (const { event, table } of isNext ? moment : []) {
      if (moment === this.#moment) await this.view.play(event, table);
    }
    if (moment === this.#moment) this.#show();
  }

  #show() {
    const note = t("replay.at", { n: this.#at + 1, moments: this.history.moments.length });
    this.view.show(this.#table, { seats: [] }, { home: this.home, mode: "watch", note });
    this.#shown = this.#at;
  }

  /** The table at this moment. */
  get #table() {
    return this.#moment[this.#moment.length - 1].table;
  }

  /** Shows the sentence about the move, and updates the controls. */
  #updateControls() {
    const { moments, now } = this.history;
    const focused = document.activeElement;
    this.#sentence.replaceChildren(...this.#moment.flatMap(sentence));
    this.#slider.max = String(moments.length - 1);
    this.#slider.value = String(this.#at);
    this.#slider.setAttribute("aria-valuetext", this.#sentence.textContent ?? "");
    const { analysis } = this.history.source;
    this.#analysis.hidden = !analysis || now.state !== "over"; // the board accepts no position of an unfinished game
    if (analysis) this.#analysis.href = analysis(this.#table.game, this.#decision);
    const { first, back, next, last } = this.#buttons;
    first.disabled = back.disabled = this.#at === 0;
    next.disabled = last.disabled = this.#at === moments.length - 1 && now.state === "over";
    this.#linkReview();
    if (focused instanceof HTMLButtonElement && focused.disabled) this.#slider.focus();
    if (now.games > 1) replaceContent(this.#games, ...this.#gameButtons(this.#table.game));
  }

  /** The number of decisions of this game before the next one. */
  get #decision() {
    const { game } = this.#table;
    return this.history.moments.slice(0, this.#at + 1)
      .filter(([{ event, table }]) => table.game === game && isMove(event)).length;
  }

  /** Links to the review of this game at this moment, once it is over. */
  #linkReview() {
    const { now, source } = this.history;
    const { game } = this.#table;
    this.#review.hidden = !source.review || (game === now.game && !now.finished);
    this.#review.href = `${source.review?.(game)}#${Math.max(1, this.#decision)}`;
  }

  /** A button for the start of each game of a Dynasty. @param {number} current */
  #gameButtons(current) {
    return Array.from({ length: this.history.now.game }, (_, at) => el("button.button", {
      type: "button", "data-key": `game-${at + 1}`, "aria-pressed": String(at + 1 === current),
      onclick: () => this.#go(this.history.startOf(at + 1)),
    }, t("end.game_n", { game: at + 1 })));
  }
}

/**
 * A button with an icon, and a name for screen readers.
 * @param {string} key of the name
 * @param {Element} mark
 * @param {() => void} act
 */
function iconButton(key, mark, act) {
  const name = t(key);
  return el("button.button.icon", { type: "button", title: name, "aria-label": name, onclick: act }, mark);
}

/** A sentence about an event; nothing for events without one. @param {Step} step @returns {(Node | string)[]} */
function sentence({ event, table }) {
  const said = (/** @type {(Node | string)[]} */ ...words) => [el("span", ...words), " "];
  if (isMove(event)) return said(...turnItem(table, [], [event]).childNodes);
  if (event.kind === "left" || event.kind === "returned") return said(seal(event.seat), seatAnnouncement(table, event));
  if (event.kind === "king_drawn") {
    return said(seal(event.seat), t(`replay.king_${table.rules.opening}`, { who: nameOf(table, event.seat) }));
  }
  if (event.kind === "revealed") {
    const dominoes = list(event.line.map(String));
    return said(t(event.round ? "replay.next_line" : "replay.first_line", { dominoes }));
  }
  if (event.kind !== "finished") return [];
  const scores = event.ranking.map((seat) =>
    t("end.figure", { who: nameOf(table, seat), figure: event.scores[seat].total }));
  return said(t("replay.finished", { scores: list(scores) }));
}
