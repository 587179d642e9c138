/**
 * The last games on the home page, where they are kept, and a suggested next level.
 */
import { byId, el, find, replaceContent } from "../draw/dom.js";
import { dateText, opponents, resultSentence } from "../i18n/game-text.js";
import { t } from "../i18n/locale.js";
import { HAS_SERVER } from "../net/address.js";
import { gamePath, smallKingdom } from "./game-rows.js";
import { suggestionLine } from "./suggestion.js";

/** @import { Played } from "../net/types.js" */

/** The number of games on the page. */
const SHOWN = 3;

/**
 * @param {{games: readonly Played[], total: number, isReached: boolean}} last
 * @param {(bot: string) => Promise<unknown>} play starts a game against this bot
 */
export function showLastGames({ games, total, isReached }, play) {
  const items = games.slice(0, SHOWN).map((game) => el("li", el("a", { href: gamePath(game) }, smallKingdom(game),
    el("div", el("h2", resultSentence(game)), el("p", [...opponents(game), dateText(game.ended)].join(", "))))));
  replaceContent(find(byId("last"), "ul"), ...items);
  find(byId("last"), "p a").textContent = t("home.all_games", { n: total });
  find(byId("last"), "p span").textContent = t(isReached ? "home.kept" : HAS_SERVER ? "games.only_here" : "games.kept_device");
  const line = suggestionLine(games, play);
  byId("suggestion").replaceChildren(...(line ? [line] : []));
}
