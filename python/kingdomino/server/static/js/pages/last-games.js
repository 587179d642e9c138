/**
 * The last games on the home page, and a suggested next level.
 */
import { byId, el, find, replaceContent } from "../draw/dom.js";
import { dateText, opponents, resultSentence } from "../i18n/game-text.js";
import { t } from "../i18n/locale.js";
import { get } from "../net/api.js";
import { gamePath, smallKingdom } from "./game-rows.js";
import { suggestionLine } from "./suggestion.js";

/** @import { PlayedGames } from "../net/types.js" */

/** Without an answer there is no suggestion. */
const suggested = get("/api/me/suggestion").catch(() => null);

/**
 * @param {PlayedGames} played
 * @param {(bot: string) => Promise<unknown>} play starts a game against this bot
 */
export async function showLastGames({ games, total }, play) {
  const items = games.map((game) => el("li", el("a", { href: gamePath(game) }, smallKingdom(game),
    el("div", el("h2", resultSentence(game)), el("p", [...opponents(game), dateText(game.ended)].join(", "))))));
  replaceContent(find(byId("last"), "ul"), ...items);
  find(byId("last"), "p a").textContent = t("home.all_games", { n: total });
  const line = suggestionLine(await suggested, play);
  byId("suggestion").replaceChildren(...(line ? [line] : []));
}
