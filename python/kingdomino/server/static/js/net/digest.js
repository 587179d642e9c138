/**
 * SHA-256 and HMAC (FIPS 180-4, RFC 2104). Not `crypto.subtle`, which browsers have only with HTTPS: many tables are on a
 * home network.
 */

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of 8 square roots. */
const PRIMES = primes(64);
const CONSTANTS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

/** @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let number = 2; found.length < count; number++) {
    if (found.every((prime) => number % prime)) found.push(number);
  }
  return found;
}

/** @param {number} root */
function fraction(root) {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The SHA-256 of some bytes. @param {Uint8Array} bytes */
export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 4, bytes.length * 8);
  const state = START.slice();
  for (let start = 0; start < padded.length; start += BLOCK) mix(state, view, start);
  const result = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => result.setUint32(4 * at, word));
  return new Uint8Array(result.buffer);
}

/** Mixes a block into the state. @param {Uint32Array} state @param {DataView} view @param {number} start */
function mix(state, view, start) {
  const words = new Uint32Array(64);
  for (let at = 0; at < 16; at++) words[at] = view.getUint32(start + 4 * at);
  for (let at = 16; at < 64; at++) {
    const [low, high] = [words[at - 15], words[at - 2]];
    const small = turned(low, 7) ^ turned(low, 18) ^ (low >>> 3);
    const large = turned(high, 17) ^ turned(high, 19) ^ (high >>> 10);
    words[at] = words[at - 16] + small + words[at - 7] + large;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let at = 0; at < 64; at++) {
    const one = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + one + ((e & f) ^ (~e & g)) + CONSTANTS[at] + words[at]) | 0;
    const zero = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (zero + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => { state[at] += word; });
}

/** SHA-256, applied several times. @param {Uint8Array} bytes @param {number} times */
export function hashed(bytes, times) {
  for (let done = 0; done < times; done++) bytes = sha256(bytes);
  return bytes;
}

/** @param {Uint8Array} key at most 64 bytes @param {string} text */
export function hmac(key, text) {
  const pad = (/** @type {number} */ byte, /** @type {Uint8Array} */ rest) => {
    const bytes = new Uint8Array(BLOCK + rest.length).fill(byte, 0, BLOCK);
    key.forEach((one, at) => { bytes[at] ^= one; });
    bytes.set(rest, BLOCK);
    return sha256(bytes);
  };
  return pad(0x5c, pad(0x36, utf8(text)));
}

/** @param {string} text */
export const utf8 = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} bytes */
export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {string} hex */
export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
