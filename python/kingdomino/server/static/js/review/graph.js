/**
 * The chances of winning over a game: a line for each seat, the rounds, the costliest decisions, the luckiest and the unluckiest
 * line. The same numbers are also in a table.
 */
import { seal, SEATS, svg, use } from "../draw/art.js";
import { el } from "../draw/dom.js";
import { t } from "../i18n/locale.js";
import { chanceText, decimal } from "../i18n/numbers.js";
import { changeText, lossFigure, lossOf } from "../i18n/review-text.js";
import { costliest } from "./kept.js";

/**
 * @import { Decision, Luck } from "../../engine/calls.js"
 * @import { Game } from "./game.js"
 * @import { Known } from "./work.js"
 * @typedef {(seat: number) => string} NameOf
 */

const LEFT = 36;
const RIGHT = 26;
const TOP = 30;
const FOOT = 20;
const NARROW = 500; // pixels of width, below which the graph shows less
const LEAST_LUCK = 0.01;
const EMBLEM = 22;
const FIGURE_ROWS = [-6, 14, -26, 34, -46, 54, -66, 74]; // pixels below the line's point, possible places for a cost
const LETTER = 9.2; // pixels of width
const LETTERS = 16; // and of height
const RATES = [1, 0.5, 0]; // the chances with a grid line
const ROOM = 62; // pixels for the name of a round
const DIGIT = 8; // pixels of width of a digit in the number of a round
const BETWEEN = 4; // pixels between two such numbers

/** The luckiest and the unluckiest line of a seat. @param {readonly Luck[]} luck @param {number} seat */
function extremes(luck, seat) {
  const lines = luck.filter(({ line }) => line.length).sort((one, other) => one.win_rates[seat] - other.win_rates[seat]);
  const [luckiest, unluckiest] = [lines.at(-1), lines[0]];
  return [
    luckiest && luckiest.win_rates[seat] >= LEAST_LUCK ? luckiest : null,
    unluckiest && unluckiest.win_rates[seat] <= -LEAST_LUCK ? unluckiest : null,
  ];
}

export class Graph {
  #at = 0;

  /** @param {HTMLElement} place @param {(ply: number) => void} go */
  constructor(place, go) {
    this.place = place;
    place.onclick = ({ clientX }) => {
      const { left, width } = place.getBoundingClientRect();
      const share = (clientX - left - LEFT) / (width - LEFT - RIGHT);
      go(Math.round(share * this.#plies));
    };
  }

  #plies = 1;

  /** @param {Known} known @param {Game} game @param {number} at the decision on show @param {NameOf} nameOf */
  show(known, game, at, nameOf) {
    this.#at = at;
    this.#plies = Math.max(1, game.moments.length);
    const wide = Math.max(280, this.place.clientWidth);
    const drawing = svg(`0 0 ${wide} ${heightOf(wide)}`, this.#markup(known, game, wide));
    drawing.setAttribute("role", "img");
    drawing.ariaHidden = null;
    drawing.ariaLabel = describe(known, game, nameOf);
    this.place.replaceChildren(drawing);
  }

  /** @param {Known} known @param {Game} game @param {number} wide */
  #markup(known, game, wide) {
    const bottom = heightOf(wide) - FOOT;
    const x = (/** @type {number} */ ply) => LEFT + ((wide - LEFT - RIGHT) * ply) / this.#plies;
    const y = (/** @type {number} */ rate) => bottom - (bottom - TOP) * Math.min(1, Math.max(0, rate));
    const shown = [...known.decisions.keys()].filter((ply) => known.decisions[ply]);
    const until = shown.findIndex((ply, at) => ply !== at);
    const judged = known.decisions.slice(0, until < 0 ? shown.length : until);
    const parts = [axes(wide, y), rounds(game, x, bottom), `<path class="here" d="M${x(this.#at)} ${TOP - 4}V${bottom}"/>`];
    const ends = emblems(judged, game.end.seats.length, y);
    const last = Math.min(x(judged.length) + 3, wide - EMBLEM);
    for (const seat of [...game.end.seats.keys()].reverse()) parts.push(line(judged, seat, x, y, last, ends[seat]));
    const marks = costliest(known, game.viewer).map((decision) => {
      const [u, v] = [x(decision.ply), y(decision.before.win_rates[decision.seat])];
      return { u, v, figure: lossFigure(lossOf(decision)) };
    });
    const room = new Room(wide);
    for (const rate of RATES) room.take(0, y(rate) - LETTERS / 2, LEFT, y(rate) + LETTERS / 2);
    for (const end of ends) room.take(last, end - EMBLEM / 2, last + EMBLEM, end + EMBLEM / 2);
    for (const { u, v } of marks) room.take(u - 5, v - 13, u + 5, v - 6);
    if (game.viewer !== null) parts.push(...tiles(known.luck, game.viewer, x, wide, room));
    for (const { u, v, figure } of marks) {
      parts.push(`<path class="tri" d="M${u - 5} ${v - 13}h10l-5 7z"/>`,
        room.write(figure, "fig", FIGURE_ROWS.map((row) => v + row).filter((row) => LETTERS <= row && row <= bottom)
          .flatMap((row) => [[u - 8, row, "end"], [u + 8, row, "start"]])));
    }
    const seat = game.moments[this.#at]?.move.seat ?? 0;
    const now = known.decisions[this.#at]?.before.win_rates[seat];
    if (now !== undefined) parts.push(`<circle class="knob" cx="${x(this.#at)}" cy="${y(now)}" r="6"/>`);
    return parts.join("");
  }
}

/** @param {number} wide */
const heightOf = (wide) => (wide < NARROW ? 110 : 142);

/** @param {number} wide @param {(rate: number) => number} y */
function axes(wide, y) {
  return RATES.map((rate) =>
    `<path class="axis" d="M${LEFT} ${y(rate)}H${wide - RIGHT}" opacity="${rate === 0.5 ? 0.9 : 0.35}"/>` +
    `<text x="${LEFT - 6}" y="${y(rate) + 4}" text-anchor="end">${rate === 1 ? chanceText(1, true) : 100 * rate}</text>`).join("");
}

/** @param {Game} game @param {(ply: number) => number} x @param {number} bottom */
function rounds({ moments }, x, bottom) {
  const starts = moments.flatMap(({ table }, ply) => (ply && table.round === moments[ply - 1].table.round ? [] : [ply]));
  let free = 0; // the left edge of the free space
  return starts.map((start, at) => {
    const end = starts[at + 1] ?? moments.length;
    const { round } = moments[start].table;
    const room = x(end) - x(start) >= ROOM;
    const words = round ? (room ? t("review.round", { round }) : round) : room ? t("review.kings") : "";
    const half = (DIGIT * String(words).length) / 2;
    const middle = Math.max((x(start) + x(end)) / 2, free + half);
    const isWritten = words && middle <= x(end);
    if (isWritten) free = middle + half + BETWEEN;
    return (start ? `<path class="turned" d="M${x(start)} ${TOP}V${bottom}"/>` : "") +
      (isWritten ? `<text x="${middle}" y="${bottom + 17}" text-anchor="middle">${words}</text>` : "");
  }).join("");
}

/**
 * The heights of the emblems: at the ends of the lines, without overlap.
 * @param {readonly Decision[]} judged
 * @param {number} players
 * @param {(rate: number) => number} y
 */
function emblems(judged, players, y) {
  const last = judged.at(-1);
  if (!last) return [];
  const [top, bottom] = [y(1), y(0)];
  const apart = Math.min(EMBLEM, (bottom - top) / (players - 1));
  const heights = last.after.win_rates.map(y);
  const order = [...heights.keys()].sort((one, other) => heights[other] - heights[one]);
  let free = bottom;
  for (const seat of order) {
    heights[seat] = Math.min(heights[seat], free);
    free = heights[seat] - apart;
  }
  free = top;
  for (const seat of order.reverse()) {
    heights[seat] = Math.max(heights[seat], free);
    free = heights[seat] + apart;
  }
  return heights;
}

/**
 * @param {readonly Decision[]} judged
 * @param {number} seat
 * @param {(ply: number) => number} x
 * @param {(rate: number) => number} y
 * @param {number} end the left edge of the emblem
 * @param {number} height the middle of the emblem
 */
function line(judged, seat, x, y, end, height) {
  const last = judged.at(-1);
  if (!last) return "";
  const rates = [...judged.map(({ before }) => before.win_rates[seat]), last.after.win_rates[seat]];
  const path = rates.map((rate, ply) => `${ply ? "L" : "M"}${x(ply).toFixed(1)} ${y(rate).toFixed(1)}`).join("");
  const mark = use(`seal-${SEATS[seat]}`, end, height - EMBLEM / 2, EMBLEM, EMBLEM);
  return `<path class="case" d="${path}"/><path class="core seat-${SEATS[seat]}" d="${path}"/>` +
    `<g class="emblem seat-${SEATS[seat]}">${mark}</g>`;
}

/**
 * @param {readonly Luck[]} luck
 * @param {number} seat
 * @param {(ply: number) => number} x
 * @param {number} wide
 * @param {Room} room
 */
function tiles(luck, seat, x, wide, room) {
  const shown = extremes(luck, seat).flatMap((one, at) => {
    if (!one) return [];
    const change = changeText(one.win_rates[seat]);
    return [{ u: x(one.ply), words: wide < 900 ? change : t(at ? "review.unluckiest" : "review.luckiest", { change }) }];
  });
  for (const { u } of shown) room.take(u - 9, 4, u + 9, 14);
  return shown.map(({ u, words }) => `<rect class="tile" x="${u - 9}" y="4" width="18" height="10" rx="2"/>` +
    room.write(words, "", [[u + 14, 13.5, "start"], [u - 14, 13.5, "end"]]));
}

/** The free space for words, so that they cover neither each other nor a mark. The table has the words without space. */
class Room {
  /** @type {[left: number, top: number, right: number, bottom: number][]} */
  #taken = [];

  /** @param {number} wide */
  constructor(wide) {
    this.wide = wide;
  }

  /** @param {number} left @param {number} top @param {number} right @param {number} bottom */
  take(left, top, right, bottom) {
    this.#taken.push([left, top, right, bottom]);
  }

  /**
   * Writes words in the first of these places with enough space; nothing if there is none.
   * @param {string} words
   * @param {string} name the class of the text
   * @param {[x: number, y: number, anchor: "start" | "end"][]} places
   */
  write(words, name, places) {
    const boxes = places.map(([x, y, anchor]) => {
      const left = anchor === "start" ? x : x - LETTER * words.length;
      return { x, y, anchor, left, right: left + LETTER * words.length };
    });
    const isFree = (/** @type {typeof boxes[0]} */ { left, right, y }) => left >= 0 && right <= this.wide &&
      this.#taken.every((box) => left >= box[2] || right <= box[0] || y - LETTERS >= box[3] || y <= box[1]);
    const found = boxes.find(isFree);
    if (!found) return "";
    const { x, y, anchor, left, right } = found;
    this.take(left, y - LETTERS, right, y);
    return `<text class="${name}" x="${x}" y="${y}" text-anchor="${anchor}">${words}</text>`;
  }
}

/** The graph in a sentence or two. @param {Known} known @param {Game} game @param {NameOf} nameOf */
function describe(known, game, nameOf) {
  const first = known.decisions[0];
  const last = known.decisions.findLast(Boolean);
  if (!first || !last) return t("review.chances");
  const seats = [...game.end.seats.keys()].map((seat) => t("review.chances_of", {
    name: nameOf(seat), first: chanceText(first.before.win_rates[seat], first.exact),
    last: chanceText(last.after.win_rates[seat], last.exact),
  }));
  const plies = costliest(known, game.viewer).map(({ ply }) => String(ply + 1));
  return [t("review.chances"), ...seats, ...(plies.length ? [t("review.costliest", { plies: plies.join(", ") })] : [])]
    .join(". ");
}

/**
 * The same numbers as a table with a row for each decision.
 * @param {Known} known
 * @param {Game} game
 * @param {NameOf} nameOf
 * @param {(ply: number) => string} what the choice of a decision
 */
export function numbers(known, game, nameOf, what) {
  const column = (/** @type {string} */ words) => el("th", { scope: "col" }, words);
  const seats = [...game.end.seats.keys()];
  const luck = new Map(known.luck.map((one) => [one.ply, one]));
  const rows = game.moments.map(({ move }, ply) => {
    const one = known.decisions[ply];
    const chance = luck.get(ply);
    const cells = one
      ? [decimal(one.cost_points), chanceText(one.cost, true), ...seats.map((seat) => chanceText(one.after.win_rates[seat], one.exact)),
        ...seats.map((seat) => (chance ? changeText(chance.win_rates[seat]) : ""))]
      : ["", "", ...seats.flatMap(() => ["", ""])];
    return el("tr", el("th", { scope: "row" }, ply + 1), el("td", seal(move.seat), " ", nameOf(move.seat)), el("td", what(ply)),
      ...cells.map((cell) => el("td.figure", cell)));
  });
  return el("table",
    el("thead", el("tr", column("#"), column(t("review.column_who")), column(t("review.column_what")),
      column(t("review.column_points")), column(t("review.column_chance")),
      ...seats.map((seat) => column(t("review.column_after", { name: nameOf(seat) }))),
      ...seats.map((seat) => column(t("review.column_luck", { name: nameOf(seat) }))))),
    el("tbody", ...rows));
}
