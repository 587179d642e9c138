/**
 * The service worker: keeps one whole release, pages and files, so that everything but shared tables works without a
 * network. A page and its files always belong to one release. The worker downloads the next release as a whole beside it;
 * the new one takes over when no page is open except the home page.
 *
 * It keeps no answer of the API. All other requests go to the network as if there were no worker.
 *
 * @type {{version: string, edition: string, pages: string[], files: string[]}} written by http/release.py, so each release has its own worker
 */
const RELEASE = { version: "", edition: "", pages: [], files: [] };
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const ROOT = new URL("./", worker.location.href);
/** Other programs of the same site have caches, too. */
const OURS = `kingdomino${ROOT.pathname} `;
const CACHE = OURS + RELEASE.edition;

/** @param {string} path */
const addressOf = (path) => new URL(path, ROOT).href;

const FILES = RELEASE.files.map(addressOf);
/** The kept pages by their path, which some hosts end with a slash. */
const PAGES = new Map(RELEASE.pages.map((page) => [bare(addressOf(page)), addressOf(page)]));

/** An address without query, fragment and last slash. @param {string} address */
function bare(address) {
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/\/$/, "");
}

/** Downloads the release; nothing of it is used unless everything has come. */
async function keep() {
  try {
    const cache = await caches.open(CACHE);
    const pages = [...PAGES.values()].map((page) => new Request(page, { cache: "no-cache" })); // hosts let browsers cache them
    await cache.addAll([...pages, ...FILES]);
    const texts = await Promise.all(pages.map(async (page) => (await cache.match(page))?.text()));
    if (!texts.every((text) => text?.includes(`/static/${RELEASE.version}/`))) throw new Error("the site was updated meanwhile");
  } catch (error) {
    await caches.delete(CACHE); // the next visit tries again
    throw error;
  }
}

/** Deletes all releases except the previous one, whose pages may still be open. */
async function forgetOthers() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
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

/** A file of any kept release. @param {Request} request */
const openFile = async (request) => (await caches.match(request.url)) ?? fetch(request);

/** The open pages of this site; its host may have others. */
async function openPages() {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.filter(({ url }) => url.startsWith(ROOT.href));
}

/** Takes over from the release before, if the page that asks is the only one. @param {ExtendableMessageEvent} event */
async function takeOver({ source }) {
  for (let tries = 0; tries < 10; tries++) {
    const pages = await openPages();
    if (pages.length === 1 && pages[0].id === /** @type {Client} */ (source).id) return worker.skipWaiting();
    await new Promise((resolve) => { setTimeout(resolve, 200); }); // the page before may still be leaving
  }
}

/** Shows the page with this address: an open one, or a new one. @param {string} address */
async function showPage(address) {
  const page = (await openPages()).find(({ url }) => url.split("#")[0] === address);
  await (page ? page.focus() : worker.clients.openWindow(address));
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(forgetOthers()));
worker.addEventListener("message", (event) => event.waitUntil(takeOver(event)));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(openPage(request));
  else if (request.url.startsWith(addressOf("static/"))) event.respondWith(openFile(request));
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showPage(event.notification.tag)); // js/table/attention.js puts the address there
});
