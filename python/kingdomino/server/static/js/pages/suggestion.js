/**
 * A quiet line after three games against one level that were all won or all lost: another level, to play at once.
 */
import { el } from "../draw/dom.js";
import { bots } from "../i18n/names.js";
import { t } from "../i18n/locale.js";
import { suggestionAfter } from "../local/statistics.js";
import { attempt } from "../net/api.js";

/** @import { Played } from "../net/types.js" */

/**
 * The line; nothing if there is nothing to suggest.
 * @param {readonly Played[]} games the last ones, newest first
 * @param {(bot: string) => Promise<unknown>} play starts a game against this bot
 * @param {readonly string[]} [opponents] bots that the suggestion must be about
 */
export function suggestionLine(games, play, opponents = []) {
  const suggestion = suggestionAfter(games, bots.map(({ bot }) => bot));
  const next = bots.find(({ bot }) => bot === suggestion?.bot);
  const before = bots.find(({ bot }) => bot === suggestion?.after);
  if (!suggestion || !next || !before || opponents.some((bot) => bot !== before.bot)) return null;
  const { bot, name, level } = next;
  const refused = el("span.refusal", { role: "alert" });
  const button = el("button.link", { type: "button" }, t("games.suggest_play", { next: name }));
  button.onclick = () => attempt(() => play(bot), refused, button);
  return el("p.suggestion", t(`games.suggest_${suggestion.why}`, { name: before.name, next: name, level }), " ", button, refused);
}
