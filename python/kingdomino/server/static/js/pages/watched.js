/**
 * A record that is watched without being kept: this tab remembers it, and `/g` shows it.
 */
import { pathTo } from "../net/address.js";

const STORED = "kingdomino.watched";

/** Opens a record in the replay. @param {string} record */
export function watchRecord(record) {
  sessionStorage.setItem(STORED, record);
  location.assign(pathTo("/g"));
}

/** The record that was opened last in this tab; empty without one. */
export const watchedRecord = () => sessionStorage.getItem(STORED) ?? "";
