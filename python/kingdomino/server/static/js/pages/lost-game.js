/**
 * Reports lost games: this browser revealed its nonce, and the game never began
 * (docs/formats/table.md, "What this proves, and what it does not").
 */
import { el } from "../draw/dom.js";
import { fingerprint } from "../draw/fingerprint.js";
import { t } from "../i18n/locale.js";
import { get, isOffline, RequestError } from "../net/api.js";
import { settleGame, unbegunGames } from "../table/nonces.js";

/** @import { Unbegun } from "../table/nonces.js" */

/** Milliseconds until a game must have begun, even if a nonce is late. */
const BEGINNING = 10_000;
/** Milliseconds without an answer of the server until a game counts as lost. */
const PATIENCE = 3_600_000;

/** Asks the server about each such game, and shows the lost ones until the person dismisses them. */
export async function tellOfLostGames() {
  /** @type {Unbegun[]} */
  const lost = [];
  for (const game of unbegunGames()) {
    if (await isLost(game)) lost.push(game);
  }
  if (!lost.length) return;
  const close = () => {
    lost.forEach(settleGame);
    sheet.remove();
  };
  const sheet = el("div.stopped.sheet", { role: "alert" },
    el("p", el("b", t("home.lost_game", { n: lost.length })), " ", t("home.lost_game_why"), " ",
      ...lost.flatMap(({ commitment }) => [fingerprint(commitment), " "])),
    el("button.button", { type: "button", onclick: close }, t("home.lost_game_seen")));
  document.body.append(sheet);
}

/** @param {Unbegun} unbegun */
async function isLost(unbegun) {
  const age = Date.now() - unbegun.at;
  try {
    const { table } = await get("/api/tables/{table}", { table: unbegun.table });
    if (table.game < unbegun.game) return age > BEGINNING;
    settleGame(unbegun);
    return false;
  } catch (error) {
    if (!(error instanceof RequestError) || isOffline(error)) return false;
    return error.code === "no_table" || age > PATIENCE;
  }
}
