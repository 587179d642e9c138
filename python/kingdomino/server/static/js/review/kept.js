/**
 * The reviews stored on this device. Without IndexedDB, reviews work but are not stored.
 */
import { done, transact } from "../net/database.js";

/**
 * @import { Known } from "./work.js"
 * @typedef {{id: string, release: string, record: string, known: Known, used: number}} Kept
 */

/** How many reviews to store, the last used ones. Each takes about 100 KB. */
const MOST = 50;
/** The most mistakes of a game, and the smallest cost of a mistake in points. */
const MOST_MISTAKES = 6;
const LEAST_POINTS = 2;
/** Another release's engine may judge differently. */
const RELEASE = import.meta.url;

/** The stored progress of a game's review, or null. @param {string} id @param {string} record @returns {Promise<Known | null>} */
export async function kept(id, record) {
  try {
    /** @type {Kept | undefined} */
    const found = await transact("reviews", "readonly", (store) => done(store.get(id)));
    return found?.release === RELEASE && found.record === record ? found.known : null;
  } catch {
    return null;
  }
}

/**
 * The complete reviews of this device by the id of their game, also from older releases; null for a review in an older
 * format.
 * @returns {Promise<Map<string, Kept | null>>}
 */
export async function allKept() {
  /** @type {Kept[]} */
  const rows = await transact("reviews", "readonly", (store) => done(store.getAll())).catch(() => []);
  const known = rows.filter((row) => isWhole(row) || row.release !== RELEASE); // otherwise unfinished
  return new Map(known.map((row) => [row.id, isWhole(row) ? row : null]));
}

/** @param {Kept} kept */
const isWhole = ({ record, known: { seats, decisions } }) => typeof record === "string" && seats.length > 0
  && seats.every(({ account }) => account)
  && decisions.every((one) => one && typeof one.cost_points === "number" && typeof one.round === "number" && one.theme !== undefined);

/** The mistakes of a seat, or of all seats, costliest first. @param {Pick<Known, "decisions">} known some may be missing @param {number | null} seat */
export const costliest = ({ decisions }, seat) => decisions
  .filter((one) => one && one.cost_points >= LEAST_POINTS && (seat ?? one.seat) === one.seat)
  .sort((one, other) => other.cost_points - one.cost_points || one.ply - other.ply).slice(0, MOST_MISTAKES);

/** Forgets all reviews. */
export async function forgetReviews() {
  try {
    await transact("reviews", "readwrite", (store) => done(store.clear()));
  } catch {
    /* there is no database */
  }
}

/** Stores a review's progress, and deletes the least recently used reviews. @param {string} id @param {string} record @param {Known} known */
export async function keep(id, record, known) {
  try {
    await transact("reviews", "readwrite", async (store) => {
      store.put({ id, release: RELEASE, record, known, used: Date.now() });
      const ids = await done(store.index("used").getAllKeys());
      for (const old of ids.slice(0, -MOST)) store.delete(old);
    });
  } catch {
    /* the database is full or forbidden */
  }
}
