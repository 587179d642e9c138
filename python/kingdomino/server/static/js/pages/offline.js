/**
 * The page that the service worker shows at any address when the server is unreachable.
 */
import { byId } from "../draw/dom.js";
import { wordsReady } from "../i18n/locale.js";
import { NO_SERVER } from "../net/address.js";

/** Milliseconds between two attempts to reach the server. */
const AGAIN = 5000;

await wordsReady;
byId("again").onclick = () => location.reload();
addEventListener("online", () => location.reload());
// The network may be back before the server, and a stopped server returns without an event. Meanwhile a proxy may
// answer in its place, and worker.js would show this page again.
setInterval(async () => {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer && !NO_SERVER.includes(answer.status)) location.reload();
}, AGAIN);
