/**
 * What one sees of a table: it draws a table as it stands, and plays an event so that one can follow it.
 * It decides nothing and sends nothing, so a replay uses it too. Fires `rival` {seat, opener} when a small
 * kingdom is asked for, and `landed` when a domino lies.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").TableEvent} TableEvent
 * @typedef {{seats: number[]}} You
 *
 * What is not on the table but here, at this screen:
 * @typedef {object} Local
 * @property {number} [home] the seat whose kingdom is large
 * @property {number} [ply] the decision that the next five are about; at any other there is nothing to do
 * @property {"watch" | "place" | "discard" | "claim" | "sent"} [mode]
 * @property {{entry: number[] | null, points: number} | null} [laid] put down, but not sent yet
 * @property {{domino: number, fits: boolean, points: number}[] | null} [claims] what is offered
 * @property {number | null} [selected] which of them is chosen
 * @property {string} [caption] what stands under the kingdom; placing writes its own
 * @property {string} [note] instead of the next step
 * @property {boolean[] | null} [here] who is at the table, by seat
 * @property {number} [watching]
 */
import { SEATS, backSvg, icon, seal } from "./art.js";
import { h, tell } from "./h.js";
import "./kingdom.js";
import { Lines } from "./lines.js";
import { Look } from "./look.js";
import { showNews } from "./news.js";
import { kingdomOf, nameOf } from "./rich.js";
import { Rivals } from "./rivals.js";
import { sentence } from "./sentence.js";
import { appear, count, moving, travel, turnOver } from "./travel.js";
import { Unseen } from "./unseen.js";
import { t } from "./words.js";

/** The buttons, and their marks. */
const MARKS = {
  turn: "turn", flip: "flip", back: "undo", place: "check", discard: "", claim: "check", return: "",
};
/** Which of them there are when. */
const HAND = {
  watch: [], sent: [], place: ["turn", "flip", "place"], discard: ["discard"], claim: ["claim"],
};
/** What one does where there is nothing to do. */
const IDLE = { mode: /** @type {const} */ ("watch"), laid: null, claims: null, selected: null, caption: "" };

export class TableView extends EventTarget {
  /** @type {Table | null} */
  table = null;
  /** @type {You} */
  you = { seats: [] };
  /** @type {Local} */
  local = {};
  /** Whether whoever sits here uses the keys: then the focus is led along. */
  keys = false;
  /** @type {Record<string, HTMLButtonElement>} */
  buttons = {};

  /** @param {HTMLElement} root the element `.play` of table.html */
  constructor(root) {
    super();
    const find = (/** @type {string} */ selector) => /** @type {any} */ (root.querySelector(selector));
    this.root = root;
    this.title = find("h1");
    this.next = find(".next span");
    this.clock = find(".clock");
    this.mine = find(".mine");
    this.kingdom = find(".mine kd-kingdom");
    this.score = find(".mine .score b");
    this.gain = find(".mine .score i");
    this.caption = find(".mine .caption");
    this.lines = new Lines(find(".lines"));
    this.look = new Look(find(".look"));
    this.rivals = new Rivals(find(".rivals"), (seat, opener) => tell(this, "rival", { seat, opener }));
    this.unseen = new Unseen(find(".unseen"), find(".peek"));
    this.news = find(".news ul");
    for (const [name, mark] of Object.entries(MARKS)) {
      this.buttons[name] = find(`.hand .${name}`);
      if (mark) this.buttons[name].prepend(icon(mark));
    }
    find(".round .button").append(icon("more"));
    for (const [opener, kind] of [[this.score.parentElement, "score"], [find(".news .link"), "log"]]) {
      opener.onclick = () => this.look.toggle(kind, this.home, opener);
    }
    document.addEventListener("keydown", () => { this.keys = true; });
    document.addEventListener("pointerdown", () => { this.keys = false; });
  }

  /** The seat whose kingdom is large. */
  get home() {
    return this.local.home ?? 0;
  }

  /**
   * Draws all of it as it stands.
   * @param {Table} table
   * @param {You} [you]
   * @param {Local} [local]
   */
  show(table, you = this.you, local = this.local) {
    Object.assign(this, { table, you, local: local.ply === table.turn?.ply ? local : { ...local, ...IDLE } });
    const { root, home } = this;
    root.dataset.mode = this.local.mode ?? "watch";
    root.classList.toggle("claiming", this.local.mode === "claim");
    root.classList.toggle("opening", table.round === 0);
    root.classList.toggle("duo", table.seats.length === 2);
    root.style.setProperty("--line", String(table.rules.line));
    root.style.setProperty("--rivals", String(table.seats.length - 1));
    this.#head(table);
    this.#round(table);
    this.#mine(table, home);
    this.rivals.show(table, home, local.here ?? null);
    this.lines.show(table, this.local, home);
    this.unseen.show(table);
    showNews(this.news, table, you.seats);
    this.look.show(table, you.seats, this.kingdom);
    this.#hand();
    root.hidden = false;
  }

  /** Puts the focus on the square of the large kingdom where the keys stood last. */
  focusKingdom() {
    this.kingdom.querySelector("[role=gridcell][tabindex='0']")?.focus({ preventScroll: true });
  }

  /** What a placement would bring: `15 → 24`. @param {number | null} total */
  preview(total) {
    this.gain.textContent = total === null ? "" : `→ ${total}`;
  }

  // What happens

  /**
   * Plays one event: what moves moves, then the table stands as it is after it.
   * @param {TableEvent} event
   * @param {Table} after
   */
  async play(event, after) {
    const before = this.table;
    if (!before || !moving()) return this.show(after);
    if (event.kind === "placed") return this.#playPlaced(event, after);
    if (event.kind === "revealed") return this.#playLine(after);
    if (event.kind !== "claimed") {
      this.show(after);
      return event.kind === "king_drawn" && this.lines.acting ? appear(this.lines.acting) : undefined;
    }
    if (after.round === before.round) return this.#playClaimed(event, after);
    const next_line = after.line.map((offer) => ({ ...offer, done: false }));
    await this.#playClaimed(event, { ...before, next_line });
    return this.#playLine(after);
  }

  /** @param {TableEvent} event @param {Table} after */
  async #playPlaced({ seat, domino, left, right }, after) {
    const kingdom = seat === this.home ? this.kingdom : this.rivals.kingdom(seat);
    const face = this.lines.present.face(domino);
    const from = face?.getBoundingClientRect();
    if (!kingdom.dominoes.some((/** @type {number[]} */ [number]) => number === domino)) {
      if (face) face.style.opacity = "0";
      await kingdom.land([domino, ...left, ...right], { animateFrom: from });
      tell(this, "landed", { seat });
    }
    const score = seat === this.home ? this.score : this.rivals.score(seat);
    const shown = Number(score.textContent);
    this.show(after);
    await count(score, shown, after.kingdoms[seat].score.total);
  }

  /** @param {TableEvent} event @param {Table} after */
  async #playClaimed({ domino }, after) {
    const { acting, coming } = this.lines;
    const from = coming.king(domino) ? undefined : acting?.getBoundingClientRect();
    this.show(after);
    await travel(coming.king(domino), from);
  }

  /** The next line becomes the line; what is revealed turns over. @param {Table} after */
  async #playLine(after) {
    const { present, coming } = this.lines;
    const parts = (/** @type {import("./line.js").Line} */ line, /** @type {number} */ domino) =>
      [line.face(domino), line.king(domino)];
    const before = after.line.map(({ domino }) =>
      parts(coming, domino).map((part) => part?.getBoundingClientRect()));
    this.show(after);
    await Promise.all([
      ...after.line.flatMap(({ domino }, at) =>
        parts(present, domino).map((part, which) => travel(part, before[at][which], 1))),
      ...after.next_line.map(({ domino }, at) => {
        const face = coming.face(domino);
        return face && turnOver(face, backSvg(domino), 60 * at);
      }),
    ]);
  }

  // What stands there

  /** @param {Table} table */
  #head(table) {
    const { title, next } = sentence(table, this.you, Boolean(this.local.laid));
    write(this.title, title);
    write(this.next, this.local.note ?? next);
    this.next.parentElement.classList.toggle("noted", Boolean(this.local.note));
    this.tick();
  }

  /** Shows the time left for the turn; call it again as it passes. @param {number} [now] */
  tick(now = Date.now()) {
    const deadline = this.table?.turn?.deadline;
    const left = deadline ? Math.max(0, Math.ceil((deadline - now) / 1000)) : 0;
    const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    const time = left < 60 ? t("common.seconds", { n: left }) : clock;
    this.clock.textContent = deadline ? t("table.time_left", { time }) : "";
    this.clock.classList.toggle("soon", left <= 10);
    this.root.classList.toggle("timed", Boolean(deadline));
    return left;
  }

  /** @param {Table} table */
  #round({ round, rules: { rounds }, game, games }) {
    const { watching = 0 } = this.local;
    const [note, pips, words] = this.root.querySelectorAll(".round > *");
    const notes = games > 1 ? [t("table.game", { game, games })] : [];
    if (watching) notes.push(t("table.watching", { n: watching }));
    note.textContent = notes.join(" · ");
    pips.replaceChildren(...Array.from({ length: rounds }, (_, at) =>
      h(at + 1 < round ? "i.on" : at + 1 === round ? "i.at" : "i")));
    const said = (/** @type {string} */ key) => t(round ? key : "table.opening", { round, rounds });
    words.replaceChildren(
      h("span.long", said("common.round")),
      h("span.short.label", { "aria-hidden": "true" }, said("table.round_short")));
  }

  /** @param {Table} table @param {number} home */
  #mine(table, home) {
    const { mode, laid, caption } = this.local;
    const { seats } = this.you;
    const { dominoes, score } = table.kingdoms[home];
    const entry = dominoes.some(([number]) => number === laid?.entry?.[0]) ? null : laid?.entry;
    const label = kingdomOf(table, home, seats);
    const total = score.total + (entry && laid ? laid.points : 0);
    const [emblem, name, small] = this.mine.querySelector(".who").children;
    this.mine.className = `mine sheet seat-${SEATS[home]}`;
    this.mine.ariaLabel = label;
    emblem.replaceWith(seal(home));
    name.textContent = nameOf(table, home);
    small.textContent = seats.length === 1 && seats[0] === home ? t("table.you") : "";
    write(this.score, String(total));
    this.score.parentElement.ariaLabel = t("table.score_by_territory", { n: total });
    Object.assign(this.kingdom, { size: table.rules.size, seat: home, frame: "reach", label });
    this.kingdom.dominoes = entry ? [...dominoes, entry] : dominoes;
    if (mode === "place") return;
    this.preview(null);
    const words = caption || (this.#away === undefined ? "" : t("table.bot_for_you"));
    for (const place of this.root.querySelectorAll(".caption")) write(place, words);
  }

  /** A seat of one's own that a bot plays for while the game goes on. */
  get #away() {
    const { table, you } = this;
    return table?.state === "playing" ? you.seats.find((seat) => table.seats[seat].away) : undefined;
  }

  #hand() {
    const { mode = "watch", laid, selected = null } = this.local;
    const shown = [...HAND[mode]];
    if (mode === "claim" && laid) shown.push("back");
    if (mode === "watch" && this.#away !== undefined) shown.push("return");
    for (const [name, button] of Object.entries(this.buttons)) button.hidden = !shown.includes(name);
    const { claim } = this.buttons;
    claim.disabled = selected === null;
    const words = selected === null ? t("table.claim") : t("table.claim_n", { domino: selected });
    write(claim.querySelector("span"), words);
    this.root.classList.toggle("handed", shown.length > 0);
  }
}

/** Writes only what is new, so that nothing is read out twice. @param {any} place @param {string} words */
function write(place, words) {
  if (place.textContent !== words) place.textContent = words;
}
