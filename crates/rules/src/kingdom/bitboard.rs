//! Sets of squares as 64-bit numbers, for programs that need speed.
//!
//! A kingdom never reaches more than 6 squares from its castle, and its box is at most 7×7. So the square (x, y) is
//! the bit `(x + 8y) mod 64` of a torus: the castle is bit 0, a neighbour is one rotation away, nothing is shifted
//! when the kingdom grows to the left or downwards, and both kingdom sizes fit. Two squares share a bit only if they
//! are 8 apart. Such squares are never part of one kingdom, nor of what can be added to it: the box would be 8 wide.
//!
//! [`Square::bit`](crate::Square::bit) gives the bit of a square. `Kingdom`, [`Outline`](crate::Outline),
//! [`Placements`](crate::Placements) and [`Territory`](crate::Territory) have methods that take or return such sets;
//! their documentation says "as bits".

/// The castle's bit.
pub const CASTLE: u64 = 1;

/// The squares that share a side with at least one of these, as bits.
#[inline]
pub const fn neighbours(bits: u64) -> u64 {
    bits.rotate_left(1) | bits.rotate_right(1) | bits.rotate_left(8) | bits.rotate_right(8)
}

/// The squares of `board` that are connected to `seed` side by side, as bits; `seed` must be part of `board`.
#[inline]
pub const fn flood(seed: u64, board: u64) -> u64 {
    let mut filled = seed;
    loop {
        // Two steps for each comparison: processors mispredict the end of this loop.
        let once = (filled | neighbours(filled)) & board;
        let twice = (once | neighbours(once)) & board;
        if twice == once {
            return once;
        }
        filled = twice;
    }
}
