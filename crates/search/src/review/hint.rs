//! A hint: a good action, and why a tempting other one is worse.

use std::cmp::Reverse;

use kingdomino_rules::{Action, Domino, Position, Refusal};
use serde::Serialize;

use super::reasons::{Reason, why};

/// A good action for the seat to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Hint {
    /// The action.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub action: Action,
    /// The number of the domino to place or to claim.
    pub domino: u8,
    /// The squares that it would cover; none for a claim or a discard.
    pub squares: Vec<(i8, i8)>,
    /// Why an action that one might prefer at first sight is worse.
    pub reason: Option<Reason>,
}

/// The hint to play this action. Refuses an illegal one.
pub fn hint(position: &Position, action: Action) -> Result<Hint, Refusal> {
    position.check(action)?;
    let kingdom = position.own_kingdom_unchecked();
    let gained = |other: Action| match other {
        Action::Claim(domino) => kingdom.best_gain(domino).unwrap_or(0),
        Action::Place(placement) => position.domino().map_or(0, |domino| {
            let mut placed = *kingdom;
            placed.place_unchecked(domino, placement);
            placed.territory_score() - kingdom.territory_score()
        }),
        Action::Discard => 0,
    };
    let best = position.equivalent(action);
    let mut others: Vec<Action> =
        position.distinct_actions().into_iter().filter(|one| *one != best).collect();
    others.sort_by_key(|one| Reverse(gained(*one)));
    let reasons = others.into_iter().map(|other| why(position, other, action, &[]));
    let (domino, squares) = match action {
        Action::Claim(domino) => (Some(domino), vec![]),
        Action::Place(placement) => {
            (position.domino(), [placement.left, placement.right].map(|at| (at.x, at.y)).to_vec())
        }
        Action::Discard => (position.domino(), vec![]),
    };
    Ok(Hint {
        action,
        domino: domino.map_or(0, Domino::number),
        squares,
        reason: reasons.flat_map(Result::ok).flatten().next(),
    })
}

#[cfg(test)]
mod tests {
    use kingdomino_rules::Placement;

    use super::*;

    #[test]
    fn a_hint_names_the_squares_and_why_something_tempting_is_worse() {
        let position: Position =
            "kd1 2.second.random.harmony.middle 4 place:0 1@0,45@1,46@0,47@1 41,42,43,44 \
                                  14-40,48 wwww/..ww/.Cww/..ww/..ww;C"
                .parse()
                .expect("a position");
        for action in &position.legal_actions() {
            let hint = hint(&position, *action).expect("it is legal");
            let Action::Place(Placement { left, right }) = action else { panic!("it fits") };
            assert_eq!((hint.domino, hint.squares), (1, vec![(left.x, left.y), (right.x, right.y)]));
        }
        let found = hint(&position, "place -2,1>-1,1".parse().expect("an action")).expect("it is legal");
        assert_eq!(found.reason, Some(Reason::MiddleKingdom));
        assert!(hint(&position, "claim 41".parse().expect("an action")).is_err());
    }
}
