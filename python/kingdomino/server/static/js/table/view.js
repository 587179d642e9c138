/**
 * The view of a table: draws the current table, and animates events. It makes no decisions and sends nothing, so the
 * replay uses it, too.
 */
import { backSvg, icon, seal, SEATS } from "../draw/art.js";
import { el, Emitter, find } from "../draw/dom.js";
import { markSquares } from "../draw/ghost.js";
import { Kingdom } from "../draw/kingdom.js";
import { countTo, fadeIn, motionAllowed, slideFrom, turnOver } from "../draw/motion.js";
import { clockText, t } from "../i18n/locale.js";
import { showRecent } from "../i18n/move-text.js";
import { fullName, kingdomName, nameOf } from "../i18n/names.js";
import { absentSentence, turnSentence } from "../i18n/turn-text.js";
import { DetailsPanel } from "./details.js";
import { Lines } from "./lines.js";
import { Opponents } from "./opponents.js";
import { saidWord } from "./talk.js";
import { Unseen } from "./unseen.js";

/**
 * @import { Entry, Square } from "../draw/kingdom-map.js"
 * @import { Line } from "../draw/line.js"
 * @import { TableEvent } from "../net/events.js"
 * @import { Claim, Claimed, Placed, Table, You } from "../net/types.js"
 * @import { Absent } from "./presence.js"
 * @import { Said } from "./talk.js"
 * @import { Decision } from "./turn.js"
 *
 * @typedef {Pick<Claim, "domino"> & Partial<Claim>} Offer a domino to claim, with its points if they are known
 *
 * @typedef {object} Local the state of this browser
 * @property {number} [home] the seat whose kingdom is large
 * @property {number} [ply] the decision to which the next five properties belong; at any other there is nothing to do
 * @property {"watch" | "place" | "discard" | "claim" | "warned" | "sent" | "waiting"} [mode] `waiting`: to be sent
 * @property {Decision | null} [placed] placed, but not sent yet
 * @property {Offer[] | null} [claims] the dominoes to claim
 * @property {number | null} [selected] the selected one
 * @property {string} [caption] the text under the kingdom; while placing, `Placing` writes it
 * @property {"ask" | "thinking" | "show" | "another" | null} [help] the function of the hint button
 * @property {string} [note] text in place of the next step
 * @property {readonly string[]} [away] how long each player has been away; "" for a player who is here
 * @property {Absent | null} [absent] the player for whom everyone waits
 * @property {number} [watching]
 * @property {Said} [said] the latest word of each seat
 *
 * @typedef {object} ViewEvents
 * @property {{seat: number, opener: HTMLElement}} opponent a click on a small kingdom
 * @property {undefined} placed a domino has arrived in its kingdom, except the player's own
 */

/** The buttons, and their icons. */
const ICONS = {
  turn: "turn", flip: "flip", back: "undo", place: "check", discard: "", claim: "check", hint: "why", keep: "",
  return: "", help: "", wait: "",
};
/** @typedef {keyof typeof ICONS} ButtonName */
/** The buttons of each mode. @type {Record<NonNullable<Local["mode"]>, ButtonName[]>} */
const BUTTONS = {
  watch: [], sent: [], place: ["turn", "flip", "place"], discard: ["discard"], claim: ["claim"],
  warned: ["back", "keep"], waiting: ["back"],
};
/** On an upright phone there is room only for a short title. */
const NARROW = matchMedia("(max-width: 43.75em)");
/** @type {Local} */
const IDLE = { mode: "watch", placed: null, claims: null, selected: null, caption: "", help: null };

/** @extends {Emitter<ViewEvents>} */
export class TableView extends Emitter {
  /** @type {Table | null} */
  table = null;
  /** @type {Pick<You, "seats">} */
  you = { seats: [] };
  /** @type {Local} */
  local = {};
  /** The frame around a domino that the player can take back. @type {Element | null} */
  #put = null;
  /** Whether the person uses the keyboard: then the focus moves to the next action. */
  usesKeys = false;

  /** @param {HTMLElement} root the element `.play` of table.html */
  constructor(root) {
    super();
    this.root = root;
    this.title = find(root, "h1");
    this.nextLine = find(root, ".next");
    this.next = find(root, ".next span");
    this.clock = find(root, ".clock");
    this.mine = find(root, ".mine");
    this.kingdom = find(root, ".mine kd-kingdom", Kingdom);
    this.scoreButton = find(root, ".mine .score");
    this.score = find(root, ".mine .score b");
    this.gain = find(root, ".mine .score i");
    this.caption = find(root, ".mine .caption");
    this.lines = new Lines(find(root, ".lines"));
    this.details = new DetailsPanel(find(root, ".details"));
    const open = (/** @type {number} */ seat, /** @type {HTMLElement} */ opener) =>
      this.emit("opponent", { seat, opener });
    this.opponents = new Opponents(find(root, ".opponents"), open);
    this.unseen = new Unseen(find(root, ".unseen", HTMLDetailsElement), find(root, ".peek"));
    this.recent = find(root, ".recent ul");
    const button = (/** @type {ButtonName} */ name) => {
      const found = find(root, `.hand .${name}`, HTMLButtonElement);
      if (ICONS[name]) found.prepend(icon(ICONS[name]));
      return found;
    };
    const names = /** @type {ButtonName[]} */ (Object.keys(ICONS));
    this.buttons = /** @type {Record<ButtonName, HTMLButtonElement>} */ (Object.fromEntries(names.map((name) => [name, button(name)])));
    find(root, ".round .button").append(icon("more"));
    this.scoreButton.onclick = () => this.details.toggle("score", this.home, this.scoreButton);
    const log = find(root, ".recent .link");
    log.onclick = () => this.details.toggle("log", this.home, log);
    document.addEventListener("keydown", () => { this.usesKeys = true; });
    document.addEventListener("pointerdown", () => { this.usesKeys = false; });
  }

  /** The seat whose kingdom is large. */
  get home() {
    return this.local.home ?? 0;
  }

  /**
   * Draws everything.
   * @param {Table} table
   * @param {Pick<You, "seats">} [you]
   * @param {Local} [local]
   */
  show(table, you = this.you, local = this.local) {
    this.table = table;
    // At the end of a game, the turn becomes null only with the last event.
    if (table.finished) table = { ...table, turn: null };
    this.you = you;
    this.local = local.ply === table.turn?.ply ? local : { ...local, ...IDLE };
    const { root, home } = this;
    root.dataset.mode = this.local.mode ?? "watch";
    root.classList.toggle("claiming", this.local.mode === "claim");
    root.classList.toggle("opening", table.round === 0);
    root.classList.toggle("duo", table.seats.length === 2);
    root.style.setProperty("--line", String(table.rules.line));
    root.style.setProperty("--opponents", String(table.seats.length - 1));
    this.#showHead(table);
    this.#showRound(table);
    this.#showMine(table, home);
    this.opponents.show(table, home, local.away, local.said);
    this.lines.show(table, this.local, home);
    this.unseen.show(table);
    showRecent(this.recent, table, you.seats);
    this.details.show(table, you.seats, this.kingdom);
    this.#showButtons();
    root.hidden = false;
  }

  /** Moves the focus to the sentence. */
  focusTitle() {
    this.title.focus({ preventScroll: true });
  }

  /** Moves the focus to the last focused square of the large kingdom. */
  focusKingdom() {
    const square = this.kingdom.querySelector("[role=gridcell][tabindex='0']");
    if (square instanceof HTMLElement) square.focus({ preventScroll: true });
  }

  /** Shows the score after a placement: `15 → 24`. @param {number | null} total */
  preview(total) {
    const n = Number(this.score.textContent);
    this.gain.textContent = total === null ? "" : `→ ${total}`;
    this.scoreButton.ariaLabel = total === null
      ? t("table.score_by_territory", { n })
      : t("table.score_preview", { n, total });
  }

  // Animations

  /**
   * Animates an event, then shows the table after it, unless there is a newer one meanwhile.
   * @param {TableEvent} event
   * @param {Table} after
   */
  async play(event, after) {
    const before = this.table;
    if (!before) return this.show(after);
    if (event.kind === "placed") return this.#playPlaced(event, after);
    if (!motionAllowed()) return this.show(after);
    if (event.kind === "claimed") return this.#playClaimed(event, after);
    if (event.kind === "round_began" && !event.turn) return; // the following reveal shows both lines
    if (event.kind === "round_began" || event.kind === "revealed") return this.#playLine(after);
    this.show(after);
    return event.kind === "king_drawn" && this.lines.acting ? fadeIn(this.lines.acting) : undefined;
  }

  /** @param {Placed} event @param {Table} after */
  async #playPlaced({ seat, domino, left, right }, after) {
    const before = this.table;
    const small = seat === this.home ? null : this.opponents.panels[seat];
    const kingdom = small?.kingdom ?? this.kingdom;
    const face = this.lines.present.face(domino);
    const from = face?.getBoundingClientRect();
    const isPutDown = kingdom.dominoes.some(([number]) => number === domino); // just placed by you
    if (!isPutDown && motionAllowed()) {
      if (face) face.style.opacity = "0";
      await kingdom.addDomino([domino, ...left, ...right], { animateFrom: from });
      if (face) face.style.opacity = ""; // it is back after stepping back meanwhile
    }
    if (this.table !== before) return;
    if (!isPutDown) this.emit("placed", undefined);
    const score = small?.score ?? this.score;
    const shown = Number(score.textContent);
    this.show(after);
    await countTo(score, shown, after.kingdoms[seat].score.total, () => this.table === after);
  }

  /** @param {Claimed} event @param {Table} after */
  async #playClaimed({ domino }, after) {
    const { acting, coming } = this.lines;
    const from = coming.king(domino) ? undefined : acting?.getBoundingClientRect();
    this.show(after);
    await slideFrom(coming.king(domino), from);
  }

  /** The next line becomes the line, and the new next line turns over. @param {Table} after */
  async #playLine(after) {
    const { present, coming } = this.lines;
    const parts = (/** @type {Line} */ line, /** @type {number} */ domino) => [line.face(domino), line.king(domino)];
    const before = after.line.map(({ domino }) =>
      parts(coming, domino).map((part) => part?.getBoundingClientRect()));
    this.show(after);
    await Promise.all([
      ...after.line.flatMap(({ domino }, at) =>
        parts(present, domino).map((part, which) => slideFrom(part, before[at][which], 1))),
      ...after.next_line.map(({ domino }, at) => {
        const face = coming.face(domino);
        return face && turnOver(face, backSvg(domino), 60 * at);
      }),
    ]);
  }

  // The parts of the page

  /** @param {Table} table */
  #showHead(table) {
    const { absent, note, placed, mode } = this.local;
    const { title, next } = absent ? absentSentence(table, absent, NARROW.matches) : turnSentence(table, this.you, Boolean(placed));
    write(this.title, mode === "waiting" ? t("table.waiting") : title);
    write(this.next, note ?? next);
    this.nextLine.classList.toggle("noted", Boolean(note));
  }

  /** Shows the time left for the turn. @param {number | null} seconds null: there is no limit */
  showClock(seconds) {
    this.clock.textContent = seconds === null ? "" : t("table.time_left", { time: clockText(seconds) });
    this.clock.classList.toggle("soon", seconds !== null && seconds <= 10);
    this.root.classList.toggle("timed", seconds !== null);
  }

  /** @param {Table} table */
  #showRound({ round, rules: { rounds }, game, games }) {
    const { watching = 0 } = this.local;
    const [note, pips, words] = this.root.querySelectorAll(".round > *");
    const notes = games > 1 ? [t("table.game", { game, games })] : [];
    if (watching) notes.push(t("table.watching", { n: watching }));
    note.textContent = notes.join(" · ");
    pips.replaceChildren(...Array.from({ length: rounds }, (_, at) =>
      el(at + 1 < round ? "i.on" : at + 1 === round ? "i.at" : "i")));
    const said = (/** @type {string} */ key) => t(round ? key : "table.opening", { round, rounds });
    words.replaceChildren(
      el("span.long", said("common.round")),
      el("span.short.label", { "aria-hidden": "true" }, said("table.round_short")));
  }

  /** @param {Table} table @param {number} home */
  #showMine(table, home) {
    const { mode, placed, caption, away = [] } = this.local;
    const { seats } = this.you;
    const { squares, dominoes, score } = table.kingdoms[home];
    const entry = dominoes.some(([number]) => number === placed?.entry?.[0]) ? null : placed?.entry;
    const label = kingdomName(table, home, seats);
    const total = score.total + (entry && placed ? placed.points : 0);
    const [emblem, name, small] = find(this.mine, ".who").children;
    this.mine.className = `mine sheet seat-${SEATS[home]}`;
    this.mine.ariaLabel = label;
    emblem.replaceWith(seal(home));
    name.replaceChildren(...fullName(table, home));
    const word = this.local.said?.get(home);
    const isYou = seats.length === 1 && seats[0] === home;
    small.replaceChildren(word ? saidWord(word) : isYou ? t("table.you") : (away[home] ?? ""));
    write(this.score, String(total));
    this.kingdom.show({
      size: table.rules.size, seat: home, frame: "reach", label, squares, dominoes: entry ? [...dominoes, entry] : dominoes,
    });
    this.#put?.remove();
    this.#put = entry && mode === "warned" ? markSquares(this.kingdom, squaresOf(entry), "put") : null;
    if (mode === "place") return;
    this.preview(null);
    const words = caption || this.#stateText(table);
    for (const place of this.root.querySelectorAll(".caption")) write(place, words);
  }

  /** The text while the player has nothing to do. @param {Table} table */
  #stateText(table) {
    if (this.#hasLeft) return t("table.bot_for_you");
    const { absent } = this.local;
    if (!absent) return "";
    const { seat, time } = absent;
    const name = nameOf(table, seat);
    const words = NARROW.matches ? [t("table.absent", { name, time })] : [];
    if (this.#helped !== null) words.push(t("table.no_need", { name }));
    return words.join(" ");
  }

  /** The absent player for whom you may let a bot play. */
  get #helped() {
    const { you, local } = this;
    return local.absent && you.seats.length && !this.#hasLeft ? local.absent.seat : null;
  }

  /** Whether a bot plays for one of your seats. */
  get #hasLeft() {
    const { table, you } = this;
    return table?.state === "playing" && you.seats.some((seat) => table.seats[seat].away);
  }

  #showButtons() {
    const { mode = "watch", placed, selected = null, help = null } = this.local;
    const shown = [...BUTTONS[mode]];
    if (mode === "claim" && placed) shown.push("back");
    if (help) shown.push("hint");
    if (mode === "watch" && this.#hasLeft) shown.push("return");
    if (mode === "watch" && this.#helped !== null) shown.push("help", "wait");
    for (const button of Object.values(this.buttons)) button.hidden = true;
    for (const name of shown) this.buttons[name].hidden = false;
    const { claim, hint } = this.buttons;
    if (this.table && this.#helped !== null) {
      const words = NARROW.matches ? "table.let_bot_short" : "table.let_bot";
      write(find(this.buttons.help, "span"), t(words, { name: nameOf(this.table, this.#helped) }));
    }
    if (help) write(find(hint, "span"), t(`hint.${help}`));
    hint.ariaDisabled = String(help === "thinking");
    hint.classList.toggle("taken", help === "another");
    claim.disabled = selected === null;
    write(find(claim, "span"), selected === null ? t("table.claim") : t("table.claim_n", { domino: selected }));
    this.root.classList.toggle("handed", shown.length > 0);
  }
}

/** @param {Entry} entry @returns {Square[]} */
const squaresOf = ([, lx, ly, rx, ry]) => [[lx, ly], [rx, ry]];

/** Sets a text only if it has changed, so that screen readers do not announce it twice. @param {Element} place @param {string} words */
function write(place, words) {
  if (place.textContent !== words) place.textContent = words;
}
