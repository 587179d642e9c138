//! Several games in a row with the same players (RULES: Dynasty).

use crate::action::Action;
use crate::error::Faults;
use crate::game::Game;
use crate::outcome::Outcome;
use crate::random::derive;
use crate::refusal::Refusal;
use crate::rules::Rules;

/// What counts at the end of a Dynasty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dynasty {
    /// The sum of the scores.
    #[default]
    Total,
    /// The best single score (V1).
    Best,
}

/// Games played one after the other; the next begins when one is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    rules: Rules,
    seed: u64,
    dynasty: Dynasty,
    length: usize,
    games: Vec<Game>,
}

impl Match {
    /// The most games: the scores of all of them together still fit into 16 bits.
    pub const LONGEST: usize = 100;

    /// A match of this many games; all their decks follow from the seed. A Dynasty has three.
    pub fn new(rules: Rules, seed: u64, length: usize, dynasty: Dynasty) -> Result<Match, Faults> {
        if !(1..=Match::LONGEST).contains(&length) {
            return Err(Faults::from(format!("a match has 1 to {} games, not {length}", Match::LONGEST)));
        }
        let games = vec![Game::new(rules, derive(seed, "match", 0))];
        Ok(Match { rules, seed, dynasty, length, games })
    }

    /// The rules of all games.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The seed of the match.
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// What counts at the end.
    pub const fn dynasty(&self) -> Dynasty {
        self.dynasty
    }

    /// How many games it has.
    pub const fn length(&self) -> usize {
        self.length
    }

    /// The finished games and the current one.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// The game being played; the last one when all is over.
    pub fn game(&self) -> &Game {
        &self.games[self.games.len() - 1]
    }

    /// Plays in the current game; when that ends, the next begins.
    pub fn play(&mut self, action: Action) -> Result<(), Refusal> {
        let current = self.games.len() - 1;
        self.games[current].play(action)?;
        if self.game().position().is_over() && self.games.len() < self.length {
            let number = self.games.len() as u64;
            self.games.push(Game::new(self.rules, derive(self.seed, "match", number)));
        }
        Ok(())
    }

    /// Whether the last game is over.
    pub fn is_over(&self) -> bool {
        self.games.len() == self.length && self.game().position().is_over()
    }

    /// What the finished games came to, one entry a seat: the sum, or the best score.
    pub fn scores(&self) -> Vec<u16> {
        let finished = self.games.iter().filter_map(|game| game.position().outcome());
        finished.fold(vec![0; self.rules.players()], |scores, outcome| {
            let counted = scores.iter().zip(&outcome.scores).map(|(so_far, score)| match self.dynasty {
                Dynasty::Total => so_far + score,
                Dynasty::Best => *so_far.max(score),
            });
            counted.collect()
        })
    }

    /// Who has won; `None` before that. A tie is shared.
    pub fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::of_totals(&self.scores()))
    }
}
