//! Why an action is not allowed: a code, its facts, and the sentence made from them.

use std::fmt;

use arrayvec::ArrayVec;

use crate::values::domino::{Domino, Terrain};
use crate::values::line::{Line, Seat};
use crate::values::square::{Placement, Square};

/// Why a placement is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The two squares do not share a side.
    Apart(Placement),
    /// The square is covered.
    Taken(Square),
    /// The kingdom would be this many squares wide.
    TooWide(u8),
    /// The kingdom would be this many squares tall.
    TooTall(u8),
    /// Neither end touches its own terrain or the castle.
    NoMatch(Domino),
}

/// Why an action is not legal: a code, its facts, and a sentence, which `Display` writes.
///
/// ```
/// use kingdomino_rules::{Action, Game, Rules};
///
/// let mut game = Game::new(Rules::default(), 7);
/// let refusal = game.play("discard".parse()?).unwrap_err();
/// assert_eq!(refusal.code(), "must_claim");
/// assert_eq!(refusal.to_string(), "a domino must be claimed now");
///
/// let lowest = game.position().line().domino(0);
/// game.play(Action::Claim(lowest))?;
/// let refusal = game.play(Action::Claim(lowest)).unwrap_err();
/// assert_eq!(refusal.code(), "claimed");
/// assert_eq!(refusal.facts().domino, Some(lowest));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game is over.
    Over,
    /// A line must be revealed or a king drawn first; a `Game` never stops there.
    Waiting,
    /// A domino must be placed or discarded first.
    MustPlace(Domino),
    /// A domino must be claimed now.
    MustClaim,
    /// The line on offer does not hold this domino.
    NotOnOffer(Domino, Line),
    /// This seat has already claimed the domino.
    Claimed(Domino, Seat),
    /// The domino may not be placed there.
    Misfit(Misfit),
    /// The domino fits somewhere, so it may not be discarded.
    Fits(Domino),
}

/// The facts of a refusal. Facts of other codes are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The refused domino, or the domino to place first.
    pub domino: Option<Domino>,
    /// The seat that has claimed the domino.
    pub seat: Option<Seat>,
    /// The square that is taken.
    pub square: Option<Square>,
    /// The width that the kingdom would have, in squares.
    pub width: Option<u8>,
    /// The height that the kingdom would have, in squares.
    pub height: Option<u8>,
    /// The domino's terrains. None of them touches it there.
    pub terrains: ArrayVec<Terrain, 2>,
    /// The dominoes on offer.
    pub line: ArrayVec<Domino, 4>,
}

impl Refusal {
    /// The code, like `taken`: a name for programs, which stays the same when the sentence changes.
    pub const fn code(&self) -> &'static str {
        match self {
            Refusal::Over => "game_over",
            Refusal::Waiting => "waiting",
            Refusal::MustPlace(_) => "must_place",
            Refusal::MustClaim => "must_claim",
            Refusal::NotOnOffer(..) => "not_on_offer",
            Refusal::Claimed(..) => "claimed",
            Refusal::Misfit(Misfit::Apart(_)) => "apart",
            Refusal::Misfit(Misfit::Taken(_)) => "taken",
            Refusal::Misfit(Misfit::TooWide(_)) => "too_wide",
            Refusal::Misfit(Misfit::TooTall(_)) => "too_tall",
            Refusal::Misfit(Misfit::NoMatch(_)) => "no_match",
            Refusal::Fits(_) => "fits",
        }
    }

    /// The facts that its sentence is made from.
    pub fn facts(&self) -> Facts {
        let none = Facts::default();
        match *self {
            Refusal::Over | Refusal::Waiting | Refusal::MustClaim => none,
            Refusal::MustPlace(domino) | Refusal::Fits(domino) => Facts { domino: Some(domino), ..none },
            Refusal::NotOnOffer(domino, line) => {
                Facts { domino: Some(domino), line: line.dominoes().collect(), ..none }
            }
            Refusal::Claimed(domino, seat) => Facts { domino: Some(domino), seat: Some(seat), ..none },
            Refusal::Misfit(Misfit::Apart(_)) => none,
            Refusal::Misfit(Misfit::Taken(square)) => Facts { square: Some(square), ..none },
            Refusal::Misfit(Misfit::TooWide(width)) => Facts { width: Some(width), ..none },
            Refusal::Misfit(Misfit::TooTall(height)) => Facts { height: Some(height), ..none },
            Refusal::Misfit(Misfit::NoMatch(domino)) => Facts { terrains: terrains(domino), ..none },
        }
    }
}

/// The terrains of a domino, each once.
fn terrains(domino: Domino) -> ArrayVec<Terrain, 2> {
    let [left, right] = domino.ends().map(|end| end.terrain);
    [left, right].into_iter().take(if left == right { 1 } else { 2 }).collect()
}

impl From<Misfit> for Refusal {
    fn from(misfit: Misfit) -> Self {
        Refusal::Misfit(misfit)
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Apart(Placement { left, right }) => {
                write!(f, "squares {left} and {right} are not next to each other")
            }
            Misfit::Taken(square) => write!(f, "square {square} is taken"),
            Misfit::TooWide(width) => write!(f, "the kingdom would be {width} squares wide"),
            Misfit::TooTall(height) => write!(f, "the kingdom would be {height} squares tall"),
            Misfit::NoMatch(domino) => {
                let [left, right] = domino.ends().map(|end| end.terrain);
                if left == right {
                    write!(f, "no {left} touches it there")
                } else {
                    write!(f, "no {left} or {right} touches it there")
                }
            }
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Over => f.write_str("the game is over"),
            Refusal::Waiting => f.write_str("a line must be revealed or a king drawn first"),
            Refusal::MustPlace(domino) => {
                write!(f, "domino {domino} must be placed (or discarded, if it fits nowhere) first")
            }
            Refusal::MustClaim => f.write_str("a domino must be claimed now"),
            Refusal::NotOnOffer(domino, line) => {
                write!(f, "domino {domino} is not on offer (")?;
                for (place, domino) in line.dominoes().enumerate() {
                    write!(f, "{}{domino}", if place == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            Refusal::Claimed(domino, seat) => {
                write!(f, "domino {domino} is already claimed, by seat {seat}")
            }
            Refusal::Misfit(misfit) => misfit.fmt(f),
            Refusal::Fits(domino) => write!(f, "domino {domino} can be placed, so it must be"),
        }
    }
}

impl std::error::Error for Refusal {}
