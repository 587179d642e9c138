/**
 * The engine: an instance of the WebAssembly module, called with values.
 *
 * @import { Calls, Failure } from "./calls.js"
 * @typedef {{memory: WebAssembly.Memory, input(length: number): number, call(): number, output(): number}} Exports
 * @typedef {<Name extends keyof Calls>(name: Name, args: Calls[Name]["arguments"]) => Calls[Name]["answer"]} Engine
 */

/** What the engine refuses, or cannot read. */
export class EngineError extends Error {
  /** @param {Failure} failure */
  constructor({ message, refusal }) {
    super(message);
    this.name = "EngineError";
    /** Why an action is refused, if one is. */
    this.refusal = refusal;
  }
}

/** Make an engine of a compiled module. @param {WebAssembly.Module} module @returns {Promise<Engine>} */
export async function instantiate(module) {
  const instance = await WebAssembly.instantiate(module, {});
  const { memory, input, call, output } = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return (name, args) => {
    const asked = encoder.encode(JSON.stringify({ name, arguments: args }));
    const place = input(asked.length); // may let the memory grow, which makes a new buffer
    new Uint8Array(memory.buffer, place, asked.length).set(asked);
    const length = call();
    const told = JSON.parse(decoder.decode(new Uint8Array(memory.buffer, output(), length)));
    if (told.failure) throw new EngineError(told.failure);
    return told.answer;
  };
}
