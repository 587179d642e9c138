/**
 * The engine of the page, in a worker that the first request starts. If the worker ends, all that was asked of it fails
 * with one sentence, and the next request starts another.
 *
 * Several engines have a worker and a memory each, so that they work at the same time. A search may be theirs together.
 */
import { t } from "../i18n/locale.js";

/**
 * @import { Analysis, Calls, Failure, Found as Judged, TreeSums } from "../../engine/calls.js"
 * @import { Ask } from "../local/log.js"
 *
 * @typedef {object} Thought what to think about
 * @property {string} position
 * @property {{position: string, action: string}} [after] the position before, whose tree may have a part for this one
 * @property {number} [seed]
 * @property {number} [playouts] after which it ends; else when the trees are full
 * @typedef {Thought & {tree: number, trees: number}} Share of a thought: one of its trees
 * @typedef {{trees: TreeSums[], solved: Analysis | null, isWhole: boolean}} Grown `isWhole`: nothing is left to do for it
 * @typedef {{analysis: Analysis, isWhole: boolean, isShort: boolean}} Found `isWhole`: thinking on would change nothing;
 *   `isShort`: an engine has ended
 * @typedef {{[K in "judge" | "judge_ply" | "judge_start"]: {name: K, args: Calls[K]["arguments"]}}["judge" | "judge_ply" | "judge_start"]} Work
 * @typedef {{id: number, name: keyof Calls, args: Calls[keyof Calls]["arguments"], share?: Share, work?: Work}} Request
 *
 * @typedef {object} Waiting
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {((progress: Grown) => void) | undefined} report
 */

/** Milliseconds without a word after which a worker that works is asked whether it is alive, and given up. */
const SILENCE = 5000;
/** The same for a worker that has not spoken yet: its files may be on a slow way. */
const START = 60_000;
/** Milliseconds between two reports of a thought. */
const REPORT = 250;
const MOST_ENGINES = 4;

/** What the engine refuses, or cannot read: its sentence, and what is wrong. */
export class EngineRefusal extends Error {
  /** @param {Failure} failure */
  constructor({ message, faults, number, refusal }) {
    super(message);
    this.faults = faults;
    this.number = number;
    this.why = refusal;
  }
}

/** There is no engine. The message is a sentence for whoever waits for it. */
export class NoEngine extends Error {
  /** @param {"none" | "unbuilt" | "missing" | "misfit" | "died"} why */
  constructor(why) {
    super(t(`engine.${why}`));
    this.why = why;
  }
}

export class Engine {
  /** @type {Worker | null} */
  #worker = null;
  /** Whether the worker has spoken. */
  #isHeard = false;
  #last = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watch;

  /**
   * @template {keyof Calls} Name
   * @param {Name} name
   * @param {Calls[Name]["arguments"]} args
   * @returns {Promise<Calls[Name]["answer"]>}
   */
  ask(name, args) {
    return this.#request({ name, args });
  }

  /**
   * Grows one tree of a thought.
   * @param {Share} share
   * @param {(progress: Grown) => void} report called a few times a second
   * @param {AbortSignal} signal stops it: what is known then is the answer
   * @returns {Promise<Grown>}
   */
  grow(share, report, signal) {
    return this.#stoppable({ share }, report, signal);
  }

  /**
   * Judges something to its end.
   * @param {Work} work
   * @param {AbortSignal} [signal] stops it: then the answer is null
   * @returns {Promise<Judged | null>}
   */
  work(work, signal) {
    return this.#stoppable({ work }, undefined, signal);
  }

  /** Starts the worker, so that the first request does not wait for it. If it fails, the requests say so. */
  prepare() {
    try {
      this.#worker ??= this.#start();
    } catch {
      // workers are not allowed here
    }
  }

  /** Ends the worker, and whatever it works on. */
  close() {
    this.#end("died");
  }

  /** @param {Partial<Request>} request @param {Waiting["report"]} [report] @param {AbortSignal} [signal] @returns {Promise<any>} */
  #stoppable(request, report, signal) {
    const asked = this.#request(request, report);
    const id = this.#last;
    signal?.addEventListener("abort", () => this.#worker?.postMessage({ stop: id }));
    return asked;
  }

  /** @param {Partial<Request>} request @param {Waiting["report"]} [report] @returns {Promise<any>} */
  #request(request, report) {
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, report });
      if (typeof WebAssembly === "undefined") return this.#end("none");
      try {
        this.#worker ??= this.#start();
        this.#worker.postMessage({ id, ...request });
      } catch {
        return this.#end("none"); // workers are not allowed here
      }
      return this.#listen();
    });
  }

  #start() {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.#isHeard = false;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    // A file that did not come, or an error outside all requests.
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#end("missing");
    };
    return worker;
  }

  /** @param {{id?: number, answer?: unknown, failure?: Failure, progress?: Grown, ended?: NoEngine["why"]}} message */
  #hear({ id = 0, answer, failure, progress, ended }) {
    this.#isHeard = true;
    if (ended) return this.#end(ended);
    if (failure?.is_misuse) return this.#end("misfit");
    const waiting = this.#waiting.get(id);
    if (progress) waiting?.report?.(progress);
    else {
      this.#waiting.delete(id);
      if (failure) waiting?.reject(new EngineRefusal(failure));
      else waiting?.resolve(answer);
    }
    return this.#listen();
  }

  /** Waits for a sign of life as long as something is being worked on. After a sleep of the machine the worker has time, too. */
  #listen() {
    clearTimeout(this.#watch);
    if (!this.#waiting.size) return;
    const silence = this.#isHeard ? SILENCE : START;
    this.#watch = setTimeout(() => {
      this.#worker?.postMessage({});
      this.#watch = setTimeout(() => this.#end("died"), silence);
    }, silence);
  }

  /** @param {NoEngine["why"]} why */
  #end(why) {
    clearTimeout(this.#watch);
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new NoEngine(why));
  }
}

/** The engine of this page. */
export const engine = new Engine();

/** Asks it. @type {Ask} */
export const ask = (name, args) => engine.ask(name, args);

/** As many engines as work well at the same time, this one among them. */
export const team = Array.from(
  { length: Math.min(navigator.hardwareConcurrency || 1, MOST_ENGINES) }, (_, at) => (at ? new Engine() : engine));
/** Those that may think together: each keeps trees, and all of them at most 150 MB. */
export const thinkers = team.slice(0, 2);

/**
 * Thinks until `signal` stops it, or until nothing more can be found. Each engine grows a tree of its own; the answer is
 * what the trees have found together. If an engine ends, the others go on.
 * @param {readonly Engine[]} engines
 * @param {Thought} thought
 * @param {(progress: Found) => void} [report] called a few times a second
 * @param {AbortSignal} [signal] stops it: what is known then is the answer
 * @returns {Promise<Found>}
 */
export async function thinkWith(engines, thought, report, signal) {
  const stop = new AbortController();
  signal?.addEventListener("abort", () => stop.abort());
  /** @type {Grown[]} */
  const grown = [];
  let [isShort, isOver, reported] = [false, false, -Infinity];
  const known = async (/** @type {Engine} */ merging) => {
    const parts = grown.flat(); // without holes
    const solved = parts.find((part) => part.solved)?.solved;
    return solved ?? merging.ask("merge", { trees: parts.flatMap(({ trees }) => trees) });
  };
  const grow = async (/** @type {Engine} */ one, /** @type {number} */ tree) => {
    grown[tree] = await one.grow({ ...thought, tree, trees: engines.length }, async (part) => {
      grown[tree] = part;
      const now = performance.now();
      if (!report || now - reported < REPORT) return;
      reported = now;
      const analysis = await known(one).catch(() => null); // the end says why
      if (analysis && !isOver) report({ analysis, isWhole: false, isShort });
    }, stop.signal).catch((error) => { isShort = true; throw error; });
    if (grown[tree].solved) stop.abort();
    return one;
  };
  const ends = await Promise.allSettled(engines.map(grow));
  isOver = true;
  const alive = ends.find((end) => end.status === "fulfilled");
  if (!alive) throw /** @type {PromiseRejectedResult} */ (ends[0]).reason;
  const analysis = await known(alive.value);
  return { analysis, isWhole: analysis.exact || (!isShort && grown.every(({ isWhole }) => isWhole)), isShort };
}
