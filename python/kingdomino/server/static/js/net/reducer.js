/**
 * Computes a table from its events. All events of a table give the server's snapshot (docs/formats/table.md). Pure: an
 * event creates a new table and does not change the old one.
 */

/**
 * @import { Kingdom, LineEntry, Placed, Discarded, Rules, SeatEntry, Start, Table } from "./types.js"
 * @import { Move, TableEvent } from "./events.js"
 */

const RECENT = 8;

const NO_SCORE = { total: 0, territories: [], harmony: 0, middle_kingdom: 0, harmony_lost: false };

/** Placeholder rules before the first event, which has the real ones. @type {Rules} */
const NO_RULES = {
  text: "", players: 0, edition: "second", mighty_duel: false, harmony: false, middle_kingdom: false,
  opening: "random", size: 0, kings: 0, rounds: 0, line: 0, dominoes: 0, harmony_points: 0, middle_kingdom_points: 0,
  to_draw: [], snake: [], castle: NO_SCORE,
};

const NO_WISHES = { end: [], rematch: [], declined: [] };

/** A table before its first event. @param {string} id @returns {Table} */
export function emptyTable(id) {
  return {
    id, number: 0, state: "waiting", created: 0, rules: NO_RULES, dynasty: null, seconds: null, public: false,
    host: null, start: null, game: 0, games: 1, totals: [], seats: [], round: 0, turn: null, line: [], next_line: [], kingdoms: [],
    unseen: [], in_deck: 0, commitment: null, digests: [], nonces: [], finished: null, deal: null,
    hints: [], wishes: NO_WISHES, rematch: null, closed: null, recent: [],
  };
}

/** Whether this client knows the event; otherwise the server is newer. @param {TableEvent} event */
export const isKnown = (event) => event.kind in CHANGES;

/** @param {Table} table @param {TableEvent} event @returns {Table} */
export function apply(table, event) {
  // TypeScript cannot infer that an entry of CHANGES takes events of its own kind.
  const change = /** @type {(table: Table, event: TableEvent) => Partial<Table>} */ (CHANGES[event.kind]);
  const { turn = table.turn } = event;
  return { ...table, turn, ...change(table, event), number: event.number };
}

/** @param {number} domino @returns {LineEntry} */
const unclaimed = (domino) => ({ domino, seat: null, done: false });

/**
 * Kingdoms before the first decision.
 * @param {readonly SeatEntry[]} seats
 * @param {Rules} rules
 * @param {Start | null} start
 * @returns {Kingdom[]}
 */
const firstKingdoms = (seats, rules, start) => seats.map((_, seat) => ({
  dominoes: [], discarded: [], ...(start?.kingdoms[seat] ?? { squares: [], score: rules.castle }),
}));

/** The lines when a game begins. @param {Start | null} start */
function firstLines(start) {
  if (!start) return { round: 0, line: [], next_line: [] };
  const { round, line, next_line, unseen, in_deck } = start;
  return { round, line, next_line, unseen, in_deck };
}

/**
 * The changes of each kind of event.
 * @type {{[K in TableEvent["kind"]]: (table: Table, event: Extract<TableEvent, {kind: K}>) => Partial<Table>}}
 */
const CHANGES = {
  created: (_, { at, rules, dynasty, games, seconds, public: isPublic, host, seats, start = null }) => ({
    created: at, rules, dynasty, games, seconds, public: isPublic, host, seats, start,
    totals: seats.map(() => 0), kingdoms: firstKingdoms(seats, rules, start),
    digests: seats.map(() => null), nonces: seats.map(() => null),
  }),
  seated: (table, { seat, entry }) => ({
    ...withSeat(table, seat, entry),
    host: seat === table.host && isFree(entry) ? null : table.host,
  }),
  committed: ({ seats }, { commitment }) => ({
    commitment, digests: seats.map(() => null), nonces: seats.map(() => null),
  }),
  drawing: (_, { digests }) => ({ state: "drawing", digests }),
  nonce: ({ nonces }, { seat, nonce }) => ({ nonces: nonces.with(seat, nonce) }),
  dealt: (table, { game, commitment, nonces }) => ({
    state: "playing", game, commitment, nonces: nonces ?? table.nonces, totals: table.finished?.totals ?? table.totals,
    ...firstLines(table.start), kingdoms: firstKingdoms(table.seats, table.rules, table.start), finished: null, deal: null, recent: [],
    hints: [], wishes: NO_WISHES,
  }),
  king_drawn: () => ({}),
  round_began: (_, { round, line }) => ({ round, line, next_line: [] }),
  revealed: (_, { line, unseen, in_deck }) => ({ next_line: line.map(unclaimed), unseen, in_deck }),
  claimed: (table, event) => ({
    next_line: table.next_line.map((entry) =>
      entry.domino === event.domino ? { ...entry, seat: event.seat } : entry,
    ),
    recent: withRecent(table, event),
  }),
  placed: (table, event) => withKingdom(table, event, ({ dominoes }) => ({
    dominoes: [...dominoes, [event.domino, ...event.left, ...event.right]],
  })),
  discarded: (table, event) => withKingdom(table, event, ({ discarded }) => ({
    discarded: [...discarded, event.domino],
  })),
  left: (table, { seat, why }) => withSeat(table, seat, { ...table.seats[seat], away: why }),
  returned: (table, { seat }) => withSeat(table, seat, { ...table.seats[seat], away: null }),
  finished: (table, event) => ({
    finished: event,
    state: table.game === table.games ? "over" : "between",
    kingdoms: table.kingdoms.map((kingdom, seat) => ({ ...kingdom, score: event.scores[seat] })),
  }),
  deck_revealed: (_, event) => ({ deal: event }),
  hinted: ({ hints }, { ply }) => ({ hints: [...hints, ply] }),
  wished: ({ wishes }, { seat, what, yes }) => ({
    wishes: what === "end" ? { ...wishes, end: yes ? withNumber(wishes.end, seat) : [] } : {
      ...wishes,
      rematch: yes ? withNumber(wishes.rematch, seat) : without(wishes.rematch, seat),
      declined: yes ? without(wishes.declined, seat) : withNumber(wishes.declined, seat),
    },
  }),
  rematch: (_, event) => ({ rematch: event.table }),
  closed: (_, event) => ({ state: "closed", closed: event }),
};

/** @param {number[]} seats @param {number} seat */
const without = (seats, seat) => seats.filter((one) => one !== seat);

/** @param {number[]} seats @param {number} seat */
const withNumber = (seats, seat) => [...without(seats, seat), seat].sort();

/** @param {SeatEntry} entry */
const isFree = ({ kind }) => kind === "invited" || kind === "open";

/** @param {Table} table @param {number} seat @param {SeatEntry} entry */
const withSeat = (table, seat, entry) => ({ seats: table.seats.with(seat, entry) });

/** @param {Table} table @param {Move} move */
const withRecent = (table, move) => [...table.recent, move].slice(-RECENT);

/**
 * A domino leaves the line: its entry is done, and its kingdom changes.
 * @param {Table} table
 * @param {Placed | Discarded} event
 * @param {(kingdom: Kingdom) => Partial<Kingdom>} change
 */
function withKingdom(table, event, change) {
  const kingdom = table.kingdoms[event.seat];
  return {
    line: table.line.map((entry) => (entry.domino === event.domino ? { ...entry, done: true } : entry)),
    kingdoms: table.kingdoms.with(event.seat, { ...kingdom, ...change(kingdom), score: event.score }),
    recent: withRecent(table, event),
  };
}
