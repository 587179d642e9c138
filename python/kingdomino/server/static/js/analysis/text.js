/**
 * The analysis board in words and figures.
 */
import { domino, terrainWord } from "../draw/art.js";
import { language, list, t } from "../i18n/locale.js";

/**
 * @import { Fault } from "../../engine/calls.js"
 * @import { Studied } from "./study.js"
 * @import { Node } from "./tree.js"
 * @typedef {(seat: number) => string} NameOf
 * @typedef {(seat: number, square: [number, number]) => {column: number, row: number, what: string}} PlaceOf
 */

const TERRAINS = { w: "wheat", f: "forest", l: "lake", g: "grassland", s: "swamp", m: "mine" };

/** The name of a seat: its player's in a record, else its colour. @param {readonly string[]} players @returns {NameOf} */
export const namesOf = (players) => (seat) => players[seat] || t(`analysis.seat_${seat}`);

/** The headline: the decision to make. @param {Studied} studied @param {NameOf} nameOf */
export function headline({ phase, due, to_move, domino, outcome }, nameOf) {
  if (phase === "chance") return t(due === "line" ? "analysis.line_due" : "analysis.king_due");
  if (to_move === null) return t("analysis.is_over", { names: list((outcome?.winners ?? []).map(nameOf)) });
  const name = nameOf(to_move);
  return domino === null ? t("analysis.to_claim", { name }) : t("analysis.to_place", { name, domino });
}

/** The move that led to a node, beside a picture of its domino. @param {Node} node @param {NameOf} nameOf */
export function moveText({ parent, move, studied }, nameOf) {
  const [word, ...numbers] = move.split(" ");
  if (word === "claim") return t("analysis.claimed");
  if (word === "place") return parent?.studied ? placeText(parent.studied, move) : t("analysis.placed");
  if (word === "discard") return t("analysis.discarded");
  if (word === "draw") return t("analysis.drew", { name: nameOf(Number(numbers[0])) });
  const unseen = parent?.studied?.unseen.filter((number) => !studied?.unseen.includes(number)) ?? [];
  const line = numbers.length ? numbers : unseen.map(String);
  return line.length ? t("analysis.revealed", { dominoes: list(line) }) : t("analysis.drew", { name: nameOf(studied?.to_move ?? 0) });
}

/** Where a placement lies: `right edge, forest down`. @param {Studied} studied @param {string} action */
export function placeText({ choices, kingdoms, to_move }, action) {
  const placement = choices?.placements.find((each) => each.action === action);
  if (!placement || !choices?.domino) return t("analysis.placed");
  const ends = [placement.left, placement.right];
  const all = [...kingdoms[to_move ?? 0].squares.map(({ at }) => at), ...ends];
  const isAt = (/** @type {0 | 1} */ axis, /** @type {"min" | "max"} */ side) => {
    const edge = Math[side](...all.map((square) => square[axis]));
    return ends.every((square) => square[axis] === edge);
  };
  const across = isAt(0, "max") ? "right" : isAt(0, "min") ? "left" : "";
  const up = isAt(1, "max") ? "top" : isAt(1, "min") ? "bottom" : "";
  const isBesideCastle = ends.some(([x, y]) => Math.abs(x) + Math.abs(y) === 1);
  const [x, y] = [0, 1].map((axis) => ends[0][axis] + ends[1][axis]);
  const side = Math.abs(x) > Math.abs(y) ? (x > 0 ? "castle_right" : "castle_left") : y > 0 ? "castle_above" : "castle_below";
  const place = up || across ? [up, across].filter(Boolean).join("_") : isBesideCastle ? "castle" : side;
  const words = t(`analysis.at_${place}`);
  const { left, right } = domino(choices.domino);
  if (left.terrain === right.terrain && left.crowns === right.crowns) return words;
  // Describe the richer end, or else the right one.
  const [told, other, end] = left.crowns > right.crowns ? [placement.left, placement.right, left] : [placement.right, placement.left, right];
  const way = told[0] > other[0] ? "right" : told[0] < other[0] ? "left" : told[1] > other[1] ? "up" : "down";
  return t(`analysis.lies_${way}`, { place: words, terrain: terrainWord(end.terrain) });
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
