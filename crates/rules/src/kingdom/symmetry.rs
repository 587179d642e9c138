//! The eight symmetries of the square: rotations and reflections about the castle change neither the legal placements
//! nor the score.

use crate::kingdom::Kingdom;
use crate::values::domino::End;
use crate::values::square::Square;

/// A rotation about the castle, after a reflection or without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Symmetry {
    /// Quarter turns to the left.
    turns: u8,
    /// Whether left and right are swapped first.
    is_mirrored: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub(crate) fn all() -> impl Iterator<Item = Symmetry> {
        [false, true]
            .into_iter()
            .flat_map(|is_mirrored| (0..4).map(move |turns| Symmetry { turns, is_mirrored }))
    }

    /// Where this square is mapped to.
    fn square(self, square: Square) -> Square {
        let mirrored = Square { x: if self.is_mirrored { -square.x } else { square.x }, y: square.y };
        (0..self.turns).fold(mirrored, |Square { x, y }, _| Square { x: -y, y: x })
    }

    /// The mapped kingdom.
    pub(crate) fn kingdom(self, kingdom: &Kingdom) -> Kingdom {
        let mut mapped = Kingdom::new(kingdom.size());
        for square in kingdom.rows().flatten() {
            if let Some((terrain, crowns)) = kingdom.get(square) {
                mapped.cover(self.square(square), End { terrain, crowns });
            }
        }
        mapped
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::{Chance, DominoSet, Game, Position, Rules, Stage};

    #[test]
    fn on_a_bare_castle_a_domino_has_few_moves_that_differ() {
        let mut position = Position::new(Rules::default());
        let line: DominoSet =
            ["3", "13", "22", "41"].map(|number| number.parse().expect("a domino")).into_iter().collect();
        position.apply_unchecked(Chance::Line(line));
        let mut position = position.sample(1);
        while position.stage() == Stage::Claim {
            position.play_unchecked(position.legal_actions()[0]);
            position = position.sample(2);
        }
        // Domino 3 has two equal ends: it lies away from the castle or beside it.
        let actions = position.legal_actions();
        let classes: HashSet<_> = actions.iter().map(|action| position.equivalent(*action)).collect();
        assert_eq!((actions.len(), classes.len()), (12, 2));
    }

    #[test]
    fn equivalent_placements_lead_to_one_kingdom_up_to_symmetry() {
        for (seed, rules) in (1..).zip(Rules::all().step_by(5)) {
            let mut game = Game::new(rules, seed);
            while !game.position().is_over() {
                let position = *game.position();
                let actions = position.legal_actions();
                let place = |wanted| actions.iter().position(|action| *action == wanted);
                for action in &actions {
                    let same = position.equivalent(*action);
                    assert!(place(same).is_some() && place(same) <= place(*action));
                    assert_eq!(position.equivalent(same), same);
                    let [one, other] = [*action, same].map(|action| {
                        let mut after = position;
                        after.play_unchecked(action);
                        after.scores()
                    });
                    assert_eq!(one, other);
                }
                game.play(actions[(seed as usize * 5) % actions.len()]).expect("it is legal");
            }
        }
    }
}
