/**
 * The service worker: keeps one whole release, pages and files, so that everything but shared tables works without a
 * network. A page and its files are always of one release. The next release is downloaded as a whole beside it, and
 * takes over when no page is open, or when the home page alone is.
 *
 * It keeps no answer of the API. What is not of this release goes to the network as if there were no worker.
 *
 * @type {{version: string, pages: string[], files: string[]}} written by http/release.py, so each release has its own worker
 */
const RELEASE = { version: "", pages: [], files: [] };
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ROOT = new URL("./", worker.location.href);
/** Other programs of the same site have caches, too. */
const OURS = `kingdomino${ROOT.pathname} `;
const CACHE = OURS + RELEASE.version;

/** @param {string} path */
const addressOf = (path) => new URL(path, ROOT).href;

const FILES = new Set(RELEASE.files.map(addressOf));
/** The kept pages by their path, which some hosts end with a slash. */
const PAGES = new Map(RELEASE.pages.map((page) => [bare(addressOf(page)), addressOf(page)]));

/** An address without query, fragment and last slash. @param {string} address */
function bare(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, "");
}

/** Downloads the release; nothing of it is used unless everything has come. */
async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...PAGES.values(), ...FILES]);
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** @param {string} address */
const kept = (address) => caches.match(address, { cacheName: CACHE });

/** @param {Request} request */
async function openPage(request) {
  const page = PAGES.get(bare(request.url));
  const known = page && await kept(page);
  const { pathname, search } = new URL(request.url);
  // Its addresses are relative to the slash.
  if (known && page.endsWith("/") && !pathname.endsWith("/")) return Response.redirect(page + search);
  if (known) return known;
  const answer = await fetch(request).catch(() => null);
  if (answer && !isOfProxy(answer)) return answer;
  return (await kept(PAGES.get(addressOf("offline")) ?? "")) ?? answer ?? Response.error();
}

/** Whether a proxy answers in place of a server that restarts. The server's own refusals are JSON. @param {Response} answer */
const isOfProxy = ({ status, headers }) => [502, 503, 504].includes(status) && !headers.get("content-type")?.includes("json");

/** @param {Request} request */
const openFile = async (request) => (await kept(request.url)) ?? fetch(request);

/** Takes over from the release before, if the page that asks is the only one. */
async function takeOver() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length === 1) await worker.skipWaiting();
}

/** Shows the page with this address: an open one, or a new one. @param {string} address */
async function showPage(address) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => url.split("#")[0] === address);
  await (page ? page.focus() : worker.clients.openWindow(address));
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
worker.addEventListener("message", (event) => event.waitUntil(takeOver()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (FILES.has(request.url)) event.respondWith(openFile(request));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.tag)); // js/table/attention.js puts the address there
});
