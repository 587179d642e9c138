/**
 * Statistics of a person's games, and the bot to play next. The games come from this device and from the server, which
 * sends sums of its own.
 */

/**
 * @import { Played, Rules, Statistics as Sums, Sum } from "../net/types.js"
 *
 * @typedef {{won: number, lost: number, shared: number, mean: number}} Tally `mean`: points of a game (a Dynasty has three)
 * @typedef {{value: number, low: number, high: number}} WinRate the fraction of games won, and its 95% interval
 * @typedef {{bot: string, tally: Tally}} AgainstBot games in which all opponents were one kind of bot
 *
 * @typedef {object} UnderRules games under one set of rules
 * @property {Rules} rules
 * @property {Played["dynasty"]} dynasty
 * @property {Tally} tally
 * @property {WinRate | null} rate null if there are too few games
 * @property {AgainstBot[]} bots
 *
 * @typedef {object} Statistics games by rules; those with several seats of yours, or none, count only as finished
 * @property {number} finished
 * @property {number} won
 * @property {UnderRules[]} rules those with the most games first
 * @property {Played | null} best
 *
 * @typedef {{bot: string, after: string, why: "won" | "lost"}} Suggestion the bot to play next, because you won or lost
 *   the last games against another (`after`)
 */

/** Fewest games for a win rate that means something. */
export const ENOUGH = 20;
/** Games in a row against one level, all won or all lost, before another one is suggested. */
const IN_A_ROW = 3;
/** The 97.5% quantile of the normal distribution. */
const Z = 1.959964;

const DECIDED = /** @type {const} */ (["won", "lost", "shared"]);
/** @param {string} outcome */
const isDecided = (outcome) => DECIDED.some((one) => one === outcome);

/** The bot that played all opponents; null with people or different bots. @param {Pick<Played, "players" | "seats">} game */
export function opponentBot({ players, seats }) {
  const [bot, ...others] = new Set(players.flatMap((player, seat) => (seats.includes(seat) ? [] : [player.bot])));
  return others.length ? null : bot ?? null;
}

/**
 * Adds games to the server's sums.
 * @param {Sums} sums
 * @param {readonly Played[]} games that the sums lack
 * @returns {Statistics}
 */
export function statisticsOf({ sums, rules, best }, games) {
  const all = [...sums, ...games.map(sumOf)];
  const known = new Map([...rules, ...games.map((game) => game.rules)].map((one) => [one.text, one]));
  const decided = all.filter(({ outcome }) => isDecided(outcome));
  const groups = grouped(decided, (one) => JSON.stringify([one.rules, one.dynasty]))
    .sort((one, other) => total(other, "matches") - total(one, "matches") || (one[0].rules < other[0].rules ? -1 : 1));
  return {
    finished: total(all.filter(({ outcome }) => outcome !== "unfinished"), "matches"),
    won: total(all.filter(({ outcome }) => outcome === "won"), "matches"),
    rules: groups.map((group) => under(/** @type {Rules} */ (known.get(group[0].rules)), group)),
    best: bestOf([...games.filter(({ outcome }) => isDecided(outcome)), ...best ? [best] : []]),
  };
}

/** @param {Played} game @returns {Sum} */
function sumOf(game) {
  const { rules, dynasty, outcome, scores, seat } = game;
  const points = isDecided(outcome) ? scores.reduce((sum, one) => sum + one[seat], 0) : 0;
  return { rules: rules.text, dynasty, bot: opponentBot(game), outcome, matches: 1, games: scores.length, points };
}

/** The newest game with your highest score. @param {Played[]} games */
function bestOf(games) {
  const most = (/** @type {Played} */ { scores, seat }) => Math.max(...scores.map((points) => points[seat]));
  return games.sort((one, other) => most(other) - most(one) || other.ended - one.ended)[0] ?? null;
}

/** Merges sums with the same key. @param {Sum[]} sums @param {(sum: Sum) => string} keyOf */
function grouped(sums, keyOf) {
  /** @type {Map<string, Sum[]>} */
  const groups = new Map();
  for (const sum of sums) {
    const group = groups.get(keyOf(sum));
    if (group) group.push(sum);
    else groups.set(keyOf(sum), [sum]);
  }
  return [...groups.values()];
}

/** @param {Sum[]} sums @param {"matches" | "games" | "points"} what */
const total = (sums, what) => sums.reduce((sum, one) => sum + one[what], 0);

/** @param {Sum[]} sums @returns {Tally} */
function tallyOf(sums) {
  const [won, lost, shared] = DECIDED.map((outcome) => total(sums.filter((one) => one.outcome === outcome), "matches"));
  return { won, lost, shared, mean: total(sums, "points") / total(sums, "games") };
}

/** @param {Rules} rules @param {Sum[]} sums @returns {UnderRules} */
function under(rules, sums) {
  const tally = tallyOf(sums);
  const ofBots = grouped(sums.filter(({ bot }) => bot !== null), ({ bot }) => bot ?? "");
  return {
    rules, dynasty: sums[0].dynasty, tally, rate: winRate(tally.won, total(sums, "matches")),
    bots: ofBots.map((ofBot) => ({ bot: ofBot[0].bot ?? "", tally: tallyOf(ofBot) })),
  };
}

/**
 * The fraction of games won, with its 95% interval (Wilson, JASA 22, 1927); null if there are too few games.
 * @param {number} won
 * @param {number} games
 * @returns {WinRate | null}
 */
export function winRate(won, games) {
  if (games < ENOUGH) return null;
  const [value, square] = [won / games, Z ** 2];
  const middle = (value + square / (2 * games)) / (1 + square / games);
  const reach = (Z / (1 + square / games)) * Math.sqrt((value * (1 - value)) / games + square / (4 * games ** 2));
  return { value, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}

/**
 * Suggests another level if the last games against bots were all won or all lost.
 * @param {readonly Played[]} games newest first
 * @param {readonly string[]} levels the bots, weakest first
 * @returns {Suggestion | null}
 */
export function suggestionAfter(games, levels) {
  const last = games.filter((game) => isDecided(game.outcome) && opponentBot(game)).slice(0, IN_A_ROW);
  if (last.length < IN_A_ROW) return null;
  const [{ outcome: why }] = last;
  const after = opponentBot(last[0]) ?? "";
  if (why !== "won" && why !== "lost") return null;
  if (last.some((game) => game.outcome !== why || opponentBot(game) !== after)) return null;
  const level = levels.indexOf(after);
  const bot = level < 0 ? undefined : levels[level + (why === "won" ? 1 : -1)];
  return bot ? { bot, after, why } : null;
}
