//! The kingdoms as planes of bytes: eight a kingdom, the own one first.

use kingdomino_rules::{Kingdom, KingdomSize, Position, Rules, Seat, Terrain};

use super::{Frame, absolute};

/// Six terrains, the crowns, the room that is left.
const PLANES: usize = 8;

const CROWNS: usize = 6;
const ROOM: usize = 7;

/// How many bytes the planes of all kingdoms take.
pub(super) const fn length(rules: &Rules) -> usize {
    rules.players() * PLANES * Frame::new(rules.kingdom_size()).squares()
}

/// Writes the planes as this seat sees them.
#[inline(always)]
pub(super) fn write(position: &Position, own: Seat, planes: &mut [u8]) {
    match position.rules().kingdom_size() {
        KingdomSize::Five => write_sized::<9, 5>(position, own, planes),
        KingdomSize::Seven => write_sized::<13, 7>(position, own, planes),
    }
}

/// The frame has `SIDE` squares on a side, the largest kingdom `BOX`.
#[inline(always)]
fn write_sized<const SIDE: usize, const BOX: usize>(position: &Position, own: Seat, planes: &mut [u8]) {
    let area = SIDE * SIDE;
    let players = position.rules().players();
    for (place, planes) in planes.chunks_exact_mut(PLANES * area).enumerate() {
        let kingdom = &position.kingdoms()[absolute(place, own, players)];
        let (low, _) = kingdom.corners();
        let start = Frame::new(kingdom.size()).index(low);
        planes[..ROOM * area].fill(0);
        for (plane, terrain) in Terrain::ALL.into_iter().enumerate() {
            let bits = kingdom.terrain(terrain).rotate_right(low.bit());
            write_box::<SIDE, BOX>(|row| spread(bits, row), &mut planes[plane * area + start..]);
        }
        let digits = [0, 1].map(|digit| kingdom.crown_digit(digit).rotate_right(low.bit()));
        let crowns = |row| spread(digits[0], row) + 2 * spread(digits[1], row);
        write_box::<SIDE, BOX>(crowns, &mut planes[CROWNS * area + start..]);
        // Last, because rows are written eight squares at a time and the highest may reach beyond its plane.
        write_room::<SIDE>(kingdom, &mut planes[ROOM * area..]);
    }
}

/// A byte for each of the eight binary digits in this row of the bits, lowest first.
#[inline(always)]
fn spread(bits: u64, row: usize) -> u64 {
    SPREAD[(bits >> (8 * row) & 0xff) as usize]
}

/// Writes the rows of the largest box of a kingdom, eight squares each; those beyond the box are 0, and so
/// they clear nothing that was written before: the next row comes later.
#[inline(always)]
fn write_box<const SIDE: usize, const BOX: usize>(row: impl Fn(usize) -> u64, plane: &mut [u8]) {
    let rows = &mut plane[..SIDE * (BOX - 1) + 8];
    for y in 0..BOX {
        rows[SIDE * y..][..8].copy_from_slice(&row(y).to_le_bytes());
    }
}

/// Marks the empty squares of all boxes of the largest size that hold the whole kingdom.
#[inline(always)]
fn write_room<const SIDE: usize>(kingdom: &Kingdom, room: &mut [u8]) {
    let reach = kingdom.size().squares() - 1;
    let (low, high) = kingdom.corners();
    // Such a box begins no further left than it can while it reaches the rightmost square, and ends
    // no further right; the same for the rows.
    let (left, right) = (high.x as u32, (low.x + 2 * reach) as u32);
    let (bottom, top) = (high.y as usize, (low.y + 2 * reach) as usize);
    let columns = (2 << right) - (1 << left);
    let covered = (!kingdom.empty()).rotate_right(low.bit());
    let (begin, shift) = ((low.y + reach) as usize, (low.x + reach) as u32);
    let (rows, _) = room.as_chunks_mut::<SIDE>();
    for (y, squares) in rows.iter_mut().enumerate() {
        let taken = match y.wrapping_sub(begin) {
            line @ 0..8 => ((covered >> (8 * line)) as u32 & 0xff) << shift,
            _ => 0,
        };
        let open = if (bottom..=top).contains(&y) { columns & !taken } else { 0 };
        let spread = [0, 1].map(|half| spread(open.into(), half).to_le_bytes());
        squares[..8].copy_from_slice(&spread[0]);
        squares[8..].copy_from_slice(&spread[1][..SIDE - 8]);
    }
}

/// The binary digits of every byte, a byte each, lowest first.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut digit = 0;
    while digit < 256 * 8 {
        spread[digit / 8] |= ((digit / 8) as u64 >> (digit % 8) & 1) << (8 * (digit % 8));
        digit += 1;
    }
    spread
};
