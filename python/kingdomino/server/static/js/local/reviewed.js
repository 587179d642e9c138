/**
 * A person's games with a review on this device.
 */
import { HAS_SERVER } from "../net/address.js";
import { get } from "../net/api.js";
import { allKept } from "../review/kept.js";
import { findSent, gamesHere, together } from "./games.js";

/**
 * @import { Played } from "../net/types.js"
 * @import { Kept } from "../review/kept.js"
 * @import { ReviewedGame } from "./points.js"
 * @typedef {Map<string, Kept | null>} Reviews
 * @typedef {ReviewedGame & {record: string, played: Played}} Reviewed
 */

/** The key of a game's review. @param {{id: string}} game @param {number} number in a Dynasty */
export const keyOf = ({ id }, number) => `${id}#${number}`;

/** Finished games in which you have one seat, newest first, and the reviews of this device. Without the server, only this device's games. */
export async function readReviewed() {
  const { finished } = await gamesHere();
  const theirs = HAS_SERVER ? await get("/api/me/games", {}).catch(() => null) : null;
  const all = together(findSent(finished, theirs?.games ?? []), theirs, (before) => get("/api/me/games", { before }));
  while (!all.isWhole) await all.more();
  const games = all.games.filter(({ outcome, seats, scores }) => outcome !== "unfinished" && seats.length === 1 && scores.length);
  return { games, reviews: await allKept() };
}

/** Selects the reviewed games. @param {readonly Played[]} games @param {Reviews} reviews @returns {Reviewed[]} */
export const reviewedOf = (games, reviews) => games.flatMap((played) => played.scores.flatMap((_, at) => {
  const kept = reviews.get(keyOf(played, at + 1));
  if (!kept) return [];
  const { record, known: { decisions } } = kept;
  return [{ id: played.id, number: at + 1, ended: played.ended, seat: played.seat, decisions, record, played }];
}));
