/**
 * The page for an unknown address.
 */
import { byId } from "../draw/dom.js";
import { wordsReady } from "../i18n/locale.js";
import { ownPath } from "../net/address.js";
import { start } from "../net/api.js";
import { lostPage } from "./lost.js";

await start(wordsReady);
byId("page").append(lostPage(ownPath().startsWith("/t/") ? "table" : "page"));
