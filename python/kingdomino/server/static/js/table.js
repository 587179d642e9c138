/**
 * The page of a table: it follows what happens there, shows it event after event, and lets whoever has a seat
 * play. The room before the game, the end and the replay are other modules, loaded when they are needed.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").TableEvent} TableEvent
 * @typedef {{name?: string, seats: number[], host?: boolean}} You
 */
import { explain, get, post } from "./api.js";
import { drawable } from "./art.js";
import { apply, knows } from "./fold.js";
import { Follow } from "./follow.js";
import { byId, h, hear, wordmark } from "./h.js";
import { Menu } from "./menu.js";
import { appear, moving, pause } from "./travel.js";
import { aboutSeat, spoken, turns } from "./news.js";
import { sentence } from "./sentence.js";
import { bell, knock } from "./sound.js";
import { Turn } from "./turn.js";
import { TableView } from "./view.js";
import { ready, t } from "./words.js";

/** So many events behind, it is no use to see each of them move. */
const BEHIND = 12;
/** How long the kingdoms are to be seen after the last domino, before they are counted. */
const LAST_LOOK = 1800;
/** A short break in the way to the server is not worth a word. */
const SHORT_BREAK = 700;
/** How long a refusal stands under the sentence. */
const READ = 6000;
/** When the time left for one's own turn is said aloud, in seconds. */
const WARNINGS = [30, 10];
const LINES = 4;

class Page {
  /** @type {Table | null} */
  table = null;
  /** @type {You} */
  you = { seats: [] };
  /** @type {TableEvent[]} */
  #queue = [];
  #busy = false;
  #home = 0;
  /** @type {string | undefined} */
  #note;
  /** @type {{here: boolean[] | null, watching: number}} */
  #presence = { here: null, watching: 0 };
  /** How far the server's clock is ahead of the one here, in milliseconds. */
  #ahead = 0;
  /** What was placed and waits for its claim to be told together. @type {TableEvent[]} */
  #untold = [];
  #warned = 0;
  /** The page that stands in the place of the table: before the game, or after it. @type {any} */
  #other = null;

  /** @param {string} id @param {HTMLElement} root */
  constructor(id, root) {
    this.id = id;
    this.root = root;
    this.play = /** @type {HTMLElement} */ (root.querySelector(".play"));
    this.view = new TableView(this.play);
    this.told = byId("told");
    this.menu = new Menu(byId("menu"), this);
    hear(this.view, "rival", (rival) => this.#rival(rival));
    hear(this.view, "landed", knock);
    document.addEventListener("language", () => this.show());
  }

  /** Follows the table from now on. @param {string} refused why a private link did not give its seat */
  start(refused) {
    this.#note = refused || undefined;
    this.turn = new Turn(this.view, this.id);
    hear(this.turn, "change", () => this.show());
    hear(this.turn, "refused", ({ words, table }) => {
      this.#say(words);
      this.#noted(words);
      setTimeout(() => this.#note === words && this.#noted(undefined), READ);
      if (table) this.adopt(table);
    });
    this.view.buttons.return.onclick = () => this.#comeBack();
    document.addEventListener("keydown", (event) => this.#key(event));
    setInterval(() => this.#tick(), 500);
    const follow = new Follow(this.id);
    hear(follow, "snapshot", ({ table, you }) => this.adopt(table, you));
    hear(follow, "events", ({ events, you }) => this.#hear(events, you));
    hear(follow, "you", ({ you }) => this.adopt(this.table, you));
    hear(follow, "presence", ({ here, watching }) => {
      this.#presence = { here, watching };
      this.show();
    });
    hear(follow, "down", () => {
      this.#break = setTimeout(() => this.#noted(t("table.reconnecting")), SHORT_BREAK);
    });
    hear(follow, "up", () => {
      clearTimeout(this.#break);
      this.#noted(undefined);
      this.#again = true;
      this.#settle();
    });
    hear(follow, "gone", () => this.#gone(t("table.gone")));
  }

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #break;
  /** Whether the way to the server has just come back, and an open turn is to be sent again. */
  #again = false;

  /** @param {string | undefined} words */
  #noted(words) {
    this.#note = words;
    this.#lost?.remove();
    this.#lost = words && !this.table ? h("p.nothing", words) : null;
    if (this.#lost) this.root.prepend(this.#lost);
    this.show();
  }

  /** What stands there while nothing is known of the table yet. @type {HTMLElement | null} */
  #lost = null;

  /** Takes the table as it is told whole. @param {Table | null} table @param {You} [you] */
  adopt(table, you = this.you) {
    this.you = you;
    if (table && (!this.table || table.number >= this.table.number)) {
      this.table = table;
      this.#queue = this.#queue.filter(({ number }) => number > table.number);
    }
    this.#pump();
  }

  /** @param {TableEvent[]} events @param {You} [you] */
  #hear(events, you) {
    if (!events.every(knows)) return this.#gone(t("table.newer"));
    if (you) this.you = you;
    else if (events.length) this.#ahead = events[0].at - Date.now();
    this.#queue.push(...events);
    this.#pump();
  }

  /** Plays what has happened, one event after another. */
  async #pump() {
    if (this.#busy || !this.table) return;
    this.#busy = true;
    while (this.#queue.length) {
      const event = /** @type {TableEvent} */ (this.#queue.shift());
      if (event.number <= this.table.number) continue;
      /** @type {Table} */
      const before = this.table;
      const after = apply(before, event);
      const seen = moving() && this.#queue.length <= BEHIND && !this.#other && !this.play.hidden;
      if (seen) await this.view.play(event, after);
      // Something whole and newer may have come in the meantime.
      if (this.table === before) this.table = after;
      this.#tell(event, after);
      if (event.kind === "finished" && seen) await this.#lastLook(after);
    }
    this.#busy = false;
    await this.#settle();
  }

  /** Shows how things stand, and lets one's own turn begin. */
  async #settle() {
    const { table } = this;
    if (!table || this.#busy) return;
    if (await this.#elsewhere(table)) return;
    const { turn } = table;
    const mine = Boolean(turn && this.you.seats.includes(turn.seat));
    const from = this.#home;
    if (turn && mine) this.#home = turn.seat;
    else if (this.you.seats.length && !this.you.seats.includes(this.#home)) this.#home = this.you.seats[0];
    const begins = mine && turn?.ply !== this.turn?.ply;
    const following = this.turn?.follow(table, this.you.seats);
    this.show();
    if (from !== this.#home) appear(this.view.mine);
    if (begins) this.#yourTurn(table);
    if (this.#again) this.turn?.again();
    this.#again = false;
    await following;
    if (begins) this.#takeUp();
  }

  /** Draws everything. */
  show() {
    const { table } = this;
    if (!table || this.#other || this.#busy) return;
    const local = { ...this.turn?.local, ...this.#presence, home: this.#home, note: this.#note };
    this.view.show(table, this.you, local);
    const mine = table.turn && this.you.seats.includes(table.turn.seat);
    document.title = t(mine ? "table.title_yours" : "table.title");
  }

  /** @param {Table} table */
  #yourTurn(table) {
    this.#say(sentence(table, this.you).title);
    if (document.hidden) bell();
  }

  /** Gives whoever plays by keys the kingdom or the line to begin with, where the focus would be nowhere. */
  #takeUp() {
    const { activeElement } = document;
    const mode = this.turn?.mode;
    if (!this.view.keys || (activeElement && activeElement !== document.body)) return;
    if (mode === "place") this.view.focusKingdom();
    else if (mode === "discard") this.view.buttons.discard.focus();
    else if (mode === "claim") this.view.lines.coming.focus();
  }

  // What stands in the place of the table

  /** @param {Table} table @returns {Promise<boolean>} whether something else than the table is shown */
  async #elsewhere(table) {
    const before = ["waiting", "closed"].includes(table.state);
    if (!before && !table.finished) {
      this.#other?.remove();
      this.#other = null;
      this.#fresh = false;
      return false;
    }
    const [tag, module] = before ? ["kd-waiting", "./waiting.js"] : ["kd-end", "./end.js"];
    if (this.#other?.localName !== tag) {
      await Promise.all([import(module), stylesheet("/static/css/end.css")]);
      this.#other?.remove();
      this.#other = h(tag);
      hear(this.#other, "sat", (sat) => this.adopt(sat.table, sat.you));
      this.play.hidden = true;
      this.root.append(this.#other);
      document.title = t("table.title");
    }
    this.#other.show(table, this.you, this.#fresh);
    return true;
  }

  #fresh = false;

  /** @param {Table} table */
  async #lastLook(table) {
    this.#fresh = true;
    this.#say(sentence(table, this.you).title);
    await pause(LAST_LOOK);
  }

  /** @param {string} words */
  #gone(words) {
    this.play.hidden = true;
    this.root.replaceChildren(h("div.nothing", wordmark(), h("h1", words),
      h("a.button", { href: "/" }, t("table.home"))));
  }

  // What one does beside the game

  /** @param {{seat: number, opener: HTMLElement}} rival */
  #rival({ seat, opener }) {
    if (this.you.seats.length) {
      this.view.look.toggle("kingdom", seat, opener);
    } else {
      this.#home = seat;
      this.show();
      appear(this.view.mine);
    }
  }

  /** @param {HTMLElement} opener */
  allMoves(opener) {
    this.view.look.toggle("log", 0, opener);
  }

  async #comeBack() {
    try {
      for (const seat of this.you.seats) {
        if (this.table?.seats[seat].away) await post(`/api/tables/${this.id}/seats/${seat}/return`);
      }
    } catch (error) {
      this.#say(explain(error));
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const writing = /** @type {Element} */ (event.target).closest("input, select, [popover]");
    if (writing || event.altKey || event.ctrlKey || event.metaKey || this.#other) return;
    const key = event.key.toLowerCase();
    if (key === "l") this.view.lines.coming.focus();
    else if (key === "k") this.view.focusKingdom();
    else return;
    event.preventDefault();
  }

  #tick() {
    if (this.#busy || this.#other || !this.table?.turn?.deadline) return;
    const left = this.view.tick(Date.now() + this.#ahead);
    const warning = WARNINGS.find((seconds) => left <= seconds && left > seconds - 2);
    const sign = (this.table.turn.ply + 1) * 100 + (warning ?? 0);
    if (!warning || sign === this.#warned || !this.you.seats.includes(this.table.turn.seat)) return;
    this.#warned = sign;
    this.#say(this.view.clock.textContent);
  }

  // For the ear

  /** @param {TableEvent} event @param {Table} after */
  #tell(event, after) {
    if (event.kind === "placed" || event.kind === "discarded") {
      this.#untold = [event];
      const { turn, seat } = event;
      const claims = turn === undefined ? after.next_line.length > 0 : turn?.phase === "claim";
      if (claims && (turn?.seat ?? seat) === seat) return;
    } else if (event.kind === "claimed") {
      this.#untold.push(event);
    }
    for (const turn of turns(this.#untold)) this.#say(spoken(after, this.you.seats, turn));
    this.#untold = [];
    this.#say(aboutSeat(after, event));
  }

  /** @param {string} words */
  #say(words) {
    if (!words) return;
    this.told.append(h("span", `${words} `));
    while (this.told.childElementCount > LINES) this.told.firstElementChild?.remove();
  }
}

/** @param {string} path */
function stylesheet(path) {
  if (document.querySelector(`link[href="${path}"]`)) return undefined;
  const link = h("link", { rel: "stylesheet", href: path });
  document.head.append(link);
  return new Promise((go) => { link.onload = link.onerror = go; });
}

/**
 * Takes the seat that a private link gives; the secret leaves the address at once. A room that waits asks a
 * newcomer's name first, and takes the seat itself.
 * @param {string} id
 */
async function takeSeat(id) {
  const secret = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (!secret) return "";
  try {
    const { table, you } = await get(`/api/tables/${id}`);
    if (table.state === "waiting" && !you.seats.length) return "";
    history.replaceState(null, "", location.pathname);
    await post(`/api/tables/${id}/seats`, { secret });
    return "";
  } catch (error) {
    return explain(error);
  }
}

const [, , id, look] = location.pathname.split("/");
await Promise.all([ready, drawable]);
const refused = await takeSeat(id);
const root = byId("page");
if (look === "replay") {
  const [{ replay }] = await Promise.all([import("./replay.js"), stylesheet("/static/css/end.css")]);
  await replay(root.querySelector(".play"), id);
} else {
  new Page(id, root).start(refused);
}
