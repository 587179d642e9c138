/**
 * A game at once: a table of one person here and bots, and off to it.
 */
import { post } from "./api.js";
import { t } from "./words.js";

/**
 * @param {{players: number}} rules
 * @param {string} bot who sits on all other seats, as a spec string
 * @param {string} name of the person; may be empty
 */
export async function start(rules, bot, name) {
  const others = Array(rules.players - 1).fill({ kind: "bot", bot });
  const seats = [{ kind: "me", name: name || t("common.guest") }, ...others];
  const { table } = await post("/api/tables", { ...rules, seats });
  location.assign(`/t/${table.id}`);
}
