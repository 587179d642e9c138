//! The eight symmetries of the square: rotations and reflections about the castle change neither the legal placements
//! nor the score.
//!
//! Here the square (x, y) is the bit x mod 8 + 8 (y mod 8), so that symmetries are operations on bits. The torus of
//! [`bitboard`](super::bitboard) has other bits for squares to the left of the castle; no symmetry maps it to itself.

use crate::kingdom::Kingdom;
use crate::kingdom::placements::Placements;
use crate::values::domino::Domino;
use crate::values::square::{Placement, Square};

/// The mirror image: the square (x, y) goes to (-x, y).
const fn mirrored(bits: u64) -> u64 {
    let reversed = bits.swap_bytes().reverse_bits();
    (reversed & 0x7f7f_7f7f_7f7f_7f7f) << 1 | (reversed >> 7 & 0x0101_0101_0101_0101)
}

/// The reflection in the diagonal: the square (x, y) goes to (y, x).
const fn transposed(mut bits: u64) -> u64 {
    let mut swapped = (bits ^ bits >> 7) & 0x00aa_00aa_00aa_00aa;
    bits ^= swapped ^ swapped << 7;
    swapped = (bits ^ bits >> 14) & 0x0000_cccc_0000_cccc;
    bits ^= swapped ^ swapped << 14;
    swapped = (bits ^ bits >> 28) & 0x0000_0000_f0f0_f0f0;
    bits ^ swapped ^ swapped << 28
}

/// The bit of a square.
const fn bit(square: Square) -> u64 {
    1 << ((square.x & 7) + 8 * (square.y & 7))
}

/// The images of these bits under the eight symmetries, the identity first. Both reflections in turn give them all.
fn images(bits: u64) -> [u64; 8] {
    let mut images = [bits; 8];
    for number in 1..8 {
        let before = images[number - 1];
        images[number] = if number % 2 == 1 { mirrored(before) } else { transposed(before) };
    }
    images
}

/// Turns boards of this kingdom on the torus into those with a bit for each column and row: what is to the left of the
/// castle moves up by a row.
fn straight(kingdom: &Kingdom) -> impl Fn(u64) -> u64 {
    let (low, _) = kingdom.corners();
    let left = (0xff00_u64 >> -low.x & 0xff) * (u64::MAX / 0xff);
    move |bits| bits & !left | (bits & left).rotate_left(8)
}

/// The squares of a kingdom: a board for each terrain, and two for the binary digits of the crowns.
type Boards = [u64; 8];

/// The look of a kingdom under each of the eight symmetries.
pub(crate) struct Images([Boards; 8]);

impl Images {
    pub(crate) fn of(kingdom: &Kingdom) -> Images {
        let mut all = [[0; 8]; 8];
        let straight = straight(kingdom);
        for (board, bits) in kingdom.terrains.into_iter().chain(kingdom.crowns).enumerate() {
            for (image, bits) in all.iter_mut().zip(images(straight(bits))) {
                image[board] = bits;
            }
        }
        Images(all)
    }

    /// The same for all kingdoms that are equal to this one with the domino placed, up to a symmetry, and for no others.
    pub(crate) fn key_with(&self, domino: Domino, Placement { left, right }: Placement) -> Boards {
        let mut all = self.0;
        for (end, square) in domino.ends().into_iter().zip([left, right]) {
            for (image, bits) in all.iter_mut().zip(images(bit(square))) {
                image[end.terrain as usize] |= bits;
                image[6] |= bits * u64::from(end.crowns & 1);
                image[7] |= bits * u64::from(end.crowns >> 1);
            }
        }
        all.into_iter().min().unwrap_or_default()
    }
}

impl Kingdom {
    /// The placements of this domino that differ. Of those that lead to the same kingdom up to a rotation or a reflection
    /// about the castle, the first in the order of [`spots`](Placements::spots).
    pub fn distinct_placements(&self, domino: Domino) -> Placements {
        let mut placements = self.placements(domino);
        if self.is_nearly_symmetric() {
            let (images, mut known) = (Images::of(self), Vec::with_capacity(placements.len()));
            placements.retain(|spot| {
                let key = images.key_with(domino, spot.into());
                let is_new = !known.contains(&key);
                if is_new {
                    known.push(key);
                }
                is_new
            });
        }
        placements
    }

    /// Whether two placements of a domino may be equivalent. A symmetry that maps the kingdom with one of them to the
    /// kingdom with the other moves at most two squares of this kingdom off it.
    pub(crate) fn is_nearly_symmetric(&self) -> bool {
        let straight = straight(self);
        let images = |board: u64| self::images(straight(board));
        let off = |images: &[u64; 8], number: usize| (images[number] & !images[0]).count_ones();
        let covered = images(self.covered);
        (1..8).any(|number| {
            off(&covered, number) <= 2
                && self.terrains.iter().map(|board| off(&images(*board), number)).sum::<u32>() <= 2
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{bit, images};
    use crate::{Action, Chance, DominoSet, Game, Kingdom, Position, Rules, Square, Stage};

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
    fn the_eight_images_are_rotations_and_reflections() {
        let at = |x: i8, y: i8| bit(Square::new(x, y));
        let expected = [(3, 1), (-3, 1), (1, -3), (-1, -3), (-3, -1), (3, -1), (-1, 3), (1, 3)];
        assert_eq!(images(at(3, 1) | at(0, 0)), expected.map(|(x, y)| at(x, y) | at(0, 0)));
    }

    /// Whether the kingdoms after both placements are equal up to a symmetry, square by square.
    fn are_equal(kingdoms: [Kingdom; 2]) -> bool {
        let [one, other] = kingdoms.map(|kingdom| {
            let squares = kingdom.rows().flatten();
            squares.filter_map(|at| Some(((at.x, at.y), kingdom.get(at)?))).collect::<HashSet<_>>()
        });
        let mut turned = one;
        (0..8).any(|number| {
            let map = |(x, y): (i8, i8)| if number % 2 == 0 { (-x, y) } else { (y, x) };
            turned = turned.iter().map(|(at, square)| (map(*at), *square)).collect();
            turned == other
        })
    }

    #[test]
    fn placements_have_one_representative_where_their_kingdoms_are_equal_and_only_there() {
        let mut unlike = 0;
        for seed in 0..40 {
            let mut game = Game::new(Rules::default(), seed);
            while game.position().round() < 3 {
                let position = *game.position();
                let actions = position.legal_actions();
                let seat = position.to_move().expect("a seat is to move");
                let after = |action: Action| {
                    let mut after = position;
                    after.play_unchecked(action);
                    after.kingdoms()[seat]
                };
                let distinct = position.distinct_actions();
                for (number, one) in actions.iter().enumerate() {
                    let same = position.equivalent(*one);
                    assert_eq!(distinct.contains(one), same == *one);
                    if position.domino().is_none() {
                        continue;
                    }
                    for other in &actions[..number] {
                        let is_same = position.equivalent(*other) == same;
                        assert_eq!(
                            is_same,
                            are_equal([after(*one), after(*other)]),
                            "{one}, {other}: {position}"
                        );
                        unlike += usize::from(!is_same);
                    }
                }
                game.play(actions[(seed as usize * 5) % actions.len()]).expect("it is legal");
            }
        }
        assert!(unlike > 1_000);
    }

    #[test]
    fn a_position_has_a_counterpart_of_every_action_of_a_rotated_one() {
        let position = |kingdom: &str| -> Position {
            let text = "kd1 2.second.random 2 place:0 3@0,14@0,28@1,40@1 5,15,22,45 7-13,16-21,23-27,29-39,41-44,46-48";
            format!("{text} {kingdom};C").parse().expect("a position")
        };
        let (one, turned) = (position("Cww"), position("C/w/w"));
        for action in &one.legal_actions() {
            let counterpart = turned.counterpart(*action, &one);
            assert_eq!(one.counterpart(counterpart, &turned), one.equivalent(*action));
            let scores = [(one, *action), (turned, counterpart)].map(|(mut position, action)| {
                position.play(action).expect("it is legal");
                position.scores()
            });
            assert_eq!(scores[0], scores[1]);
        }
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
