/**
 * The deal of a game: was it what the table committed to before the first king was drawn?
 * (docs/formats/table.md, "The deal, and how to check it".)
 *
 * @typedef {import("./fold.js").Table} Table
 * @typedef {import("./fold.js").TableEvent} TableEvent
 */
import { post } from "./api.js";
import { history, ofGame } from "./history.js";

/**
 * Compares the commitment with the deal that was revealed, and the deal with the game that was played.
 * The digest is computed here; where the browser offers none (without HTTPS), the server is asked.
 * @param {Table} table whose last game is over
 * @returns {Promise<"holds" | "holds_server" | "other_digest" | "other_game">}
 */
export async function checkDeal(table) {
  const { deal, commitment } = table;
  const events = ofGame(await history(table.id), deal.game);
  const promised = events.find(({ kind }) => kind === "dealt")?.commitment;
  if (promised !== commitment) return "other_digest";
  if (!wasPlayed(deal, events)) return "other_game";
  if (!crypto.subtle) return (await askServer(table)) === commitment ? "holds_server" : "other_digest";
  return (await digest(textOf(table))) === commitment ? "holds" : "other_digest";
}

/** Where the record of a table's finished game is. @param {string} id @param {Table["deal"]} deal */
export const recordPath = (id, deal) => `/api/tables/${id}/record?game=${deal.game}`;

/** Whether the lines and the kings came up as in the deal. @param {any} deal @param {TableEvent[]} events */
function wasPlayed(deal, events) {
  const lines = events.filter(({ kind }) => kind === "revealed").flatMap(({ line }) => line);
  const kings = events.filter(({ kind }) => kind === "king_drawn").map(({ seat }) => seat);
  return lines.join() === deal.deck.join() && kings.join() === deal.opening.join();
}

/** The text whose SHA-256 is the commitment. @param {Table} table */
function textOf({ rules, deal: { deck, opening, salt } }) {
  const numbers = `deck ${deck.join(" ")}\nopening ${opening.join(" ")}`;
  return `kingdomino-deal 1\nrules ${rules.text}\n${numbers}\nsalt ${salt}\n`;
}

/** The SHA-256 of a text, as 64 hex digits. @param {string} text */
async function digest(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The commitment that the server computes from the record; "" when it finds fault. @param {Table} table */
async function askServer(table) {
  const record = await (await fetch(recordPath(table.id, table.deal))).text();
  try {
    return (await post("/api/verify", { record })).commitment;
  } catch (error) {
    if (/** @type {any} */ (error).code === "bad_record") return "";
    throw error;
  }
}
