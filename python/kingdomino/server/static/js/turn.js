/**
 * The flow of one's own turn: what can be done is asked of the server, a domino is placed (or discarded) for
 * the time being, a claim chosen, and both are sent as one turn. Fires `change` when what is to be shown has
 * changed, and `refused` {words, table} when the server says no; `table`, if it tells, is how things stand.
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./view.js").Local} Local
 */
import { explain, get, post } from "./api.js";
import { cost } from "./claiming.js";
import { hear, tell } from "./h.js";
import { Placing } from "./placing.js";
import { t } from "./words.js";

/** Only after so long does sending say that it sends. */
const SLOW = 400;
/** So often is a turn sent again while the server cannot be reached. */
const RETRY = 3000;

export class Turn extends EventTarget {
  /** @param {import("./view.js").TableView} view @param {string} id */
  constructor(view, id) {
    super();
    this.view = view;
    this.id = id;
    const { turn, flip, place, discard, back, claim } = view.buttons;
    this.placing = new Placing(view.kingdom, { caption: view.caption, buttons: { turn, flip, place } });
    hear(this.placing, "choose", ({ placement }) => {
      if (this.mode === "place") view.preview(placement && this.choices.score + placement.points);
    });
    hear(this.placing, "place", (placed) => this.#laid(placed));
    hear(view.lines.coming, "choose", (choice) => this.choose(choice));
    hear(view.lines.present, "grab", ({ event, domino }) => {
      if (this.mode === "place") this.placing.drag(event, domino);
    });
    discard.onclick = () => this.#laid({ action: "discard", points: 0, entry: null });
    back.onclick = () => this.takeBack();
    claim.onclick = () => this.#send();
    this.#forget();
  }

  /** What there is to show of it. @returns {Local} */
  get local() {
    const { ply, mode, laid, claims, selected, caption } = this;
    return { ply, mode, laid, claims, selected, caption };
  }

  #forget() {
    /** @type {number} */
    this.ply = -1;
    /** @type {Local["mode"]} */
    this.mode = "watch";
    /** @type {any} */
    this.choices = null;
    /** @type {{action: string, entry: number[] | null, points: number} | null} */
    this.laid = null;
    /** @type {any[] | null} */
    this.claims = null;
    /** @type {number | null} */
    this.selected = null;
    this.caption = "";
    /** Whether a turn was sent and it is not known if it arrived. */
    this.unsure = false;
  }

  /**
   * Begins, goes on with or gives up a turn, as the table says.
   * @param {Table} table
   * @param {number[]} seats one's own
   */
  async follow(table, seats) {
    const { turn } = table;
    const mine = turn && seats.includes(turn.seat) && !table.seats[turn.seat].away;
    this.table = table;
    if (mine && turn.ply === this.ply) return;
    if (this.mode === "place") this.placing.stop();
    this.#forget();
    if (!mine) return;
    this.ply = turn.ply;
    const choices = await this.#ask();
    if (!choices) return;
    if (choices.phase === "claim") this.#offer(choices);
    else this.#begin(choices);
  }

  /** Sends again what perhaps did not arrive. If it did, the turn is over: no ply is decided twice. */
  again() {
    if (this.unsure) this.#send();
  }

  /** @param {any} choices */
  #begin(choices) {
    this.choices = choices;
    this.mode = choices.placements.length ? "place" : "discard";
    this.caption = this.mode === "discard" ? t("kingdom.fits_nowhere", { number: choices.domino }) : "";
    this.#changed();
    if (this.mode === "place") this.placing.start(choices);
  }

  /** @param {{action: string, points: number, entry: number[] | null}} placed */
  async #laid(placed) {
    this.laid = placed;
    // In the last round there is nothing to claim.
    if (!this.table?.next_line.length) return this.#send();
    this.mode = "sent";
    this.caption = "";
    this.#changed();
    const { ply } = this;
    const choices = await this.#ask(placed.action);
    if (choices) return this.#offer(choices);
    if (this.ply === ply && this.laid === placed) this.takeBack();
  }

  /** @param {any} choices */
  #offer(choices) {
    this.mode = "claim";
    this.claims = choices.claims;
    this.selected = choices.claims.length === 1 ? choices.claims[0].domino : null;
    this.#cost();
    const { activeElement } = document;
    const lost = !activeElement || activeElement === document.body || this.view.mine.contains(activeElement);
    this.#changed();
    if (lost && this.view.keys) this.view.lines.coming.focus();
  }

  #cost() {
    const { selected, table } = this;
    this.caption = selected === null || !table ? t("table.choose_claim") : cost(table, selected);
  }

  /** @param {{domino: number, sure: boolean}} choice */
  choose({ domino, sure }) {
    if (this.mode !== "claim") return;
    this.selected = domino;
    this.#cost();
    this.#changed();
    if (sure) this.#send();
  }

  takeBack() {
    if (!this.choices) return;
    Object.assign(this, { laid: null, claims: null, selected: null });
    this.#begin(this.choices);
    this.view.focusKingdom();
  }

  async #send() {
    const { ply, selected } = this;
    const actions = [this.laid?.action, this.claims && `claim ${selected}`].filter(Boolean);
    if (this.claims && selected === null) return;
    const before = this.claims ? "claim" : "place";
    this.mode = "sent";
    this.unsure = false;
    this.caption = "";
    this.#changed();
    const slow = setTimeout(() => this.#note(ply, t("table.sending")), SLOW);
    try {
      await post(`/api/tables/${this.id}/actions`, { ply, actions });
    } catch (error) {
      if (/** @type {any} */ (error).status !== 0) return this.#refused(ply, error, before);
      this.unsure = this.ply === ply;
      setTimeout(() => this.again(), RETRY);
    } finally {
      clearTimeout(slow);
    }
  }

  /** @param {number} ply @param {string} words */
  #note(ply, words) {
    if (this.ply !== ply || this.mode !== "sent") return;
    this.caption = words;
    this.#changed();
  }

  /** @param {number} ply @param {unknown} error @param {"claim" | "place"} before */
  #refused(ply, error, before) {
    if (this.ply !== ply) return;
    if (before === "place") {
      this.takeBack();
    } else {
      this.mode = "claim";
      this.#cost();
      this.#changed();
    }
    this.#tell(error);
  }

  /** @param {unknown} error */
  #tell(error) {
    const { table } = /** @type {any} */ (error);
    tell(this, "refused", { words: explain(error), table });
  }

  /** What can be done at this ply; null when that cannot be learnt (any more). @param {string} [after] */
  async #ask(after) {
    const { ply } = this;
    const query = after ? `&after=${encodeURIComponent(after)}` : "";
    try {
      const choices = await get(`/api/tables/${this.id}/choices?ply=${ply}${query}`);
      return this.ply === ply ? choices : null;
    } catch (error) {
      if (this.ply === ply) {
        if (!after) this.ply = -1;
        if (/** @type {any} */ (error).status) this.#tell(error);
      }
      return null;
    }
  }

  #changed() {
    tell(this, "change");
  }
}
