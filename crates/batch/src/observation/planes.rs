//! The kingdoms as planes of bytes: eight a kingdom, the own one first.
//!
//! A kingdom changes only when something is placed in it, and is looked at many times more often. So
//! each is drawn once a change, and from then on copied.

use kingdomino_rules::{Kingdom, KingdomSize, Rules, Seat, Terrain};

use super::Frame;

/// Six terrains, the crowns, the room that is left.
const PLANES: usize = 8;

const CROWNS: usize = 6;
const ROOM: usize = 7;

/// How many bytes the planes of all kingdoms take.
pub(super) const fn length(rules: &Rules) -> usize {
    rules.players() * drawing_length(rules)
}

/// How many bytes those of one kingdom take.
pub(super) const fn drawing_length(rules: &Rules) -> usize {
    PLANES * Frame::new(rules.kingdom_size()).squares()
}

/// Writes the planes as this seat sees them; `drawings` are the kingdoms' planes, in the order of the seats.
#[inline(always)]
pub(super) fn write(size: KingdomSize, drawings: &[u8], own: Seat, planes: &mut [u8]) {
    match size {
        KingdomSize::Five => write_sized::<{ PLANES * 9 * 9 }>(drawings, own, planes),
        KingdomSize::Seven => write_sized::<{ PLANES * 13 * 13 }>(drawings, own, planes),
    }
}

/// The planes of a kingdom have this many bytes.
#[inline(always)]
fn write_sized<const BYTES: usize>(drawings: &[u8], own: Seat, planes: &mut [u8]) {
    let (drawings, _) = drawings.as_chunks::<BYTES>();
    let (planes, _) = planes.as_chunks_mut::<BYTES>();
    let (others, from_own) = drawings.split_at(own);
    planes[..from_own.len()].copy_from_slice(from_own);
    planes[from_own.len()..].copy_from_slice(others);
}

/// Draws the planes of a kingdom.
#[inline(always)]
pub(super) fn draw(kingdom: &Kingdom, drawing: &mut [u8]) {
    match kingdom.size() {
        KingdomSize::Five => draw_sized::<9, 5>(kingdom, drawing),
        KingdomSize::Seven => draw_sized::<13, 7>(kingdom, drawing),
    }
}

/// The frame has `SIDE` squares on a side, the largest kingdom `BOX`.
#[inline(always)]
fn draw_sized<const SIDE: usize, const BOX: usize>(kingdom: &Kingdom, drawing: &mut [u8]) {
    let area = SIDE * SIDE;
    let (low, _) = kingdom.corners();
    let start = Frame::new(kingdom.size()).index(low);
    drawing.fill(0);
    for (plane, terrain) in Terrain::ALL.into_iter().enumerate() {
        let bits = kingdom.terrain(terrain).rotate_right(low.bit());
        draw_box::<SIDE, BOX>(|row| spread(bits, row), &mut drawing[plane * area + start..]);
    }
    let digits = [0, 1].map(|digit| kingdom.crown_digit(digit).rotate_right(low.bit()));
    let crowns = |row| spread(digits[0], row) + 2 * spread(digits[1], row);
    draw_box::<SIDE, BOX>(crowns, &mut drawing[CROWNS * area + start..]);
    // Last, because the highest row of a box may reach into the next plane.
    draw_room::<SIDE, BOX>(kingdom, &mut drawing[ROOM * area..]);
}

/// A byte for each of the eight binary digits in this row of the bits, lowest first.
#[inline(always)]
fn spread(bits: u64, row: usize) -> u64 {
    SPREAD[(bits >> (8 * row) & 0xff) as usize]
}

/// Draws the rows of the largest box of a kingdom, eight squares each; those beyond the box are empty, and
/// nothing has been drawn there yet.
#[inline(always)]
fn draw_box<const SIDE: usize, const BOX: usize>(row: impl Fn(usize) -> u64, plane: &mut [u8]) {
    let rows = &mut plane[..SIDE * (BOX - 1) + 8];
    for y in 0..BOX {
        rows[SIDE * y..][..8].copy_from_slice(&row(y).to_le_bytes());
    }
}

/// Marks the empty squares of all boxes of the largest size that hold the whole kingdom.
#[inline(always)]
fn draw_room<const SIDE: usize, const BOX: usize>(kingdom: &Kingdom, room: &mut [u8]) {
    let reach = BOX as i8 - 1;
    let (low, high) = kingdom.corners();
    // Such a box begins no further left than it can while it reaches the rightmost square, and ends
    // no further right; the same for the rows.
    let (left, right) = (high.x as u32, (low.x + 2 * reach) as u32);
    let (bottom, top) = (high.y as u32, (low.y + 2 * reach) as u32);
    let (columns, lines) = ((2 << right) - (1 << left), (2 << top) - (1 << bottom));
    let mut open: [u32; SIDE] = std::array::from_fn(|y| if lines >> y & 1 == 1 { columns } else { 0 });
    let covered = (!kingdom.empty()).rotate_right(low.bit());
    let (begin, shift) = ((low.y + reach) as usize, (low.x + reach) as u32);
    for (y, open) in open[begin..][..BOX].iter_mut().enumerate() {
        *open &= !(((covered >> (8 * y)) as u32 & 0xff) << shift);
    }
    let (rows, _) = room.as_chunks_mut::<SIDE>();
    for (squares, open) in rows.iter_mut().zip(open) {
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
