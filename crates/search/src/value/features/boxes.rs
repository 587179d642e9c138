//! Features of how the largest boxes around a kingdom could still be filled.

use kingdomino_rules::Kingdom;

use crate::policies::lost_squares;

/// The number of these features.
pub(super) const FEATURES: usize = 10;

/// The features of a kingdom that will get `draws` more dominoes.
#[inline(always)]
pub(super) fn features(kingdom: &Kingdom, draws: usize) -> [f32; FEATURES] {
    let side = i32::from(kingdom.size().squares());
    let (low, high) = kingdom.corners();
    let largest_box = (0..side).fold(0_u64, |bits, row| bits | ((1 << side) - 1) << (8 * row));
    let (mut least, mut sum, mut count, mut perfect, mut around_castle) = (u32::MAX, 0, 0, 0, None);
    for y in i32::from(high.y) - side + 1..=i32::from(low.y) {
        for x in i32::from(high.x) - side + 1..=i32::from(low.x) {
            // With the box's lowest corner as bit 0, because colours do not match across the edge of the torus.
            let empty = kingdom.empty().rotate_right((x + 8 * y) as u32 & 63) & largest_box;
            let lost = lost_squares(empty);
            least = least.min(lost);
            sum += lost;
            count += 1;
            perfect += u32::from(lost == 0);
            if 2 * x == 1 - side && 2 * y == 1 - side {
                around_castle = Some(lost);
            }
        }
    }
    let room = (side * side) as f32 - kingdom.squares_covered() as f32;
    let surplus = |lost: u32| (room - lost as f32 - 2.0 * draws as f32) / 8.0;
    let flag = |is_so: bool| f32::from(u8::from(is_so));
    [
        least as f32 / 2.0,
        sum as f32 / count as f32 / 3.0,
        count as f32 / 10.0,
        perfect as f32 / 5.0,
        flag(around_castle.is_some()),
        around_castle.map_or(0.0, |lost| lost as f32 / 2.0),
        flag(around_castle == Some(0)),
        flag(least == 0),
        surplus(least),
        around_castle.map_or(0.0, surplus),
    ]
}
