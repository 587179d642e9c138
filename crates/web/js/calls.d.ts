// Written by a test of crates/web from the types of Rust; do not edit.

export type Terrain = "wheat" | "forest" | "lake" | "grassland" | "swamp" | "mine";

export type KingdomTerritory = { 
/**
 * Its terrain.
 */
terrain: Terrain, 
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
points: number, };

export type KingdomScore = { 
/**
 * The points that count now.
 */
total: number, 
/**
 * The territories; those with the most points come first.
 */
territories: Array<KingdomTerritory>, 
/**
 * Harmony's points.
 */
harmony: number, 
/**
 * Middle Kingdom's points.
 */
middle_kingdom: number, 
/**
 * Whether a discard has made Harmony impossible; false under rules without it.
 */
harmony_lost: boolean, };

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
edition: "first" | "second", 
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
opening: "random" | "snake", 
/**
 * The most squares of a kingdom's side.
 */
size: number, 
/**
 * The kings of each player.
 */
kings: number, 
/**
 * The number of lines in a game.
 */
rounds: number, 
/**
 * The dominoes of a line.
 */
line: number, 
/**
 * The dominoes in play.
 */
dominoes: number, 
/**
 * The points for Harmony; 0 without it.
 */
harmony_points: number, 
/**
 * The points for Middle Kingdom; 0 without it.
 */
middle_kingdom_points: number, 
/**
 * The seats of the kings in the opening.
 */
to_draw: Array<number>, 
/**
 * The order of claims for each seat that may be drawn first; empty if all kings are drawn.
 */
snake: Array<Array<number>>, 
/**
 * The score of a lone castle.
 */
castle: KingdomScore, };

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

export type LineEntry = { 
/**
 * Its number.
 */
domino: number, 
/**
 * The seat that claimed it; null while it is free.
 */
seat: number | null, 
/**
 * Whether it was placed or discarded, or never claimed.
 */
done: boolean, };

export type Position = { 
/**
 * Its text.
 */
text: string, 
/**
 * The facts of its rules set.
 */
rules: Rules, 
/**
 * `claim`, `place`, `chance` (something hidden is due) or `over`.
 */
phase: "claim" | "place" | "chance" | "over", 
/**
 * The chance event that is due: `line` or `king`.
 */
due: "line" | "king" | null, 
/**
 * The seat to move.
 */
to_move: number | null, 
/**
 * The round: 0 is the opening.
 */
round: number, 
/**
 * How many turns of the round are over.
 */
turn: number, 
/**
 * The domino to be placed.
 */
domino: number | null, 
/**
 * Whether it fits somewhere.
 */
fits: boolean, 
/**
 * The line from which players place; in the opening, the line from which they claim.
 */
line: Array<LineEntry>, 
/**
 * The line that is being claimed after the opening.
 */
next_line: Array<LineEntry>, 
/**
 * One kingdom per seat.
 */
kingdoms: Array<Kingdom>, 
/**
 * By seat, whether a discard has made Harmony impossible; false under rules without it.
 */
harmony_lost: Array<boolean>, 
/**
 * The unseen dominoes.
 */
unseen: Array<number>, 
/**
 * How many of them are still to be revealed.
 */
in_deck: number, 
/**
 * The kings that are still to be drawn in a random opening, one entry per king.
 */
kings_to_draw: Array<number>, 
/**
 * The legal actions.
 */
actions: Array<string>, 
/**
 * Placements that a search does not list: each has an equal one, up to symmetry, that it lists instead.
 */
representatives: { [key in string]: string }, 
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
 * The places, from 1; tied seats share one.
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
 * The rule that decided between first and second place.
 */
decided_by: string, 
/**
 * The rule that puts a seat behind the previous one in the ranking; null for the first.
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

export type TerrainSquare = { 
/**
 * How far to the right of the castle.
 */
x: number, 
/**
 * How far above it.
 */
y: number, 
/**
 * Its terrain.
 */
terrain: Terrain, 
/**
 * Its crowns.
 */
crowns: number, };

export type BareKingdom = { 
/**
 * Its squares.
 */
squares: Array<TerrainSquare>, 
/**
 * Its points.
 */
score: KingdomScore, };

export type Start = { 
/**
 * Its text.
 */
position: string, 
/**
 * The round: 0 is the opening.
 */
round: number, 
/**
 * The line from which players place; empty in the opening.
 */
line: Array<LineEntry>, 
/**
 * The line that is being claimed.
 */
next_line: Array<LineEntry>, 
/**
 * One kingdom per seat.
 */
kingdoms: Array<BareKingdom>, 
/**
 * The unseen dominoes.
 */
unseen: Array<number>, 
/**
 * How many of them are in the deck.
 */
in_deck: number, 
/**
 * The seats of the kings still to be drawn.
 */
to_draw: Array<number>, };

export type Event = { "kind": "revealed", 
/**
 * The round: 0 for the line of the opening.
 */
round: number, 
/**
 * Its dominoes, lowest first.
 */
line: Array<number>, 
/**
 * The unseen dominoes.
 */
unseen: Array<number>, 
/**
 * How many of them are in the deck.
 */
in_deck: number, } | { "kind": "king_drawn", 
/**
 * Whose.
 */
seat: number, } | { "kind": "round_began", 
/**
 * Its number, from 1.
 */
round: number, 
/**
 * The line.
 */
line: Array<LineEntry>, } | { "kind": "claimed", 
/**
 * The number of the decision.
 */
ply: number, 
/**
 * By whom.
 */
seat: number, 
/**
 * Its number.
 */
domino: number, } | { "kind": "placed", 
/**
 * The number of the decision.
 */
ply: number, 
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
right: [number, number], 
/**
 * The points that it added.
 */
points: number, 
/**
 * The kingdom's score after it.
 */
score: KingdomScore, } | { "kind": "discarded", 
/**
 * The number of the decision.
 */
ply: number, 
/**
 * By whom.
 */
seat: number, 
/**
 * Its number.
 */
domino: number, 
/**
 * The kingdom's score.
 */
score: KingdomScore, } | { "kind": "finished", 
/**
 * The points.
 */
scores: Array<KingdomScore>, 
/**
 * The seats from first to last.
 */
ranking: Array<number>, 
/**
 * The places, from 1; tied seats share one.
 */
places: Array<number>, 
/**
 * The seats that won.
 */
winners: Array<number>, 
/**
 * The rule that decided between first and second place.
 */
decided_by: "score" | "largest_territory" | "crowns" | "shared", 
/**
 * The rule that puts a seat behind the previous one in the ranking; null for the first.
 */
behind_by: ("score" | "largest_territory" | "crowns" | "shared" | null)[], 
/**
 * The squares of the largest territories.
 */
largest_territories: Array<number>, 
/**
 * The crowns; empty under rules where they break no tie.
 */
crowns: Array<number>, } | { "kind": "deck_revealed", 
/**
 * The dominoes that the game began with in its deck, line by line.
 */
deck: Array<number>, 
/**
 * The seats in the order in which their kings were drawn.
 */
opening: Array<number>, };

export type Turn = { 
/**
 * Its number.
 */
ply: number, 
/**
 * Whose it is.
 */
seat: number, 
/**
 * `claim` or `place`.
 */
phase: "claim" | "place", 
/**
 * The domino to be placed.
 */
domino: number | null, 
/**
 * Whether it fits somewhere; true for a claim.
 */
fits: boolean, 
/**
 * The round.
 */
round: number, };

export type Step = { 
/**
 * The events.
 */
events: Array<Event>, 
/**
 * The next decision; null at the end of the game.
 */
turn: Turn | null, };

export type MatchResult = { 
/**
 * The points.
 */
scores: Array<number>, 
/**
 * The seats from first to last.
 */
ranking: Array<number>, 
/**
 * The places, from 1; tied seats share one.
 */
places: Array<number>, 
/**
 * The seats that won.
 */
winners: Array<number>, 
/**
 * The rule that decided between first and second place.
 */
decided_by: "score" | "shared", };

export type Totals = { 
/**
 * The points by seat.
 */
totals: Array<number>, 
/**
 * The result, after the last game of a Dynasty.
 */
match: MatchResult | null, };

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
 * The refused domino, or the domino to place first.
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
 * The domino's terrains. None of them touches it there.
 */
terrains: Array<string>, 
/**
 * The dominoes on offer.
 */
line: Array<number>, };

export type Fault = { 
/**
 * The code, like `line_length`.
 */
code: string, 
/**
 * The sentence.
 */
sentence: string, 
/**
 * Whose king, turn or kingdom it is.
 */
seat: number | null, 
/**
 * The square.
 */
square: [number, number] | null, 
/**
 * The row and the column of a grid, from 1.
 */
place: [number, number] | null, 
/**
 * The dominoes.
 */
dominoes: Array<number>, 
/**
 * The wrong number.
 */
found: number | null, 
/**
 * The right number, or the highest.
 */
expected: number | null, };

export type RecordPositions = { 
/**
 * The text of the position before each action, and of the last one.
 */
positions: Array<string>, 
/**
 * The actions.
 */
actions: Array<string>, 
/**
 * The players' names, one per seat, or empty.
 */
players: Array<string>, 
/**
 * Further facts about the game, like its date.
 */
tags: { [key in string]: string }, };

export type SampledLine = { 
/**
 * Its dominoes.
 */
dominoes: Array<number>, 
/**
 * Win probabilities.
 */
win_rates: Array<number>, 
/**
 * Expected margins: own score minus the best opponent's.
 */
mean_margin: Array<number>, };

export type TerritoryGain = { 
/**
 * Its terrain.
 */
terrain: Terrain, 
/**
 * The number of its squares.
 */
squares: number, 
/**
 * Its crowns.
 */
crowns: number, 
/**
 * The points that it gains.
 */
points: number, };

export type PlacementChoice = { 
/**
 * The action.
 */
action: string, 
/**
 * The square of the left end.
 */
left: [number, number], 
/**
 * The square of the right end.
 */
right: [number, number], 
/**
 * The points that it adds, without bonuses.
 */
points: number, 
/**
 * By territory.
 */
gains: Array<TerritoryGain>, };

export type RefusedPlacements = { 
/**
 * The code of the reason.
 */
code: "taken" | "too_wide" | "too_tall" | "no_match", 
/**
 * The width or height that the kingdom would have; else 0.
 */
squares: number, 
/**
 * The domino's terrains. None of them touches it there.
 */
terrains: Array<Terrain>, 
/**
 * The reason as a sentence.
 */
text: string, 
/**
 * The squares of both ends: x, y, x, y.
 */
placements: Array<[number, number, number, number]>, };

export type ClaimChoice = { 
/**
 * The action.
 */
action: string, 
/**
 * Its number.
 */
domino: number, 
/**
 * Whether it could be placed now.
 */
fits: boolean, 
/**
 * The most points that it would add now.
 */
points: number, 
/**
 * The turns of the next round, from 1, in which it may be placed: later claims decide between them.
 */
turns: Array<number>, };

export type Choices = { 
/**
 * The text of the position.
 */
position: string, 
/**
 * The seat to move.
 */
seat: number, 
/**
 * `claim` or `place`.
 */
phase: "claim" | "place", 
/**
 * The domino to be placed.
 */
domino: number | null, 
/**
 * The points of the kingdom now, without bonuses.
 */
score: number, 
/**
 * The dominoes to choose from.
 */
claims: Array<ClaimChoice>, 
/**
 * The legal placements.
 */
placements: Array<PlacementChoice>, 
/**
 * The illegal placements within reach.
 */
refused: Array<RefusedPlacements>, };

export type Placements = { 
/**
 * The legal placements.
 */
placements: Array<PlacementChoice>, 
/**
 * The illegal placements within reach.
 */
refused: Array<RefusedPlacements>, };

export type SetUpSquare = { 
/**
 * To the right.
 */
x: number, 
/**
 * Upwards.
 */
y: number, 
/**
 * Its terrain.
 */
terrain: Terrain, 
/**
 * Its crowns.
 */
crowns: number, };

export type SetUpKing = { 
/**
 * Its number.
 */
domino: number, 
/**
 * The seat whose king is on it.
 */
seat: number | null, };

export type TableSquare = { 
/**
 * To the right.
 */
x: number, 
/**
 * Upwards.
 */
y: number, 
/**
 * Its terrain, or `castle`.
 */
terrain: Terrain | "castle", 
/**
 * Its crowns, 0 to 3.
 */
crowns: number, };

export type TableKingdom = { 
/**
 * Its squares. The castle may be missing.
 */
squares: Array<TableSquare>, 
/**
 * The known dominoes.
 */
dominoes?: Array<number>, };

export type Doubt = { 
/**
 * The code, like `no_tiling`.
 */
code: string, 
/**
 * The sentence.
 */
sentence: string, 
/**
 * The squares of this kingdom that it concerns; none where it concerns all of them.
 */
squares: Array<[number, number]>, 
/**
 * The terrain that it concerns.
 */
terrain: Terrain | null, 
/**
 * The crowns on each of the squares.
 */
crowns: number | null, 
/**
 * The dominoes.
 */
dominoes: Array<number>, 
/**
 * The wrong number; the number of squares on the whole table, if there are too many.
 */
found: number | null, 
/**
 * The right number, or the highest.
 */
expected: number | null, };

export type ScoredKingdom = { 
/**
 * Its text, row by row from the top; null if it is no kingdom: the castle, the box or a connection is missing.
 */
text: string | null, 
/**
 * Its territories.
 */
territories: Array<Territory>, 
/**
 * Its points.
 */
score: Score, 
/**
 * How many squares Harmony still lacks.
 */
missing: number, 
/**
 * The doubts.
 */
doubts: Array<Doubt>, 
/**
 * Whether dominoes can make it, each used at most once; null if that would take too long to find out.
 */
can_be_built: boolean | null, };

export type Scored = { 
/**
 * The kingdoms, in their order.
 */
kingdoms: Array<ScoredKingdom>, 
/**
 * The winners, and the deciding rule; null for one kingdom.
 */
outcome: Outcome | null, };

export type Laid = { 
/**
 * Its number.
 */
domino: number, 
/**
 * The text of its placement, like `1,0>2,0`.
 */
placement: string, };

export type Arrangement = { 
/**
 * The kingdom and its points.
 */
kingdom: Kingdom, 
/**
 * Its dominoes, in an order in which the rules allow them.
 */
dominoes: Array<Laid>, };

export type Grid = { 
/**
 * Its squares, the lowest and leftmost ones at 0; empty if there are faults.
 */
squares: Array<Square>, 
/**
 * All faults.
 */
faults: Array<Fault>, };

export type Pixels = { 
/**
 * The width.
 */
width: number, 
/**
 * The height.
 */
height: number, 
/**
 * Red, green, blue and opacity of each pixel, row by row, in base64.
 */
rgba: string, };

export type ReadSquare = { 
/**
 * The most likely content: a terrain's letter and its crowns, like `w` and `m2`, `C` or `.`.
 */
content: string, 
/**
 * Its probability, from 0 to 1.
 */
probability: number, 
/**
 * Other candidates, likelier first.
 */
others: [string, string], 
/**
 * Whether the player should check it.
 */
is_doubtful: boolean, };

export type Reading = { 
/**
 * Why reading failed: `too_small`, `too_dark`, `corners` or `no_kingdom`.
 */
problem: string | null, 
/**
 * The text of the most likely kingdom; null if dominoes cannot make it, or if it falls apart.
 */
kingdom: string | null, 
/**
 * All squares, row by row from the top.
 */
squares: Array<ReadSquare>, };

export type SetUp = { 
/**
 * The rules set in words.
 */
rules: string, 
/**
 * The round: 0 is the opening.
 */
round: number, 
/**
 * How many turns of the round are over, from the lowest domino of the line on.
 */
finished: number, 
/**
 * Whether the next seat has placed its domino and claims now.
 */
settled: boolean, 
/**
 * The seat that claims in round 0; later the line determines it.
 */
seat: number, 
/**
 * The line that is being placed.
 */
line: Array<SetUpKing>, 
/**
 * The line that is being claimed.
 */
next_line: Array<SetUpKing>, 
/**
 * The unseen dominoes.
 */
unseen: Array<number>, 
/**
 * The squares of each kingdom.
 */
kingdoms: Array<Array<SetUpSquare>>, };

export type Checked = { 
/**
 * The position.
 */
position: Position | null, 
/**
 * All faults.
 */
faults: Array<Fault>, };

export type ActionAnalysis = { 
/**
 * One of the legal actions; it represents all equivalent ones.
 */
action: string, 
/**
 * Playouts through it; 0 if the result is exact. An action that was not tried has 0, too, and all its figures are
 * NaN, in JSON null.
 */
playouts: number, 
/**
 * The win probability, one entry per seat; a victory shared by k counts 1/k.
 */
win_rates: Array<number | null>, 
/**
 * The expected score in points, one entry per seat.
 */
mean_scores: Array<number | null>, 
/**
 * The expected margin in points, one entry per seat: own score minus the best opponent's.
 */
mean_margin: Array<number | null>, 
/**
 * The action and the most likely continuation, as far as the search has seen it.
 */
line: Array<string>, };

export type Analysis = { 
/**
 * One entry for each action.
 */
actions: Array<ActionAnalysis>, 
/**
 * Playouts through all actions together.
 */
playouts: number, 
/**
 * Whether the values are the exact results of best play, not estimates.
 */
exact: boolean, };

export type ActionSums = { 
/**
 * One of the legal actions.
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
 * The sums of their win probabilities, scores and margins, one entry per seat.
 */
sums: [Array<number>, Array<number>, Array<number>], 
/**
 * The action and the most likely continuation.
 */
line: Array<string>, };

export type TreeSums = { 
/**
 * Whether the search compares actions, which get equally many playouts.
 */
is_even: boolean, 
/**
 * One entry for each action.
 */
actions: Array<ActionSums>, };

export type PlayoutResult = { 
/**
 * The number of playouts.
 */
n: number, 
/**
 * Mean scores, in points.
 */
mean_scores: Array<number>, 
/**
 * Mean margins (own score minus the best opponent's), in points.
 */
mean_margin: Array<number>, 
/**
 * Victories per playout; a victory shared by k counts 1/k.
 */
win_rates: Array<number>, 
/**
 * Standard deviation of the score of one playout, in points.
 */
score_deviations: Array<number>, 
/**
 * Standard deviation of the margin of one playout, in points.
 */
margin_deviations: Array<number>, };

export type DominoWorth = { 
/**
 * Its number.
 */
domino: number, 
/**
 * The seat whose king stands on it.
 */
seat: number | null, 
/**
 * For every seat, how many points its kingdom may expect more with the domino than without it; `None` if the domino
 * would fit nowhere.
 */
gains: Array<number | null>, };

export type Value = { 
/**
 * Win probabilities; a victory shared by k counts 1/k.
 */
win_rates: Array<number>, 
/**
 * Expected scores in points.
 */
mean_scores: Array<number>, 
/**
 * Expected margins in points: own score minus the best opponent's.
 */
mean_margin: Array<number>, };

export type Reason = { "code": "unfillable", 
/**
 * The empty squares, in order.
 */
squares: Array<[number, number]>, 
/**
 * Whether Harmony is gone as well, which is still possible after the better placement.
 */
harmony: boolean, } | { "code": "harmony" } | { "code": "middle_kingdom" } | { "code": "territory_closed", 
/**
 * Its terrain.
 */
terrain: Terrain, 
/**
 * Its squares, in order.
 */
squares: Array<[number, number]>, 
/**
 * Its crowns.
 */
crowns: number, } | { "code": "fewer_crowns", 
/**
 * The crowns of the action.
 */
crowns: number, 
/**
 * The crowns of the better action.
 */
better: number, 
/**
 * For claims, the numbers of the two dominoes in the same order.
 */
dominoes: [number, number] | null, } | { "code": "fewer_points", 
/**
 * The points of the action. For a claim, the points that the best placement of the domino would add now;
 * `None` if it fits nowhere now.
 */
points: number | null, 
/**
 * The same for the better one.
 */
better: number, 
/**
 * Whether this is the player's last placement. Then the points include bonuses.
 */
last: boolean, 
/**
 * For claims, the numbers of the two dominoes in the same order.
 */
dominoes: [number, number] | null, } | { "code": "left_to_opponents", 
/**
 * The number of the better domino.
 */
domino: number, 
/**
 * The player who claims.
 */
seat: number, 
/**
 * The seats of those opponents.
 */
opponents: Array<number>, 
/**
 * The points that the best placement of the better domino would add to each seat now; `None` if it
 * fits nowhere.
 */
points: Array<number | null>, } | { "code": "later_turn", 
/**
 * The number of the domino.
 */
domino: number, 
/**
 * The same for the better domino.
 */
better: number, 
/**
 * The place of the domino in its line, from 1. The dominoes of a line are placed in that order.
 */
place: number, 
/**
 * The same for the better domino.
 */
better_place: number, } | { "code": "expected" } & CostPart;

export type Theme = "harmony" | "centre" | "room" | "crowns" | "points" | "opponent" | "order";

export type Alternative = { 
/**
 * The action.
 */
action: string, 
/**
 * The value of the position after it to each seat.
 */
value: Value, 
/**
 * Its cost against the best action, as in [`Decision`].
 */
cost: number, 
/**
 * The same in points.
 */
cost_points: number, 
/**
 * It and the most likely continuation.
 */
line: Array<string>, };

export type Source = { "kind": "terrain", 
/**
 * The terrain.
 */
terrain: Terrain, } | { "kind": "harmony" } | { "kind": "middle_kingdom" } | { "kind": "opponent", 
/**
 * The opponent.
 */
seat: number, };

export type CostPart = { 
/**
 * The points; below 0 if the action played had more of them. For an opponent, only as far as the margin to the best one
 * depends on them.
 */
points: number, 
/**
 * The same in whole points. They add up to the whole points of the cost; the largest part takes the rounding error.
 */
whole: number, 
/**
 * For a bonus, its probability after the better action, and after the one played.
 */
chances: [number, number] | null, } & ({ "kind": "terrain", 
/**
 * The terrain.
 */
terrain: Terrain, } | { "kind": "harmony" } | { "kind": "middle_kingdom" } | { "kind": "opponent", 
/**
 * The opponent.
 */
seat: number, });

export type Decision = { 
/**
 * Its number in the record, from 0.
 */
ply: number, 
/**
 * The seat that decided.
 */
seat: number, 
/**
 * The round, from 1; 0 for the claims of the opening.
 */
round: number, 
/**
 * The action played.
 */
action: string, 
/**
 * The best action: the one played if none is better.
 */
best: string, 
/**
 * The number of legal actions that differ: equivalent placements count once.
 */
choices: number, 
/**
 * The place of the action played among these, 1 for the best. The alternatives come first, then the others by
 * playouts, or by value if that is exact.
 */
place: number, 
/**
 * The position's value with best play.
 */
before: Value, 
/**
 * Its value after the action played.
 */
after: Value, 
/**
 * The win probability that the action lost for the seat; 0 if the loss is within two errors.
 */
cost: number, 
/**
 * The same for the expected margin, in points.
 */
cost_points: number, 
/**
 * Whether the game is decided for the seat: its win probability is below 2% or above 98% after either action.
 */
decided: boolean, 
/**
 * The error of the cost: with 50 times the playouts, 9 in 10 costs are within two errors. 0 if it is exact.
 */
error: number, 
/**
 * The same for the margin, in points.
 */
error_points: number, 
/**
 * Whether the values are the exact results of best play, not estimates.
 */
exact: boolean, 
/**
 * The playouts that the judgement is based on.
 */
playouts: number, 
/**
 * The best action and the most likely continuation.
 */
line: Array<string>, 
/**
 * Why the action played is worse; `None` if it is the best, or if only its chances are lower and no fact explains it.
 */
why: Reason | null, 
/**
 * The theme of the reason; `None` without one.
 */
theme: Theme | null, 
/**
 * The parts that add up to the cost in points, the largest first.
 */
parts: Array<CostPart>, 
/**
 * The best actions, best first, with the one played.
 */
alternatives: Array<Alternative>, };

export type Luck = { 
/**
 * The number of the next decision. The review does not list an event after the last decision of an unfinished
 * record.
 */
ply: number, 
/**
 * The numbers of the revealed dominoes; none if only a king was drawn.
 */
line: Array<number>, 
/**
 * The seat whose king was drawn, if one was.
 */
king: number | null, 
/**
 * The value after the event minus the expected value before it, in win probability; the sum is 0.
 */
win_rates: Array<number>, 
/**
 * The same in expected margin, in points.
 */
points: Array<number>, };

export type Level = { 
/**
 * The level.
 */
level: number, 
/**
 * The lower end of the interval.
 */
low: number, 
/**
 * Its higher end.
 */
high: number, };

export type Account = { 
/**
 * Own score minus the best opponent's.
 */
margin: number, 
/**
 * The margin to expect at the start. With three or more players, each expects to trail the best of the others.
 */
start: number, 
/**
 * The effect of all decisions.
 */
play: number, 
/**
 * The cost of its own decisions.
 */
cost: number, 
/**
 * The gain from the other seats' costs.
 */
received: number, 
/**
 * The effect of chance.
 */
luck: number, };

export type DecisionCost = { 
/**
 * The round, from 1; 0 for the claims of the opening.
 */
round: number, 
/**
 * The action played.
 */
action: string, 
/**
 * The number of legal actions that differ.
 */
choices: number, 
/**
 * The points that the action lost.
 */
cost_points: number, 
/**
 * The theme of its reason; `None` without one.
 */
theme: Theme | null, };

export type Estimate = { 
/**
 * The mean.
 */
mean: number, 
/**
 * The lower end of the interval.
 */
low: number, 
/**
 * Its upper end; `None` for fewer than two games, which do not bound it.
 */
high: number | null, };

export type ThemeSum = { 
/**
 * The theme; `None` for the decisions without one.
 */
theme: Theme | null, 
/**
 * Points per game.
 */
estimate: Estimate, 
/**
 * The number of decisions that cost something.
 */
count: number, };

export type Summary = { 
/**
 * The number of games.
 */
games: number, 
/**
 * The cost of all decisions.
 */
cost: Estimate, 
/**
 * The costliest first, and last the decisions without a theme. They add up to the cost, and so do the rounds, and
 * placing with claiming.
 */
themes: Array<ThemeSum>, 
/**
 * By number, from 0 for the claims of the opening.
 */
rounds: Array<Estimate>, 
/**
 * Placements and discards.
 */
placing: Estimate, 
/**
 * Claims.
 */
claiming: Estimate, 
/**
 * The level of `king` whose decisions cost as much; `None` unless that is clear to two levels, and without
 * rules.
 */
level: Level | null, };

export type SeatReview = { 
/**
 * The seat.
 */
seat: number, 
/**
 * The number of its decisions with a choice between actions.
 */
decisions: number, 
/**
 * Their cost to the seat.
 */
cost: number, 
/**
 * The same in points.
 */
cost_points: number, 
/**
 * The effect of chance.
 */
luck: number, 
/**
 * The same in points.
 */
luck_points: number, 
/**
 * The gain from the other seats' costs.
 */
received: number, 
/**
 * The same in points.
 */
received_points: number, 
/**
 * The mean of the decisions' accuracies, 0 to 100; `None` without decisions.
 */
accuracy: number | null, 
/**
 * The level of `king` whose decisions cost as much; `None` unless that is clear to two levels.
 */
level: Level | null, 
/**
 * The account of the margin; `None` during the review, and for an unfinished game.
 */
account: Account | null, };

export type Review = { 
/**
 * The number of decisions in the record; `decisions` has fewer during a review.
 */
plies: number, 
/**
 * The value before the first line is revealed, or of the position at which the game began.
 */
start: Value, 
/**
 * The result of the game; `None` for an unfinished one.
 */
result: Value | null, 
/**
 * The decisions, in order.
 */
decisions: Array<Decision>, 
/**
 * The random events between them, in order.
 */
luck: Array<Luck>, 
/**
 * The sums, one per seat.
 */
seats: Array<SeatReview>, };

export type Hint = { 
/**
 * The action.
 */
action: string, 
/**
 * The number of the domino to place or to claim.
 */
domino: number, 
/**
 * The squares that it would cover; none for a claim or a discard.
 */
squares: Array<[number, number]>, 
/**
 * Why an action that one might prefer at first sight is worse.
 */
reason: Reason | null, };

export type Puzzle = { 
/**
 * A short name, which stays when others are added: lower-case letters and digits.
 */
name: string, 
/**
 * The lowest level of the bot king that finds a solution, 1 to 8; 8 also if none does.
 */
level: number, 
/**
 * The cost of the best wrong action, in points.
 */
cost: number, 
/**
 * Its themes, each once.
 */
themes: Array<Theme | "ending">, 
/**
 * The best action, and equivalent ones.
 */
solutions: Array<string>, 
/**
 * The position.
 */
position: string, };

export type LevelMove = { 
/**
 * The action; null if it takes the best of a search.
 */
action: string | null, 
/**
 * The playouts of that search; null: no limit.
 */
playouts: number | null, };

export type Found = { 
/**
 * The judgement of a decision.
 */
decision: Decision | null, 
/**
 * The value before the first event of a game.
 */
start: Value | null, };

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
 * The events of the call; after reading a game, all events since its deal.
 */
steps: Array<Step>, };

export type Failure = { 
/**
 * The fault, as a sentence.
 */
message: string, 
/**
 * The refusal, if it refuses an action.
 */
refusal: Refusal | null, 
/**
 * All faults of a position or a record.
 */
faults: Array<Fault>, 
/**
 * Where a record is wrong: the number of the line of text or of the event, from 1.
 */
number: number | null, 
/**
 * Whether the call itself is wrong: JavaScript of another version made it.
 */
is_misuse: boolean, };

/** The calls of a page that plays, by name. */
export interface PlayCalls {
  /** Return the facts of a rules set. */
  rules: { arguments: { rules: string }; answer: Rules };

  /** Return every rules set. */
  all_rules: { arguments: {  }; answer: Array<Rules> };

  /** Return the 48 dominoes. */
  dominoes: { arguments: {  }; answer: Array<Domino> };

  /** Begin a game; the deck follows from the seed. `before` are the decisions of its table's earlier games. */
  new_game: { arguments: { rules: string; seed: Seed; before?: number | null }; answer: Game };

  /** Begin a game from a position; the seed determines the hidden part. */
  new_game_from: { arguments: { position: string; seed: Seed }; answer: Game };

  /** Read a game from its record. `before` are the decisions of its table's earlier games. */
  read_game: { arguments: { record: string; before?: number | null }; answer: Game };

  /** Play an action. `before` are the decisions of its table's earlier games. */
  play: { arguments: { record: string; action: string; before?: number | null }; answer: Game };

  /** Take back the last action, if there is one. */
  undo: { arguments: { record: string }; answer: Game };

  /** Read a position. */
  position: { arguments: { position: string }; answer: Position };

  /** Return the points of a table's games so far, from their records; a Dynasty, `total` or `best`, has three games. */
  totals: { arguments: { records: Array<string>; dynasty?: string | null }; answer: Totals };

  /** Return a position as the start of a table's game. */
  start: { arguments: { position: string }; answer: Start };

  /** Read a record of either form. */
  read_record: { arguments: { record: string }; answer: RecordPositions };

  /** Return a record with these players' names, one per seat, and further facts as tags; without the facts still hidden. */
  label_record: { arguments: { record: string; players: Array<string>; tags: { [key in string]: string } }; answer: string };

  /** Return the options of the seat to move: placements with their gains, the reasons against the others, claims. */
  choices: { arguments: { position: string }; answer: Choices | null };

  /** Sample everything hidden that is due, and return that continuation. */
  sample: { arguments: { position: string; seed: Seed }; answer: Position };

  /** Play an action in a position. */
  move_on: { arguments: { position: string; action: string }; answer: Position };

  /** Reveal a line if one is due. */
  reveal: { arguments: { position: string; dominoes: Array<number> }; answer: Position };

  /** Draw a king if one is due. */
  draw: { arguments: { position: string; seat: number }; answer: Position };

  /** Return why an action is refused in a position, or null. */
  refusal: { arguments: { position: string; action: string }; answer: Refusal | null };

  /** Read a kingdom, and score it under these rules. */
  kingdom: { arguments: { kingdom: string; rules: string }; answer: Kingdom };

  /** Return how a level of the bot king, 1 to 8, decides. */
  level_move: { arguments: { position: string; level: number; seed: Seed }; answer: LevelMove };

  /** Return the file of the network that a search of this position lacks; null if the search can begin. */
  lacking_network: { arguments: { position: string }; answer: string | null };

  /** Load a network from the content of its file. */
  load_network: { arguments: { file: string; content: Array<number> }; answer: null };

  /** Begin a search, of these actions alone if some are named, and return its number. It stays in memory until free. Workers that share a search each grow the tree of another number; merge combines their results. */
  search: { arguments: { position: string; seed: Seed; actions?: Array<string> | null; tree?: number | null }; answer: number };

  /** Search on until the playouts are made (an ending that takes long counts as several) or the tree has this many nodes, and return why it stopped: limit, full, solved or stopped. Stopped means that an ending is not solved yet; the next run goes on. With a number of steps, each a few milliseconds, the solver gets those, and the playouts follow whether it is done or not. */
  run: { arguments: { search: number; playouts: number; nodes?: number | null; steps?: number | null }; answer: string };

  /** Return the sums of each tree of a search. */
  sums: { arguments: { search: number }; answer: Array<TreeSums> };

  /** Merge the results of a search's trees, in the order of their numbers. */
  merge: { arguments: { trees: Array<TreeSums> }; answer: Analysis };

  /** Return the results of a search. */
  analysis: { arguments: { search: number }; answer: Analysis };

  /** Continue with the part of a search after an action. */
  advance: { arguments: { search: number; action: string }; answer: Position };

  /** Begin a search with a copy of another's part after an action, and return its number. */
  branch: { arguments: { search: number; action: string }; answer: number };

  /** Forget a search. */
  free: { arguments: { search: number }; answer: null };
}

/** All calls, by name. */
export interface Calls extends PlayCalls {
  /** Read a photographed kingdom of `size` squares a side; `taught` are the examples of `teach_photo`. Without a reading, `problem` says why there is none. */
  read_photo: { arguments: { pixels: Pixels; size: number; corners?: [[number, number], [number, number], [number, number], [number, number]] | null; taught?: string | null }; answer: Reading };

  /** Return the corners of a photographed kingdom of `size` squares a side; null if it is not found. */
  find_photo: { arguments: { pixels: Pixels; size: number; taught?: string | null }; answer: [[number, number], [number, number], [number, number], [number, number]] | null };

  /** Return examples for `read_photo`: the contents of a picture's squares, row by row, like `w1`, `C` and `.`; `taught` are earlier ones. */
  teach_photo: { arguments: { pixels: Pixels; size: number; corners?: [[number, number], [number, number], [number, number], [number, number]] | null; squares: Array<string>; taught?: string | null }; answer: string };

  /** Check the set-up of a position. */
  check_setup: { arguments: { setup: SetUp }; answer: Checked };

  /** Score the kingdoms of a real table, even impossible ones, and return the doubts. `edition` is `first` or `second`. */
  score_kingdoms: { arguments: { size: number; edition: string; harmony: boolean; middle_kingdom: boolean; kingdoms: Array<TableKingdom> }; answer: Scored };

  /** Search for the best kingdom of some dominoes, placed in any order, in this many steps of some microseconds: a lower bound. With a kingdom, use the dominoes of one of its tilings: the result is never worse than the kingdom. */
  best_arrangement: { arguments: { kingdom?: string | null; dominoes: Array<number>; rules: string; steps: number; seed: Seed }; answer: Arrangement };

  /** Return the outcome of a Dynasty, `total` or `best`, whose games have these points, one per seat. */
  dynasty_outcome: { arguments: { dynasty: string; games: Array<Array<number>> }; answer: Outcome };

  /** Read a kingdom from a person's text: rows of letters or words, or the text of a kingdom, with the castle anywhere. */
  read_grid: { arguments: { text: string; size: number }; answer: Grid };

  /** Return the placements of a domino in a real kingdom; null if the rules do not let it grow. */
  placements: { arguments: { size: number; squares: Array<SetUpSquare>; domino: number }; answer: Placements | null };

  /** Sample a line if one is due, and return its value after a short search. */
  sample_line: { arguments: { position: string; seed: Seed; playouts: number }; answer: SampledLine };

  /** Return the action that a policy chooses: random, greedy, tuned, gprd or fg. Noise, in points, is for tuned. */
  choose: { arguments: { position: string; policy: string; seed: Seed; noise?: number | null }; answer: string };

  /** Play a position to its end n times, each time with a newly sampled deck, and return the statistics. */
  playouts: { arguments: { position: string; n: number; policy: string; seed: Seed }; answer: PlayoutResult };

  /** Begin to judge a decision of a record, as a review with this seed does, and return the number of the work; of another action in its place, if one is named. It stays in memory until it is complete or dropped. */
  judge_ply: { arguments: { record: string; ply: number; playouts: number; seed: Seed; action?: string | null }; answer: number };

  /** Begin to judge an action in a position, and return the number of the work. */
  judge: { arguments: { position: string; action: string; playouts: number; seed: Seed }; answer: number };

  /** Begin to find the value before the first event of a record, and return the number of the work. */
  judge_start: { arguments: { record: string; playouts: number; seed: Seed }; answer: number };

  /** Work on for at most this many playouts, or some steps of the solver of endings, and return the result once the work is complete. */
  work: { arguments: { work: number; playouts: number }; answer: Found | null };

  /** Drop unfinished work. */
  drop_work: { arguments: { work: number }; answer: null };

  /** Return the review of the first decisions of a record, as they were judged; `start` is the value before its first event. */
  review: { arguments: { record: string; start: Value; decisions: Array<Decision> }; answer: Review };

  /** Return the sums of a player's costs over many games of a rules set; `games` has one list of decisions per game. */
  summary: { arguments: { rules: string; games: Array<Array<DecisionCost>> }; answer: Summary };

  /** Return a hint: an action, and why a tempting other one is worse. */
  hint: { arguments: { position: string; action: string }; answer: Hint };

  /** Return the worth of each domino of the line being claimed to every kingdom; empty if no line is being claimed, and in the opening round. */
  worth: { arguments: { position: string }; answer: Array<DominoWorth> };

  /** Read a file of puzzles (docs/formats/puzzles.md). */
  read_puzzles: { arguments: { text: string }; answer: Array<Puzzle> };

  /** Return the index of a day's puzzle, of this many. `date` is like `2026-03-01`. */
  daily_puzzle: { arguments: { date: string; puzzles: number }; answer: number };
}
