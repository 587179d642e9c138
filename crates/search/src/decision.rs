//! Decisions as the searches store them: smaller than an action, and fast to play.

use kingdomino_rules::{Action, Position, Spot};

/// A decision of the seat to move. It is legal in the position that it was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Decision {
    Place(Spot),
    Discard,
    /// The place in the line.
    Claim(u8),
}

impl Decision {
    #[inline(always)]
    pub(crate) fn apply(self, position: &mut Position) {
        match self {
            Decision::Place(spot) => position.place_unchecked(spot),
            Decision::Discard => position.discard_unchecked(),
            Decision::Claim(place) => position.claim_unchecked(usize::from(place)),
        }
    }

    /// The representative of the decisions that are equivalent to this one.
    #[cold]
    pub(crate) fn equivalent(self, position: &Position) -> Decision {
        match position.equivalent(self.to_action(position)) {
            Action::Place(placement) => Decision::Place(placement.into()),
            _ => self,
        }
    }

    /// The same as an action in this position.
    pub(crate) fn to_action(self, position: &Position) -> Action {
        match self {
            Decision::Place(spot) => Action::Place(spot.into()),
            Decision::Discard => Action::Discard,
            Decision::Claim(place) => Action::Claim(position.offered().domino(usize::from(place))),
        }
    }
}
