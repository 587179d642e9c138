//! Rivals who do not always think ahead.
//!
//! Max^n takes every rival for as good a player as the one who thinks. Most are not, and at a table of three or
//! four a tree that fears too much of them gives away what they would have left. So every second decision of
//! a rival in the tree is the greedy one; docs/evidence/learning.md says what that is worth. With two players
//! it made no difference, so they are spared it.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Position, Seat};

use crate::cpu::Cpu;
use crate::field::FullGreedy;
use crate::policy::Decide;
use crate::tree::Move;

/// Everybody but one seat, in one simulation.
#[derive(Debug)]
pub(crate) struct Rivals {
    thinker: Seat,
    full_greedy: FullGreedy,
}

impl Rivals {
    /// Of whoever is to move; `None` where they always think ahead.
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Option<Rivals> {
        let thinker = position.to_move().filter(|_| position.rules().players() > 2)?;
        Some(Rivals { thinker, full_greedy: FullGreedy::default() })
    }

    /// What the seat to move does where it does not think ahead; `None` where it does.
    #[inline(always)]
    pub(crate) fn decide(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> Option<Move> {
        if position.to_move() == Some(self.thinker) || random.below(2) == 1 {
            return None;
        }
        Some(match position.domino() {
            Some(domino) => {
                self.full_greedy.place(position, domino, random, cpu).map_or(Move::Discard, Move::Place)
            }
            None => Move::Claim(self.full_greedy.claim(position, random, cpu) as u8),
        })
    }

    /// Learns that this domino is placed in the kingdom of the seat to move.
    #[inline(always)]
    pub(crate) fn forget(&mut self, position: &Position, domino: Domino) {
        self.full_greedy.forget(position, domino);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::search::to_action;
    use crate::{Policy, choose};
    use kingdomino_rules::{Game, Rules};

    /// Of a game in which the seat that begins is the one who thinks: that seat, how many decisions of each seat
    /// are made without thinking ahead, and how many in all.
    fn decided(rules: &str) -> Option<(Seat, [[u32; 2]; 4])> {
        let rules: Rules = rules.parse().expect("a rules set");
        let mut game = Game::new(rules, 1);
        let mut rivals = Rivals::of(game.position())?;
        let mut random = Stream::new(1, "test", 0);
        let mut counts = [[0; 2]; 4];
        while let Some(seat) = game.position().to_move() {
            let position = *game.position();
            let decided = rivals.decide(&position, &mut random, Portable);
            counts[seat][0] += u32::from(decided.is_some());
            counts[seat][1] += 1;
            let action = decided.map(|decision| to_action(&position, decision));
            assert!(action.is_none_or(|action| position.legal_actions().contains(&action)), "{action:?}");
            if let Some(domino) = position.domino() {
                rivals.forget(&position, domino);
            }
            let played = choose(&position, Policy::Tuned, 1).expect("somebody is to move");
            game.play(played).expect("it is legal");
        }
        Some((rivals.thinker, counts))
    }

    #[test]
    fn rivals_are_greedy_half_of_the_time_and_the_thinker_never() {
        let (thinker, counts) = decided("4.second.random.harmony.middle").expect("there are rivals");
        for (seat, [greedy, all]) in counts.into_iter().enumerate() {
            if seat == thinker {
                assert_eq!(greedy, 0);
            } else {
                assert!(4 * greedy > all && 4 * greedy < 3 * all, "{greedy} of {all}");
            }
        }
    }

    #[test]
    fn with_two_players_the_rival_always_thinks_ahead() {
        assert!(decided("2.second.random.harmony.middle").is_none());
    }
}
