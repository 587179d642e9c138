/**
 * The log of a local table: the same events as a server's table with these games (docs/formats/table.md), except those
 * about trust in the deal, because this device deals for itself.
 *
 * The device stores only facts that the rules do not determine: the settings, and for each game its record, and when and
 * by whom each decision was made. The engine computes the rest. All functions are pure: they return a new table and its
 * new events.
 */

/**
 * @import { PlayCalls, Step } from "../../engine/calls.js"
 * @import { TableEvent } from "../net/events.js"
 * @import { SeatEntry } from "../net/types.js"
 *
 * @typedef {<Name extends keyof PlayCalls>(name: Name, args: PlayCalls[Name]["arguments"]) => Promise<PlayCalls[Name]["answer"]>} Ask
 *
 * @typedef {object} StoredGame
 * @property {string} record with the hidden deck
 * @property {number} at when it was dealt, in milliseconds since 1970
 * @property {{at: number, by: "person" | "bot"}[]} decisions one for each action of the record
 * @property {{at: number, ply: number}[]} hints
 *
 * @typedef {object} StoredTable
 * @property {string} id
 * @property {number} created milliseconds since 1970
 * @property {string} rules
 * @property {"total" | "best" | null} dynasty
 * @property {SeatEntry[]} seats
 * @property {number[]} [own] your seats in games from a file; by default all people's
 * @property {string | null} start the position from which the game begins, if not the empty table
 * @property {StoredGame[]} games
 * @property {{at: number, rematch: string | null} | null} end if the players ended it early, or started another table
 *
 * @typedef {{at: number, kind: string} & Record<string, unknown>} Unnumbered an event without its number
 * @typedef {{table: StoredTable, events: Unnumbered[]}} Change
 */

/** The games of a Dynasty. */
const DYNASTY = 3;

/** All events of a table. Throws the engine's refusal. @param {Ask} ask @param {StoredTable} table */
export async function readLog(ask, table) {
  const events = await created(ask, table);
  for (const [index, game] of table.games.entries()) {
    const { steps: [deal, ...steps] } = await ask("read_game", { record: game.record, before: pliesBefore(table, index) });
    events.push(...dealt(table, index, deal));
    for (const [number, step] of steps.entries()) {
      const { at, by } = game.decisions[number];
      events.push(...hints(game, steps[number - 1] ?? deal), ...await played(ask, table, index, step, at, by));
    }
    events.push(...hints(game, steps.at(-1) ?? deal));
  }
  if (table.end) events.push(ended(table.end));
  return events;
}

/** Number new events of a table. @param {Unnumbered[]} events @param {number} last @returns {TableEvent[]} */
export const numbered = (events, last) =>
  /** @type {TableEvent[]} */ (events.map((event, index) => ({ number: last + 1 + index, ...event })));

/** The decisions of a table before one of its games. @param {StoredTable} table @param {number} index */
export const pliesBefore = ({ games }, index) => games.slice(0, index).reduce((sum, { decisions }) => sum + decisions.length, 0);

/** The seats of the people at this device. @param {StoredTable} table */
export const ownSeats = ({ own, seats }) => own ?? seats.flatMap(({ kind, seat }) => (kind === "person" ? [seat] : []));

/** @param {Ask} ask @param {StoredTable} table @returns {Promise<Unnumbered[]>} */
async function created(ask, { created: at, rules, dynasty, seats, start }) {
  const host = seats.findIndex(({ kind }) => kind === "person");
  /** @type {Omit<Extract<TableEvent, {kind: "created"}>, "number">} */
  const event = {
    at, kind: "created", rules: await ask("rules", { rules }), dynasty, games: dynasty ? DYNASTY : 1,
    seconds: null, public: false, host: host < 0 ? null : host, seats, start: start === null ? null : await ask("start", { position: start }),
  };
  return [event];
}

/** @param {StoredTable} table @param {number} index @param {Step} deal @returns {Unnumbered[]} */
function dealt({ games }, index, deal) {
  const { at } = games[index];
  const event = { at, kind: "dealt", game: index + 1, commitment: "", nonces: null };
  return withTurn([event, ...deal.events.map((one) => ({ at, ...one }))], deal);
}

/**
 * The events of one decision.
 * @param {Ask} ask
 * @param {StoredTable} table
 * @param {number} index of the game
 * @param {Step} step
 * @param {number} at
 * @param {"person" | "bot"} by
 */
async function played(ask, { games, dynasty }, index, step, at, by) {
  const game = index + 1;
  const events = step.events.map((event) => ({ at, ...event, ..."ply" in event ? { by } : {} }));
  const finished = events.find(({ kind }) => kind === "finished");
  if (finished) {
    const records = games.slice(0, game).map(({ record }) => record);
    Object.assign(finished, { game }, await ask("totals", { records, dynasty }));
    Object.assign(events.at(-1) ?? {}, { game, commitment: "", proof: null });
  }
  return withTurn(events, step);
}

/** Add the next turn to the last event of a step. @param {Unnumbered[]} events @param {Step} step */
const withTurn = (events, { turn }) => events.with(-1, { ...events[events.length - 1], turn: turn && { ...turn, left: null } });

/** The hints for the decision after a step. @param {StoredGame} game @param {Step} step @returns {Unnumbered[]} */
const hints = (game, { turn }) =>
  game.hints.filter(({ ply }) => ply === turn?.ply).map(({ at, ply }) => ({ at, kind: "hinted", ply, seat: turn?.seat }));

/** @param {NonNullable<StoredTable["end"]>} end @returns {Unnumbered} */
const ended = ({ at, rematch }) =>
  (rematch ? { at, kind: "rematch", table: rematch } : { at, kind: "closed", why: "ended", turn: null });

/* the next events of a table */

/**
 * Deal the next game.
 * @param {Ask} ask
 * @param {StoredTable} table
 * @param {number} at
 * @param {string} seed determines the hidden deck
 * @returns {Promise<Change>}
 */
export async function deal(ask, table, at, seed) {
  const { rules, start, games } = table;
  const index = games.length;
  const begun = start ? ask("new_game_from", { position: start, seed }) : ask("new_game", { rules, seed, before: pliesBefore(table, index) });
  const { record, steps: [step] } = await begun;
  const after = { ...table, games: [...games, { record, at, decisions: [], hints: [] }] };
  return { table: after, events: dealt(after, index, step) };
}

/**
 * Play an action. Throws the engine's refusal.
 * @param {Ask} ask
 * @param {StoredTable} table
 * @param {string} action
 * @param {number} at
 * @param {"person" | "bot"} by
 * @returns {Promise<Change>}
 */
export async function play(ask, table, action, at, by) {
  const index = table.games.length - 1;
  const game = table.games[index];
  const { record, steps: [step] } = await ask("play", { record: game.record, action, before: pliesBefore(table, index) });
  const after = { ...table, games: table.games.with(index, { ...game, record, decisions: [...game.decisions, { at, by }] }) };
  return { table: after, events: await played(ask, after, index, step, at, by) };
}

/** Note a hint for a decision, once. @param {StoredTable} table @param {{ply: number, seat: number}} turn @param {number} at @returns {Change} */
export function hint(table, { ply, seat }, at) {
  const index = table.games.length - 1;
  const game = table.games[index];
  if (game.hints.some((one) => one.ply === ply)) return { table, events: [] };
  const after = { ...table, games: table.games.with(index, { ...game, hints: [...game.hints, { at, ply }] }) };
  return { table: after, events: [{ at, kind: "hinted", ply, seat }] };
}

/** End the table, perhaps for another one. @param {StoredTable} table @param {number} at @param {string | null} rematch @returns {Change} */
export function end(table, at, rematch = null) {
  const over = { at, rematch };
  return { table: { ...table, end: over }, events: [ended(over)] };
}
