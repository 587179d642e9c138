/**
 * Kingdomino: its rules, bots and search. Positions, kingdoms, games and actions have a text, and everything else is a
 * plain value; engine.js and calls.d.ts have the calls.
 *
 * @import { Analysis, Calls, Event, Found, Kingdom, Outcome, PlayoutResult, Position, Review, Rules as RulesValue } from "./calls.js"
 */
import { EngineError, instantiate } from "./engine.js";

export { EngineError };

const address = new URL("kingdomino.wasm", import.meta.url);
const bytes =
  address.protocol === "file:"
    ? await (await import("node:fs/promises")).readFile(address)
    : await (await fetch(address)).arrayBuffer();

/** Call the engine by name, as the classes below do. */
export const call = await instantiate(await WebAssembly.compile(bytes));

/** A rules set, by its text: players, edition, opening and variants, like `2.second.random.harmony`. */
export class Rules {
  /** @param {string} text */
  constructor(text) {
    /** Its facts. @type {RulesValue} */
    this.facts = call("rules", { rules: text });
    this.text = text;
  }

  /** Every rules set. */
  static all() {
    return call("all_rules", {});
  }

  toString() {
    return this.text;
  }
}

/** A game: a position, the rest of the deck, and the events so far. */
export class Game {
  #game;

  /** Begin a game; the seed determines the deck. @param {Rules | string} [rules] @param {number | string} [seed] */
  constructor(rules = "2.second.random", seed = Math.floor(Math.random() * 2 ** 53)) {
    this.#game = call("new_game", { rules: String(rules), seed });
  }

  /** Read a record. @param {string} record */
  static read(record) {
    const game = new Game();
    game.#game = call("read_game", { record });
    return game;
  }

  /** Everything that all players can see. @returns {Position} */
  get position() {
    return this.#game.position;
  }

  /** The record, with the rest of the deck. */
  get record() {
    return this.#game.record;
  }

  get isOver() {
    return this.position.phase === "over";
  }

  /** How it ended; null until then. @returns {Outcome | null} */
  get outcome() {
    return this.position.outcome;
  }

  get legalActions() {
    return this.position.actions;
  }

  /** Play an action, and return its events. @param {string} action @returns {Event[]} */
  play(action) {
    this.#game = call("play", { record: this.record, action });
    return this.#game.steps[0].events;
  }

  /** Take the last action back. */
  undo() {
    this.#game = call("undo", { record: this.record });
  }
}

/** A search for the best action. It stays in memory until it is freed. */
export class Search {
  #number;

  /**
   * @param {Position | string} position
   * @param {{seed?: number | string, actions?: string[], tree?: number}} [options] `actions` compares these alone; `tree`
   *   is the number of the tree that a worker grows
   */
  constructor(position, { seed = 0, ...options } = {}) {
    this.#number = call("search", { position: textOf(position), seed, ...options });
  }

  /**
   * Search on, and return why it stopped: `limit`, `full`, `solved`, or `stopped` if an ending is not solved yet. Call
   * it repeatedly with few playouts to do other work in between. @param {number} playouts @param {number} [nodes]
   */
  run(playouts, nodes) {
    return call("run", { search: this.#number, playouts, nodes });
  }

  /** Its results, the best action first. @returns {Analysis} */
  analysis() {
    return call("analysis", { search: this.#number });
  }

  /** The best action so far. */
  get best() {
    return this.analysis().actions[0]?.action ?? null;
  }

  /** The results of each tree, for `merge`. */
  sums() {
    return call("sums", { search: this.#number });
  }

  /** Continue after an action, with the results there. @param {string} action */
  advance(action) {
    return call("advance", { search: this.#number, action });
  }

  free() {
    call("free", { search: this.#number });
  }
}

/** Merge the results of a search's trees. @param {Calls["merge"]["arguments"]["trees"]} trees */
export const merge = (trees) => call("merge", { trees });

/**
 * Review a record: the cost of each decision, and the luck. It takes a second for every two decisions.
 *
 * @param {string} record
 * @param {{playouts?: number, seed?: number | string, onDecision?: (ply: number, plies: number) => void}} [options]
 *   `playouts` for each decision; `onDecision` is called before each
 * @returns {Review}
 */
export function review(record, { playouts = 12_000, seed = 0, onDecision } = {}) {
  const plies = call("read_record", { record }).actions.length;
  const { start } = finish(call("judge_start", { record, playouts, seed }));
  const decisions = Array.from({ length: plies }, (_, ply) => {
    onDecision?.(ply, plies);
    return finish(call("judge_ply", { record, ply, playouts, seed })).decision;
  });
  return call("review", { record, start, decisions });
}

/** Do all of some work. @param {number} work @returns {Found} */
function finish(work) {
  let found;
  while (!found) found = call("work", { work, playouts: 1000 });
  return found;
}

/** Read a kingdom and score it. @param {string} text @param {Rules | string} [rules] @returns {Kingdom} */
export const kingdom = (text, rules = "2.second.random") => call("kingdom", { kingdom: text, rules: String(rules) });

/** Return the action that a policy chooses. @param {Position | string} position @param {string} [policy] @param {number | string} [seed] */
export const choose = (position, policy = "tuned", seed = 0) => call("choose", { position: textOf(position), policy, seed });

/**
 * Play a position to its end n times, and return the statistics.
 *
 * @param {Position | string} position @param {number} [n] @param {string} [policy] @param {number | string} [seed] @returns {PlayoutResult}
 */
export const playouts = (position, n = 1000, policy = "random", seed = 0) =>
  call("playouts", { position: textOf(position), n, policy, seed });

/** @param {Position | string} position */
const textOf = (position) => (typeof position === "string" ? position : position.text);
