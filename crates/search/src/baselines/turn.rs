//! Turns: a placement and the claim after it as one choice.

use kingdomino_rules::{Domino, Position};

use crate::decision::Decision;

/// The decisions of one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Turn {
    /// `None` if no domino is to be placed.
    domino: Option<Decision>,
    /// The domino, not its place, so that a turn means the same in another line. `None` if there is nothing to claim.
    claim: Option<Domino>,
}

/// Fills the list with every legal turn, or with every claim if the domino of this turn has been placed.
pub(super) fn list(position: &Position, turns: &mut Vec<Turn>) {
    turns.clear();
    let line = position.offered();
    let claims = || line.free_places().map(|place| line.domino(place));
    let mut with_claims = |domino: Option<Decision>| {
        if line.free() == 0 {
            turns.push(Turn { domino, claim: None });
        } else {
            turns.extend(claims().map(|claim| Turn { domino, claim: Some(claim) }));
        }
    };
    let Some(domino) = position.domino() else { return with_claims(None) };
    let placements = position.own_kingdom_unchecked().placements(domino);
    if placements.is_empty() {
        return with_claims(Some(Decision::Discard));
    }
    for spot in placements.spots() {
        with_claims(Some(Decision::Place(spot)));
    }
}

impl Turn {
    /// Its first decision.
    pub(super) fn first(&self, position: &Position) -> Option<Decision> {
        self.domino.or_else(|| self.claimed(position))
    }

    /// Plays it; it must be legal.
    #[inline]
    pub(super) fn play(&self, position: &mut Position) {
        if let Some(decision) = self.domino {
            decision.apply(position);
        }
        if let Some(decision) = self.claimed(position) {
            decision.apply(position);
        }
    }

    fn claimed(&self, position: &Position) -> Option<Decision> {
        let claim = self.claim?;
        position
            .offered()
            .dominoes()
            .position(|domino| domino == claim)
            .map(|place| Decision::Claim(place as u8))
    }
}
