/**
 * Your own turn: asks the table for your options, lets you place (or discard) a domino and choose a claim, and sends both
 * together. Nothing is final before it is sent. If the server is unreachable, the turn waits, even across a reload, and is
 * sent later.
 */
import { Emitter } from "../draw/dom.js";
import { engine, searchFor } from "../engine/engine.js";
import { engine as study } from "../engine/study.js";
import { t } from "../i18n/locale.js";
import { nameOf } from "../i18n/names.js";
import { costText, hintText, reasonText } from "../i18n/reason-text.js";
import { claimOrderText } from "../i18n/turn-text.js";
import { errorText, isOffline, RequestError } from "../net/api.js";
import { settings } from "../net/settings.js";
import { forgetSetting, loadSetting, saveSetting } from "../net/storage.js";
import { clientOf } from "./client.js";
import { Placing } from "./placing.js";

/**
 * @import { Entry } from "../draw/kingdom-map.js"
 * @import { Hint } from "../../engine/calls.js"
 * @import { Choices, Table } from "../net/types.js"
 * @import { Local, Offer, TableView } from "./view.js"
 * @typedef {{action: string, entry: Entry | null, points: number}} Decision a placement, or a discard without entry
 * @typedef {{ply: number, placed: Decision | null, selected: number | null}} Unsent a decided but unsent turn
 *
 * @typedef {object} TurnEvents
 * @property {undefined} change the state has changed
 * @property {boolean} reached whether the server was reachable
 * @property {number} sent the number of the last event of a sent turn
 * @property {{words: string, table?: Table | null}} refused a refusal; perhaps with the current table
 */

/** So that the same question has the same answer, a hint and a judgement follow from a number of playouts; */
const SEED = 0;
const HINTED = 8_000;
const JUDGED = 6_000;
/** but on a slow device they take no longer than these milliseconds. */
const LONGEST_HINT = 1_000;
const LONGEST_JUDGEMENT = 4_000;
/** The chance to win that counts as much as a point for a warning. */
const CHANCE_OF_POINT = 1 / 30;
/** Milliseconds until the page says that it is sending. */
const SLOW = 400;
/** Milliseconds between attempts to send a turn while the server is unreachable. */
const RETRY = 3000;

/** @extends {Emitter<TurnEvents>} */
export class Turn extends Emitter {
  ply = -1;
  /** @type {NonNullable<Local["mode"]>} */
  mode = "watch";
  /** The public position, as text for the engine. */
  #position = "";
  /** @type {Choices | null} */
  choices = null;
  /** A decided but unsent placement. @type {Decision | null} */
  placed = null;
  /** @type {Offer[] | null} */
  claims = null;
  /** @type {number | null} */
  selected = null;
  caption = "";
  /** Whether all other players are bots, so that there are hints. */
  isAlone = false;
  /** The current hint. @type {Hint | null} */
  hint = null;
  /** Whether to show its action, rather than only where to look. */
  isShown = false;
  #isAsking = false;
  /** Whether there was a warning, once that is known. @type {Promise<boolean> | null} */
  #judged = null;
  /** The last ply with a warning. */
  #warned = -1;
  /** Work to repeat once the server is reachable. @type {Set<() => unknown>} */
  #again = new Set();
  /** @type {Table | null} */
  table = null;

  /** @param {TableView} view @param {string} id */
  constructor(view, id) {
    super();
    this.view = view;
    this.client = clientOf(id);
    const { turn, flip, place, discard, back, claim, hint, keep } = view.buttons;
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
    hint.onclick = () => this.help();
    keep.onclick = () => this.keep();
    view.root.addEventListener("keydown", ignoreHeld, { capture: true });
  }

  /** The state for the view. @returns {Local} */
  get local() {
    const { ply, mode, placed, claims, selected, caption } = this;
    return { ply, mode, placed, claims, selected, caption, help: this.#helpOffered };
  }

  #reset() {
    this.ply = -1;
    this.mode = "watch";
    this.choices = this.placed = this.claims = this.selected = this.hint = this.#judged = null;
    this.caption = "";
    this.isShown = this.#isAsking = false;
    this.#again.clear();
  }

  /**
   * Begins, continues or ends the turn, according to the table.
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
    this.isAlone = own.length === 1 && table.seats.every(({ kind, seat }) => kind === "bot" || seat === own[0]);
    const choices = await this.#ask(() => this.follow(table, own));
    if (!choices) return;
    this.#position = choices.position;
    if (choices.phase === "claim") this.#offer(choices.claims);
    else this.#begin(choices);
    if (unsent) this.#resume(unsent);
  }

  /** Repeats work that did not reach the server. If it did, the server refuses it, so no ply is played twice. */
  retry() {
    const again = [...this.#again];
    this.#again.clear();
    for (const work of again) work();
  }

  /** @param {() => unknown} work @param {unknown} error why it failed now */
  #retryLater(work, error) {
    this.#again.add(work);
    setTimeout(() => this.retry(), RETRY);
    if (isOffline(error)) this.emit("reached", false);
  }

  // State across a reload

  /** Stores the decisions until the server has them. @param {number | null} selected the final claim */
  #keep(selected) {
    const { ply, placed } = this;
    saveSetting(`unsent.${this.client.id}`, { ply, placed, selected });
  }

  /** The stored decisions for this ply; those for an earlier one are too late. @param {number} [ply] */
  #unsent(ply) {
    const unsent = /** @type {Unsent | undefined} */ (loadSetting(`unsent.${this.client.id}`));
    if (unsent?.ply === ply) return unsent;
    this.#forget();
    return undefined;
  }

  #forget() {
    forgetSetting(`unsent.${this.client.id}`);
  }

  /** @param {Unsent} unsent */
  #resume({ placed, selected }) {
    if (this.mode === "sent") return; // the only domino, which is already claimed again
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
    const judged = this.#judge(placed);
    const free = this.#free;
    if (free.length < 2) {
      // No need to ask: there is no claim in the last round, and before that there may be only one domino.
      this.selected = free[0]?.domino ?? null;
      this.#judged = judged && judged.then((words) => this.#warn(placed, words));
      return this.#send();
    }
    this.mode = "sent";
    this.caption = "";
    this.#changed();
    const offer = (/** @type {Offer[]} */ claims) => {
      this.#offer(claims);
      this.#judged = judged && judged.then((words) => this.#warn(placed, words));
    };
    // After a long wait, or without a network, let the player claim without the dominoes' points.
    const slow = setTimeout(() => this.placed === placed && !this.claims && offer(free), SLOW);
    await this.#askWorth(placed, offer);
    clearTimeout(slow);
    if (this.placed === placed && !this.claims) offer(free);
  }

  /**
   * Asks for the dominoes' points after a placement, until they are known or the claim is made.
   * @param {Decision} placed
   * @param {(claims: Offer[]) => void} offer called with them if there is no offer yet
   */
  async #askWorth(placed, offer) {
    const { ply } = this;
    const isAsked = () => this.ply === ply && this.placed === placed && !(this.claims && this.#isOnItsWay);
    if (!isAsked()) return;
    const choices = await this.#ask(() => this.#askWorth(placed, offer), placed.action);
    if (!isAsked()) return;
    if (choices && !this.claims) offer(choices.claims);
    else if (choices) this.#offerAgain(choices.claims);
    else if (this.#again.size) this.#keep(null);
    else this.takeBack();
  }

  /** Whether the turn is being sent or waits to be sent. */
  get #isOnItsWay() {
    return this.mode === "sent" || this.mode === "waiting";
  }

  /** Whether there is a move that the server does not have yet. */
  get isUnsent() {
    return this.placed !== null || this.#isOnItsWay;
  }

  /** The free dominoes, according to the table. */
  get #free() {
    return this.table?.next_line.filter(({ seat }) => seat === null).map(({ domino }) => ({ domino })) ?? [];
  }

  /** @param {Offer[]} claims */
  #offer(claims) {
    this.mode = "claim";
    this.hint = null;
    this.isShown = false;
    this.claims = claims;
    this.selected = claims.length === 1 ? claims[0].domino : null;
    if (this.selected !== null) return this.#send(); // the claim is known
    this.#writeCaption();
    const { activeElement } = document;
    const lost = !activeElement || activeElement === document.body || this.view.mine.contains(activeElement);
    this.#changed();
    if (lost && this.view.usesKeys) this.view.lines.coming.focus();
  }

  /** Offers the same dominoes with new facts. @param {Offer[]} claims */
  #offerAgain(claims) {
    this.claims = claims;
    if (this.mode === "claim") this.#writeCaption();
    this.#changed();
  }

  #writeCaption() {
    const { selected, table, hint, claims } = this;
    const turns = claims?.find(({ domino }) => domino === selected)?.turns; // unknown without a network
    if (selected !== null && table && turns) this.caption = claimOrderText(table, selected, turns);
    else if (hint && !hint.squares.length) this.caption = hintText(hint, this.#nameOf);
    else this.caption = t("table.choose_claim");
  }

  /** @param {{domino: number, sure: boolean}} choice */
  choose({ domino, sure }) {
    if (this.mode !== "claim") return;
    this.selected = domino;
    this.#writeCaption();
    this.#changed();
    if (sure) this.#send();
  }

  /** Takes the last step back: an unsent claim, or the placement. */
  takeBack() {
    const { claims, placed } = this;
    this.#again.clear();
    this.#forget();
    if (claims && this.mode === "waiting") {
      this.#claimAgain();
      if (!placed) return;
      this.#keep(null);
      this.#askWorth(placed, () => {});
      return;
    }
    if (!this.choices) return;
    this.placed = this.claims = this.selected = this.hint = this.#judged = null;
    this.#begin(this.choices);
    this.view.focusKingdom();
  }

  /** Lets the player choose an unsent claim again. */
  #claimAgain() {
    this.mode = "claim";
    this.#writeCaption();
    this.#changed();
  }

  async #send() {
    const { ply, placed, selected } = this;
    if (this.mode === "claim" && selected === null) return;
    const claim = selected === null ? undefined : `claim ${selected}`;
    const actions = [placed?.action, claim].filter((action) => action !== undefined);
    if (this.mode !== "waiting") {
      this.mode = "sent";
      this.caption = "";
      this.#changed();
    }
    if (this.#judged) {
      const slow = setTimeout(() => this.#note(ply, t("hint.thinking")), SLOW);
      const isWarned = await this.#judged;
      clearTimeout(slow);
      if (isWarned || this.ply !== ply || this.placed !== placed) return;
      this.#judged = null;
    }
    this.#keep(selected);
    const slow = setTimeout(() => this.#note(ply, t("table.sending")), SLOW);
    try {
      const number = await this.client.play(ply, actions);
      this.#arrived();
      this.emit("sent", number);
    } catch (error) {
      const isTakenBack = this.placed !== placed || !this.#isOnItsWay;
      if (!isForNow(error)) this.#refused(ply, error);
      else if (this.ply === ply && !isTakenBack) this.#wait(error);
    } finally {
      clearTimeout(slow);
    }
  }

  /** Stores an unsent turn to send later. @param {unknown} error why it failed */
  #wait(error) {
    this.#retryLater(() => this.#send(), error);
    this.mode = "waiting";
    this.caption = isOffline(error) ? "" : errorText(error);
    this.#changed();
  }

  // Hints and warnings

  /** The current function of the hint button. @returns {Local["help"]} */
  get #helpOffered() {
    const { mode, hint, isShown } = this;
    if (!this.isAlone || !["place", "claim"].includes(mode)) return null;
    if (this.#isAsking) return "thinking";
    if (!hint) return "ask";
    if (isShown) return mode === "place" ? "another" : null;
    return "show";
  }

  #nameOf = (/** @type {number} */ seat) => (this.table ? nameOf(this.table, seat) : "");

  /** Says where to look; the next time, shows the move, without playing it. */
  async help() {
    const offered = this.#helpOffered;
    if (offered === "ask") return this.#askHint();
    if (offered === "show") this.#showHint();
    if (offered === "another" && this.hint) this.#point(this.hint);
    this.#changed();
  }

  async #askHint() {
    const { ply, placed, mode } = this;
    this.#isAsking = true;
    this.#changed();
    try {
      const hint = await think(this.#position, placed?.action);
      // No hint is shown that the table has not noted.
      await this.client.hint(ply);
      if (this.ply === ply && this.placed === placed && this.mode === mode) this.#heard(hint);
    } catch (error) {
      if (this.ply === ply) this.#report(error);
    } finally {
      if (this.ply === ply) this.#isAsking = false;
      this.#changed();
    }
  }

  /** @param {Hint} hint */
  #heard(hint) {
    this.hint = hint;
    if (this.mode === "place") return this.#point(hint);
    this.selected = null;
    this.#writeCaption();
  }

  /** @param {Hint} hint */
  #point(hint) {
    this.isShown = false;
    this.placing.point(hint.squares, hintText(hint, this.#nameOf));
  }

  #showHint() {
    if (!this.hint) return;
    this.isShown = true;
    if (this.mode === "place") return this.placing.pick(this.hint.action);
    this.selected = this.hint.domino;
    this.#writeCaption();
  }

  /**
   * The cost of a placement, if it is high enough for the player's warning.
   * @param {Decision} placed
   */
  #judge({ action, entry }) {
    const least = settings().warning;
    if (!least || !entry || !this.isAlone || this.#warned === this.ply) return null;
    const args = { position: this.#position, action, playouts: JUDGED, seed: SEED };
    const words = study.work({ name: "judge", args }, AbortSignal.timeout(LONGEST_JUDGEMENT)).then((found) => {
      if (!found?.decision) return null;
      const { cost: win, cost_points: points, why } = found.decision;
      if (Math.round(points) < least && win < least * CHANCE_OF_POINT) return null;
      return `${why ? reasonText(why, this.#nameOf) : t("why.none")} ${costText({ win, points })}`;
    });
    // Without an answer the game goes on.
    const late = new Promise((resolve) => setTimeout(() => resolve(null), LONGEST_JUDGEMENT));
    return /** @type {Promise<string | null>} */ (Promise.race([words, late]).catch(() => null));
  }

  /**
   * Asks once a turn whether to keep a costly placement.
   * @param {Decision} placed
   * @param {string | null} words
   */
  #warn(placed, words) {
    if (!words || this.placed !== placed) return false;
    this.#judged = null;
    this.#warned = this.ply;
    this.mode = "warned";
    this.caption = words;
    this.#changed();
    if (this.view.usesKeys) this.view.buttons.back.focus();
    return true;
  }

  /** Keeps a placement in spite of a warning. */
  keep() {
    if (this.mode !== "warned") return;
    if (!this.claims) {
      this.mode = "sent";
      this.#send();
      return;
    }
    this.#claimAgain();
    if (this.view.usesKeys) this.view.lines.coming.focus();
  }

  #arrived() {
    this.#forget();
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
    if (this.claims) this.#claimAgain();
    else this.takeBack();
    this.#report(error);
  }

  /** @param {unknown} error */
  #report(error) {
    const table = error instanceof RequestError ? error.table : null;
    this.emit("refused", { words: errorText(error), table });
  }

  /**
   * The choices at this ply, after an unsent action; null if unknown.
   * @param {() => unknown} again what to repeat if the server is unreachable or busy
   * @param {string} after
   */
  async #ask(again, after = "") {
    const { ply } = this;
    try {
      const choices = await this.client.choices(ply, after);
      if (this.ply !== ply) return null;
      this.emit("reached", true);
      return choices;
    } catch (error) {
      if (this.ply === ply) {
        if (!after) this.ply = -1;
        if (isForNow(error)) this.#retryLater(again, error);
        else this.#report(error);
      }
      return null;
    }
  }

  #changed() {
    this.emit("change", undefined);
  }
}

/**
 * Looks for a good action.
 * @param {string} position
 * @param {string} [placed] a placement of this turn that was not sent yet
 * @returns {Promise<Hint>}
 */
async function think(position, placed) {
  const { text } = await (placed ? engine.ask("move_on", { position, action: placed }) : engine.ask("position", { position }));
  const task = { position: text, playouts: HINTED, seed: SEED };
  const { analysis } = await searchFor(task, LONGEST_HINT);
  return study.ask("hint", { position: text, action: analysis.actions[0].action });
}

/**
 * Lets a held key act only once: by then the next element has the focus, and its action may be final.
 * @param {KeyboardEvent} event
 */
function ignoreHeld(event) {
  if (!event.repeat || ![" ", "Enter"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
}

/** Whether the same request may succeed a little later. @param {unknown} error */
const isForNow = (error) => isOffline(error) || (error instanceof RequestError && error.code === "busy");
