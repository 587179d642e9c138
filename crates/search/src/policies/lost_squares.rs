//! The squares that stay empty however dominoes are placed.

use kingdomino_rules::Outline;
use kingdomino_rules::bitboard::flood;

use super::outline_preference::box_around_castle;

/// Every other square of a box whose lowest corner is bit 0, as on a chessboard: a domino covers one square of each
/// colour.
const BLACK: u64 = 0xAA55_AA55_AA55_AA55;

/// The least number of these squares that stay empty: in each connected part, the difference between the numbers of
/// squares of each colour. They lie in a box with its lowest corner as bit 0, because colours do not match across the
/// edge of the torus.
#[inline(always)]
pub(crate) fn lost_squares(mut squares: u64) -> u32 {
    let mut lost = 0;
    while squares != 0 {
        let part = flood(squares & squares.wrapping_neg(), squares);
        squares &= !part;
        lost += (part & BLACK).count_ones().abs_diff((part & !BLACK).count_ones());
    }
    lost
}

/// The same for the empty squares of the largest box with the castle in its middle.
#[inline(always)]
pub(super) fn lost_around_castle(outline: &Outline) -> u32 {
    let size = outline.size();
    let empty = box_around_castle(size) & outline.empty();
    let castle = 9 * (size.squares() as u32 / 2);
    lost_squares(empty.rotate_left(castle))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::{Domino, Kingdom, KingdomSize, Placement};

    /// Pairs of placements and lost squares in a 5×5 kingdom. Domino 1 has wheat on both ends, so it fits everywhere.
    fn losses(placements: &[(&str, u32)]) {
        let wheat = Domino::new(1).expect("a domino");
        let mut kingdom = Kingdom::new(KingdomSize::Five);
        for (placement, lost) in placements {
            kingdom.place_unchecked(wheat, placement.parse::<Placement>().expect("a placement"));
            assert_eq!(lost_around_castle(&kingdom.outline()), *lost, "{placement}");
        }
    }

    #[test]
    fn a_corner_cut_off_costs_two_squares_as_the_rest_has_one_too_many() {
        losses(&[("-1,0>-1,-1", 0), ("-2,-1>-2,0", 0), ("-1,-2>0,-2", 2)]);
    }

    #[test]
    fn dominoes_fill_a_pair_on_either_side_of_the_castles_column() {
        losses(&[("0,1>1,1", 0), ("1,2>2,2", 0), ("-1,1>-1,0", 0), ("-2,1>-2,2", 0)]);
    }
}
