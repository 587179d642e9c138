/**
 * The addresses of pages, of the API, and of the other files of this release. The server may be below a path of its
 * site (its setting `root_path`), so no other module writes an address that begins with a slash without one of these
 * functions.
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

/**
 * The address of a file, like `words/en.json`. It has the release's version, as this module's has, so a page that is
 * open while the server is updated never loads files of another release: see `later` in api.js.
 * @param {string} path
 */
export const fileUrl = (path) => new URL(`../../${path}`, import.meta.url).href;

/** Loads a file. Throws if it does not come. @param {string} path */
export async function loadFile(path) {
  const response = await fetch(fileUrl(path));
  if (!response.ok) throw new Error(`${response.status} for ${path}`);
  return response;
}

/** Adds a style sheet to the page; settles when it has been loaded. @param {string} path like `css/end.css` */
export function loadStyle(path) {
  const href = fileUrl(path);
  if (document.querySelector(`link[href="${href}"]`)) return undefined;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resolve) => { link.onload = link.onerror = resolve; });
}
