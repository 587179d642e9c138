/**
 * Your own turn: asks the server what can be done, lets you place (or discard) a domino and choose a claim, and sends
 * both together. Nothing is decided before it is sent. What cannot be sent is kept, also over a reload, and sent when
 * the server can be reached again.
 */
import { Emitter } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { claimOrderText } from "../i18n/turn-text.js";
import { errorText, get, post, RequestError } from "../net/api.js";
import { forgetSetting, loadSetting, saveSetting } from "../net/storage.js";
import { Placing } from "./placing.js";

/**
 * @import { Entry } from "../draw/kingdom-map.js"
 * @import { Choices, Claim, Table } from "../net/types.js"
 * @import { Local, TableView } from "./view.js"
 * @typedef {{action: string, entry: Entry | null, points: number}} Decision a placement, or a discard without entry
 * @typedef {{ply: number, placed: Decision | null, selected: number | null}} Unsent what was decided, but not sent
 *
 * @typedef {object} TurnEvents
 * @property {undefined} change there is something else to show
 * @property {boolean} reached whether the server was reached
 * @property {{words: string, table?: Table | null}} refused the server refused; perhaps with the table as it is now
 */

/** Milliseconds after which the page says that it is sending. */
const SLOW = 400;
/** How often a turn is sent again while the server cannot be reached. */
const RETRY = 3000;

/** @extends {Emitter<TurnEvents>} */
export class Turn extends Emitter {
  ply = -1;
  /** @type {NonNullable<Local["mode"]>} */
  mode = "watch";
  /** @type {Choices | null} */
  choices = null;
  /** What was decided, but not sent yet. @type {Decision | null} */
  placed = null;
  /** @type {Claim[] | null} */
  claims = null;
  /** @type {number | null} */
  selected = null;
  caption = "";
  /** What the server was not reached for, to be done again. @type {(() => unknown) | null} */
  #again = null;
  /** @type {Table | null} */
  table = null;

  /** @param {TableView} view @param {string} id */
  constructor(view, id) {
    super();
    this.view = view;
    this.id = id;
    const { turn, flip, place, discard, back, claim } = view.buttons;
    this.placing = new Placing(view.kingdom, { caption: view.caption, buttons: { turn, flip, place } });
    this.placing.on("choose", (placement) => {
      if (this.mode !== "place" || !this.choices) return;
      view.preview(placement && this.choices.score + placement.points);
    });
    this.placing.on("place", (placed) => this.#place(placed));
    view.lines.coming.on("choose", (choice) => this.choose(choice));
    view.lines.present.on("grab", ({ event, domino }) => {
      if (this.mode === "place") this.placing.drag(event, domino);
    });
    discard.onclick = () => this.#place({ action: "discard", points: 0, entry: null });
    back.onclick = () => this.takeBack();
    claim.onclick = () => this.#send();
  }

  /** What the view shows of it. @returns {Local} */
  get local() {
    const { ply, mode, placed, claims, selected, caption } = this;
    return { ply, mode, placed, claims, selected, caption };
  }

  #reset() {
    this.ply = -1;
    this.mode = "watch";
    this.choices = this.placed = this.claims = this.selected = null;
    this.caption = "";
    this.#again = null;
  }

  /**
   * Begins, continues or ends the turn, as the table says.
   * @param {Table} table
   * @param {number[]} own your seats
   */
  async follow(table, own) {
    const { turn } = table;
    const mine = turn && own.includes(turn.seat) && !table.seats[turn.seat].away;
    this.table = table;
    if (mine && turn.ply === this.ply) return;
    if (this.mode === "place") this.placing.stop();
    this.#reset();
    const unsent = this.#unsent(turn?.ply);
    if (!mine) return;
    this.ply = turn.ply;
    const choices = await this.#ask(() => this.follow(table, own));
    if (!choices) return;
    if (choices.phase === "claim") this.#offer(choices);
    else this.#begin(choices);
    if (unsent) this.#resume(unsent);
  }

  /** Does again what did not reach the server. If it did, the server refuses it: no ply is decided twice. */
  retry() {
    const again = this.#again;
    this.#again = null;
    again?.();
  }

  /** @param {() => unknown} work */
  #retryLater(work) {
    this.#again = work;
    setTimeout(() => this.retry(), RETRY);
    this.emit("reached", false);
  }

  // What is kept over a reload

  /** Keeps what was decided until the server has it. */
  #keep() {
    const { ply, placed, selected } = this;
    saveSetting(`unsent.${this.id}`, { ply, placed, selected });
  }

  /** What was kept for this ply; for an earlier one it is too late. @param {number} [ply] */
  #unsent(ply) {
    const unsent = /** @type {Unsent | undefined} */ (loadSetting(`unsent.${this.id}`));
    if (unsent?.ply === ply) return unsent;
    forgetSetting(`unsent.${this.id}`);
    return undefined;
  }

  /** @param {Unsent} unsent */
  #resume({ placed, selected }) {
    this.placing.stop();
    if (placed && selected === null) return this.#place(placed);
    this.placed = placed;
    this.selected = selected;
    return this.#send();
  }

  /** @param {Choices} choices */
  #begin(choices) {
    const { domino } = choices;
    if (domino === null) return;
    this.choices = choices;
    this.mode = choices.placements.length ? "place" : "discard";
    this.caption = this.mode === "discard" ? t("kingdom.fits_nowhere", { number: domino }) : "";
    this.#changed();
    if (this.mode === "place") this.placing.start({ ...choices, domino });
  }

  /** @param {Decision} placed */
  async #place(placed) {
    this.placed = placed;
    const free = this.table?.next_line.filter(({ seat }) => seat === null) ?? [];
    if (free.length < 2) {
      // There is nothing to ask: in the last round nothing is claimed, and before it one domino may be the only one.
      this.selected = free[0]?.domino ?? null;
      return this.#send();
    }
    this.mode = "sent";
    this.caption = "";
    this.#changed();
    const { ply } = this;
    const choices = await this.#ask(() => this.#place(placed), placed.action);
    if (choices) return this.#offer(choices);
    if (this.ply !== ply || this.placed !== placed) return;
    if (this.#again) this.#keep();
    else this.takeBack();
  }

  /** @param {Choices} choices */
  #offer(choices) {
    this.mode = "claim";
    this.claims = choices.claims;
    this.selected = choices.claims.length === 1 ? choices.claims[0].domino : null;
    this.#writeCaption();
    const { activeElement } = document;
    const lost = !activeElement || activeElement === document.body || this.view.mine.contains(activeElement);
    this.#changed();
    if (lost && this.view.usesKeys) this.view.lines.coming.focus();
  }

  #writeCaption() {
    const { selected, table } = this;
    this.caption = selected === null || !table ? t("table.choose_claim") : claimOrderText(table, selected);
  }

  /** @param {{domino: number, sure: boolean}} choice */
  choose({ domino, sure }) {
    if (this.mode !== "claim") return;
    this.selected = domino;
    this.#writeCaption();
    this.#changed();
    if (sure) this.#send();
  }

  takeBack() {
    if (!this.choices) return;
    this.placed = this.claims = this.selected = null;
    this.#begin(this.choices);
    this.view.focusKingdom();
  }

  async #send() {
    const { ply, placed, selected } = this;
    if (this.mode === "claim" && selected === null) return;
    const claim = selected === null ? undefined : `claim ${selected}`;
    const actions = [placed?.action, claim].filter((action) => action !== undefined);
    this.mode = "sent";
    this.caption = "";
    this.#keep();
    this.#changed();
    const slow = setTimeout(() => this.#note(ply, t("table.sending")), SLOW);
    try {
      await post("/api/tables/{table}/actions", { table: this.id }, { ply, actions });
      this.#arrived();
    } catch (error) {
      if (!isOffline(error)) this.#refused(ply, error);
      else if (this.ply === ply) this.#retryLater(() => this.#send());
    } finally {
      clearTimeout(slow);
    }
  }

  #arrived() {
    forgetSetting(`unsent.${this.id}`);
    this.emit("reached", true);
  }

  /** @param {number} ply @param {string} words */
  #note(ply, words) {
    if (this.ply !== ply || this.mode !== "sent") return;
    this.caption = words;
    this.#changed();
  }

  /** @param {number} ply @param {unknown} error */
  #refused(ply, error) {
    this.#arrived();
    if (this.ply !== ply) return;
    if (this.claims) {
      this.mode = "claim";
      this.#writeCaption();
      this.#changed();
    } else {
      this.takeBack();
    }
    this.#report(error);
  }

  /** @param {unknown} error */
  #report(error) {
    const table = error instanceof RequestError ? error.table : null;
    this.emit("refused", { words: errorText(error), table });
  }

  /**
   * The choices at this ply, after an action that is not sent yet; null if unknown.
   * @param {() => unknown} again what to do again if the server cannot be reached now
   * @param {string} after
   */
  async #ask(again, after = "") {
    const { ply } = this;
    try {
      const choices = await get("/api/tables/{table}/choices", { table: this.id, ply, after });
      if (this.ply !== ply) return null;
      this.emit("reached", true);
      return choices;
    } catch (error) {
      if (this.ply === ply) {
        if (!after) this.ply = -1;
        if (isOffline(error)) this.#retryLater(again);
        else this.#report(error);
      }
      return null;
    }
  }

  #changed() {
    this.emit("change", undefined);
  }
}

/** @param {unknown} error */
const isOffline = (error) => error instanceof RequestError && error.status === 0;
