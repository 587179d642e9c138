// Written by a test of crates/web from the types of Rust; do not edit.

export type Rules = { 
/**
 * The rules set in words, like `2.second.random.harmony.middle`.
 */
text: string, 
/**
 * The number of players, 2 to 4.
 */
players: number, 
/**
 * `first` or `second`.
 */
edition: string, 
/**
 * Whether two players build kingdoms of 7×7.
 */
mighty_duel: boolean, 
/**
 * Whether a full kingdom earns points.
 */
harmony: boolean, 
/**
 * Whether a castle in the middle earns points.
 */
middle_kingdom: boolean, 
/**
 * How the first claims are ordered: `random` or `snake`.
 */
opening: string, 
/**
 * The most squares of a kingdom's side.
 */
size: number, 
/**
 * The kings of each player.
 */
kings: number, 
/**
 * The number of lines that are played.
 */
rounds: number, 
/**
 * The dominoes of a line.
 */
line_length: number, 
/**
 * The dominoes in play.
 */
dominoes: number, 
/**
 * What Harmony earns; 0 without it.
 */
harmony_points: number, 
/**
 * What Middle Kingdom earns; 0 without it.
 */
middle_kingdom_points: number, };

export type End = { 
/**
 * Its terrain, like `wheat`.
 */
terrain: string, 
/**
 * Its crowns.
 */
crowns: number, };

export type Domino = { 
/**
 * 1 to 48.
 */
number: number, 
/**
 * Its left end.
 */
left: End, 
/**
 * Its right end.
 */
right: End, };

export type Square = { 
/**
 * Where it is.
 */
at: [number, number], 
/**
 * Its terrain.
 */
terrain: string, 
/**
 * Its crowns.
 */
crowns: number, };

export type Territory = { 
/**
 * Its terrain.
 */
terrain: string, 
/**
 * Its squares.
 */
squares: Array<[number, number]>, 
/**
 * Its crowns.
 */
crowns: number, 
/**
 * Its points: squares times crowns.
 */
score: number, };

export type Score = { 
/**
 * The sum.
 */
total: number, 
/**
 * The points of its territories.
 */
territories: number, 
/**
 * Harmony's points.
 */
harmony: number, 
/**
 * Middle Kingdom's points.
 */
middle_kingdom: number, };

export type Kingdom = { 
/**
 * Its text, row by row from the top.
 */
text: string, 
/**
 * Its covered squares, the castle included.
 */
squares: Array<Square>, 
/**
 * Its territories.
 */
territories: Array<Territory>, 
/**
 * Its points under the rules.
 */
score: Score, };

export type Slot = { 
/**
 * Its number.
 */
domino: number, 
/**
 * The seat that claimed it; null while it is free.
 */
seat: number | null, 
/**
 * Whether it has been placed or discarded.
 */
is_done: boolean, };

export type Position = { 
/**
 * Its text.
 */
text: string, 
/**
 * What follows from its rules set.
 */
rules: Rules, 
/**
 * `claim`, `place`, `chance` (something hidden is due) or `over`.
 */
phase: string, 
/**
 * The seat to move.
 */
to_move: number | null, 
/**
 * The round: 0 is the opening.
 */
round: number, 
/**
 * The domino to be placed.
 */
domino: number | null, 
/**
 * The line that is being placed; in the opening the one that is being claimed.
 */
line: Array<Slot>, 
/**
 * The line that is being claimed after the opening.
 */
next_line: Array<Slot>, 
/**
 * One kingdom a seat.
 */
kingdoms: Array<Kingdom>, 
/**
 * The dominoes that nobody has seen.
 */
unseen: Array<number>, 
/**
 * The kings that are still to be drawn in a random opening, one entry a king.
 */
kings_to_draw: Array<number>, 
/**
 * The legal actions.
 */
actions: Array<string>, 
/**
 * How the game ended.
 */
outcome: Outcome | null, };

export type Outcome = { 
/**
 * The points.
 */
scores: Array<Score>, 
/**
 * The places, from 1; equals share one.
 */
places: Array<number>, 
/**
 * The seats from first to last.
 */
ranking: Array<number>, 
/**
 * The seats that won.
 */
winners: Array<number>, 
/**
 * What decided between first and second place.
 */
decided_by: string, 
/**
 * By rank: what puts a seat behind the one before it; null for the first.
 */
behind_by: Array<string | null>, 
/**
 * The squares of the largest territories.
 */
largest_territories: Array<number>, 
/**
 * The crowns, where they can break a tie.
 */
crowns: Array<number>, };

export type Event = { "kind": "line_revealed", 
/**
 * Its dominoes, lowest first.
 */
dominoes: Array<number>, } | { "kind": "king_drawn", 
/**
 * Whose.
 */
seat: number, } | { "kind": "claimed", 
/**
 * By whom.
 */
seat: number, 
/**
 * Its number.
 */
domino: number, } | { "kind": "placed", 
/**
 * By whom.
 */
seat: number, 
/**
 * Its number.
 */
domino: number, 
/**
 * The square of its left end.
 */
left: [number, number], 
/**
 * The square of its right end.
 */
right: [number, number], } | { "kind": "discarded", 
/**
 * By whom.
 */
seat: number, 
/**
 * Its number.
 */
domino: number, } | { "kind": "round_began", 
/**
 * Its number, from 1.
 */
round: number, } | { "kind": "finished", };

export type Refusal = { 
/**
 * The code, like `taken`.
 */
code: string, 
/**
 * The sentence.
 */
message: string, 
/**
 * The domino that is refused, or that must be placed first.
 */
domino: number | null, 
/**
 * The seat that has claimed it.
 */
seat: number | null, 
/**
 * The square that is taken.
 */
square: [number, number] | null, 
/**
 * The width that the kingdom would have.
 */
width: number | null, 
/**
 * The height that the kingdom would have.
 */
height: number | null, 
/**
 * The domino's terrains, none of which touches it there.
 */
terrains: Array<string>, 
/**
 * The dominoes on offer.
 */
line: Array<number>, };

export type ActionAnalysis = { 
/**
 * The action.
 */
action: string, 
/**
 * Playouts through it; 0 if the values are exact.
 */
playouts: number, 
/**
 * Win probabilities.
 */
win_rates: Array<number | null>, 
/**
 * Expected scores.
 */
mean_scores: Array<number | null>, 
/**
 * Expected margins: own score minus the best opponent's.
 */
mean_margin: Array<number | null>, 
/**
 * The action and its most likely continuation.
 */
line: Array<string>, };

export type Analysis = { 
/**
 * The actions.
 */
actions: Array<ActionAnalysis>, 
/**
 * Playouts in all.
 */
playouts: number, 
/**
 * Whether the values are the exact results of best play.
 */
exact: boolean, };

export type ActionSums = { 
/**
 * The action.
 */
action: string, 
/**
 * Playouts through it, with those from before the position was reached.
 */
visits: number, 
/**
 * The sum of their utilities for the seat that decides.
 */
utility: number, 
/**
 * Playouts through it since the position was reached.
 */
playouts: number, 
/**
 * The sums of their win probabilities, scores and margins, one entry a seat.
 */
sums: [Array<number>, Array<number>, Array<number>], 
/**
 * The action and its most likely continuation.
 */
line: Array<string>, };

export type TreeSums = { 
/**
 * Whether the search compares actions.
 */
is_even: boolean, 
/**
 * One entry for each action, in the same order in every tree.
 */
actions: Array<ActionSums>, };

export type PlayoutResult = { 
/**
 * The number of playouts.
 */
n: number, 
/**
 * Mean scores.
 */
mean_scores: Array<number>, 
/**
 * Mean margins: own score minus the best opponent's.
 */
mean_margin: Array<number>, 
/**
 * Victories per playout; a victory shared by k counts 1/k.
 */
win_rates: Array<number>, 
/**
 * Standard deviations of the score of one playout.
 */
score_deviations: Array<number>, 
/**
 * Standard deviations of the margin of one playout.
 */
margin_deviations: Array<number>, };

export type Seed = number | string;

export type Game = { 
/**
 * The record, with the rest of the deck: `play` and `undo` go on from it.
 */
record: string, 
/**
 * The position.
 */
position: Position, 
/**
 * What the call caused; of a game that is read, everything that happened.
 */
events: Array<Event>, };

export type Failure = { 
/**
 * What is wrong, as a sentence.
 */
message: string, 
/**
 * Why the action is refused, if one is.
 */
refusal: Refusal | null, };

/** What can be called, by name. */
export interface Calls {
  /** Return what follows from a rules set. */
  rules: { arguments: { rules: string }; answer: Rules };

  /** Return every rules set. */
  all_rules: { arguments: {  }; answer: Array<Rules> };

  /** Return the 48 dominoes. */
  dominoes: { arguments: {  }; answer: Array<Domino> };

  /** Begin a game; the deck follows from the seed. */
  new_game: { arguments: { rules: string; seed: Seed }; answer: Game };

  /** Read a game from its record. */
  read_game: { arguments: { record: string }; answer: Game };

  /** Play an action. */
  play: { arguments: { record: string; action: string }; answer: Game };

  /** Take the last action back; of a game that has just begun, nothing. */
  undo: { arguments: { record: string }; answer: Game };

  /** Read a position. */
  position: { arguments: { position: string }; answer: Position };

  /** Play an action in a position. */
  move_on: { arguments: { position: string; action: string }; answer: Position };

  /** Reveal a line where one is due. */
  reveal: { arguments: { position: string; dominoes: Array<number> }; answer: Position };

  /** Draw a king where one is due. */
  draw: { arguments: { position: string; seat: number }; answer: Position };

  /** Return why an action is refused in a position, or null. */
  refusal: { arguments: { position: string; action: string }; answer: Refusal | null };

  /** Read a kingdom, and score it under these rules. */
  kingdom: { arguments: { kingdom: string; rules: string }; answer: Kingdom };

  /** Return the action that a policy chooses: random, greedy, tuned, gprd or fg. Noise, in points, is for tuned. */
  choose: { arguments: { position: string; policy: string; seed: Seed; noise?: number | null }; answer: string };

  /** Play a position to its end n times, each time with a newly sampled deck, and return the statistics. */
  playouts: { arguments: { position: string; n: number; policy: string; seed: Seed }; answer: PlayoutResult };

  /** Begin a search, of these actions alone if some are named, and return its number. It stays in memory until free. Workers that share a search each grow the tree of another number; merge puts together what they find. */
  search: { arguments: { position: string; seed: Seed; actions?: Array<string> | null; tree?: number | null }; answer: number };

  /** Search on, for so many playouts or until the tree has so many nodes, and return why it stopped: limit; full; solved; or stopped, where an ending is not solved yet and the next run goes on. */
  run: { arguments: { search: number; playouts: number; nodes?: number | null }; answer: string };

  /** Return the sums of each tree of a search. */
  sums: { arguments: { search: number }; answer: Array<TreeSums> };

  /** Return what the trees of one search have found together, in the order of their numbers. */
  merge: { arguments: { trees: Array<TreeSums> }; answer: Analysis };

  /** Return what a search has found. */
  analysis: { arguments: { search: number }; answer: Analysis };

  /** Go on with the part of a search that lies behind an action. */
  advance: { arguments: { search: number; action: string }; answer: Position };

  /** Forget a search. */
  free: { arguments: { search: number }; answer: null };
}
