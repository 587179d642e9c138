//! A choice by a judgement that is not quite sure: how weaker players are made.

use kingdomino_rules::random::{Stream, hash};
use kingdomino_rules::{Action, Position, Stage};

use crate::tuned::{POINT, Tuned};
use crate::weights::Weights;

/// What the tuned policy does when it misjudges every action by some points: `noise` is a standard
/// deviation. `None` where nobody is to move. Depends on the position and the seed only.
pub fn misjudge(position: &Position, noise: f64, seed: u64) -> Option<Action> {
    let mut random = Stream::new(seed, "misjudge", hash(position.to_string().as_bytes()));
    let mut judged = |worth: i32| f64::from(worth) / f64::from(POINT) + noise * random.normal();
    let mut tuned = Tuned::new(Weights::of(position.rules()));
    match (position.stage(), position.domino()) {
        (Stage::Claim, _) => {
            let claims = tuned.judged_claims(position);
            let best = claims.into_iter().map(|(worth, place)| (judged(worth), place));
            let (_, place) = best.max_by(|one, other| one.0.total_cmp(&other.0))?;
            Some(Action::Claim(position.offered().domino(place)))
        }
        (_, Some(domino)) => {
            let ranked = tuned.ranked(position, domino);
            let best = ranked.into_iter().map(|(worth, spot)| (judged(worth), spot));
            let best = best.max_by(|one, other| one.0.total_cmp(&other.0));
            Some(best.map_or(Action::Discard, |(_, spot)| Action::Place(spot.into())))
        }
        _ => None,
    }
}
