/**
 * The score sheet of a real game: its players and rules, and a kingdom for each of them in each game. The device stores
 * it.
 */
import { seenFrom, TERRAINS } from "../draw/painter.js";
import { KingdomMap } from "../draw/kingdom-map.js";
import { loadSetting, saveSetting } from "../net/storage.js";

/**
 * @import { Painted } from "../draw/painter.js"
 * @import { Entry, Square } from "../draw/kingdom-map.js"
 *
 * @typedef {object} Land a kingdom as it lies on the table
 * @property {Painted[]} squares the painted ones
 * @property {Entry[]} dominoes the placed ones
 * @property {boolean} isDone whether the kingdom is complete
 *
 * @typedef {object} Sheet
 * @property {number} version
 * @property {5 | 7} size
 * @property {"first" | "second"} edition
 * @property {boolean} harmony
 * @property {boolean} middle_kingdom
 * @property {"total" | "best" | null} dynasty
 * @property {"squares" | "dominoes"} how whether to paint squares or to place dominoes
 * @property {number} game the index of the game on show
 * @property {number} seat the player whose kingdom is large
 * @property {string[]} names by seat; empty for the name of its colour
 * @property {Land[][]} games the kingdoms, by game and seat
 */

/** The format's version; other versions write other sheets. */
const VERSION = 1;
/** The names of the settings with a sheet: this version's, and another version's. */
const [SHEET, OTHER] = ["score", "score-other"];
export const MOST_PLAYERS = 4;
export const DYNASTY_GAMES = 3;
/** How many earlier sheets survive a reload. */
const KEPT_STEPS = 10;

/** @returns {Land} */
const bare = () => ({ squares: [], dominoes: [], isDone: false });

/** @param {string[]} names @returns {Sheet} */
export const emptySheet = (names = [""]) => ({
  version: VERSION, size: 5, edition: "second", harmony: false, middle_kingdom: false, dynasty: null, how: "squares", game: 0,
  seat: 0, names, games: [names.map(bare)],
});

/** The kingdom that is large. @param {Sheet} sheet */
export const landOf = ({ games, game, seat }) => games[game][seat];

/** The same sheet with another kingdom in its place. @param {Sheet} sheet @param {Land} land @returns {Sheet} */
export const withLand = (sheet, land) => ({
  ...sheet,
  games: sheet.games.map((lands, game) => (game === sheet.game ? lands.with(sheet.seat, land) : lands)),
});

/** @param {Sheet} sheet @returns {Sheet} */
export const withPlayer = (sheet) => ({
  ...sheet, names: [...sheet.names, ""], games: sheet.games.map((lands) => [...lands, bare()]), seat: sheet.names.length,
});

/** @param {Sheet} sheet @param {number} seat @returns {Sheet} */
export const withoutPlayer = (sheet, seat) => ({
  ...sheet, names: sheet.names.toSpliced(seat, 1), games: sheet.games.map((lands) => lands.toSpliced(seat, 1)), seat: 0,
});

/** The sheet with as many games as it needs. @param {Sheet} sheet @param {Sheet["dynasty"]} dynasty @returns {Sheet} */
export function withDynasty(sheet, dynasty) {
  const games = [...sheet.games];
  while (dynasty && games.length < DYNASTY_GAMES) games.push(sheet.names.map(bare));
  return { ...sheet, dynasty, games, game: dynasty ? sheet.game : 0 };
}

/** All its covered squares. @param {Pick<Land, "squares" | "dominoes">} land @returns {Painted[]} */
export const squaresOf = ({ squares, dominoes }) => [...new KingdomMap(dominoes, squares).squares.values()].flatMap(
  ({ x, y, terrain, crowns }) => TERRAINS.filter((one) => one === terrain).map((one) => ({ x, y, terrain: one, crowns })));

/** The kingdom with these squares. A domino stays if both of its squares do. @param {Land} land @param {Painted[]} squares @returns {Land} */
export function repainted(land, squares) {
  const now = new Set(squares.map(nameOfSquare));
  const dominoes = land.dominoes.filter((entry) => covered([entry]).every((square) => now.has(nameOfSquare(square))));
  const whole = new Set(covered(dominoes).map(nameOfSquare));
  return { ...land, dominoes, squares: squares.filter((square) => !whole.has(nameOfSquare(square))) };
}

/** The kingdom after its castle went to another square. @param {Land} land @param {Square} to @returns {Land} */
export function withCastleAt(land, to) {
  const left = repainted(land, squaresOf(land).filter(({ x, y }) => x !== to[0] || y !== to[1]));
  const dominoes = left.dominoes.map(([number, lx, ly, rx, ry]) =>
    /** @type {Entry} */ ([number, lx - to[0], ly - to[1], rx - to[0], ry - to[1]]));
  return { ...left, dominoes, squares: seenFrom(left.squares, to) };
}

/** @param {Entry[]} dominoes */
const covered = (dominoes) => squaresOf({ squares: [], dominoes });

/** @param {Painted} square */
const nameOfSquare = ({ x, y, terrain, crowns }) => `${x},${y} ${terrain}${crowns}`;

/** Whose kingdom has a domino in this game; -1 if none has. @param {Sheet} sheet @param {number} number */
export const holderOf = ({ games, game }, number) =>
  games[game].findIndex(({ dominoes }) => dominoes.some(([other]) => other === number));

// On the device

/** @param {unknown} value @param {number} least @param {number} most */
const isWhole = (value, least, most) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** Whether the page can show a stored value: any program may have written it. @param {any} sheet @returns {sheet is Sheet} */
function isSheet(sheet) {
  try {
    const { version, size, edition, harmony, middle_kingdom, dynasty, how, game, seat, names, games } = sheet;
    /** @param {Painted} square */
    const isSquare = ({ x, y, terrain, crowns }) =>
      TERRAINS.includes(terrain) && isWhole(crowns, 0, 3) && isWhole(x, -12, 12) && isWhole(y, -12, 12);
    /** @param {Entry} entry */
    const isEntry = (entry) => entry.length === 5 && isWhole(entry[0], 1, 48) && entry.slice(1).every((at) => isWhole(at, -12, 12));
    /** @param {Land} land */
    const isLand = ({ squares, dominoes, isDone }) =>
      typeof isDone === "boolean" && squares.every(isSquare) && dominoes.every(isEntry);
    return version === VERSION && [5, 7].includes(size) && ["first", "second"].includes(edition)
      && [harmony, middle_kingdom].every((flag) => typeof flag === "boolean") && [null, "total", "best"].includes(dynasty)
      && ["squares", "dominoes"].includes(how) && isWhole(names.length, 1, MOST_PLAYERS) && isWhole(seat, 0, names.length - 1)
      && names.every((/** @type {unknown} */ name) => typeof name === "string") && isWhole(games.length, dynasty ? DYNASTY_GAMES : 1, DYNASTY_GAMES)
      && isWhole(game, 0, dynasty ? DYNASTY_GAMES - 1 : 0)
      && games.every((/** @type {Land[]} */ lands) => lands.length === names.length && lands.every(isLand));
  } catch {
    return false;
  }
}

/**
 * The sheet of this device with its earlier ones, the last one last. Another version's sheet stays in the storage under
 * another name; then `isOther` is true.
 * @returns {{sheet: Sheet | null, past: Sheet[], isOther: boolean}}
 */
export function keptSheet() {
  const kept = /** @type {{sheet?: unknown, past?: unknown[]} | undefined} */ (loadSetting(SHEET));
  if (!kept) return { sheet: null, past: [], isOther: false };
  const { sheet, past } = kept;
  if (isSheet(sheet) && Array.isArray(past) && past.every(isSheet)) return { sheet, past, isOther: false };
  saveSetting(OTHER, kept);
  return { sheet: null, past: [], isOther: true };
}

/** @param {Sheet} sheet @param {Sheet[]} past */
export const keepSheet = (sheet, past) => saveSetting(SHEET, { sheet, past: past.slice(-KEPT_STEPS) });
