//! The greedy policy: the placement that scores most now, the claim whose domino then fits best.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Kingdom, Position, Rules, Spot};

use super::Decide;
use super::gains::{GainTable, Points};
use crate::cpu::Cpu;

/// Placing: the highest score now, then the fewest holes, then the most room. Claiming: the domino whose best
/// placement gains most, then the one with more crowns, then the lower number.
#[derive(Debug, Default)]
pub(crate) struct Greedy {
    /// One a seat, for the kingdom after the last placement in it.
    gain_tables: [GainTable<Points>; Rules::MOST],
}

impl Decide for Greedy {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(&mut self, position: &Position, domino: Domino, _: &mut Stream, _: impl Cpu) -> Option<Spot> {
        let kingdom = position.own_kingdom_unchecked();
        let gain_table = &mut self.gain_tables[position.to_move_unchecked()];
        let placements = kingdom.placements(domino);
        let gain = gain_table.best_gain(&Points, kingdom, domino, &placements)?;
        let best = gain_table.placements_with(gain, &Points, kingdom, domino, &placements);
        gain_table.forget(domino);
        if best.len() == 1 {
            return best.spots().next();
        }
        let mut chosen = None;
        let mut most = i32::MIN;
        for candidate in best.spots() {
            let room = room_after(kingdom, candidate);
            if room > most {
                (most, chosen) = (room, Some(candidate));
            }
        }
        chosen
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn claim(&mut self, position: &Position, _: &mut Stream, _: impl Cpu) -> usize {
        let kingdom = position.own_kingdom_unchecked();
        let gain_table = &mut self.gain_tables[position.to_move_unchecked()];
        let line = position.offered();
        if line.free().is_power_of_two() {
            return line.free().trailing_zeros() as usize;
        }
        let worth = |gain: i32, domino: Domino| {
            let [left, right] = domino.ends();
            16 * gain + i32::from(left.crowns + right.crowns)
        };
        let mut chosen = (i32::MIN, 0);
        // From the highest number: those have crowns, and their high gains rule the others out early.
        for place in line.free_places().rev() {
            let domino = line.domino(place);
            if worth(gain_table.bound(&Points, kingdom, domino), domino) < chosen.0 {
                continue;
            }
            let gain = gain_table.best_gain(&Points, kingdom, domino, &kingdom.placements(domino));
            let worth = worth(gain.unwrap_or(-1), domino);
            if worth >= chosen.0 {
                chosen = (worth, place);
            }
        }
        chosen.1
    }
}

/// The room to grow after a placement, higher for more. First, fewer holes. Then a larger box: squares inside it can
/// be filled from all sides later, while those beside it may be lost (with the opposite preference, or none, kingdoms
/// score 3 to 4 points less). Then more open squares beside the kingdom.
#[inline(always)]
fn room_after(kingdom: &Kingdom, spot: Spot) -> i32 {
    let outline = kingdom.outline().with(spot);
    let holes = outline.holes().count_ones() as i32;
    let frontier = outline.frontier().count_ones() as i32;
    frontier - 4 * outline.reach() as i32 - 256 * holes
}
