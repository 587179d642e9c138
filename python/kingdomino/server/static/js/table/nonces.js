/**
 * This browser's part in the deal (docs/formats/table.md, "The deal"): it promises a nonce when it takes a seat, stores
 * the server's commitment and the other promises, and only then reveals the nonce.
 */
import { post } from "../net/api.js";
import { fromHex, hashed, toHex } from "../net/digest.js";
import { forgetSetting, loadSetting, saveSetting } from "../net/storage.js";

/**
 * Facts from before a game. `digests` and `nonces` (by seat, of this browser) are present once it has revealed a nonce.
 * @typedef {{table: string, game: number, commitment: string, digests?: (string | null)[],
 *   nonces?: {[seat: string]: string}}} Kept
 * Random bytes behind a promise, their table, and the last game that used them.
 * @typedef {{digest: string, bytes: string, table?: string, game?: number}} Source
 * A game with a revealed nonce, until this browser sees it begin; `at`: when, in milliseconds since 1970.
 * @typedef {{table: string, game: number, commitment: string, at: number}} Unbegun
 * @import { Table } from "../net/types.js"
 */

/** The most games of a table. The nonce of game g is SHA-256 applied `GAMES` - g times to the random bytes. */
const GAMES = 3;
const MOST_KEPT = 100;
/** Enough for a table that waits for days while its host plays quick games. */
const MOST_SOURCES = 300;
const MOST_UNBEGUN = 20;
/** The last handled state, to avoid reading storage at each move. */
let done = "";

/**
 * The digest that promises a nonce: for a request that takes a seat. None without local storage, because the next
 * page would not know the nonce.
 */
export function promiseNonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const digest = toHex(hashed(bytes, GAMES));
  saveSetting("nonces", [...sources(), { digest, bytes: toHex(bytes) }].slice(-MOST_SOURCES));
  return sources().some((source) => source.digest === digest) ? digest : null;
}

/**
 * Stores the promises of a table before a game, and reveals this browser's nonces when they are due. Call it for each new
 * state of a table.
 * @param {Table} table
 * @param {number[]} seats of this browser
 */
export async function takePart(table, seats) {
  const { id, commitment, digests } = table;
  const game = committedGame(table);
  const now = JSON.stringify([id, table.state, commitment, digests, seats]);
  if (now === done) return;
  done = now;
  unbegunGames().filter((one) => one.table === id && one.game <= table.game).forEach(settleGame);
  if (!commitment || !game || !seats.length) return;
  const seen = kept(id, game) ?? keep({ table: id, game, commitment });
  if (table.state !== "drawing" || seen.commitment !== commitment) return;
  for (const seat of seats) {
    if (table.nonces[seat] || seen.nonces?.[seat]) continue;
    const nonce = nonceOf(digests[seat], id, game);
    if (!nonce) continue;
    // Store first, then reveal: from now on this browser notices a change of the other digests.
    const before = kept(id, game);
    keep({ table: id, game, commitment, digests: before?.digests ?? digests, nonces: { ...before?.nonces, [seat]: nonce } });
    saveUnbegun([...unbegunGames(), { table: id, game, commitment, at: Date.now() }]);
    try {
      await post("/api/tables/{table}/nonce", { table: id }, { game, nonce });
    } catch {
      /* too late, or the server is away: the game begins without it */
    }
  }
}

/** The games for which this browser revealed a nonce and that it has not seen begin. @returns {Unbegun[]} */
export const unbegunGames = () => /** @type {Unbegun[] | undefined} */ (loadSetting("unbegun")) ?? [];

/** Forgets that a game has not begun. @param {Pick<Unbegun, "table" | "game">} settled */
export const settleGame = (settled) =>
  saveUnbegun(unbegunGames().filter(({ table, game }) => table !== settled.table || game !== settled.game));

/** @param {Unbegun[]} games */
function saveUnbegun(games) {
  if (games.length) saveSetting("unbegun", games.slice(-MOST_UNBEGUN));
  else forgetSetting("unbegun");
}

/** The stored facts of a game. @param {string} table @param {number} game */
export const kept = (table, game) => allKept().find((one) => one.table === table && one.game === game);

/** The number of the committed, unfinished game; 0: none. @param {Table} table */
function committedGame({ state, game }) {
  if (state === "over" || state === "closed") return 0;
  return state === "playing" ? game : game + 1;
}

/**
 * The nonce of a digest, if it is this browser's. Only one table gets it, and no earlier game's nonce after a later
 * game's, from which anyone can compute it.
 * @param {string | null} digest
 * @param {string} table
 * @param {number} game
 */
function nonceOf(digest, table, game) {
  const all = sources();
  const source = all.find((one) => one.digest === digest);
  if (!source || (source.table ?? table) !== table || (source.game ?? 0) >= game) return null;
  source.table = table;
  source.game = game;
  saveSetting("nonces", all);
  return toHex(hashed(fromHex(source.bytes), GAMES - game));
}

/** @param {Kept} entry */
function keep(entry) {
  const others = allKept().filter(({ table, game }) => table !== entry.table || game !== entry.game);
  saveSetting("deals", [...others, entry].slice(-MOST_KEPT));
  return entry;
}

/** @returns {Kept[]} */
const allKept = () => /** @type {Kept[] | undefined} */ (loadSetting("deals")) ?? [];

/** @returns {Source[]} */
const sources = () => /** @type {Source[] | undefined} */ (loadSetting("nonces")) ?? [];
