/**
 * A record to replay without importing it: this tab stores it, and `/g` shows it.
 */
import { pathTo } from "../net/address.js";

const STORED = "kingdomino.watched";

/** Opens a record in the replay. @param {string} record */
export function watchRecord(record) {
  sessionStorage.setItem(STORED, record);
  location.assign(pathTo("/g"));
}

/** The last record opened in this tab; empty if there is none. */
export const watchedRecord = () => sessionStorage.getItem(STORED) ?? "";
