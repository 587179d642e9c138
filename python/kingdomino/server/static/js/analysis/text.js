/**
 * The analysis board in words and figures.
 */
import { terrainWord } from "../draw/art.js";
import { language, list, t } from "../i18n/locale.js";

/**
 * @import { Fault, Studied } from "../net/types.js"
 * @typedef {(seat: number) => string} NameOf
 * @typedef {(seat: number, square: [number, number]) => {column: number, row: number, what: string}} PlaceOf
 */

const TERRAINS = { w: "wheat", f: "forest", l: "lake", g: "grassland", s: "swamp", m: "mine" };

/** What a seat is called: by its player in a record, else by its colour. @param {readonly string[]} players @returns {NameOf} */
export const namesOf = (players) => (seat) => players[seat] || t(`analysis.seat_${seat}`);

/** What is to be decided: the headline. @param {Studied} studied @param {NameOf} nameOf */
export function headline({ phase, due, seat, domino, winners }, nameOf) {
  if (phase === "chance") return t(due === "line" ? "analysis.line_due" : "analysis.king_due");
  if (seat === null) return t("analysis.is_over", { names: list((winners ?? []).map(nameOf)) });
  const name = nameOf(seat);
  return domino === null ? t("analysis.to_claim", { name }) : t("analysis.to_place", { name, domino });
}

/** A move: `claim 17`, `reveal 3 9 22 41`, `draw 1`. @param {string} move @param {NameOf} nameOf */
export function moveText(move, nameOf) {
  const [word, ...rest] = move.split(" ");
  if (word === "claim") return t("analysis.claimed", { domino: rest[0] });
  if (word === "place") return t("analysis.placed");
  if (word === "discard") return t("analysis.discarded");
  if (word === "draw") return t("analysis.drew", { name: nameOf(Number(rest[0])) });
  if (word === "reveal") return t("analysis.revealed", { dominoes: list(rest) });
  return t("analysis.by_chance");
}

/**
 * A fault as a sentence; the engine's sentence for a code without words.
 * @param {Fault} fault
 * @param {NameOf} nameOf
 * @param {PlaceOf} place
 */
export function faultText({ code, sentence, seat, square, dominoes, found, expected }, nameOf, place) {
  const at = seat != null && square ? place(seat, square) : { column: 0, row: 0, what: "" };
  const key = `analysis.fault_${code}`;
  const words = t(key, {
    ...at, name: seat == null ? "" : nameOf(seat), n: found ?? dominoes?.length ?? 0, found: found ?? 0,
    expected: expected ?? 0, dominoes: list((dominoes ?? []).map(String)),
  });
  const whole = words === key ? `${sentence}.` : words;
  return whole.charAt(0).toLocaleUpperCase(language) + whole.slice(1);
}

/** Where a square is in the text of a position, whose last word has the rows of all kingdoms. @param {string} text @returns {PlaceOf} */
export const placeIn = (text) => (seat, [x, y]) => {
  const kingdom = text.split(" ")[7]?.split(";")[seat] ?? "";
  const rows = (kingdom.match(/[^/]+/g) ?? []).map((row) => [...row.matchAll(/\D\d?/g)].map(String));
  const top = rows.findIndex((row) => row.includes("C"));
  const [row, column] = [top - y, (rows[top]?.indexOf("C") ?? 0) + x];
  const letter = /** @type {keyof typeof TERRAINS} */ (rows[row]?.[column]?.[0]);
  return { column: column + 1, row: row + 1, what: letter in TERRAINS ? terrainWord(TERRAINS[letter]) : "" };
};
