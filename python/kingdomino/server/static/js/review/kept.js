/**
 * What is known of reviews, kept on this device. Without IndexedDB nothing is kept, and everything works.
 */
import { done, transact } from "../net/database.js";

/**
 * @import { Known } from "./work.js"
 * @typedef {{id: string, release: string, record: string, known: Known, used: number}} Kept
 */

/** The reviews that stay: the ones that were used last, some 100 KB each. */
const MOST = 50;
/** The costliest decisions of a game, at most this many, and the points from which on a decision is one of them. */
const MOST_MISTAKES = 6;
const LEAST_POINTS = 2;
/** The engine of another release may judge otherwise. */
const RELEASE = import.meta.url;

/** What is known of a game's review; null if nothing is. @param {string} id @param {string} record @returns {Promise<Known | null>} */
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
 * The complete reviews of this device, also those of an older release, by the id of their game; null for those that an older
 * release made in another form.
 * @returns {Promise<Map<string, Kept | null>>}
 */
export async function allKept() {
  /** @type {Kept[]} */
  const rows = await transact("reviews", "readonly", (store) => done(store.getAll())).catch(() => []);
  const known = rows.filter((row) => isWhole(row) || row.release !== RELEASE); // else it is under way
  return new Map(known.map((row) => [row.id, isWhole(row) ? row : null]));
}

/** @param {Kept} kept */
const isWhole = ({ record, known: { seats, decisions } }) => typeof record === "string" && seats.length > 0
  && seats.every(({ account }) => account)
  && decisions.every((one) => one && typeof one.cost_points === "number" && typeof one.round === "number" && one.theme !== undefined);

/** The costliest decisions of a seat, or of all, the costliest first. @param {Pick<Known, "decisions">} known some may be missing @param {number | null} seat */
export const costliest = ({ decisions }, seat) => decisions
  .filter((one) => one && one.cost_points >= LEAST_POINTS && (seat ?? one.seat) === one.seat)
  .sort((one, other) => other.cost_points - one.cost_points || one.ply - other.ply).slice(0, MOST_MISTAKES);

/** Forgets all reviews. */
export async function forgetReviews() {
  try {
    await transact("reviews", "readwrite", (store) => done(store.clear()));
  } catch {
    /* nothing is kept */
  }
}

/** Keeps what is known, and forgets what was left unused for longest. @param {string} id @param {string} record @param {Known} known */
export async function keep(id, record, known) {
  try {
    await transact("reviews", "readwrite", async (store) => {
      store.put({ id, release: RELEASE, record, known, used: Date.now() });
      const ids = await done(store.index("used").getAllKeys());
      for (const old of ids.slice(0, -MOST)) store.delete(old);
    });
  } catch {
    /* it is full or not allowed */
  }
}
