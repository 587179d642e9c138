/**
 * Checks a game's deck against what this browser stored before the game, and against its nonce
 * (docs/formats/table.md, "The deal").
 */
import { el } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { isHere, pathTo } from "../net/address.js";
import { eventsOfGame } from "../net/events.js";
import { clientOf } from "../table/client.js";
import { areAsPromised, commitmentTo, draw } from "../table/deal.js";
import { kept } from "../table/nonces.js";

/**
 * @import { TableEvent } from "../net/events.js"
 * @import { DeckRevealed, Table } from "../net/types.js"
 * @typedef {"holds" | "withheld" | "left_out" | "no_nonce" | "not_kept"} Fit
 * @typedef {"other_commitment" | "other_secret" | "other_nonces" | "other_deck" | "other_game"} Misfit
 */

/**
 * Whether a deal checks out, and if so, what that proves.
 * @param {Table} table
 * @param {DeckRevealed} deal of its last, finished game
 * @returns {Promise<Fit | Misfit>}
 */
export async function checkDeal(table, deal) {
  const events = eventsOfGame(await clientOf(table.id).events(), deal.game);
  const seen = kept(table.id, deal.game);
  if (seen && seen.commitment !== deal.commitment) return "other_commitment";
  if (!wasPlayed(deal, events)) return "other_game";
  const { proof } = deal;
  if (!proof || commitmentTo(table, deal.game, proof) !== deal.commitment) return "other_secret";
  if (!areAsPromised(proof, deal.game)) return "other_nonces";
  const drawn = draw(table, deal.commitment, proof);
  if (drawn.deck.join() !== deal.deck.join() || drawn.opening.join() !== deal.opening.join()) return "other_deck";
  if (!seen) return "not_kept";
  const own = Object.entries(seen.nonces ?? {});
  if (!own.length) return "no_nonce";
  if (seen.digests?.join() !== proof.digests.join()) return "other_nonces";
  if (own.some(([seat, nonce]) => (proof.nonces[+seat] ?? nonce) !== nonce)) return "other_nonces";
  if (own.every(([seat]) => proof.nonces[+seat] === null)) return "left_out";
  return proof.digests.some((promise, seat) => promise && !proof.nonces[seat]) ? "withheld" : "holds";
}

/** A link to download the record of a finished game. @param {string} id @param {number} game */
export function recordLink(id, game) {
  const link = el("a.button.bare", { href: pathTo(`/api/tables/${id}/record?game=${game}`), download: true }, t("end.record"));
  if (!isHere(id)) return link;
  link.hidden = true;
  clientOf(id).record(game).then((record) => {
    link.href = URL.createObjectURL(new Blob([record], { type: "text/plain" }));
    link.download = `kingdomino-${id}.txt`;
    link.hidden = false;
  });
  return link;
}

/** Whether the lines and the kings came up as in the deal. @param {DeckRevealed} deal @param {TableEvent[]} events */
function wasPlayed(deal, events) {
  const lines = events.flatMap((event) => (event.kind === "revealed" ? event.line : []));
  const kings = events.flatMap((event) => (event.kind === "king_drawn" ? [event.seat] : []));
  const isSnake = !deal.opening.length; // a game from a position in a snake opening has nothing to draw
  return lines.join() === deal.deck.join() && (isSnake || kings.join() === deal.opening.join());
}
