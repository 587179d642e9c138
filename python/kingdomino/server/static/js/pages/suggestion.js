/**
 * A quiet line after three games against one level that were all won or all lost: another level, to play at once.
 */
import { el } from "../draw/dom.js";
import { bots } from "../i18n/names.js";
import { t } from "../i18n/locale.js";
import { attempt, get } from "../net/api.js";

/** @import { Suggestion } from "../net/types.js" */

/**
 * The line; nothing if there is nothing to suggest.
 * @param {Suggestion | null} suggestion
 * @param {(bot: string) => Promise<unknown>} play starts a game against this bot
 */
export function suggestionLine(suggestion, play) {
  const next = bots.find(({ bot }) => bot === suggestion?.bot);
  const before = bots.find(({ bot }) => bot === suggestion?.after);
  if (!suggestion || !next || !before) return null;
  const { bot, name, level } = next;
  const refused = el("span.refusal", { role: "alert" });
  const button = el("button.link", { type: "button" }, t("games.suggest_play", { next: name }));
  button.onclick = () => attempt(() => play(bot), refused, button);
  return el("p.suggestion", t(`games.suggest_${suggestion.why}`, { name: before.name, next: name, level }), " ", button, refused);
}

/**
 * The same at the end of a game, if its opponents were the bot that the suggestion is about.
 * @param {readonly string[]} opponents spec strings
 * @param {(bot: string) => Promise<unknown>} play
 */
export async function suggestionAfter(opponents, play) {
  const suggestion = await get("/api/me/suggestion");
  return opponents.every((bot) => bot === suggestion?.after) ? suggestionLine(suggestion, play) : null;
}
