//! The largest box that a kingdom may fill.

/// How many squares wide and tall a kingdom may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum KingdomSize {
    /// 5×5, the standard game.
    Five,
    /// 7×7, the Mighty Duel.
    Seven,
}

impl KingdomSize {
    /// Squares on a side: 5 or 7.
    #[inline]
    pub const fn squares(self) -> i8 {
        match self {
            KingdomSize::Five => 5,
            KingdomSize::Seven => 7,
        }
    }

    /// The size with this many squares on a side; `None` unless that is 5 or 7.
    pub const fn from_squares(squares: i64) -> Option<KingdomSize> {
        match squares {
            5 => Some(KingdomSize::Five),
            7 => Some(KingdomSize::Seven),
            _ => None,
        }
    }
}
