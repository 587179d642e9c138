/**
 * The addresses of the other files of this release. The address of a module has the release's version, so a page that
 * is open while the server is updated never loads files of another release: see `later` in api.js.
 */

const ROOT = new URL("../../", import.meta.url);

/** The address of a file, like `words/en.json`. @param {string} path */
export const fileUrl = (path) => new URL(path, ROOT).href;

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
