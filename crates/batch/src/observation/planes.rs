//! The kingdoms as planes of bytes: eight a kingdom, the observer's own first.
//!
//! Terrains and crowns are written from the kingdom's bits each time. Caching their planes takes fewer instructions,
//! but more memory than fits into the L2 cache with hundreds of games, and was slower. Only the room plane is cached:
//! it is slower to compute and small.

use kingdomino_rules::{Kingdom, KingdomSize, Position, Rules, Seat, Terrain};

use super::{Frame, absolute};

/// Six terrains, the crowns, the room.
const PLANES: usize = 8;

const CROWNS: usize = 6;
const ROOM: usize = 7;

/// The bytes of all planes.
pub(super) const fn length(rules: &Rules) -> usize {
    rules.players() * PLANES * room_length(rules)
}

/// The bytes of the room plane of one kingdom.
pub(super) const fn room_length(rules: &Rules) -> usize {
    Frame::new(rules.kingdom_size()).squares()
}

/// Writes the planes as this seat sees them. `rooms` holds the room planes in the order of the seats.
#[inline(always)]
pub(super) fn write(position: &Position, rooms: &[u8], own: Seat, planes: &mut [u8]) {
    match position.rules().kingdom_size() {
        KingdomSize::Five => write_sized::<9, 5>(position, rooms, own, planes),
        KingdomSize::Seven => write_sized::<13, 7>(position, rooms, own, planes),
    }
}

/// Writes the room plane of a kingdom.
#[inline(always)]
pub(super) fn write_room(kingdom: &Kingdom, room: &mut [u8]) {
    match kingdom.size() {
        KingdomSize::Five => write_room_sized::<9, 5>(kingdom, room),
        KingdomSize::Seven => write_room_sized::<13, 7>(kingdom, room),
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
        // Last, because the highest row of a box may extend into the next plane.
        planes[ROOM * area..].copy_from_slice(&rooms[seat * area..][..area]);
    }
}

/// Writes the rows of a kingdom's largest box, eight squares each. The squares beyond the box are empty; nothing
/// has been written there yet.
#[inline(always)]
fn write_box<const SIDE: usize, const BOX: usize>(row: impl Fn(usize) -> u64, plane: &mut [u8]) {
    let rows = &mut plane[..SIDE * (BOX - 1) + 8];
    for y in 0..BOX {
        rows[SIDE * y..][..8].copy_from_slice(&row(y).to_le_bytes());
    }
}

/// Marks the empty squares of all boxes of the largest size that hold the whole kingdom.
#[inline(always)]
fn write_room_sized<const SIDE: usize, const BOX: usize>(kingdom: &Kingdom, room: &mut [u8]) {
    let reach = BOX as i8 - 1;
    let (low, high) = kingdom.corners();
    // These boxes cover every column from the leftmost that can share a box with the rightmost square to the
    // rightmost that can share one with the leftmost square; the same for the rows.
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

/// The bits of a byte as eight bytes of 0 or 1, lowest first.
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
