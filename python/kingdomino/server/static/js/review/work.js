/**
 * The review of a game on this device: a few engines judge each decision twice, first roughly, then closely.
 * An interrupted review continues from its stored progress. If several tabs have the same game, one works and informs
 * the others.
 */
import { study } from "../analysis/study.js";
import { Emitter } from "../draw/dom.js";
import { engine, team } from "../engine/study.js";
import { keep, kept } from "./kept.js";

/**
 * @import { Decision, Found, Luck, SeatReview, Value } from "../../engine/calls.js"
 *
 * @typedef {object} Known the progress of a review
 * @property {Decision[]} judged the judged decisions by ply; some may be missing
 * @property {number[]} passes the passes done for each decision
 * @property {Value | null} start the value of the game to each seat before it began
 * @property {Decision[]} decisions for display: adjusted so that the last ones lead to the result
 * @property {Luck[]} luck
 * @property {SeatReview[]} seats
 *
 * @typedef {{ply: number, pass: number}} Step to judge a decision; at ply -1 to value the beginning
 */

/** The same as `kingdomino review`, for the same results. */
const SEED = 0;
const PLAYOUTS = 12_000;
/** The effort to judge a try. */
export const CLOSELY = { playouts: PLAYOUTS, seed: SEED };
/** The playouts of a decision in each pass. */
const PASSES = [PLAYOUTS / 4, PLAYOUTS];
/** How many steps between two saves. */
const KEPT_EVERY = 8;

/** @extends {Emitter<{news: undefined}>} */
export class ReviewWork extends Emitter {
  /** @type {Known} */
  known = { judged: [], passes: [], start: null, decisions: [], luck: [], seats: [] };
  /** Why the review stopped. @type {Error | null} */
  failure = null;
  /** The text of the position before each decision. @type {Promise<string[]> | null} */
  #positions = null;
  /** @type {Step[]} */
  #left = [];
  /** The passes of the decisions in the last summary. */
  #assembled = "";

  /**
   * @param {string} id of the game
   * @param {string} record
   * @param {number} plies
   */
  constructor(id, record, plies) {
    super();
    this.id = id;
    this.record = record;
    this.plies = plies;
    const [first, ...others] = [...Array(plies).keys()];
    // Show a first result at once; then value the start, which luck needs.
    const plan = [first, -1, ...others].map((ply) => ({ ply, pass: 1 }));
    this.plan = [...plan, ...[...Array(plies).keys()].map((ply) => ({ ply, pass: 2 }))];
    this.channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`review ${id}`);
    this.channel?.addEventListener("message", ({ data }) => {
      if (data.record !== this.record) return;
      if (data.known) this.#learn(data.known);
      else if (this.made) this.#tell(); // another tab has asked
    });
  }

  get steps() {
    return this.plan.length;
  }

  /** The number of finished steps. */
  get made() {
    const { passes, start } = this.known;
    return passes.reduce((sum, one) => sum + one, start ? 1 : 0);
  }

  get isOver() {
    return this.made === this.steps;
  }

  /** Starts or continues the review. */
  async open() {
    this.failure = null;
    this.#learn(await kept(this.id, this.record));
    if (this.isOver) return;
    this.channel?.postMessage({ record: this.record });
    // Locks need HTTPS or localhost. Without them, each tab works.
    if (navigator.locks) await navigator.locks.request(`review ${this.id}`, () => this.#make());
    else await this.#make();
  }

  /** The cost of another action, with the same random numbers. @param {number} ply @param {string} action */
  async judge(ply, action) {
    const found = await engine.work({ name: "judge_ply", args: { record: this.record, ply, action, ...CLOSELY } });
    if (!found?.decision) throw new Error("the judgement was stopped");
    return found.decision;
  }

  /** The position before a decision, with its choices. @param {number} ply */
  async position(ply) {
    this.#positions ??= engine.ask("read_record", { record: this.record }).then(({ positions }) => positions);
    this.#positions.catch(() => { this.#positions = null; });
    return study((await this.#positions)[ply]);
  }

  /** Whether a step is done, perhaps by another tab. @param {Step} step */
  #isMade({ ply, pass }) {
    const { passes, start } = this.known;
    return ply < 0 ? start !== null : (passes[ply] ?? 0) >= pass;
  }

  async #make() {
    this.#left = this.plan.filter((step) => !this.#isMade(step));
    try {
      await Promise.all(team.map((one) => this.#makeWith(one)));
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.#left = [];
      this.emit("news", undefined);
    } finally {
      await keep(this.id, this.record, this.known);
      for (const one of team.slice(1)) one.close(); // frees their memory
    }
  }

  /** @param {import("../engine/engine.js").Engine} one */
  async #makeWith(one) {
    for (let step = this.#left.shift(); step; step = this.#left.shift()) {
      if (this.#isMade(step)) continue;
      const { ply, pass } = step;
      const { record } = this;
      const found = await one.work(ply < 0
        ? { name: "judge_start", args: { record, playouts: PLAYOUTS, seed: SEED } }
        : { name: "judge_ply", args: { record, ply, playouts: PASSES[pass - 1], seed: SEED } });
      if (found) await this.#take(step, found);
    }
  }

  /** @param {Step} step @param {Found} found */
  async #take({ ply, pass }, { decision, start }) {
    const { known } = this;
    if (start) known.start = start;
    else if (decision && !this.#isMade({ ply, pass })) {
      known.passes[ply] = pass;
      known.judged[ply] = known.decisions[ply] = decision;
    }
    await this.#assemble();
    this.#tell();
    this.emit("news", undefined);
    if (this.made % KEPT_EVERY === 0) keep(this.id, this.record, known);
  }

  /** Summarizes the decisions judged without a gap from the first one. */
  async #assemble() {
    const { judged, start, passes } = this.known;
    if (!start) return;
    const missing = [...Array(this.plies).keys()].find((ply) => !judged[ply]) ?? this.plies;
    const state = String(passes.slice(0, missing));
    if (state === this.#assembled) return;
    this.#assembled = state;
    const review = await engine.ask("review", { record: this.record, start, decisions: judged.slice(0, missing) });
    if (state !== this.#assembled) return; // a newer summary exists
    this.known.luck = review.luck;
    this.known.seats = review.seats;
    for (const decision of review.decisions) this.known.decisions[decision.ply] = decision;
  }

  /** Informs the other tabs. */
  #tell() {
    this.channel?.postMessage({ record: this.record, known: this.known });
  }

  /** Adopts another tab's progress if it is further. @param {Known | null} known */
  #learn(known) {
    const made = this.made;
    if (!known) return;
    const mine = this.known;
    this.known = known;
    if (this.made > made) this.emit("news", undefined);
    else this.known = mine;
  }
}
