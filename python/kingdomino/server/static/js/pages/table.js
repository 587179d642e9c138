/**
 * The page of a table: follows its events, animates them one by one, and lets players play. It loads the pages before and
 * after the game, and the replay, when needed.
 */
import { artReady } from "../draw/art.js";
import { announce, byId, el, find, wordmark } from "../draw/dom.js";
import { isElsewhere } from "../draw/keys.js";
import { delay, fadeIn, motionAllowed } from "../draw/motion.js";
import { engine } from "../engine/engine.js";
import { t, wordsReady } from "../i18n/locale.js";
import { announcement, groupTurns, seatAnnouncement, welcomeText, wishAnnouncement } from "../i18n/move-text.js";
import { botsReady } from "../i18n/names.js";
import { turnSentence } from "../i18n/turn-text.js";
import { HERE, loadStyle, ownPath, pathTo, tablePath } from "../net/address.js";
import { errorText, isUsedLink, later, post, start } from "../net/api.js";
import { isMove } from "../net/events.js";
import { Attention } from "../table/attention.js";
import { clientOf } from "../table/client.js";
import { EndQuestion } from "../table/end-question.js";
import { Menu } from "../table/menu.js";
import { promiseNonce, takePart } from "../table/nonces.js";
import { Presence } from "../table/presence.js";
import { apply, isKnown } from "../net/reducer.js";
import { playKnock } from "../table/sound.js";
import { Talk } from "../table/talk.js";
import { Turn } from "../table/turn.js";
import { TableView } from "../table/view.js";

/**
 * @import { Move, TableEvent } from "../net/events.js"
 * @import { Table, You } from "../net/types.js"
 * @import { End } from "./end.js"
 * @import { Waiting } from "./waiting.js"
 * @typedef {"table.offline" | "table.offline_watch"} Offline with a move that waits to be sent, or without one
 */

/** With more pending events than this, or older ones (in milliseconds), show all in one step. */
const BEHIND = 12;
const LATE = 3000;
/** Milliseconds to show the last domino before counting the kingdoms. */
const LAST_LOOK = 1800;
/** Shorter interruptions of the connection are not shown, in milliseconds. */
const SHORT_BREAK = 700;
/** Milliseconds to show a refusal, and what happened while you were away. */
const REFUSAL_SHOWN = 6000;
const WELCOME_SHOWN = 15_000;
/** Announce the time left of your turn at these numbers of seconds. */
const WARNINGS = [30, 10];
/** @type {You} */
const VISITOR = { name: null, seats: [], host: false, invites: [], code: null };

class Page {
  /** @type {Table | null} */
  table = null;
  you = VISITOR;
  /** Events still to be shown, and their time of arrival. @type {{event: TableEvent, at: number}[]} */
  #queue = [];
  #isPlaying = false;
  #home = 0;
  /** Text in place of the next step. @type {string | undefined} */
  #note;
  /** The message while there is no table to show. */
  #message = el("p.nothing");
  #presence = new Presence();
  /** The last shown presence of players. */
  #shownAway = "";
  /** When the time for the turn ends; null: there is no limit. @type {number | null} */
  #timeEnds = null;
  /** Moves of a turn to announce together. @type {Move[]} */
  #unannounced = [];
  #lastWarning = 0;
  /** @type {Waiting | End | null} */
  #otherPage = null;
  /** Whether the game has just ended. */
  #isFresh = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #breakTimer;
  /** The message while the server is unreachable; null if it seems reachable. @type {Offline | null} */
  #offline = null;

  /** @param {string} id @param {HTMLElement} root */
  constructor(id, root) {
    this.id = id;
    this.client = clientOf(id);
    this.root = root;
    this.play = find(root, ".play");
    this.view = new TableView(this.play);
    this.turn = new Turn(this.view, id);
    this.attention = new Attention();
    this.talk = new Talk(byId("talk"));
    this.talk.on("change", () => this.show());
    this.talk.on("said", announce);
    this.menu = new Menu(byId("menu"), this);
    this.view.on("opponent", (opponent) => this.#openOpponent(opponent));
    const knock = () => { if (!document.hidden) playKnock(); };
    this.view.on("placed", knock);
    this.turn.placing.on("place", knock);
    this.endQuestion = new EndQuestion(find(root, ".asking"), (wish) => this.#do(() => this.client.end(wish)));
    this.view.buttons.return.onclick = () => this.#do(() => this.#takeOver());
    this.view.buttons.help.onclick = () => this.#do(() => this.#letBotPlay());
    this.view.buttons.wait.onclick = () => {
      this.#presence.wait();
      this.show();
    };
    this.turn.on("change", () => {
      if (this.#offline) this.#setOffline(true);
      this.show();
    });
    if (this.client.isShared && !navigator.onLine) this.#offline = "table.offline_watch";
    this.turn.on("reached", (isReached) => this.#setOffline(!isReached));
    this.turn.on("refused", ({ words, table }) => {
      this.#say(words, REFUSAL_SHOWN);
      if (table) this.#take(table);
    });
    addEventListener("offline", () => this.#setOffline(true));
    addEventListener("online", () => {
      this.#setOffline(false);
      this.turn.retry();
    });
    document.addEventListener("language", () => this.#showAll());
    document.addEventListener("keydown", (event) => this.#key(event));
    setInterval(() => this.#tick(), 500);
  }

  /** Starts to follow the table. @param {string} refused why a private link failed */
  start(refused) {
    this.#note = refused || undefined;
    const { client } = this;
    client.on("snapshot", ({ table, you }) => this.#take(table, you));
    client.on("events", ({ events, you, left }) => {
      if (events.every(isKnown)) return this.#receive(events, you, left);
      client.stop();
      return this.#stop(t("table.newer"));
    });
    client.on("you", ({ you }) => this.#take(this.table, you));
    client.on("presence", (message) => {
      this.#presence.update(message);
      this.#showAll();
    });
    client.on("said", (message) => this.talk.hear(message, this.you.seats));
    client.on("down", () => {
      this.#breakTimer = setTimeout(() => this.#setNote(t("table.reconnecting")), SHORT_BREAK);
    });
    client.on("up", () => {
      clearTimeout(this.#breakTimer);
      this.#setNote(undefined);
      this.#setOffline(false);
      this.turn.retry();
    });
    client.on("unkept", () => this.#setNote(t("table.unkept")));
    client.on("failed", (error) => this.#stop(errorText(error)));
    client.on("gone", () => showLost(this.root, "table"));
    this.turn.on("sent", (number) => client.expect(number));
    client.follow();
  }

  /** @param {boolean} isOffline */
  #setOffline(isOffline) {
    const offline = !isOffline || !this.client.isShared ? null : this.turn.isUnsent ? "table.offline" : "table.offline_watch";
    if (offline === this.#offline) return;
    this.#offline = offline;
    if (offline) announce(t(offline));
    this.show();
  }

  /** @param {string | undefined} words */
  #setNote(words) {
    this.#note = words;
    this.#message.textContent = words ?? "";
    if (words && !this.table) this.root.prepend(this.#message);
    else this.#message.remove();
    this.show();
  }

  /** Shows and announces something for some milliseconds. @param {string} words @param {number} ms */
  #say(words, ms) {
    announce(words);
    this.#setNote(words);
    setTimeout(() => this.#note === words && this.#setNote(undefined), ms);
  }

  /** Runs work that the server may refuse. @param {() => Promise<unknown>} work */
  async #do(work) {
    try {
      await work();
    } catch (error) {
      this.#say(errorText(error), REFUSAL_SHOWN);
    }
  }

  /** Applies a snapshot. @param {Table | null} table @param {You} [you] */
  #take(table, you = this.you) {
    this.#setOffline(false);
    this.you = you;
    if (table && table !== this.table && table.number >= (this.table?.number ?? 0)) {
      this.table = table;
      this.#startClock(table.turn?.left);
      this.#queue = this.#queue.filter(({ event }) => event.number > table.number);
    }
    this.#playQueue();
  }

  /** @param {TableEvent[]} events @param {You | null} [you] @param {number | null} [left] of the turn, in ms */
  #receive(events, you, left) {
    this.#setOffline(false); // ignore the browser: a server on the same machine needs no network
    if (you) this.you = you;
    const { turn } = events.findLast((event) => event.turn !== undefined) ?? {};
    if (you) this.#startClock(left);
    else if (turn !== undefined) this.#startClock(turn?.left);
    this.#queue.push(...events.map((event) => ({ event, at: performance.now() })));
    this.#playQueue();
  }

  /** @param {number | null} [left] milliseconds, from now on */
  #startClock(left) {
    this.#timeEnds = left == null ? null : performance.now() + left;
  }

  /** Shows one event after another. */
  async #playQueue() {
    if (this.#isPlaying || !this.table) return;
    this.#isPlaying = true;
    /** The number of the last event to show in one step with others. */
    let caughtUp = 0;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const { event, at } = next;
      if (event.number <= this.table.number) continue;
      const isBehind = this.#queue.length >= BEHIND || performance.now() - at > LATE;
      if (isBehind) caughtUp = this.#queue.at(-1)?.event.number ?? event.number;
      /** @type {Table} */
      const before = this.table;
      const after = apply(before, event);
      const isShown = event.number > caughtUp && !this.#otherPage && !this.play.hidden;
      if (isShown) await this.view.play(event, after);
      // A newer snapshot may have arrived meanwhile.
      if (this.table === before) this.table = after;
      this.#announceEvent(event, after);
      if (event.kind === "wished" && event.what === "end" && !event.yes) {
        this.endQuestion.hear(wishAnnouncement(after, this.you.seats, event));
      }
      if (event.kind === "rematch") this.#followRematch(after);
      if (event.kind === "returned" && this.you.seats.includes(event.seat)) this.#do(() => this.#welcomeBack());
      if (event.kind === "finished" && isShown) await this.#lastLook(after);
    }
    this.#isPlaying = false;
    await this.#update();
  }

  /** Shows the table as it is, and begins your turn. */
  async #update() {
    const { table } = this;
    if (!table || this.#isPlaying || this.#isOver) return;
    takePart(table, this.you.seats);
    const isElsewhere = await this.#showOtherPage(table);
    if (isElsewhere || table !== this.table) return; // a newer table will be shown
    const { turn } = table;
    const isMine = Boolean(turn && this.you.seats.includes(turn.seat));
    const from = this.#home;
    if (turn && isMine) this.#home = turn.seat;
    else if (this.you.seats.length && !this.you.seats.includes(this.#home)) this.#home = this.you.seats[0];
    const begins = isMine && turn?.ply !== this.turn.ply;
    const following = this.turn.follow(table, this.you.seats);
    const isFirst = this.play.hidden;
    this.show();
    if (table.round > 1) prepareEnd();
    if (isFirst && document.activeElement === document.body) this.view.focusTitle();
    if (from !== this.#home) fadeIn(this.view.mine);
    if (begins) this.#announceTurn(table);
    await following;
    if (begins) this.#focusTask();
  }

  /** Draws the table, or the page in its place. */
  #showAll() {
    if (this.table) this.#otherPage?.show(this.table, this.you, this.#presence, this.#isFresh);
    this.show();
  }

  /** Draws everything. */
  show() {
    const { table } = this;
    if (!table) return;
    this.#showTalk(table);
    this.#showEndQuestion(table);
    if (this.#otherPage || this.#isPlaying) return;
    const note = this.#offline ? t(this.#offline) : this.#note;
    const away = table.seats.map(({ seat }) => this.#presence.text(seat));
    const absent = this.#presence.absent(table, this.you);
    this.#shownAway = JSON.stringify([away, absent]);
    const { turn, talk: { said } } = this;
    const { watching } = this.#presence;
    this.view.show(table, this.you, { ...turn.local, away, absent, watching, said, home: this.#home, note });
    this.view.showClock(this.#secondsLeft);
    this.attention.show(Boolean(table.turn && this.you.seats.includes(table.turn.seat)));
  }

  /** Puts the button for quick words into the head of the current page. @param {Table} table */
  #showTalk(table) {
    this.talk.show(table, this.you);
    const head = find(this.#otherPage ?? this.play, this.#otherPage ? ".top" : ".round");
    const { bar } = this.talk;
    if (bar.parentElement !== head) head.insertBefore(bar, head.querySelector("[popovertarget=menu]"));
  }

  /** Puts the question whether to end the game into the head of the current page. @param {Table} table */
  #showEndQuestion(table) {
    this.endQuestion.show(table, this.you);
    const head = find(this.#otherPage ?? this.play, this.#otherPage ? ".top" : ".head");
    const { element } = this.endQuestion;
    if (element.parentElement !== head) head.append(element);
  }

  /** @param {Table} table */
  #announceTurn(table) {
    const { title } = turnSentence(table, this.you);
    announce(title);
    this.attention.call(title);
  }

  /**
   * Moves a focus that is lost, or still on the sentence: to the only possible action, or for a person with a keyboard to
   * the next action.
   */
  #focusTask() {
    const { activeElement } = document;
    const { mode } = this.turn;
    if (activeElement && activeElement !== document.body && activeElement !== this.view.title) return;
    if (mode === "discard") this.view.buttons.discard.focus();
    else if (!this.view.usesKeys) this.view.focusTitle();
    else if (mode === "place") this.view.focusKingdom();
    else if (mode === "claim") this.view.lines.coming.focus();
  }

  // Before the game, and after it

  /** @param {Table} table @returns {Promise<boolean>} whether to show another page instead of the table */
  async #showOtherPage(table) {
    const tag = otherPageOf(table);
    if (!tag) {
      this.#otherPage?.remove();
      this.#otherPage = null;
      this.#isFresh = false;
      return false;
    }
    if (this.#otherPage?.localName !== tag) {
      const page = await (tag === "kd-waiting" ? this.#newWaiting() : newEnd());
      if (this.#isOver) return true;
      if (this.table && otherPageOf(this.table) !== tag) return this.#showOtherPage(this.table); // it took too long
      this.#otherPage?.remove();
      this.#otherPage = page;
      this.play.hidden = true;
      this.menu.close();
      this.root.append(page);
      this.attention.show(false);
    }
    this.#otherPage?.show(table, this.you, this.#presence, this.#isFresh);
    this.#showTalk(table);
    this.#showEndQuestion(table);
    return true;
  }

  /** Goes to the next table with the players of the rematch, or to watch. @param {Table} table */
  async #followRematch({ rematch, wishes }) {
    if (!rematch) return;
    if (this.client.isShared) {
      const { seats } = this.you;
      if (seats.length && !seats.some((seat) => wishes.rematch.includes(seat))) return;
      // The nonce is due within seconds, which loading a page may take.
      await clientOf(rematch).read().then(({ table, you }) => takePart(table, you.seats), () => {});
    }
    location.assign(tablePath(rematch));
  }

  async #newWaiting() {
    const [{ Waiting }] = await Promise.all([later(() => import("./waiting.js")), loadStyle("css/end.css")]);
    const waiting = new Waiting();
    waiting.onChange = ({ table, you }) => this.#take(table ?? this.table, you);
    waiting.onUsedLink = () => showLost(this.root, "link", this.id);
    return waiting;
  }

  /** @param {Table} table */
  async #lastLook(table) {
    this.#isFresh = true;
    announce(turnSentence(table, this.you).title);
    if (motionAllowed()) await delay(LAST_LOOK);
  }

  /** Whether another page has permanently replaced the table. */
  get #isOver() {
    return !this.play.isConnected;
  }

  /** Stops following the table, with the reason. @param {string} words */
  #stop(words) {
    this.#queue = [];
    const reload = el("button.button.primary", { type: "button", onclick: () => location.reload() }, t("table.reload"));
    this.root.replaceChildren(el("div.nothing", wordmark(), el("h1", words), reload,
      el("a.button", { href: pathTo("/") }, t("table.home"))));
  }

  // Beside the game

  /** @param {{seat: number, opener: HTMLElement}} opponent */
  #openOpponent({ seat, opener }) {
    if (this.you.seats.length) {
      this.view.details.toggle("kingdom", seat, opener);
    } else {
      this.#home = seat;
      this.show();
      fadeIn(this.view.mine);
    }
  }

  /** @param {HTMLElement} opener */
  showAllMoves(opener) {
    this.view.details.toggle("log", 0, opener);
  }

  /** Takes your seats again from the bots that play for you. */
  async #takeOver() {
    const { client } = this;
    for (const seat of this.you.seats) {
      if (client.isShared && this.table?.seats[seat].away) await client.return(seat);
    }
  }

  /** Says what a bot did for you. The server has already given your seat back. */
  async #welcomeBack() {
    this.#say(welcomeText(await this.client.events(), this.you.seats), WELCOME_SHOWN);
  }

  async #letBotPlay() {
    const { client } = this;
    const seat = this.table?.turn?.seat;
    if (client.isShared && seat !== undefined) await client.standIn(seat);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (this.#otherPage || this.#isOver || isElsewhere(event)) return;
    const key = event.key.toLowerCase();
    if (key === "l") this.view.lines.coming.focus();
    else if (key === "k") this.view.focusKingdom();
    else if (key === "h" && !this.view.buttons.hint.hidden) this.turn.help();
    else if (key === "z" && !this.view.buttons.back.hidden) this.turn.takeBack();
    else return;
    event.preventDefault();
  }

  /** The seconds left for the turn; null: there is no limit. */
  get #secondsLeft() {
    return this.#timeEnds === null ? null : Math.max(0, Math.ceil((this.#timeEnds - performance.now()) / 1000));
  }

  /** Updates the clock, and the minutes of players who are away. */
  #tick() {
    const { table } = this;
    if (this.#isPlaying || this.#otherPage || this.#isOver || !table?.turn) return;
    const away = table.seats.map(({ seat }) => this.#presence.text(seat));
    if (JSON.stringify([away, this.#presence.absent(table, this.you)]) !== this.#shownAway) this.show();
    const left = this.#secondsLeft;
    this.view.showClock(left);
    const warning = WARNINGS.find((seconds) => left !== null && left <= seconds && left > seconds - 2);
    const id = (table.turn.ply + 1) * 100 + (warning ?? 0);
    if (!warning || id === this.#lastWarning || !this.you.seats.includes(table.turn.seat)) return;
    this.#lastWarning = id;
    announce(this.view.clock.textContent ?? "");
  }

  // For screen readers

  /** A placement is announced with its claim. @param {TableEvent} event @param {Table} after */
  #announceEvent(event, after) {
    if (isMove(event) && event.kind !== "claimed") {
      this.#unannounced = [event];
      const { turn, seat } = event;
      const claims = turn === undefined ? after.next_line.length > 0 : turn?.phase === "claim";
      if (claims && (turn?.seat ?? seat) === seat) return;
    } else if (isMove(event)) {
      this.#unannounced.push(event);
    }
    for (const turn of groupTurns(this.#unannounced)) announce(announcement(after, this.you.seats, turn));
    this.#unannounced = [];
    if (event.kind === "wished") announce(wishAnnouncement(after, this.you.seats, event));
    else announce(seatAnnouncement(after, event));
  }
}

/**
 * The page in place of the table: before the game, or after it.
 * @param {Table} table
 */
function otherPageOf({ state, finished }) {
  if (["waiting", "closed"].includes(state) || (state === "drawing" && !finished)) return "kd-waiting";
  return finished ? "kd-end" : "";
}

const loadEnd = () => Promise.all([import("./end.js"), loadStyle("css/end.css")]);

let isPrepared = false;

/**
 * Loads the modules for the end of a game early, because they are gone after an update of the server.
 */
function prepareEnd() {
  if (isPrepared) return;
  isPrepared = true;
  const prepare = () => loadEnd().catch(() => {});
  if ("requestIdleCallback" in window) requestIdleCallback(prepare);
  else setTimeout(prepare);
}

async function newEnd() {
  const [{ End }] = await later(loadEnd);
  return new End();
}

/**
 * Shows the page for a missing table or a used link.
 * @param {HTMLElement} root
 * @param {"table" | "link"} kind
 * @param {string} [table] that the link leads to
 */
async function showLost(root, kind, table) {
  const [{ lostPage }] = await Promise.all([later(() => import("./lost.js")), loadStyle("css/lost.css")]);
  root.replaceChildren(lostPage(kind, table));
}

/**
 * Takes the seat of a private link, and removes the secret from the address. At a waiting table, a new player first
 * enters a name, and takes the seat there. A player with a seat there does not use up the link.
 * @param {string} table
 * @returns {Promise<unknown>} the error of a refusal, or null
 */
async function takeSeat(table) {
  const secret = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (!secret) return null;
  try {
    const seen = await clientOf(table).read();
    const [isWaiting, hasSeat] = [seen.table.state === "waiting", seen.you.seats.length > 0];
    if (isWaiting && !hasSeat) return null;
    history.replaceState(null, "", location.pathname);
    if (isWaiting) return null;
    await post("/api/tables/{table}/seats", { table }, { secret, digest: promiseNonce() });
    return null;
  } catch (error) {
    return error;
  }
}

/** Shows a replay instead of the table. @param {typeof import("./replay.js")["tableSource"]} read @param {string} id */
async function showReplay(read, id) {
  const [{ replay }] = await Promise.all([later(() => import("./replay.js")), loadStyle("css/end.css")]);
  await replay(find(root, ".play"), await read(id));
}

/** Shows an imported game, or without an id the record opened in this tab. @param {string | undefined} id */
async function showRecord(id) {
  const { recordSource } = await later(() => import("./replay.js"));
  try {
    await showReplay(recordSource, id ?? "");
  } catch (error) {
    showError(error);
  }
}

/** Shows only an error, and the way to the list of games. @param {unknown} error */
function showError(error) {
  root.replaceChildren(el("div.nothing", wordmark(), el("h1", errorText(error)),
    el("a.button", { href: pathTo("/games") }, t("games.to_games"))));
}

/** Stores the tables in the fragment of this address, and goes there. */
async function takeFromLink() {
  const { takeCarried } = await later(() => import("../local/carry.js"));
  try {
    const ids = await takeCarried(location.hash.slice(1));
    location.replace(ids.length === 1 ? tablePath(ids[0]) : pathTo("/games"));
  } catch (error) {
    showError(error);
  }
}

/** Shows what is at this address. */
async function openAddress() {
  if (isOfDevice) engine.prepare();
  await Promise.all([wordsReady, artReady, botsReady.catch(() => {})]);
  if (isCarried) return takeFromLink();
  const refused = kind === "t" ? await takeSeat(id) : null;
  if (kind === "g") await showRecord(id);
  else if (isUsedLink(refused)) await showLost(root, "link", id);
  else if (view === "replay") await showReplay((await later(() => import("./replay.js"))).tableSource, id);
  else new Page(id, root).start(refused ? errorText(refused) : "");
}

const [, part, ...parts] = ownPath().split("/");
/** `/play?id=ID` and `/replay?id=ID` are of this device. */
const isOfDevice = part === "play" || part === "replay";
const [kind, id, view] = isOfDevice ? ["t", new URLSearchParams(location.search).get("id") ?? HERE, part] : [part, ...parts];
/** `/play#…` has tables of another device. */
const isCarried = part === "play" && !location.search && location.hash.length > 1;
const root = byId("page");
// Opening a private link in its table's tab changes only the part after the #.
addEventListener("hashchange", () => (isCarried || location.hash.startsWith("#seat=")) && location.reload());
await start(openAddress());
