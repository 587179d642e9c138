//! The kingdoms as planes of bytes: eight a kingdom, the own one first.
//!
//! What lies in a kingdom is written from its bits each time. Keeping its planes and copying them would take
//! fewer instructions, but memory of as many games as are stepped together that no longer fits into a
//! processor's second cache, which takes longer. Only the room that is left is kept: it is more work to find,
//! and a small part of the planes.

use kingdomino_rules::{Kingdom, KingdomSize, Position, Rules, Seat, Terrain};

use super::{Frame, absolute};

/// Six terrains, the crowns, the room that is left.
const PLANES: usize = 8;

const CROWNS: usize = 6;
const ROOM: usize = 7;

/// How many bytes the planes of all kingdoms take.
pub(super) const fn length(rules: &Rules) -> usize {
    rules.players() * PLANES * room_length(rules)
}

/// How many bytes the plane of the room of one kingdom takes.
pub(super) const fn room_length(rules: &Rules) -> usize {
    Frame::new(rules.kingdom_size()).squares()
}

/// Writes the planes as this seat sees them; `rooms` has the room of every kingdom, in the order of the seats.
#[inline(always)]
pub(super) fn write(position: &Position, rooms: &[u8], own: Seat, planes: &mut [u8]) {
    match position.rules().kingdom_size() {
        KingdomSize::Five => write_sized::<9, 5>(position, rooms, own, planes),
        KingdomSize::Seven => write_sized::<13, 7>(position, rooms, own, planes),
    }
}

/// Draws the room of a kingdom.
#[inline(always)]
pub(super) fn draw_room(kingdom: &Kingdom, room: &mut [u8]) {
    match kingdom.size() {
        KingdomSize::Five => draw_room_sized::<9, 5>(kingdom, room),
        KingdomSize::Seven => draw_room_sized::<13, 7>(kingdom, room),
    }
}

/// The frame has `SIDE` squares on a side, the largest kingdom `BOX`.
#[inline(always)]
fn write_sized<const SIDE: usize, const BOX: usize>(
    position: &Position,
    rooms: &[u8],
    own: Seat,
    planes: &mut [u8],
) {
    let area = SIDE * SIDE;
    let players = position.rules().players();
    planes.fill(0);
    for (place, planes) in planes.chunks_exact_mut(PLANES * area).enumerate() {
        let seat = absolute(place, own, players);
        let kingdom = &position.kingdoms()[seat];
        let (low, _) = kingdom.corners();
        let start = Frame::new(kingdom.size()).index(low);
        for (plane, terrain) in Terrain::ALL.into_iter().enumerate() {
            let bits = kingdom.terrain(terrain).rotate_right(low.bit());
            let squares = |row| spread((bits >> (8 * row)) as u8);
            write_box::<SIDE, BOX>(squares, &mut planes[plane * area + start..]);
        }
        let digits = [0, 1].map(|digit| kingdom.crown_digit(digit).rotate_right(low.bit()));
        let crowns = |row| {
            let [ones, twos] = digits.map(|digit| spread((digit >> (8 * row)) as u8));
            ones + 2 * twos
        };
        write_box::<SIDE, BOX>(crowns, &mut planes[CROWNS * area + start..]);
        // Last, because the highest row of a box may reach into the next plane.
        planes[ROOM * area..].copy_from_slice(&rooms[seat * area..][..area]);
    }
}

/// Writes the rows of the largest box of a kingdom, eight squares each; those beyond the box are empty, and
/// nothing has been written there yet.
#[inline(always)]
fn write_box<const SIDE: usize, const BOX: usize>(row: impl Fn(usize) -> u64, plane: &mut [u8]) {
    let rows = &mut plane[..SIDE * (BOX - 1) + 8];
    for y in 0..BOX {
        rows[SIDE * y..][..8].copy_from_slice(&row(y).to_le_bytes());
    }
}

/// Marks the empty squares of all boxes of the largest size that hold the whole kingdom.
#[inline(always)]
fn draw_room_sized<const SIDE: usize, const BOX: usize>(kingdom: &Kingdom, room: &mut [u8]) {
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
        squares[..8].copy_from_slice(&spread(open as u8).to_le_bytes());
        squares[8..].copy_from_slice(&spread((open >> 8) as u8).to_le_bytes()[..SIDE - 8]);
    }
}

/// A byte for each binary digit of this one, lowest first.
#[inline(always)]
const fn spread(bits: u8) -> u64 {
    SPREAD[bits as usize]
}

static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut digit = 0;
    while digit < 256 * 8 {
        spread[digit / 8] |= ((digit / 8) as u64 >> (digit % 8) & 1) << (8 * (digit % 8));
        digit += 1;
    }
    spread
};
