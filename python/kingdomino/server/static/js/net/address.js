/**
 * The addresses of pages, of the API, and of the files of this release. The server may be below a path of its site (its
 * setting `root_path`), so other modules must use these functions for any address that begins with a slash.
 */

/** The path of the home page: this module's without `static/VERSION/js/net/address.js`. */
const ROOT = new URL("../../../../", import.meta.url).pathname;

/** Whether there is a server; a site of plain files has none. */
export const HAS_SERVER = document.documentElement.dataset.server !== "none";

/** The path of a page, like `/new`. On a site of plain files, pages are folders. @param {string} page */
export const pathTo = (page) => ROOT + (HAS_SERVER ? page : page.replace(/^\/\w+(?=[?#]|$)/, "$&/")).slice(1);

/** The full address of a page, to share. @param {string} page */
export const linkTo = (page) => location.origin + pathTo(page);

/** The full address of a socket. @param {string} path */
export const socketAt = (path) => linkTo(path).replace(/^http/, "ws");

/** Whether the server runs on this machine: then its address works only here. */
export const IS_LOCAL = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

/** A proxy's statuses while the server behind it restarts; worker.js, which is not a module, has the same. */
export const NO_SERVER = [502, 503, 504];

/** Begins the id of a table of this device, to tell it from the id of a server's table. */
export const HERE = "here-";

/** Whether a table is on this device. @param {string} id */
export const isHere = (id) => id.startsWith(HERE);

/** The path of a table. @param {string} id */
export const tablePath = (id) => pathTo(isHere(id) ? `/play?id=${id}` : `/t/${id}`);

/** The path of its replay. @param {string} id @param {number} [game] its number in a Dynasty */
export const replayPath = (id, game = 1) =>
  pathTo(isHere(id) ? `/replay?id=${id}` : `/t/${id}/replay`) + (game > 1 ? `#game-${game}` : "");

/** The path of its review. @param {string} id of a table or an imported game @param {number} [game] its number in a Dynasty */
export const reviewPath = (id, game = 1) => studyPath("review", id, game);

/**
 * The path of the page to learn from the mistakes in a game.
 * @param {string} id
 * @param {number} [game]
 * @param {number | null} [seat] whose decisions; null: your own
 */
export const mistakesPath = (id, game = 1, seat = null) => studyPath("mistakes", id, game, seat);

/** @param {"review" | "mistakes"} page @param {string} id @param {number} game @param {number | null} [seat] */
function studyPath(page, id, game, seat = null) {
  const query = new URLSearchParams({
    ...isHere(id) && { id }, ...game > 1 && { game: String(game) }, ...seat !== null && { seat: String(seat) },
  });
  const path = isHere(id) ? `/${page}` : `/${page}/${id}`;
  return pathTo(query.size ? `${path}?${query}` : path);
}

/**
 * The path of a game on the analysis board.
 * @param {string} id
 * @param {boolean} isTable whether it is the id of a table, not of an imported game
 * @param {number} [game] its number in a Dynasty
 * @param {number} [ply] the position before this decision
 */
export const analysisPath = (id, isTable, game = 1, ply = 0) => pathTo(`/analysis?${new URLSearchParams({
  ...isTable ? { table: id, game: String(game) } : { game: id, ...game > 1 && { number: String(game) } }, ply: String(ply),
})}`);

/** The path of this page, like `/t/ID`. */
export const ownPath = () => location.pathname.replace(ROOT, "/");

/**
 * The address of a file, like `words/en.json`. Like this module's, it has the release's version, so an open page never loads
 * files of another release after an update of the server: see `later` in api.js.
 * @param {string} path
 */
export const fileUrl = (path) => new URL(`../../${path}`, import.meta.url).href;

/** Loads a file. Throws on failure. @param {string} path */
export async function loadFile(path) {
  const response = await fetch(fileUrl(path));
  if (!response.ok) throw new Error(`${response.status} for ${path}`);
  return response;
}

/** Adds a style sheet to the page; settles when it is loaded. @param {string} path like `css/end.css` */
export function loadStyle(path) {
  const href = fileUrl(path);
  if (document.querySelector(`link[href="${href}"]`)) return undefined;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resolve) => { link.onload = link.onerror = resolve; });
}
