/**
 * Looking at a game again, move by move: the table as it stood after each move, and the move in a sentence.
 * `/t/ID/replay#12` is the moment of event 12, `#game-2` the beginning of the second game of a Dynasty. A
 * game that goes on can be looked at too: one step beyond its end asks whether there is more.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").TableEvent} TableEvent
 * @typedef {{event: TableEvent, table: Table}[]} Moment a move and what it led to, with the table after each
 */
import { explain, get } from "./api.js";
import { drawable, icon, seal, svg } from "./art.js";
import { copyText } from "./copy.js";
import { apply, empty, knows } from "./fold.js";
import { h, hear } from "./h.js";
import { history as eventsOf } from "./history.js";
import { aboutSeat, item } from "./news.js";
import { nameOf } from "./rich.js";
import { TableView } from "./view.js";
import { list, t } from "./words.js";

const MOVES = ["placed", "discarded", "claimed"];
const STEPS = [...MOVES, "dealt", "left", "returned", "finished"];
const MARKS = {
  first: "M6 5v14M19 5l-9 7 9 7z", back: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z", last: "M18 5v14M5 5l9 7-9 7z",
};
const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
/** How long one stays at a moment before the address names it. */
const SETTLED = 250;

/**
 * Shows the games of table `id` in the element `.play` of table.html, with what it takes to step through.
 * @param {HTMLElement} root
 * @param {string} id
 */
export async function replay(root, id) {
  const [{ you }] = await Promise.all([get(`/api/tables/${id}`), drawable]);
  const story = new Story(id);
  await story.read();
  if (story.isNewer) return root.replaceChildren(h("p.nothing", t("table.newer")));
  if (story.moments.length === 0) return location.replace(`/t/${id}`);
  new Replay(root, story, you.seats[0] ?? 0);
}

/** The moments of a table's games. */
class Story {
  /** @param {string} id */
  constructor(id) {
    this.now = empty(id);
    /** @type {Moment[]} */
    this.moments = [];
    /** Whether the server has been updated since this page was loaded. */
    this.isNewer = false;
  }

  /** Reads on from where it is. */
  async read() {
    for (const event of await eventsOf(this.now.id, this.now.number)) {
      this.isNewer ||= !knows(event);
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

  /** Which moment an address names; the first, if it names none. @param {string} hash */
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
 * Only the last event of a turn says what is to be done next. Between its events, the next one tells: the
 * claim of whoever has placed, or nothing more.
 * @param {{event: TableEvent, table: Table}} step
 * @param {TableEvent} next
 */
function amend(step, next) {
  const { event, table } = step;
  if (event.turn !== undefined || !table.turn) return;
  const { turn } = table;
  if (next.kind === "finished") step.table = { ...table, turn: null };
  if (next.kind === "claimed") step.table = { ...table, turn: { ...turn, phase: "claim", domino: null } };
}

class Replay {
  /**
   * @param {HTMLElement} root
   * @param {Story} story
   * @param {number} home the seat whose kingdom is large at first
   */
  constructor(root, story, home) {
    this.root = root;
    this.story = story;
    this.home = home;
    this.at = 0;
    this.view = new TableView(root);
    this.told = h("p.told", { role: "status" });
    this.games = h("div.games");
    this.slider = h("input", {
      type: "range", min: 0, "aria-label": t("replay.moment"),
      oninput: () => this.go(Number(this.slider.value)),
    });
    /** @type {Record<string, HTMLButtonElement>} */
    this.buttons = Object.fromEntries(Object.entries(MARKS).map(([way, mark]) =>
      [way, button(`replay.${way}`, svg("0 0 24 24", `<path d="${mark}"/>`), () => this.step(way))]));
    this.build();
    hear(this.view, "rival", ({ seat }) => {
      this.home = seat;
      this.show();
    });
    addEventListener("hashchange", () => this.go(story.find(location.hash)));
    addEventListener("keydown", (event) => this.press(event));
    this.go(story.find(location.hash));
  }

  build() {
    const { first, back, next, last } = this.buttons;
    const copied = h("span.visually-hidden", { role: "status" });
    const link = button("replay.copy", icon("link"), async () => {
      await copyText(`${location.origin}${location.pathname}#${this.moment[0].event.number}`);
      copied.textContent = t("replay.copied");
    });
    this.root.classList.add("replay");
    const away = h("a", { href: `/t/${this.story.now.id}` }, t("replay.to_table"));
    this.root.querySelector(".next")?.append(away);
    this.root.querySelector(".mine")?.append(this.told,
      h("div.steps", first, back, this.slider, next, last, link, copied), this.games);
  }

  get moment() {
    return this.story.moments[this.at];
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const way = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    const elsewhere = /** @type {HTMLElement} */ (event.target).closest("input, [role=grid]");
    if (!way || elsewhere || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.step(way);
  }

  /** @param {string} way */
  async step(way) {
    const { moments, now } = this.story;
    const end = way === "last" || (way === "next" && this.at === moments.length - 1);
    if (end && now.state !== "over") await this.more();
    const ways = { first: 0, back: this.at - 1, next: this.at + 1, last: moments.length - 1 };
    this.go(ways[/** @type {keyof typeof ways} */ (way)]);
  }

  /** Asks whether a game that goes on has gone on. */
  async more() {
    await this.story.read().catch((error) => {
      this.told.textContent = explain(error);
    });
  }

  /** @param {number} to */
  async go(to) {
    const plays = to === this.at + 1 && this.shown === this.at;
    this.at = Math.min(Math.max(to, 0), this.story.moments.length - 1);
    const { moment } = this;
    this.shown = -1;
    this.control();
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", `#${moment[0].event.number}`), SETTLED);
    for (const { event, table } of plays ? moment : []) {
      if (moment === this.moment) await this.view.play(event, table);
    }
    this.show(); // whatever has been asked for while it moved
  }

  show() {
    const note = t("replay.at", { n: this.at + 1, moments: this.story.moments.length });
    this.view.show(this.now, { seats: [] }, { home: this.home, mode: "watch", note });
    this.shown = this.at;
  }

  /** The table as it stands at this moment. */
  get now() {
    return /** @type {Moment[number]} */ (this.moment.at(-1)).table;
  }

  /** The sentence for the move, and what the controls show. */
  control() {
    const { moments, now } = this.story;
    const focused = document.activeElement;
    this.told.replaceChildren(...this.moment.flatMap(sentence));
    this.slider.max = String(moments.length - 1);
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", this.told.textContent);
    const { first, back, next, last } = this.buttons;
    first.disabled = back.disabled = this.at === 0;
    next.disabled = last.disabled = this.at === moments.length - 1 && now.state === "over";
    if (focused instanceof HTMLButtonElement && focused.disabled) this.slider.focus();
    if (now.games > 1) this.games.replaceChildren(...this.chapters(this.now.game));
  }

  /** The games of a Dynasty, each a way to its beginning. @param {number} current */
  chapters(current) {
    return Array.from({ length: this.story.now.game }, (_, at) => h("button.button", {
      type: "button", "aria-pressed": String(at + 1 === current),
      onclick: () => this.go(this.story.startOf(at + 1)),
    }, t("end.game_n", { game: at + 1 })));
  }
}

/**
 * A button that shows a mark and is called by its words.
 * @param {string} key
 * @param {Element} mark
 * @param {() => void} act
 */
function button(key, mark, act) {
  const name = t(key);
  const named = { title: name, "aria-label": name };
  return h("button.button.icon", { type: "button", ...named, onclick: act }, mark);
}

/** What happened, for the eye and the ear; nothing for what has no sentence. @param {Moment[number]} step */
function sentence({ event, table }) {
  const { kind, seat } = event;
  const said = (/** @type {(Node | string)[]} */ ...words) => [h("span", ...words), " "];
  if (MOVES.includes(kind)) return said(...item(table, [], [event]).childNodes);
  if (kind === "left" || kind === "returned") return said(seal(seat), aboutSeat(table, event));
  if (kind === "king_drawn") return said(seal(seat), t("replay.king_drawn", { who: nameOf(table, seat) }));
  if (kind === "revealed") {
    const dominoes = list(event.line.map(String));
    return said(t(event.round ? "replay.next_line" : "replay.first_line", { dominoes }));
  }
  if (kind !== "finished") return [];
  const scores = event.ranking.map((/** @type {number} */ one) =>
    t("end.figure", { who: nameOf(table, one), figure: event.scores[one].total }));
  return said(t("replay.finished", { scores: list(scores) }));
}
