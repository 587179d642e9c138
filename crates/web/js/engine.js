/**
 * The engine: an instance of the WebAssembly module, called with values.
 *
 * @import { Calls, Failure } from "./calls.js"
 * @typedef {{memory: WebAssembly.Memory, start(restarts: number): void, input(length: number): number, call(): void,
 *   output(): number, length(): number}} Exports
 * @typedef {<Name extends keyof Calls>(name: Name, args: Calls[Name]["arguments"]) => Calls[Name]["answer"]} Engine
 */

/** The engine refused a request, or could not read it. */
export class EngineError extends Error {
  /** @param {string} message @param {Failure | null} failure @param {ErrorOptions} [options] */
  constructor(message, failure, options) {
    super(message, options);
    this.name = "EngineError";
    /** The refusal of an action, if there is one. */
    this.refusal = failure?.refusal ?? null;
    /** Everything that is wrong, as the call gave it; null if the engine itself has failed. */
    this.failure = failure;
  }
}

/**
 * Make an engine of a compiled module. If a call fails inside, by an error of the engine or for lack of memory, the next
 * one finds a new instance, without the searches of the old one.
 *
 * @param {WebAssembly.Module} module @returns {Promise<Engine>}
 */
export async function instantiate(module) {
  let exports = started(await WebAssembly.instantiate(module), 0);
  let restarts = 0;
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  const answer = () => decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), exports.length()));
  return (name, args) => {
    const asked = encoder.encode(JSON.stringify({ name, arguments: args }));
    let answered;
    try {
      const place = exports.input(asked.length); // may let the memory grow, which makes a new buffer
      new Uint8Array(exports.memory.buffer, place, asked.length).set(asked);
      exports.call();
      answered = JSON.parse(answer());
    } catch (cause) {
      const why = answer() || "it ran out of memory";
      exports = started(new WebAssembly.Instance(module), ++restarts);
      throw new EngineError(`the engine failed and began anew, without its searches: ${why}`, null, { cause });
    }
    if (answered.failure) throw new EngineError(answered.failure.message, answered.failure);
    return answered.answer;
  };
}

/** @param {WebAssembly.Instance} instance @param {number} restarts */
function started(instance, restarts) {
  const exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  exports.start(restarts);
  return exports;
}
