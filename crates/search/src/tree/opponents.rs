//! The opponent model: opponents that are greedy half of the time.
//!
//! Max^n assumes that every opponent plays as well as the searching seat. With three or four players that is too
//! cautious. So half of an opponent's decisions in the tree are greedy; docs/evidence/learning.md says what this
//! gains. No measurable effect with two players, so it is off there. Near the end it only made values less exact, so
//! it is off once at most one line to come is unknown: the endings behind that line have errors of their own.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, Position, Seat};

use crate::cpu::Cpu;
use crate::decision::Decision;
use crate::ending::is_near_end;
use crate::policies::{Decide, FullGreedy};

/// The opponents of one seat, in one simulation.
#[derive(Debug)]
pub(crate) struct Opponents {
    own: Seat,
    full_greedy: FullGreedy,
}

impl Opponents {
    /// The opponents of the seat to move; `None` if they are never greedy.
    #[inline(always)]
    pub(crate) fn of(position: &Position) -> Option<Opponents> {
        if position.rules().players() == 2 || is_near_end(position) {
            return None;
        }
        Some(Opponents { own: position.to_move()?, full_greedy: FullGreedy::default() })
    }

    /// The greedy decision of the seat to move; `None` if the tree decides.
    #[inline(always)]
    pub(crate) fn decide(
        &mut self,
        position: &Position,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Decision> {
        if position.to_move() == Some(self.own) || random.below(2) == 1 {
            return None;
        }
        Some(match position.domino() {
            Some(domino) => self
                .full_greedy
                .place(position, domino, random, cpu)
                .map_or(Decision::Discard, Decision::Place),
            None => Decision::Claim(self.full_greedy.claim(position, random, cpu) as u8),
        })
    }

    /// Updates its caches when this domino is placed in the kingdom of the seat to move.
    #[inline(always)]
    pub(crate) fn forget(&mut self, position: &Position, domino: Domino) {
        self.full_greedy.forget(position, domino);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::Portable;
    use crate::{Policy, choose};
    use kingdomino_rules::{Game, Rules};

    /// Plays a game with the first seat to move as the searching seat. Returns that seat and, for each seat, how many
    /// decisions were greedy and how many there were.
    fn decided(rules: &str) -> Option<(Seat, [[u32; 2]; 4])> {
        let rules: Rules = rules.parse().expect("a rules set");
        let mut game = Game::new(rules, 1);
        let mut opponents = Opponents::of(game.position())?;
        let mut random = Stream::new(1, "test", 0);
        let mut counts = [[0; 2]; 4];
        while let Some(seat) = game.position().to_move() {
            let position = *game.position();
            let decided = opponents.decide(&position, &mut random, Portable);
            counts[seat][0] += u32::from(decided.is_some());
            counts[seat][1] += 1;
            let action = decided.map(|decision| decision.to_action(&position));
            assert!(action.is_none_or(|action| position.legal_actions().contains(&action)), "{action:?}");
            if let Some(domino) = position.domino() {
                opponents.forget(&position, domino);
            }
            let played = choose(&position, Policy::Tuned, 1).expect("a seat is to move");
            game.play(played).expect("it is legal");
        }
        Some((opponents.own, counts))
    }

    #[test]
    fn opponents_are_greedy_half_of_the_time_and_the_searching_seat_never() {
        let (own, counts) = decided("4.second.random.harmony.middle").expect("there are opponents");
        for (seat, [greedy, all]) in counts.into_iter().enumerate() {
            if seat == own {
                assert_eq!(greedy, 0);
            } else {
                assert!(4 * greedy > all && 4 * greedy < 3 * all, "{greedy} of {all}");
            }
        }
    }

    #[test]
    fn before_the_last_unknown_line_opponents_are_never_greedy() {
        for (rules, is_last_known) in [("3.first.random", false), ("4.second.random", true)] {
            let mut game = Game::new(rules.parse().expect("a rules set"), 1);
            while let Some(seat) = game.position().to_move() {
                let position = *game.position();
                let unknown = position.lines_to_come().saturating_sub(usize::from(is_last_known));
                let own = Opponents::of(&position).map(|opponents| opponents.own);
                assert_eq!(own, (unknown > 1).then_some(seat), "{position}");
                let action = choose(&position, Policy::Tuned, 1).expect("a seat is to move");
                game.play(action).expect("it is legal");
            }
        }
    }

    #[test]
    fn with_two_players_the_opponent_is_never_greedy() {
        assert!(decided("2.second.random.harmony.middle").is_none());
    }
}
