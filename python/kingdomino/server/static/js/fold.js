/**
 * The table as its events make it: folding all of them gives what the server's snapshot says
 * (docs/formats/table.md). Pure: a table is never changed, a new one is made.
 *
 * @typedef {{number: number, at: number, kind: string, turn?: Turn | null, [field: string]: any}} TableEvent
 * @typedef {{ply: number, seat: number, phase: "claim" | "place", domino: number | null, fits: boolean,
 *   round: number, deadline: number | null}} Turn
 * @typedef {{domino: number, seat: number | null, done: boolean}} Offer
 * @typedef {{total: number, harmony: number, middle_kingdom: number, territories:
 *   {terrain: string, squares: [number, number][], crowns: number, points: number}[]}} Score
 * @typedef {{dominoes: number[][], discarded: number[], score: Score}} Kingdom
 * @typedef {{seat: number, kind: string, name: string | null, bot: string | null, away: string | null}} Seat
 * @typedef {{id: string, number: number, state: string, rules: any, game: number, games: number,
 *   totals: number[], seats: Seat[], round: number, turn: Turn | null, line: Offer[], next_line: Offer[],
 *   kingdoms: Kingdom[], unseen: number[], in_deck: number, finished: any, recent: TableEvent[],
 *   [field: string]: any}} Table
 */

const RECENT = 8;

/** A table that nothing is known of yet. @param {string} id @returns {Table} */
export function empty(id) {
  return {
    id, number: 0, state: "waiting", created: 0, rules: {}, dynasty: null, seconds: null, public: false,
    game: 0, games: 1, totals: [], seats: [], round: 0, turn: null, line: [], next_line: [], kingdoms: [],
    unseen: [], in_deck: 0, commitment: null, finished: null, deal: null, rematch: null, recent: [],
  };
}

/** Whether this client knows the event; if not, the server has been updated. @param {TableEvent} event */
export const knows = (event) => event.kind in CHANGES;

/** @param {Table} table @param {TableEvent} event @returns {Table} */
export function apply(table, event) {
  const now = { ...table, ...CHANGES[event.kind](table, event), number: event.number };
  if (event.turn !== undefined) now.turn = event.turn;
  if (now.turn && now.turn.round > now.round) {
    now.round = now.turn.round;
    now.line = now.next_line.map((offer) => ({ ...offer, done: offer.seat === null }));
    now.next_line = [];
  }
  if (event.kind === "revealed") now.next_line = event.line.map(free);
  return now;
}

/** @param {number} domino @returns {Offer} */
const free = (domino) => ({ domino, seat: null, done: false });

/**
 * Kingdoms before the first domino. A castle alone stands in the middle: that bonus would count.
 * @param {Seat[]} seats
 * @param {any} rules
 * @returns {Kingdom[]}
 */
const bare = (seats, rules) => seats.map(() => ({
  dominoes: [],
  discarded: [],
  score: { total: 0, territories: [], harmony: 0, middle_kingdom: rules.middle_kingdom_points },
}));

/** @type {Record<string, (table: Table, event: TableEvent) => Partial<Table>>} */
const CHANGES = {
  created: (_, { at, rules, dynasty, games, seconds, public: open, seats }) => ({
    created: at, rules, dynasty, games, seconds, public: open, seats,
    totals: seats.map(() => 0), kingdoms: bare(seats, rules),
  }),
  seated: (table, event) => seated(table, event.seat, event.entry),
  dealt: (table, { game, commitment }) => ({
    state: "playing", game, commitment, totals: table.finished?.totals ?? table.totals, round: 0, turn: null,
    line: [], next_line: [], kingdoms: bare(table.seats, table.rules), finished: null, deal: null, recent: [],
  }),
  king_drawn: () => ({}),
  revealed: (_, { unseen, in_deck }) => ({ unseen, in_deck }),
  claimed: (table, event) => ({
    next_line: table.next_line.map((offer) =>
      offer.domino === event.domino ? { ...offer, seat: event.seat } : offer,
    ),
    recent: recently(table, event),
  }),
  placed: (table, event) => built(table, event, (kingdom) => ({
    dominoes: [...kingdom.dominoes, [event.domino, ...event.left, ...event.right]],
  })),
  discarded: (table, event) => built(table, event, (kingdom) => ({
    discarded: [...kingdom.discarded, event.domino],
  })),
  left: (table, { seat, why }) => seated(table, seat, { ...table.seats[seat], away: why }),
  returned: (table, { seat }) => seated(table, seat, { ...table.seats[seat], away: null }),
  finished: (table, event) => ({
    finished: event,
    state: table.game === table.games ? "over" : "between",
    kingdoms: table.kingdoms.map((kingdom, seat) => ({ ...kingdom, score: event.scores[seat] })),
  }),
  deck_revealed: (_, event) => ({ deal: event }),
  rematch: (_, event) => ({ rematch: event.table }),
  closed: () => ({ state: "closed" }),
};

/** @param {Table} table @param {number} seat @param {Seat} entry */
const seated = (table, seat, entry) => ({ seats: table.seats.with(seat, entry) });

/** @param {Table} table @param {TableEvent} event */
const recently = (table, event) => [...table.recent, event].slice(-RECENT);

/**
 * What a domino that left the line changes: its place there, and its owner's kingdom.
 * @param {Table} table
 * @param {TableEvent} event
 * @param {(kingdom: Kingdom) => Partial<Kingdom>} change
 */
function built(table, event, change) {
  const kingdom = table.kingdoms[event.seat];
  return {
    line: table.line.map((offer) => (offer.domino === event.domino ? { ...offer, done: true } : offer)),
    kingdoms: table.kingdoms.with(event.seat, { ...kingdom, ...change(kingdom), score: event.score }),
    recent: recently(table, event),
  };
}
