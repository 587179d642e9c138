/**
 * Imported games of the server's list.
 */
import { isHere } from "./address.js";
import { getText } from "./api.js";
import { splitRecords } from "./pasted.js";

/** Whether a game is such a one. @param {{id: string, imported: boolean}} game */
export const isImported = ({ id, imported }) => imported && !isHere(id);

/** The record of an imported game. @param {string} id @param {number} [game] its number in a Dynasty */
export async function importedRecord(id, game = 1) {
  return splitRecords(await getText("/api/games/{game}/record", { game: id }))[game - 1] ?? "";
}
