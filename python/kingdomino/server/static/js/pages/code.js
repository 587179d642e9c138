/**
 * The three words that lead to a table which waits for its players.
 */
import { post } from "../net/api.js";

/** Goes to the table of these words. @param {string} words */
export async function joinByCode(words) {
  const { id, secret } = await post("/api/code", {}, { code: words.trim() });
  location.assign(secret ? `/t/${id}#seat=${secret}` : `/t/${id}`);
}
