/**
 * The page that the service worker shows when the server cannot be reached, at the address that was asked for.
 */
import { byId } from "../draw/dom.js";
import { wordsReady } from "../i18n/locale.js";

await wordsReady;
byId("again").onclick = () => location.reload();
addEventListener("online", () => location.reload());
