/**
 * The engine of the page, in a worker that the first request starts. If the worker ends, all that was asked of it fails
 * with one sentence, and the next request starts another.
 *
 * Several engines have a worker and a memory each, so that they work at the same time.
 */
import { t } from "../i18n/locale.js";

/**
 * @import { Analysis, Calls, Failure, Found as Judged } from "../../engine/calls.js"
 *
 * @typedef {object} Thought what to think about
 * @property {string} position
 * @property {{position: string, action: string}} [after] the position before, whose tree may have a part for this one
 * @property {number} [seed]
 * @property {number} [playouts] after which it ends; else when the tree is full
 * @typedef {{analysis: Analysis, isWhole: boolean}} Found `isWhole`: thinking on would change nothing
 * @typedef {{[K in "judge" | "judge_ply" | "judge_start"]: {name: K, args: Calls[K]["arguments"]}}["judge" | "judge_ply" | "judge_start"]} Work
 * @typedef {{id: number, name: keyof Calls, args: Calls[keyof Calls]["arguments"], thought?: Thought, work?: Work}} Request
 *
 * @typedef {object} Waiting
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {((progress: Analysis) => void) | undefined} report
 */

/** Milliseconds without a word after which a worker that works is asked whether it is alive, and given up. */
const SILENCE = 5000;

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
   * Thinks until `signal` stops it, or until nothing more can be found.
   * @param {Thought} thought
   * @param {(progress: Analysis) => void} [report] called a few times a second
   * @param {AbortSignal} [signal] stops it: what is known then is the answer
   * @returns {Promise<Found>}
   */
  think(thought, report, signal) {
    return this.#stoppable({ thought }, report, signal);
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
    worker.onmessage = ({ data }) => worker === this.#worker && this.#hear(data);
    // A file that did not come, or an error outside all requests.
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker === this.#worker) this.#end("missing");
    };
    return worker;
  }

  /** @param {{id?: number, answer?: unknown, failure?: Failure, progress?: Analysis, ended?: NoEngine["why"]}} message */
  #hear({ id = 0, answer, failure, progress, ended }) {
    if (ended) return this.#end(ended);
    const waiting = this.#waiting.get(id);
    if (progress) waiting?.report?.(progress);
    else {
      this.#waiting.delete(id);
      if (failure) waiting?.reject(new EngineRefusal(failure));
    if (failure?.is_misuse) return this.#end("misfit");
      else waiting?.resolve(answer);
    }
    return this.#listen();
  }

  /** Waits for a sign of life as long as something is being worked on. After a sleep of the machine the worker has time, too. */
  #listen() {
    clearTimeout(this.#watch);
    if (!this.#waiting.size) return;
    this.#watch = setTimeout(() => {
      this.#worker?.postMessage({});
      this.#watch = setTimeout(() => this.#end("died"), SILENCE);
    }, SILENCE);
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
