/**
 * The page for an address where there is nothing.
 */
import { byId } from "../draw/dom.js";
import { wordsReady } from "../i18n/locale.js";
import { ownPath } from "../net/address.js";
import { lostPage } from "./lost.js";

await wordsReady;
byId("page").append(lostPage(ownPath().startsWith("/t/") ? "table" : "page"));
