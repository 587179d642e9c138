//! The reward of each seat at the end of a game.

use kingdomino_rules::{Outcome, Position, Rules, Seat};

/// How the end of a game is rewarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reward {
    /// From 1 for the first place to -1 for the last, evenly spaced; shared places get their mean.
    Rank,
    /// 1 for a win, 1/k for a win shared by k seats, else 0.
    Win,
    /// The seat's score.
    Score,
    /// The seat's score minus the best opponent's.
    Margin,
}

/// The reward of each seat. 0 for seats that are not in the game, and for all seats before the end.
pub fn rewards(position: &Position, reward: Reward) -> [f64; Rules::MOST] {
    let mut rewards = [0.0; Rules::MOST];
    if let Some(outcome) = position.outcome() {
        for (seat, value) in rewards.iter_mut().enumerate().take(outcome.scores.len()) {
            *value = of_seat(&outcome, seat, reward);
        }
    }
    rewards
}

fn of_seat(outcome: &Outcome, seat: Seat, reward: Reward) -> f64 {
    let own = outcome.scores[seat].total();
    match reward {
        Reward::Rank => {
            let place = outcome.places[seat];
            let sharing = outcome.places.iter().filter(|other| **other == place).count();
            let mean = (place - 1) as f64 + (sharing - 1) as f64 / 2.0;
            1.0 - 2.0 * mean / (outcome.places.len() - 1) as f64
        }
        Reward::Win if outcome.places[seat] == 1 => 1.0 / outcome.winners.len() as f64,
        Reward::Win => 0.0,
        Reward::Score => f64::from(own),
        Reward::Margin => {
            let opponents = outcome.scores.iter().enumerate().filter(|(opponent, _)| *opponent != seat);
            f64::from(own) - f64::from(opponents.map(|(_, score)| score.total()).max().unwrap_or(0))
        }
    }
}
