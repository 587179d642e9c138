/**
 * The engine of a page that plays, in a worker that the first request starts. If the worker ends, its pending requests
 * fail with one sentence, and the next request starts another worker. `study.js` has the engine with all calls.
 *
 * Each engine has a worker and memory of its own, so that several work at the same time, also on one search.
 */
import { t } from "../i18n/locale.js";

/**
 * @import { Analysis, Calls, Failure, Found as Judged, PlayCalls, TreeSums } from "../../engine/calls.js"
 * @import { Ask } from "../local/log.js"
 *
 * @typedef {object} SearchTask what to think about
 * @property {string} position
 * @property {{position: string, action: string}} [after] the previous position, whose tree may contain this one
 * @property {number} [seed]
 * @property {number} [playouts] the limit; by default the trees fill up
 * @typedef {SearchTask & {tree: number, trees: number}} Share one tree of a search
 * @typedef {{trees: TreeSums[], solved: Analysis | null, isWhole: boolean}} Grown `isWhole`: the tree needs no more work
 * @typedef {{analysis: Analysis, isWhole: boolean, isShort: boolean}} Found `isWhole`: searching on would change nothing;
 *   `isShort`: an engine has ended
 * @typedef {{[K in "judge" | "judge_ply" | "judge_start"]: {name: K, args: Calls[K]["arguments"]}}["judge" | "judge_ply" | "judge_start"]} Work
 * @typedef {{id: number, name: keyof Calls, args: Calls[keyof Calls]["arguments"], share?: Share, work?: Work, toSearch?: string}} Request
 *
 * @typedef {object} Waiting
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {((progress: Grown) => void) | undefined} report
 */

/** Milliseconds of silence until a busy worker gets a ping, and then until it counts as dead. */
const SILENCE = 5000;
/** The same for a worker without any message yet: its files may load slowly. */
const START = 60_000;
/** Milliseconds between two reports of a search. */
const REPORT = 250;

/** The engine refused a request, or could not read it: its sentence, and the faults. */
export class EngineRefusal extends Error {
  /** @param {Failure} failure */
  constructor({ message, faults, number, refusal }) {
    super(message);
    this.faults = faults;
    this.number = number;
    this.why = refusal;
  }
}

/** There is no engine. The message is a sentence for the user. */
export class NoEngine extends Error {
  /** @param {"none" | "unbuilt" | "missing" | "misfit" | "died"} why */
  constructor(why) {
    super(t(`engine.${why}`));
    this.why = why;
  }
}

/** @template {keyof Calls} [Known=keyof PlayCalls] the calls of its file */
export class Engine {
  #file;
  /** @type {Worker | null} */
  #worker = null;
  /** Whether the worker has sent a message. */
  #isHeard = false;
  #last = 0;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #watch;

  /** @param {string} file without its ending */
  constructor(file = "play") {
    this.#file = file;
  }

  /**
   * @template {Known} Name
   * @param {Name} name
   * @param {Calls[Name]["arguments"]} args
   * @returns {Promise<Calls[Name]["answer"]>}
   */
  ask(name, args) {
    return this.#request({ name, args });
  }

  /**
   * Loads the network that a search of this position needs. A search does so too, but then its time has begun.
   * @param {string} toSearch
   * @returns {Promise<void>}
   */
  loadNetwork(toSearch) {
    return this.#request({ toSearch });
  }

  /**
   * Grows one tree of a search.
   * @param {Share} share
   * @param {(progress: Grown) => void} report called a few times a second
   * @param {AbortSignal} signal stops it; the answer is the result so far
   * @returns {Promise<Grown>}
   */
  grow(share, report, signal) {
    return this.#stoppable({ share }, report, signal);
  }

  /**
   * Judges something to its end.
   * @param {Work} work
   * @param {AbortSignal} [signal] stops it; the answer is null
   * @returns {Promise<Judged | null>}
   */
  work(work, signal) {
    return this.#stoppable({ work }, undefined, signal);
  }

  /** Starts the worker early, so that the first request does not wait for it. If it fails, the requests report it. */
  prepare() {
    try {
      this.#worker ??= this.#start();
    } catch {
      // workers are not allowed here
    }
  }

  /** Ends the worker and its requests. */
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
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: this.#file });
    this.#isHeard = false;
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    // A file failed to load, or an error happened outside all requests.
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

  /** Waits for a sign of life while requests are pending. The ping gives the worker time after the machine slept. */
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

/** Asks the engine of this page. @type {Ask} */
export const ask = (name, args) => engine.ask(name, args);

/**
 * Searches until `signal` stops it, or until there is nothing more to find. Each engine grows its own tree; the answer
 * merges all trees. If an engine ends, the others go on.
 * @param {readonly Engine[]} engines
 * @param {SearchTask} task
 * @param {(progress: Found) => void} [report] called a few times a second
 * @param {AbortSignal} [signal] stops it; the answer is the result so far
 * @returns {Promise<Found>}
 */
export async function searchWith(engines, task, report, signal) {
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
    grown[tree] = await one.grow({ ...task, tree, trees: engines.length }, async (part) => {
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

/**
 * Searches with the engine of this page, no longer than this. The time begins once the network is loaded.
 * @param {SearchTask} task
 * @param {number} time in milliseconds
 */
export async function searchFor(task, time) {
  await engine.loadNetwork(task.position);
  return searchWith([engine], task, undefined, AbortSignal.timeout(time));
}
