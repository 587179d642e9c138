/**
 * The page that the service worker shows when the server cannot be reached, at the address that was asked for.
 */
import { byId } from "../draw/dom.js";
import { wordsReady } from "../i18n/locale.js";
import { NO_SERVER } from "../net/address.js";

/** Milliseconds after which the server is asked again. */
const AGAIN = 5000;

await wordsReady;
byId("again").onclick = () => location.reload();
addEventListener("online", () => location.reload());
// The network may be back before the server is, and a server that was stopped comes back without a word. Meanwhile a
// proxy may answer in its place, so that worker.js would show this page again.
setInterval(async () => {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (answer && !NO_SERVER.includes(answer.status)) location.reload();
}, AGAIN);
