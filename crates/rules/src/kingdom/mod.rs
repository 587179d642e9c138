//! Kingdoms: their squares, and where a domino may be placed.
//!
//! A kingdom is a few bitboards: one for each terrain, two for the binary digits of the crowns, one for all covered
//! squares. Each terrain's board has the castle's bit set, so that the castle connects to everything without a special
//! case.

pub mod bitboard;
mod choices;
pub(crate) mod grid;
pub(crate) mod layout;
pub(crate) mod outline;
pub(crate) mod placements;
pub(crate) mod prospects;
pub(crate) mod scoring;
pub(crate) mod setup;
pub(crate) mod symmetry;
pub(crate) mod text;
pub(crate) mod tilings;

use crate::kingdom::bitboard::{CASTLE, neighbours};
use crate::kingdom::outline::{Extent, Outline, Room, room_of};
use crate::kingdom::placements::{Placements, Spot};
use crate::position::refusal::Misfit;
use crate::values::domino::{Domino, End, Terrain};
use crate::values::size::KingdomSize;
use crate::values::square::{Placement, Square};

/// One player's squares around the castle. Equal kingdoms have equal squares and the same largest box.
///
/// ```
/// use kingdomino_rules::{Domino, Kingdom, KingdomSize, Rules};
///
/// let mut kingdom = Kingdom::parse("w1ff/.C.", KingdomSize::Five)?;
/// assert_eq!(kingdom.to_string(), "w1ff/.C.");
/// assert_eq!(kingdom.score(&Rules::default()).total(), 1);
///
/// let domino: Domino = "1".parse()?; // wheat, wheat
/// let placement = kingdom.placements(domino).iter().next().expect("it fits");
/// assert_eq!(kingdom.check(domino, placement), Ok(()));
/// kingdom.place_unchecked(domino, placement);
///
/// let refusal = kingdom.check(domino, placement).unwrap_err();
/// assert!(refusal.to_string().ends_with("is taken"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kingdom {
    pub(crate) terrains: [u64; 6],
    pub(crate) crowns: [u64; 2],
    pub(crate) covered: u64,
    extent: Extent,
    size: KingdomSize,
}

impl Kingdom {
    /// The castle alone.
    pub const fn new(size: KingdomSize) -> Kingdom {
        Kingdom { terrains: [CASTLE; 6], crowns: [0; 2], covered: CASTLE, extent: Extent::CASTLE, size }
    }

    /// The largest box that it may fill.
    #[inline]
    pub const fn size(&self) -> KingdomSize {
        self.size
    }

    /// The lowest and the highest corner of the smallest box around all squares.
    #[inline]
    pub const fn corners(&self) -> (Square, Square) {
        (self.extent.low(), self.extent.high())
    }

    /// The lowest and the highest corner of the box that one more domino can reach: up to two squares beyond each side,
    /// as far as the size allows.
    pub const fn reach(&self) -> (Square, Square) {
        let (low, high) = self.corners();
        let wide = Kingdom::one_domino(self.size.squares() - (high.x - low.x + 1));
        let tall = Kingdom::one_domino(self.size.squares() - (high.y - low.y + 1));
        (Square::new(low.x - wide, low.y - tall), Square::new(high.x + wide, high.y + tall))
    }

    /// How far a domino reaches into this many squares.
    const fn one_domino(left: i8) -> i8 {
        if left < 2 { left } else { 2 }
    }

    #[inline]
    fn room(&self) -> &'static Room {
        room_of(self.size, self.extent)
    }

    /// The number of covered squares, including the castle's.
    #[inline]
    pub const fn squares_covered(&self) -> u32 {
        self.covered.count_ones()
    }

    /// All uncovered squares of the torus, as bits.
    #[inline]
    pub const fn empty(&self) -> u64 {
        !self.covered
    }

    /// The uncovered squares beside these, as bits.
    #[inline]
    pub const fn beside(&self, bits: u64) -> u64 {
        neighbours(bits) & !self.covered
    }

    /// Which squares it covers, without their terrains.
    #[inline]
    pub const fn outline(&self) -> Outline {
        Outline { covered: self.covered, extent: self.extent, size: self.size }
    }

    /// The squares of one terrain, without the castle, as bits.
    #[inline]
    pub const fn terrain(&self, terrain: Terrain) -> u64 {
        self.terrains[terrain as usize] & !CASTLE
    }

    /// The uncovered squares beside this terrain or the castle, as bits.
    #[inline]
    fn touching(&self, terrain: Terrain) -> u64 {
        neighbours(self.terrains[terrain as usize]) & !self.covered
    }

    /// Every legal placement of this domino, each once: a domino with two equal ends is not turned round.
    ///
    /// Source: rulebooks, "connecting": at least one end must touch the castle or its own terrain.
    #[inline]
    pub fn placements(&self, domino: Domino) -> Placements {
        let room = self.room();
        let low = self.extent.low();
        let corner = low.bit();
        let empty = !self.covered;
        let [left, right] = domino.ends().map(|end| self.touching(end.terrain));
        let side_by_side = room.horizontal.rotate_left(corner) & empty & empty.rotate_left(1);
        let stacked = room.vertical.rotate_left(corner) & empty & empty.rotate_right(8);
        let mut boards = [
            side_by_side & (left.rotate_left(1) | right),
            stacked & (left | right.rotate_right(8)),
            side_by_side & (left | right.rotate_left(1)),
            stacked & (left.rotate_right(8) | right),
        ];
        // Turned round, a domino with two equal ends leads to the same kingdom.
        let turned = if domino.is_double() { 0 } else { u64::MAX };
        boards[2] &= turned;
        boards[3] &= turned;
        Placements { boards, low }
    }

    /// Whether this domino has a legal placement.
    #[inline]
    pub fn has_placement(&self, domino: Domino) -> bool {
        !self.placements(domino).is_empty()
    }

    /// Whether this placement of the domino is legal, and if not, why.
    pub fn check(&self, domino: Domino, placement: Placement) -> Result<(), Misfit> {
        let Placement { left, right } = placement;
        if !left.is_next_to(right) {
            return Err(Misfit::Apart(placement));
        }
        for square in [left, right] {
            if self.covers(square) {
                return Err(Misfit::Taken(square));
            }
        }
        let (low, high) = self.corners();
        let extent = |low: i8, high: i8, a: i8, b: i8| {
            (i16::from(high.max(a).max(b)) - i16::from(low.min(a).min(b)) + 1) as u8
        };
        let width = extent(low.x, high.x, left.x, right.x);
        if width > self.size.squares() as u8 {
            return Err(Misfit::TooWide(width));
        }
        let height = extent(low.y, high.y, left.y, right.y);
        if height > self.size.squares() as u8 {
            return Err(Misfit::TooTall(height));
        }
        let [left_end, right_end] = domino.ends().map(|end| self.touching(end.terrain));
        if left_end >> left.bit() & 1 == 0 && right_end >> right.bit() & 1 == 0 {
            return Err(Misfit::NoMatch(domino));
        }
        Ok(())
    }

    /// Whether this square is covered, by a domino or the castle.
    pub fn covers(&self, square: Square) -> bool {
        let Square { x, y } = square;
        let (low, high) = self.corners();
        let in_box = (low.x..=high.x).contains(&x) && (low.y..=high.y).contains(&y);
        in_box && self.covered >> square.bit() & 1 == 1
    }

    /// Places a domino. The placement must be legal.
    #[inline]
    pub fn place_unchecked(&mut self, domino: Domino, spot: impl Into<Spot>) {
        let spot = spot.into();
        debug_assert_eq!(self.check(domino, spot.into()), Ok(()));
        let [left, right] = domino.ends();
        let (left_bit, right_bit) = spot.bits();
        let (on_left, on_right) = (1_u64.wrapping_shl(left_bit), 1_u64.wrapping_shl(right_bit));
        self.covered |= on_left | on_right;
        self.terrains[left.terrain as usize] |= on_left;
        self.terrains[right.terrain as usize] |= on_right;
        let digit = |place: u8| {
            u64::from(left.crowns >> place & 1).wrapping_shl(left_bit)
                | u64::from(right.crowns >> place & 1).wrapping_shl(right_bit)
        };
        self.crowns[0] |= digit(0);
        self.crowns[1] |= digit(1);
        self.extent.add_joint(spot);
    }

    /// Covers one square, which must be empty.
    pub(crate) fn cover(&mut self, square: Square, end: End) {
        let bit = square.bit();
        self.covered |= 1 << bit;
        self.terrains[end.terrain as usize] |= 1 << bit;
        self.crowns[0] |= u64::from(end.crowns & 1) << bit;
        self.crowns[1] |= u64::from(end.crowns >> 1) << bit;
        self.extent.add(square);
    }

    /// The terrain and the crowns of this square; `None` for the castle and for uncovered squares.
    pub fn get(&self, square: Square) -> Option<(Terrain, u8)> {
        if !self.covers(square) {
            return None;
        }
        let at = |board: u64| (board >> square.bit() & 1) as u8;
        let terrain = Terrain::ALL.into_iter().find(|terrain| at(self.terrain(*terrain)) == 1)?;
        Some((terrain, at(self.crowns[0]) + 2 * at(self.crowns[1])))
    }

    /// The squares of the smallest box around it, row by row from the top, each row from the left.
    pub fn rows(&self) -> impl Iterator<Item = impl Iterator<Item = Square> + use<>> + use<> {
        let (low, high) = self.corners();
        (low.y..=high.y).rev().map(move |y| (low.x..=high.x).map(move |x| Square::new(x, y)))
    }

    /// The squares of these bits.
    pub(crate) fn squares_of(&self, mut bits: u64) -> impl Iterator<Item = Square> + use<> {
        let low = self.extent.low();
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
            (bit < 64).then(|| Square::from_bit(bit, low))
        })
    }
}
