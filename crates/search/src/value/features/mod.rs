//! The inputs of the networks: numbers around 1 that do not change when a kingdom is turned or mirrored.

mod boxes;
mod gains;
mod open;
mod terrain;

use arrayvec::ArrayVec;

use kingdomino_rules::{Kingdom, Position, Rules, Seat, Terrain};

use crate::policies::{Potential, Remaining, holes_around_castle};
use open::Open;

/// The number of features of a kingdom.
pub(crate) const FEATURES: usize = 6 * terrain::FEATURES + WHOLE + gains::FEATURES + boxes::FEATURES;

/// The features of a kingdom.
pub type Features = [f32; FEATURES];

/// The number of features of the kingdom as a whole.
const WHOLE: usize = 18;

/// Facts that are the same for every kingdom of a position.
#[derive(Clone, Debug)]
pub(crate) struct DeckFeatures {
    lines: usize,
    /// The dominoes that each seat will still get.
    draws: usize,
    remaining: Remaining,
    /// The fraction of the unseen dominoes that one seat will get.
    share: f32,
    potential: Potential,
}

/// The weights of the tuned policy's `size` and `crowns` when the networks learned. They know no others.
const fn potential_weights(rules: &Rules) -> [i32; 2] {
    match rules.players() {
        _ if rules.mighty_duel() => [3, 39],
        2 => [8, 57],
        _ => [10, 30],
    }
}

impl DeckFeatures {
    #[inline(always)]
    pub(crate) fn new(position: &Position) -> DeckFeatures {
        let lines = position.lines_to_come();
        let draws = lines * position.rules().kings();
        let remaining = Remaining::of(position.unseen());
        let potential = Potential::new(potential_weights(position.rules()), &remaining, draws);
        let share = draws as f32 / remaining.dominoes.max(1) as f32;
        DeckFeatures { lines, draws, remaining, share, potential }
    }

    /// The same for a seat that will also get this many dominoes of the line that is being claimed.
    #[inline(always)]
    pub(crate) fn and_claims(&self, claims: usize) -> DeckFeatures {
        DeckFeatures { draws: self.draws + claims, ..self.clone() }
    }

    /// The lines still to be revealed.
    pub(crate) const fn lines(&self) -> usize {
        self.lines
    }
}

/// The features of a seat's kingdom, in a position where it has placed all its claimed dominoes.
#[inline(always)]
pub(crate) fn features(position: &Position, seat: Seat, deck: &DeckFeatures) -> Features {
    features_of(&position.kingdoms()[seat], position, seat, deck)
}

/// The features of a seat's possible kingdom with all its claimed dominoes placed.
#[inline(always)]
pub(crate) fn features_of(
    kingdom: &Kingdom,
    position: &Position,
    seat: Seat,
    deck: &DeckFeatures,
) -> Features {
    let open = kingdom.outline().open();
    let mut numbers = ArrayVec::<f32, FEATURES>::new();
    for terrain in Terrain::ALL {
        let to_come = |remaining: &[i32; 6]| remaining[terrain as usize] as f32 * deck.share;
        let [squares, crowns] = [&deck.remaining.squares, &deck.remaining.crowns].map(to_come);
        numbers.extend(terrain::features(kingdom, terrain, open, squares, crowns));
    }
    numbers.extend(whole(kingdom, position, seat, deck));
    numbers.extend(gains::features(kingdom, position.unseen(), deck.lines, &deck.potential));
    numbers.extend(boxes::features(kingdom, deck.draws));
    // The array lengths above guarantee the count.
    numbers.into_inner().unwrap_or([0.0; FEATURES])
}

fn whole(kingdom: &Kingdom, position: &Position, seat: Seat, deck: &DeckFeatures) -> [f32; WHOLE] {
    let rules = position.rules();
    let outline = kingdom.outline();
    let open = Open::of(kingdom);
    let holes = open.holes();
    let side = f32::from(kingdom.size().squares());
    let room = side * side - kingdom.squares_covered() as f32;
    // The squares that stay empty even if every domino to come is placed.
    let surplus = room - 2.0 * deck.draws as f32;
    let (low, high) = kingdom.corners();
    let (width, height) = (f32::from(high.x - low.x + 1), f32::from(high.y - low.y + 1));
    let line = position.line();
    let places = (0..line.len()).filter(|place| line.king(*place) == Some(seat));
    let turn = places.map(|place| place as f32).sum::<f32>() / rules.kings() as f32;
    let lines = deck.lines as f32;
    let flag = |is_so: bool| f32::from(u8::from(is_so));
    [
        lines / 6.0,
        room / (side * side),
        surplus / 8.0,
        holes / 2.0,
        outline.frontier().count_ones() as f32 / 12.0,
        width.max(height) / side,
        width.min(height) / side,
        open.pairs() / 40.0,
        turn / 2.0,
        flag(rules.harmony && holes == 0.0 && surplus <= 0.0),
        flag(rules.middle_kingdom && outline.can_be_centred()),
        flag(rules.middle_kingdom && kingdom.is_centred()),
        holes_around_castle(&outline).count_ones() as f32 / 2.0,
        f32::from(kingdom.territory_score()) / 40.0,
        if deck.lines <= 2 { lines } else { 0.0 },
        outline.reach() as f32 / 80.0,
        open.dead_ends() / 4.0,
        // The dominoes of a line that stay unclaimed. Where there is one, kingdoms become better.
        (rules.line_length() - rules.total_kings()) as f32,
    ]
}
