/**
 * A table of this device as an entry in the list of games, in the server's format.
 */
import { eventsOfGame } from "../net/events.js";

/**
 * @import { TableEvent } from "../net/events.js"
 * @import { MyTable, Played, Table, UnfinishedGame } from "../net/types.js"
 */

/** @param {Table} table */
const playersOf = ({ seats }) => seats.map(({ name, bot }) => ({ name, bot }));

/** The entries of a row for lists. @param {Table} table @param {TableEvent[]} events @param {number[]} seats yours */
export function rowParts(table, events, seats) {
  const isOver = ["over", "closed"].includes(table.state);
  return { unfinished: isOver ? null : unfinishedGame(table, seats), played: isOver ? playedGames(table, events, seats) : null };
}

/** An unfinished table. @param {Table} table @param {number[]} seats yours @returns {UnfinishedGame} */
function unfinishedGame(table, seats) {
  const { id, state, rules, round, turn, kingdoms } = table;
  const seat = turn && seats.includes(turn.seat) ? turn.seat : seats[0] ?? 0;
  const { dominoes, squares } = kingdoms[seat];
  return {
    id, state: state === "between" ? state : "playing", rules, players: playersOf(table), seats, round,
    turn: turn?.seat ?? null, seat, kingdom: dominoes, squares,
  };
}

/** An unfinished game as the home page lists it. @param {UnfinishedGame} game @param {number} updated @returns {MyTable} */
export function myTable({ id, state, players, seats, round, rules, turn }, updated) {
  const entries = players.map(({ name, bot }, seat) => ({
    seat, kind: bot === null ? /** @type {const} */ ("person") : /** @type {const} */ ("bot"), name, bot, away: null,
  }));
  return {
    id, state, seats: entries, own: seats, round, rounds: rules.rounds, your_turn: turn !== null && seats.includes(turn), updated,
  };
}

/**
 * The entry of a finished table; null if no game was dealt.
 * @param {Table} table
 * @param {TableEvent[]} events
 * @param {number[]} seats yours
 * @returns {Played | null}
 */
function playedGames(table, events, seats) {
  if (!table.game) return null;
  const { id, dynasty, rules, start } = table;
  const ends = events.filter((event) => event.kind === "finished");
  const isOver = table.state === "over";
  const result = isOver ? table.finished?.match ?? table.finished : null;
  const { at: ended = 0 } = (isOver ? ends : events).at(-1) ?? {}; // a rematch comes later
  const seat = seats.length === 1 ? seats[0] : result?.winners[0] ?? 0;
  const scores = ends.map((end) => end.scores.map(({ total }) => total));
  const best = ends.reduce((shown, _, game) => (shown < 0 || scores[game][seat] > scores[shown][seat] ? game : shown), -1);
  return {
    id, imported: false, ended, outcome: result ? outcomeOf(start ? [] : seats, result.winners) : "unfinished",
    rules, dynasty, round: isOver ? rules.rounds : table.round, players: playersOf(table), seats, scores,
    totals: result ? table.finished?.match?.scores ?? scores[scores.length - 1] : [], ranking: result?.ranking ?? [],
    places: result?.places ?? [], winners: result?.winners ?? [], decided_by: result?.decided_by ?? null,
    seat, kingdom: kingdomIn(events, best < 0 ? table.game : best + 1, seat),
    squares: start?.kingdoms[seat].squares ?? [], start: start?.position ?? null,
  };
}

/** @param {number[]} seats @param {number[]} winners @returns {Played["outcome"]} */
function outcomeOf(seats, winners) {
  if (seats.length !== 1) return "neutral";
  if (!winners.includes(seats[0])) return "lost";
  return winners.length === 1 ? "won" : "shared";
}

/** The dominoes of a kingdom at the end of a game, by number. @param {TableEvent[]} events @param {number} game @param {number} seat */
function kingdomIn(events, game, seat) {
  const placed = eventsOfGame(events, game).flatMap((event) => {
    const isThere = event.kind === "placed" && event.seat === seat;
    return isThere ? [/** @type {Played["kingdom"][number]} */ ([event.domino, ...event.left, ...event.right])] : [];
  });
  return placed.sort(([one], [other]) => one - other);
}
