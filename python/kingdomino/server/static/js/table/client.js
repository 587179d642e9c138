/**
 * The clients of tables: through them a page follows tables and plays at them, on a server or on this device.
 */
import { LocalTable } from "../local/table.js";
import { isHere } from "../net/address.js";
import { ServerTable } from "../net/table.js";

/** @typedef {ServerTable | LocalTable} Client */

/** @type {Map<string, Client>} */
const clients = new Map();

/** The client of a table, one on each page. @param {string} id @returns {Client} */
export function clientOf(id) {
  const client = clients.get(id) ?? (isHere(id) ? new LocalTable(id) : new ServerTable(id));
  clients.set(id, client);
  return client;
}
