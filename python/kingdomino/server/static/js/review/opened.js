/**
 * The game of this page's address, and its review: `/review/ID`, `/review?id=ID`; `game=2` is the second game of a Dynasty.
 * `seat=1` chooses the player to review if that is unclear.
 */
import { t } from "../i18n/locale.js";
import { isHere, ownPath } from "../net/address.js";
import { RequestError } from "../net/api.js";
import { importedRecord } from "../net/imported.js";
import { recordSource, tableSource } from "../pages/replay.js";
import { clientOf } from "../table/client.js";
import { Game } from "./game.js";
import { ReviewWork } from "./work.js";

const TABLE_ID = 12; // letters; an imported game has a longer id
const QUERY = new URLSearchParams(location.search);

export const ID = QUERY.get("id") ?? decodeURIComponent(ownPath().split("/")[2] ?? "");
export const NUMBER = Number(QUERY.get("game") ?? 1);
export const isTable = isHere(ID) || ID.length <= TABLE_ID;

/** Reads the game. `work.open()` starts its review. Throws if the game is not over. */
export async function openGame() {
  const source = await (isTable ? tableSource(ID) : recordSource(ID));
  const seat = QUERY.get("seat") ?? "";
  const game = new Game(await source.read(0), NUMBER, source.seats, /^[0-3]$/.test(seat) ? Number(seat) : null);
  if (!game.end.finished || !game.moments.length) throw new RequestError(409, { code: "not_over", reason: t("review.not_over") });
  const record = await (isTable ? clientOf(ID).record(NUMBER) : importedRecord(ID, NUMBER));
  return { game, work: new ReviewWork(`${ID}#${NUMBER}`, record, game.moments.length) };
}
