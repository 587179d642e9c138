//! Features: a kingdom's present and possible squares and crowns of one terrain.

use kingdomino_rules::{Kingdom, Terrain};

/// The number of features for each terrain.
pub(super) const FEATURES: usize = 16;

/// The counts of a territory.
#[derive(Clone, Copy, Default)]
struct Part {
    squares: f32,
    crowns: f32,
    /// Open squares beside it.
    beside: f32,
}

impl Part {
    /// Orders territories by importance; among equals, more room counts, then more crowns.
    fn weight(&self) -> f32 {
        (self.crowns + 0.5) * (self.squares + 0.5) + self.beside / 100.0 + self.crowns / 10_000.0
    }
}

/// `open` are the squares that can still be covered, as bits; `squares_to_come` and `crowns_to_come` are the expected
/// numbers of squares and crowns of the terrain that the seat will still get.
#[inline(always)]
pub(super) fn features(
    kingdom: &Kingdom,
    terrain: Terrain,
    open: u64,
    squares_to_come: f32,
    crowns_to_come: f32,
) -> [f32; FEATURES] {
    let (mut main, mut next) = (Part::default(), Part::default());
    let (mut count, mut score) = (0.0, 0.0);
    for territory in kingdom.territories_of(terrain) {
        let part = Part {
            squares: territory.bits.count_ones() as f32,
            crowns: territory.crowns as f32,
            beside: (kingdom.beside(territory.bits) & open).count_ones() as f32,
        };
        count += 1.0;
        score += part.squares * part.crowns;
        if main.squares == 0.0 || part.weight() > main.weight() {
            next = main;
            main = part;
        } else if next.squares == 0.0 || part.weight() > next.weight() {
            next = part;
        }
    }
    let board = kingdom.terrain(terrain);
    let options = main.crowns * squares_to_come.min(main.beside);
    [
        board.count_ones() as f32 / 8.0,
        kingdom.crowns_on(board) as f32 / 4.0,
        score / 20.0,
        main.squares / 6.0,
        main.crowns / 4.0,
        main.beside / 6.0,
        next.squares / 4.0,
        next.crowns / 2.0,
        next.beside / 4.0,
        squares_to_come / 4.0,
        crowns_to_come / 2.0,
        main.squares * crowns_to_come / 8.0,
        main.crowns * squares_to_come / 8.0,
        count / 3.0,
        options / 8.0,
        (next.squares * main.crowns + next.crowns * main.squares) / 8.0,
    ]
}
