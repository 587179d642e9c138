//! The dominoes that fit nowhere, because no square beside their terrains can be covered any more.

use kingdomino_rules::bitboard::{CASTLE, neighbours};
use kingdomino_rules::{Domino, DominoSet, Outline, Position, Spot, Terrain};

/// For each set of terrains, as bits: the dominoes with both ends among them.
const WITHIN: [u64; 64] = {
    let mut table = [0; 64];
    let mut terrains = 0;
    while terrains < 64 {
        let mut number = 1;
        while number <= Domino::COUNT {
            let Some(domino) = Domino::new(number as u8) else { panic!() };
            let [left, right] = domino.ends();
            if terrains >> left.terrain as usize & terrains >> right.terrain as usize & 1 == 1 {
                table[terrains] |= 1 << domino.index();
            }
            number += 1;
        }
        terrains += 1;
    }
    table
};

/// The unit of `misfits`: one domino.
pub(super) const WHOLE: i32 = 1 << 12;

/// The dominoes that a seat may still place after this one, and the squares beside its terrains.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fits {
    domino: Domino,
    /// The squares beside each terrain or the castle, as bits.
    beside: [u64; 6],
    claimed: u64,
    obtainable: u64,
    /// The weight of each obtainable domino: `WHOLE` divided by their number.
    share: i32,
}

impl Fits {
    /// For the seat to move, which is to place this domino.
    #[inline(always)]
    pub(super) fn new(position: &Position, domino: Domino) -> Fits {
        let seat = position.to_move_unchecked();
        let kingdom = position.own_kingdom_unchecked();
        let obtainable = position.obtainable(seat);
        Fits {
            domino,
            beside: Terrain::ALL.map(|terrain| neighbours(kingdom.terrain(terrain) | CASTLE)),
            claimed: position.claimed(seat).without(DominoSet::from_iter([domino])).bits(),
            obtainable: obtainable.bits(),
            share: WHOLE / (obtainable.len() as i32).max(1),
        }
    }

    /// Returns how many dominoes fit nowhere after this placement, in units of `WHOLE`. Claimed ones count fully,
    /// obtainable ones by `share`. The outline already includes the placement.
    #[inline(always)]
    pub(super) fn misfits(&self, spot: Spot, outline: &Outline) -> i32 {
        let open = outline.open();
        let usable = open & neighbours(open);
        let (left, right) = spot.bits();
        let mut beside = self.beside;
        for (end, bit) in self.domino.ends().into_iter().zip([left, right]) {
            beside[end.terrain as usize] |= neighbours(1_u64.wrapping_shl(bit));
        }
        let mut closed = 0;
        for (terrain, beside) in beside.into_iter().enumerate() {
            closed |= usize::from(beside & usable == 0) << terrain;
        }
        let misfits = WITHIN[closed & 63];
        WHOLE * (misfits & self.claimed).count_ones() as i32
            + self.share * (misfits & self.obtainable).count_ones() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, choose};
    use kingdomino_rules::{Action, Game, Rules};

    /// Every placement in games at random, counted again from the kingdom after it.
    #[test]
    fn misfits_are_the_dominoes_without_a_placement() {
        let mut counted = 0;
        for (rules, seed) in [("2.second.random", 0), ("2.second.random.duel", 1), ("4.second.random", 2)] {
            let rules: Rules = rules.parse().expect("a rules set");
            let mut game = Game::new(rules, seed);
            while let Some(seat) = game.position().to_move() {
                let position = *game.position();
                if let Some(domino) = position.domino() {
                    let slots = [position.slots(), position.next_slots()];
                    let own = slots.iter().flatten().filter(|slot| slot.seat == Some(seat) && !slot.is_done);
                    let claimed: DominoSet =
                        own.map(|slot| slot.domino).filter(|claimed| *claimed != domino).collect();
                    let free = position.next_slots().into_iter().filter(|slot| slot.seat.is_none());
                    let mut obtainable: DominoSet = free.map(|slot| slot.domino).collect();
                    if position.lines_to_come() > 0 {
                        obtainable = obtainable.union(position.unseen());
                    }
                    let fits = Fits::new(&position, domino);
                    for action in position.legal_actions() {
                        let Action::Place(placement) = action else { continue };
                        let mut after = *position.own_kingdom_unchecked();
                        after.place_unchecked(domino, placement);
                        let misfits = |dominoes: DominoSet| {
                            dominoes.into_iter().filter(|domino| !after.has_placement(*domino)).count() as i32
                        };
                        let share = WHOLE / (obtainable.len() as i32).max(1);
                        let expected = WHOLE * misfits(claimed) + share * misfits(obtainable);
                        let found = fits.misfits(Spot::from(placement), &after.outline());
                        assert_eq!(found, expected, "{rules} {placement}");
                        counted += i32::from(expected > 0);
                    }
                }
                let action = choose(&position, Policy::Random, seed).expect("a seat is to move");
                game.play(action).expect("it is legal");
            }
        }
        assert!(counted > 0);
    }
}
