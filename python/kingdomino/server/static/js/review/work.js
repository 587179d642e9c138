/**
 * The review of a game, made on this device: every decision is judged roughly, then closely, by a few engines at a time.
 * What is known is kept, and a review that was left goes on where it was. Of several tabs with the same game one works,
 * and tells the others.
 */
import { study } from "../analysis/study.js";
import { Emitter } from "../draw/dom.js";
import { engine, team } from "../engine/engine.js";
import { keep, kept } from "./kept.js";

/**
 * @import { Decision, Found, Luck, SeatReview, Value } from "../../engine/calls.js"
 *
 * @typedef {object} Known what is known of a review
 * @property {Decision[]} judged each decision as it was judged, by ply; some may be missing
 * @property {number[]} passes how often each decision was judged
 * @property {Value | null} start what the game was worth to each seat before it began
 * @property {Decision[]} decisions as they are shown: the last of a game lead to its result
 * @property {Luck[]} luck
 * @property {SeatReview[]} seats
 *
 * @typedef {{ply: number, pass: number}} Step to judge a decision; at ply -1 to value the beginning
 */

/** As `kingdomino review`, whose results are the same. */
const SEED = 0;
const PLAYOUTS = 12_000;
/** How closely a try is judged. */
export const CLOSELY = { playouts: PLAYOUTS, seed: SEED };
/** The playouts of a decision in each pass. */
const PASSES = [PLAYOUTS / 4, PLAYOUTS];
/** Steps after which it is kept. */
const KEPT_EVERY = 8;

/** @extends {Emitter<{news: undefined}>} */
export class ReviewWork extends Emitter {
  /** @type {Known} */
  known = { judged: [], passes: [], start: null, decisions: [], luck: [], seats: [] };
  /** Why it does not go on. @type {Error | null} */
  failure = null;
  /** The text of the position before each decision. @type {Promise<string[]> | null} */
  #positions = null;
  /** @type {Step[]} */
  #left = [];
  /** The decisions from the first one on that were put together, and how often each was judged. */
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
    // The first figure comes at once; the beginning, without which luck is not known, right after it.
    const plan = [first, -1, ...others].map((ply) => ({ ply, pass: 1 }));
    this.plan = [...plan, ...[...Array(plies).keys()].map((ply) => ({ ply, pass: 2 }))];
    this.channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`review ${id}`);
    this.channel?.addEventListener("message", ({ data }) => {
      if (data.record !== this.record) return;
      if (data.known) this.#learn(data.known);
      else if (this.made) this.#tell(); // it was asked
    });
  }

  get steps() {
    return this.plan.length;
  }

  /** How many of the steps are made. */
  get made() {
    const { passes, start } = this.known;
    return passes.reduce((sum, one) => sum + one, start ? 1 : 0);
  }

  get isOver() {
    return this.made === this.steps;
  }

  /** Begins, or goes on. */
  async open() {
    this.failure = null;
    this.#learn(await kept(this.id, this.record));
    if (this.isOver) return;
    this.channel?.postMessage({ record: this.record });
    // Browsers have locks with HTTPS only, and on this machine. Without, each tab works.
    if (navigator.locks) await navigator.locks.request(`review ${this.id}`, () => this.#make());
    else await this.#make();
  }

  /** What another action would have cost, with the same random numbers. @param {number} ply @param {string} action */
  async judge(ply, action) {
    const found = await engine.work({ name: "judge_ply", args: { record: this.record, ply, action, ...CLOSELY } });
    if (!found?.decision) throw new Error("the judgement was stopped");
    return found.decision;
  }

  /** The position before a decision, with what could have been chosen. @param {number} ply */
  async position(ply) {
    this.#positions ??= engine.ask("read_record", { record: this.record }).then(({ positions }) => positions);
    this.#positions.catch(() => { this.#positions = null; });
    return study((await this.#positions)[ply]);
  }

  /** Whether a step is made; perhaps by another tab. @param {Step} step */
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
      for (const one of team.slice(1)) one.close(); // their memory
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

  /** Puts together what is known from the first decision on. */
  async #assemble() {
    const { judged, start, passes } = this.known;
    if (!start) return;
    const missing = [...Array(this.plies).keys()].find((ply) => !judged[ply]) ?? this.plies;
    const state = String(passes.slice(0, missing));
    if (state === this.#assembled) return;
    this.#assembled = state;
    const review = await engine.ask("review", { record: this.record, start, decisions: judged.slice(0, missing) });
    if (state !== this.#assembled) return; // another came first
    this.known.luck = review.luck;
    this.known.seats = review.seats;
    for (const decision of review.decisions) this.known.decisions[decision.ply] = decision;
  }

  /** Tells the other tabs. */
  #tell() {
    this.channel?.postMessage({ record: this.record, known: this.known });
  }

  /** Takes over what another tab knows, if that is more. @param {Known | null} known */
  #learn(known) {
    const made = this.made;
    if (!known) return;
    const mine = this.known;
    this.known = known;
    if (this.made > made) this.emit("news", undefined);
    else this.known = mine;
  }
}
