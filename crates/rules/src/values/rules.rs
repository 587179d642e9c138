//! Rules sets and what follows from them.

use std::fmt;
use std::str::FromStr;

use crate::input::fault::{Fault, Faults};
use crate::input::parse_error::{ParseError, parse_number};
use crate::input::pasted;
use crate::position::Kings;
use crate::values::line::Seat;
use crate::values::size::KingdomSize;

/// The edition of the game. They differ with three players and in the tie-breaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Edition {
    /// Three players use 36 dominoes, in lines of three. Crowns break ties of territories.
    First,
    /// Three players use all 48 dominoes, in lines of four.
    #[default]
    Second,
}

/// The order of the kings in the opening round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Opening {
    /// Drawn one at a time.
    #[default]
    Random,
    /// Two players: the first king is drawn. Its player claims first and fourth, the other second and third.
    Snake,
}

/// A rules set: players, edition, variants, bonuses.
///
/// ```
/// use kingdomino_rules::{Edition, Opening, Rules};
///
/// let rules = Rules::new(2, Edition::Second, true, Opening::Random)?.with_bonuses(true, false);
/// assert_eq!(rules.to_string(), "2.second.random.duel.harmony");
/// assert_eq!(rules.to_string().parse(), Ok(rules));
/// assert_eq!((rules.rounds(), rules.line_length(), rules.kingdom_size().squares()), (12, 4, 7));
///
/// let faults = Rules::new(4, Edition::Second, true, Opening::Random).unwrap_err();
/// assert_eq!(faults.to_string(), "the Mighty Duel is for 2 players, not 4");
/// # Ok::<(), kingdomino_rules::Faults>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    players: u8,
    mighty_duel: bool,
    /// The edition.
    pub edition: Edition,
    /// Whether a kingdom that fills its largest box scores 5 points more.
    pub harmony: bool,
    /// Whether a castle in the middle of its kingdom scores 10 points more.
    pub middle_kingdom: bool,
    opening: Opening,
}

impl Default for Rules {
    /// Two players, second edition, no variants, no bonuses.
    fn default() -> Self {
        Rules {
            players: 2,
            mighty_duel: false,
            edition: Edition::Second,
            harmony: false,
            middle_kingdom: false,
            opening: Opening::Random,
        }
    }
}

impl Rules {
    /// The most players, the most kings, and the most dominoes in a line.
    pub const MOST: usize = 4;

    /// A rules set without bonuses. The error lists every option that does not exist or does not fit the others.
    pub fn new(players: i64, edition: Edition, mighty_duel: bool, opening: Opening) -> Result<Rules, Faults> {
        let mut faults = Vec::new();
        if !(2..=4).contains(&players) {
            faults.push(Fault::Players { text: players.to_string() });
        }
        if mighty_duel && players != 2 {
            faults.push(Fault::DuelPlayers { found: players });
        }
        if opening == Opening::Snake && players != 2 {
            faults.push(Fault::SnakePlayers { found: players });
        }
        Faults::check(faults)?;
        Ok(Rules { players: players as u8, mighty_duel, edition, opening, ..Rules::default() })
    }

    /// Every rules set: players, editions, the Mighty Duel, openings and bonuses in every combination that exists.
    pub fn all() -> impl Iterator<Item = Rules> {
        let kinds = (2..=4).flat_map(|players| {
            [Edition::First, Edition::Second].into_iter().flat_map(move |edition| {
                [Opening::Random, Opening::Snake].into_iter().flat_map(move |opening| {
                    [false, true]
                        .into_iter()
                        .filter_map(move |duel| Rules::new(players, edition, duel, opening).ok())
                })
            })
        });
        kinds.flat_map(|rules| {
            [(false, false), (true, false), (false, true), (true, true)]
                .map(|(harmony, middle_kingdom)| rules.with_bonuses(harmony, middle_kingdom))
        })
    }

    /// The same rules with or without each bonus.
    #[must_use]
    pub const fn with_bonuses(self, harmony: bool, middle_kingdom: bool) -> Rules {
        Rules { harmony, middle_kingdom, ..self }
    }

    /// The number of players, 2 to 4.
    #[inline]
    pub const fn players(&self) -> usize {
        self.players as usize
    }

    /// Whether this is the two-player game with all 48 dominoes and 7×7 kingdoms.
    pub const fn mighty_duel(&self) -> bool {
        self.mighty_duel
    }

    /// The order of the kings in the opening round.
    #[inline]
    pub const fn opening(&self) -> Opening {
        self.opening
    }

    /// The order in which the kings claim in the snake opening, if this seat's king is drawn first: A B B A. `None` if
    /// the kings are drawn one at a time.
    pub fn snake_order(&self, first: Seat) -> Option<Kings> {
        let second = first ^ 1;
        (self.opening == Opening::Snake).then(|| Kings::from([first, second, second, first]))
    }

    /// The largest box that a kingdom may fill.
    #[inline]
    pub const fn kingdom_size(&self) -> KingdomSize {
        if self.mighty_duel { KingdomSize::Seven } else { KingdomSize::Five }
    }

    /// The kings of each player: 2 with two players, else 1.
    #[inline]
    pub const fn kings(&self) -> usize {
        if self.players == 2 { 2 } else { 1 }
    }

    /// The kings of all players, which is the number of turns in a round.
    #[inline]
    pub const fn total_kings(&self) -> usize {
        self.players() * self.kings()
    }

    /// The dominoes in a line: 4, or 3 with three players in the first edition.
    #[inline]
    pub const fn line_length(&self) -> usize {
        if self.players == 3 && matches!(self.edition, Edition::First) { 3 } else { 4 }
    }

    /// The lines in a game, which is the number of rounds after the opening: 6 with two players, 12 in the Mighty Duel
    /// and with three or four players.
    #[inline]
    pub const fn rounds(&self) -> usize {
        if self.players == 2 && !self.mighty_duel { 6 } else { 12 }
    }

    /// The number of decisions in a game: every king claims and places once a round.
    pub const fn plies(&self) -> usize {
        2 * self.total_kings() * self.rounds()
    }

    /// The points for Harmony, a kingdom that fills its largest box: 5, or 0 without that bonus.
    #[inline]
    pub const fn harmony_points(&self) -> u16 {
        if self.harmony { 5 } else { 0 }
    }

    /// The points for Middle Kingdom, a castle in the middle: 10, or 0 without that bonus.
    #[inline]
    pub const fn middle_kingdom_points(&self) -> u16 {
        if self.middle_kingdom { 10 } else { 0 }
    }

    /// The dominoes in the deck of a game: 24, 36 or 48.
    pub const fn dominoes_in_play(&self) -> usize {
        self.rounds() * self.line_length()
    }
}

/// Writes `2.second.random`, then `.duel`, `.harmony`, `.middle` where they apply.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let edition = match self.edition {
            Edition::First => "first",
            Edition::Second => "second",
        };
        let opening = match self.opening {
            Opening::Random => "random",
            Opening::Snake => "snake",
        };
        write!(f, "{}.{edition}.{opening}", self.players)?;
        for (has, name) in
            [(self.mighty_duel, ".duel"), (self.harmony, ".harmony"), (self.middle_kingdom, ".middle")]
        {
            if has {
                f.write_str(name)?;
            }
        }
        Ok(())
    }
}

impl FromStr for Rules {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let wrong = |part: &str, what: String| {
            ParseError::new(part, what).within(format_args!("rules {text:?}"), text, part)
        };
        let trimmed = pasted::trim(text);
        let mut words = trimmed.split('.');
        let mut next = |expected: &str| {
            words.next().ok_or_else(|| wrong(&trimmed[trimmed.len()..], format!("{expected} is missing")))
        };
        let players = next("the number of players")?;
        let players = parse_number(players)
            .ok_or_else(|| wrong(players, format!("{players:?} is not a number of players (2, 3 or 4)")))?;
        let edition = match next("the edition")? {
            "first" => Edition::First,
            "second" => Edition::Second,
            other => return Err(wrong(other, format!("there is no edition {other:?} (first or second)"))),
        };
        let opening = match next("the opening")? {
            "random" => Opening::Random,
            "snake" => Opening::Snake,
            other => return Err(wrong(other, format!("there is no opening {other:?} (random or snake)"))),
        };
        let mut options = ["duel", "harmony", "middle"].into_iter();
        let mut has = [false; 3];
        for word in words {
            // The options have a fixed order, so that each rules set has exactly one text.
            match options.by_ref().position(|option| option == word) {
                Some(_) => {
                    has[2 - options.len()] = true;
                }
                None => {
                    let what = format!(
                        "{word:?} is not an option that can stand here (duel, harmony, middle, in this order)"
                    );
                    return Err(wrong(word, what));
                }
            }
        }
        let rules = Rules::new(players, edition, has[0], opening)
            .map_err(|faults| wrong(trimmed, faults.to_string()))?;
        Ok(rules.with_bonuses(has[1], has[2]))
    }
}
