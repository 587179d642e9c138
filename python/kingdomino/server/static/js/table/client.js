/**
 * The clients of tables: through them a page follows tables and plays at them.
 */
import { ServerTable } from "../net/table.js";

/** @type {Map<string, ServerTable>} */
const clients = new Map();

/** The client of a table, one on each page. @param {string} id */
export function clientOf(id) {
  const client = clients.get(id) ?? new ServerTable(id);
  clients.set(id, client);
  return client;
}
