/**
 * The home page without a server: the parts that work, and why the rest does not.
 */
import { artReady, dominoSvg } from "../draw/art.js";
import { byId, el } from "../draw/dom.js";
import { Kingdom } from "../draw/kingdom.js";
import { t } from "../i18n/locale.js";
import { HAS_SERVER, pathTo } from "../net/address.js";
import { FULL } from "./full-kingdom.js";

/** The dominoes of the picture for the lesson. */
const LESSON = [16, 36];

/** Says why there are no games with friends. A connection comes back; a server that a copy does not have does not. */
export function sayWhy() {
  const words = HAS_SERVER ? [text("span", "friends_offline")]
    : [text("span", "friends_no_server"), " ", text("a", "hosting", { href: pathTo("/docs/guides/hosting/") })];
  byId("why-alone").replaceChildren(...words);
}

/** Shows what works without a server, in place of what does not. */
export async function showAway() {
  const root = document.documentElement;
  if ("away" in root.dataset) return;
  root.dataset.away = "";
  if (HAS_SERVER) {
    retitle("headline");
    retitle("intro");
  }
  await artReady;
  byId("ways").replaceChildren(
    way("/analysis", "analysis", kingdomOf(3)),
    way("/learn", "learn", el("div.pair", ...LESSON.map((domino) => el("div.domino", dominoSvg(domino))))),
    way("/puzzles", "puzzles", kingdomOf(5)),
    way("/score", "score", kingdomOf(8)),
    way("/games", "games", kingdomOf(FULL.length)));
}

/** An element with these words, in any language. @param {string} tag @param {string} name @param {Record<string, string>} [given] */
const text = (tag, name, given) => el(tag, { ...given, "data-t": `away.${name}` }, t(`away.${name}`));

/** @param {string} id */
function retitle(id) {
  byId(id).dataset.t = `away.${id}`;
  byId(id).textContent = t(`away.${id}`);
}

/** @param {string} page @param {string} name @param {Element} picture */
function way(page, name, picture) {
  return el("li", el("a.way", { href: pathTo(page) },
    el("div.mini", { "aria-hidden": "true" }, picture),
    el("div", text("h2", name), text("p", `${name}_why`))));
}

/** @param {number} dominoes */
function kingdomOf(dominoes) {
  const kingdom = new Kingdom();
  kingdom.show({ frame: "window", dominoes: FULL.slice(0, dominoes) });
  return kingdom;
}
