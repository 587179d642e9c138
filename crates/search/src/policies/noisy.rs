//! The tuned policy with noise, for weaker levels.

use kingdomino_rules::random::{Stream, hash_text};
use kingdomino_rules::{Action, Position, Stage};

use super::tuned::{POINT, Tuned};
use super::weights::Weights;

/// The best action by the tuned policy's valuation after normal noise with a standard deviation of `noise` points is
/// added to the value of each action. `None` if no seat is to move. Depends only on the position and the seed.
pub fn choose_with_noise(position: &Position, noise: f64, seed: u64) -> Option<Action> {
    let mut random = Stream::new(seed, "noise", hash_text(position));
    let mut noisy = |worth: i32| f64::from(worth) / f64::from(POINT) + noise * random.normal();
    let mut tuned = Tuned::new(Weights::of(position.rules()));
    match (position.stage(), position.domino()) {
        (Stage::Claim, _) => {
            let ranked = tuned.ranked_claims(position);
            let best = ranked.into_iter().map(|(worth, place)| (noisy(worth), place));
            let (_, place) = best.max_by(|one, other| one.0.total_cmp(&other.0))?;
            Some(Action::Claim(position.offered().domino(place)))
        }
        (_, Some(domino)) => {
            let ranked = tuned.ranked(position, domino);
            let best = ranked.into_iter().map(|(worth, spot)| (noisy(worth), spot));
            let best = best.max_by(|one, other| one.0.total_cmp(&other.0));
            Some(best.map_or(Action::Discard, |(_, spot)| Action::Place(spot.into())))
        }
        _ => None,
    }
}
