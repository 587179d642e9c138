//! The kingdoms as planes of bytes: eight a kingdom, the own one first.
//!
//! A kingdom changes only when something is placed in it, and is looked at many times more often. So
//! each is drawn once a change, and from then on copied.

use kingdomino_rules::{Kingdom, KingdomSize, Position, Rules, Seat, Terrain};

use super::{Frame, absolute};

/// Six terrains, the crowns, the room that is left.
const PLANES: usize = 8;

/// Those that are drawn and kept; the room is found anew every time, which takes no longer.
const DRAWN: usize = 7;
const CROWNS: usize = 6;

/// How many bytes the planes of all kingdoms take.
pub(super) const fn length(rules: &Rules) -> usize {
    rules.players() * PLANES * Frame::new(rules.kingdom_size()).squares()
}

/// How many bytes the drawing of a kingdom takes.
pub(super) const fn drawing_length(rules: &Rules) -> usize {
    DRAWN * Frame::new(rules.kingdom_size()).squares()
}

/// Draws the terrains and the crowns of a kingdom.
#[inline(always)]
pub(super) fn draw(kingdom: &Kingdom, drawing: &mut [u8]) {
    let frame = Frame::new(kingdom.size());
    let area = frame.squares();
    let (low, _) = kingdom.corners();
    drawing.fill(0);
    for (terrain, plane) in Terrain::ALL.into_iter().zip(drawing.chunks_exact_mut(area)) {
        frame.each(kingdom.terrain(terrain), low, |square| plane[square] = 1);
    }
    let crowns = &mut drawing[CROWNS * area..];
    for digit in 0..2 {
        frame.each(kingdom.crown_digit(digit), low, |square| crowns[square] += 1 << digit);
    }
}

/// Writes the planes as this seat sees them; `drawings` has one a seat.
#[inline(always)]
pub(super) fn write(position: &Position, drawings: &[u8], own: Seat, planes: &mut [u8]) {
    match position.rules().kingdom_size() {
        KingdomSize::Five => write_sized::<9>(position, drawings, own, planes),
        KingdomSize::Seven => write_sized::<13>(position, drawings, own, planes),
    }
}

#[inline(always)]
fn write_sized<const SIDE: usize>(position: &Position, drawings: &[u8], own: Seat, planes: &mut [u8]) {
    let area = SIDE * SIDE;
    let players = position.rules().players();
    for (place, planes) in planes.chunks_exact_mut(PLANES * area).enumerate() {
        let seat = absolute(place, own, players);
        let (drawn, room) = planes.split_at_mut(DRAWN * area);
        drawn.copy_from_slice(&drawings[seat * DRAWN * area..][..DRAWN * area]);
        write_room::<SIDE>(&position.kingdoms()[seat], room);
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
        let spread = [SPREAD[(open & 0xff) as usize], SPREAD[(open >> 8 & 0xff) as usize]];
        squares[..8].copy_from_slice(&spread[0]);
        squares[8..].copy_from_slice(&spread[1][..SIDE - 8]);
    }
}

/// The binary digits of every byte, lowest first.
static SPREAD: [[u8; 8]; 256] = {
    let mut spread = [[0; 8]; 256];
    let mut digit = 0;
    while digit < 256 * 8 {
        spread[digit / 8][digit % 8] = ((digit / 8) >> (digit % 8) & 1) as u8;
        digit += 1;
    }
    spread
};
