/**
 * The service worker: shows a page of ours when the server cannot be reached. It keeps only what that page needs, all of
 * one release, and no answer of the API. Everything else goes to the network as if there were no worker.
 *
 * @type {{version: string, root: string, kept: string[]}} written by the server (http/release.py), so each release has its own worker
 */
const RELEASE = { version: "", root: "", kept: [] };
/** Other programs of the same site have caches, too. */
const OURS = `kingdomino${RELEASE.root} `;
const CACHE = OURS + RELEASE.version;
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

async function keep() {
  const cache = await caches.open(CACHE);
  await cache.addAll(RELEASE.kept);
}

async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** @param {Request} request */
async function openPage(request) {
  const answer = await fetch(request).catch(() => null);
  if (answer && !isOfProxy(answer)) return answer;
  return (await caches.match(`${RELEASE.root}/offline`, { cacheName: CACHE })) ?? answer ?? Response.error();
}

/** Whether a proxy answers in place of a server that restarts. The server's own refusals are JSON. @param {Response} answer */
const isOfProxy = ({ status, headers }) => [502, 503, 504].includes(status) && !headers.get("content-type")?.includes("json");

/** @param {Request} request */
async function openFile(request) {
  return (await caches.match(request, { cacheName: CACHE })) ?? fetch(request);
}

/** Shows the page with this path: an open one, or a new one. @param {string} path */
async function showPage(path) {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const page = pages.find(({ url }) => new URL(url).pathname === path);
  await (page ? page.focus() : worker.clients.openWindow(path));
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (RELEASE.kept.includes(new URL(request.url).pathname)) event.respondWith(openFile(request));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.tag)); // js/table/attention.js puts the path there
});
