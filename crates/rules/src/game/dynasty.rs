//! Several games in a row with the same players (rulebooks, "Dynasty").

use arrayvec::ArrayVec;

use crate::game::random::derive;
use crate::kingdom::scoring::Score;
use crate::position::outcome::Outcome;
use crate::values::rules::Rules;

/// The scoring of a Dynasty, and the deals of its games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dynasty {
    /// The sum of the scores.
    #[default]
    Total,
    /// The best single score (a players' option).
    Best,
}

impl Dynasty {
    /// Both kinds.
    pub const ALL: [Dynasty; 2] = [Dynasty::Total, Dynasty::Best];

    /// The most games that a match may have.
    pub const MOST_GAMES: usize = 100;

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Dynasty::Total => "total",
            Dynasty::Best => "best",
        }
    }

    /// The seed of game number `game`, from 0, in a match with this seed.
    pub fn seed(seed: u64, game: u64) -> u64 {
        derive(seed, "match", game)
    }

    /// The scores of a match with these finished games, in points, one entry per seat: the sum of the seat's scores, or
    /// the best of them.
    pub fn scores<'a>(
        self,
        rules: &Rules,
        outcomes: impl IntoIterator<Item = &'a Outcome>,
    ) -> ArrayVec<Score, { Rules::MOST }> {
        let mut scores: ArrayVec<Score, { Rules::MOST }> =
            (0..rules.players()).map(|_| Score::default()).collect();
        for outcome in outcomes {
            for (so_far, score) in scores.iter_mut().zip(&outcome.scores) {
                match self {
                    Dynasty::Total => *so_far = *so_far + *score,
                    Dynasty::Best if score.total() > so_far.total() => *so_far = *score,
                    Dynasty::Best => {}
                }
            }
        }
        scores
    }
}
