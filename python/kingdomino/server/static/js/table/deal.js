/**
 * Computes a deal from the server's secret and the players' nonces (docs/formats/table.md, "The deal"). Pure.
 */
import { fromHex, hashed, hmac, sha256, toHex, utf8 } from "../net/digest.js";

/**
 * @import { Proof, Rules, Start, Table } from "../net/types.js"
 * @typedef {object} Drawn the parameters of the deal
 * @property {Pick<Rules, "players" | "dominoes" | "line" | "to_draw" | "snake">} rules
 * @property {Pick<Start, "unseen" | "in_deck" | "to_draw"> | null} start
 */

const DOMINOES = 48;

/** Whether each nonce matches its digest. @param {Proof} proof @param {number} game */
export const areAsPromised = ({ digests, nonces }, game) =>
  nonces.every((nonce, seat) => nonce === null || toHex(hashed(fromHex(nonce), game)) === digests[seat]);

/**
 * The commitment to a secret.
 * @param {Pick<Table, "id" | "rules" | "start">} table
 * @param {number} game
 * @param {Proof} proof
 */
export function commitmentTo({ id, rules, start }, game, { seats, secret }) {
  const lines = seats.map((seat, at) => `seat ${at} ${seat}\n`).join("");
  const from = start ? `start ${start.position}\n` : "";
  return digest(`kingdomino-deal 2\ntable ${id}\ngame ${game}\nrules ${rules.text}\n${from}${lines}secret ${secret}\n`);
}

/**
 * Draws the deck and the kings.
 * @param {Drawn} table
 * @param {string} commitment
 * @param {Proof} proof
 */
export function draw({ rules, start }, commitment, { secret, nonces }) {
  const lines = nonces.map((nonce, seat) => `nonce ${seat} ${nonce ?? "none"}\n`).join("");
  const below = numbers(hmac(fromHex(secret), `kingdomino-draw 2\ncommitment ${commitment}\n${lines}`));
  const all = shuffled(start ? [...start.unseen] : Array.from({ length: DOMINOES }, (_, at) => at + 1), below);
  const deck = [];
  for (let first = 0; first < (start?.in_deck ?? rules.dominoes); first += rules.line) {
    deck.push(...all.slice(first, first + rules.line).sort((one, other) => one - other));
  }
  const kings = (start ?? rules).to_draw;
  const isSnake = kings.length > 0 && rules.snake.length > 0;
  return { deck, opening: isSnake ? rules.snake[below(rules.players)] : shuffled([...kings], below) };
}

/** A function that draws a uniform random number below a limit. @param {Uint8Array} key */
function numbers(key) {
  let block = new DataView(new ArrayBuffer(0));
  let at = 0;
  let count = 0;
  return (/** @type {number} */ limit) => {
    for (;;) {
      if (at === block.byteLength) {
        block = new DataView(hmac(key, `block ${count}`).buffer);
        at = 0;
        count += 1;
      }
      const word = block.getUint32(at);
      at += 4;
      if (word < 2 ** 32 - (2 ** 32 % limit)) return word % limit;
    }
  };
}

/** Shuffles in place. @param {number[]} items @param {(limit: number) => number} below */
function shuffled(items, below) {
  for (let last = items.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [items[last], items[other]] = [items[other], items[last]];
  }
  return items;
}

/** @param {string} text */
const digest = (text) => toHex(sha256(utf8(text)));
