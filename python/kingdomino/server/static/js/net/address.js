/**
 * The addresses of pages and of the API. The server may be below a path of its site (its setting `root_path`), so no
 * other module writes an address that begins with a slash without one of these functions.
 */

/** The path of the home page. This module's is the same, and `static/VERSION/js/net/address.js`. */
const ROOT = new URL("../../../../", import.meta.url).pathname;

/** The path of a page, like `/new`. @param {string} page */
export const pathTo = (page) => ROOT + page.slice(1);

/** The whole address of a page, to be given to others. @param {string} page */
export const linkTo = (page) => location.origin + pathTo(page);

/** The whole address of a socket. @param {string} path */
export const socketAt = (path) => linkTo(path).replace(/^http/, "ws");

/** Whether the server runs on this machine: then its address works nowhere else. */
export const IS_LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** What a proxy answers while the server behind it restarts; worker.js, no module, has the same. */
export const NO_SERVER = [502, 503, 504];

/** The path of this page, like `/t/ID`. */
export const ownPath = () => location.pathname.replace(ROOT, "/");
