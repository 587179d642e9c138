/**
 * Checks that a game was played with the deal that the table committed to before the first king was drawn
 * (docs/formats/table.md, "The deal, and how to check it").
 */
import { post, RequestError } from "../net/api.js";
import { eventsOfGame, readEvents } from "../net/events.js";

/**
 * @import { TableEvent } from "../net/events.js"
 * @import { DeckRevealed, Table } from "../net/types.js"
 */

/**
 * Compares the commitment with the deal that was revealed, and the deal with the game that was played. The digest is
 * computed here; in a browser that cannot do it (without HTTPS), the server is asked.
 * @param {Table} table
 * @param {DeckRevealed} deal of its last game, which is over
 * @returns {Promise<"holds" | "holds_server" | "other_digest" | "other_game">}
 */
export async function checkDeal({ id, rules, commitment }, deal) {
  const events = eventsOfGame(await readEvents(id), deal.game);
  const promised = events.flatMap((event) => (event.kind === "dealt" ? [event.commitment] : []));
  if (promised[0] !== commitment) return "other_digest";
  if (!wasPlayed(deal, events)) return "other_game";
  if (!crypto.subtle) return (await askServer(id, deal)) === commitment ? "holds_server" : "other_digest";
  return (await digest(textOf(rules.text, deal))) === commitment ? "holds" : "other_digest";
}

/** The address of the record of a finished game. @param {string} id @param {DeckRevealed} deal */
export const recordPath = (id, deal) => `/api/tables/${id}/record?game=${deal.game}`;

/** Whether the lines and the kings came up as in the deal. @param {DeckRevealed} deal @param {TableEvent[]} events */
function wasPlayed(deal, events) {
  const lines = events.flatMap((event) => (event.kind === "revealed" ? event.line : []));
  const kings = events.flatMap((event) => (event.kind === "king_drawn" ? [event.seat] : []));
  return lines.join() === deal.deck.join() && kings.join() === deal.opening.join();
}

/** The text whose SHA-256 is the commitment. @param {string} rules @param {DeckRevealed} deal */
function textOf(rules, { deck, opening, salt }) {
  const numbers = `deck ${deck.join(" ")}\nopening ${opening.join(" ")}`;
  return `kingdomino-deal 1\nrules ${rules}\n${numbers}\nsalt ${salt}\n`;
}

/** The SHA-256 of a text, as 64 hex digits. @param {string} text */
async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The commitment as the server computes it; "" for a bad record. @param {string} id @param {DeckRevealed} deal */
async function askServer(id, deal) {
  const record = await (await fetch(recordPath(id, deal))).text();
  try {
    return (await post("/api/verify", {}, { record })).commitment;
  } catch (error) {
    if (error instanceof RequestError && error.code === "bad_record") return "";
    throw error;
  }
}
