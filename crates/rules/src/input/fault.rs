//! Faults of a set-up, a deck or a record: the kind, its facts, and the sentence made from them.

use std::error::Error;
use std::fmt;

use crate::input::parse_error::ParseError;
use crate::position::Kings;
use crate::position::outcome::DecidedBy;
use crate::position::refusal::Refusal;
use crate::values::action::Action;
use crate::values::domino::{Domino, DominoSet, Terrain};
use crate::values::line::Seat;
use crate::values::rules::Rules;

/// Where a fault is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A line of text, from 1.
    Line(usize),
    /// An event of JSON, from 1.
    Event(usize),
    /// An entry of a record that is being made, from 1.
    Entry(usize),
    /// A part with this name.
    Field(&'static str),
    /// A square, as (x, y) from the castle.
    Square(i64, i64),
    /// A square of a grid: its row from the top and its column from the left, from 1.
    Place(usize, usize),
    /// The kingdom of this seat.
    Kingdom(Seat),
    /// The player with this name.
    Player(String),
    /// A tag and its value.
    Tag(String, String),
    /// The comment before this ply.
    Comment(usize),
    /// The annotation before this ply.
    Annotation(usize),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Line(number) => write!(f, "line {number}"),
            Part::Event(number) => write!(f, "event {number}"),
            Part::Entry(number) => write!(f, "entry {number}"),
            Part::Field(name) => f.write_str(name),
            Part::Square(x, y) => write!(f, "square ({x}, {y})"),
            Part::Place(row, column) => write!(f, "row {row}, column {column}"),
            Part::Kingdom(seat) => write!(f, "kingdom of seat {seat}"),
            Part::Player(name) => write!(f, "player {name:?}"),
            Part::Tag(tag, value) => write!(f, "tag {tag:?} {value:?}"),
            Part::Comment(ply) => write!(f, "comment before ply {ply}"),
            Part::Annotation(ply) => write!(f, "annotation before ply {ply}"),
        }
    }
}

/// Defines `Fault` from a list of codes, with the kinds that have each: name, facts and sentence.
macro_rules! faults {
    ($($code:literal: $($name:ident $({ $($fact:ident: $type:ty),+ })? = $sentence:literal;)+)+) => {
        /// One thing that is wrong with a set-up, a deck or a record: its facts, and a sentence without a full stop, which
        /// `Display` writes. Each kind has its sentence beside it.
        ///
        /// ```
        /// use kingdomino_rules::{Fault, Position, Rules};
        ///
        /// let faults = Position::new(Rules::default()).draw(1).unwrap_err();
        /// assert_eq!(faults.list(), [Fault::NoKingDue]);
        /// assert_eq!(faults.list()[0].code(), "no_king_due");
        /// assert_eq!(faults.to_string(), "no king is due");
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Fault {
            /// A fault in one part of the whole: `{part}: {fault}`.
            In {
                /// Where it is.
                part: Part,
/// The fault.
                fault: Box<Fault>,
            },
            $($(
                #[doc = concat!("`", $sentence, "`")]
                $name $({ $(#[allow(missing_docs)] $fact: $type,)+ })?,
            )+)+
        }

        impl Fault {
            /// The code, like `line_length`: a name for programs, which stays the same when the sentence changes.
            pub fn code(&self) -> &'static str {
                match self {
                    Fault::In { fault, .. } => fault.code(),
                    $($(Fault::$name { .. })|+ => $code,)+
                }
            }
        }

        impl fmt::Display for Fault {
            #[allow(unused_variables, reason = "some facts are not in the sentence")]
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    Fault::In { part, fault } => write!(f, "{part}: {fault}"),
                    $($(Fault::$name $({ $($fact),+ })? => write!(f, $sentence),)+)+
                }
            }
        }
    };
}

faults! {
    // Texts.
    "unreadable":
        Unreadable { error: ParseError } = "{error}";
        KingdomTooLong = "it is longer than the text of any kingdom";
        LooseCrowns { letter: char, row: usize } = "{letter:?} in row {row} follows no terrain";
        NoSuchSquare { letter: char, row: usize } =
            "{letter:?} in row {row} is not a square (one of w f l g s m, C, or . where it is empty)";
        UnequalRows = "its rows are not equally long";
        EmptyEdge { written: String } = "it has empty rows or columns at its edge (written {written})";
        FarSquare { text: String } = "{text} is not a square near the castle";
        PositionTooLong = "it is longer than the text of any position";
        Words { found: usize } =
            "a position has 8 words (version, rules, round, decision, line, next line, unseen, kingdoms), not {found}";
        Version { text: String, expected: &'static str } = "version {text:?} is not {expected:?}";
        Round { text: String, most: usize } = "round {text:?} is not from 0 to {most}";
        Decision { text: String } =
            "{text:?} is not what comes next (place:SEAT, claim:SEAT, reveal, draw or over)";
        DecisionSeat { text: String, most: Seat } = "{text:?} names no seat from 0 to {most}";
        Backwards { text: String } = "{text} runs backwards";
        KingSeat { text: String, most: Seat } = "{text:?} names an unknown seat (0 to {most})";
        TooManyDominoes { found: usize } = "{found} dominoes (4 at the most)";
        Unsorted = "its dominoes are not in order, lowest first";
        LateFinish = "the finished turns (*) do not come first";
        FinishedNext = "a turn is marked as finished (*)";
        Kingdoms { found: usize, players: usize } = "{found} kingdoms for {players} players";
        WrittenOtherwise { written: String } = "the same position is written {written}";
        NoDomino { number: u8 } = "there is no domino {number}";
        TwiceInLine = "a domino is given twice";

    // Rules.
    "players":
        Players { text: String } = "there must be 2 to 4 players, not {text}";
        DuelPlayers { found: i64 } = "the Mighty Duel is for 2 players, not {found}";
        SnakePlayers { found: i64 } = "the snake opening is for 2 players, not {found}";

    // Kingdoms.
    "size":
        Size { text: String } = "a kingdom is 5 or 7 squares wide, not {text}";
    "crowns":
        Crowns { text: String } = "{text} crowns (a square has 0 to 3)";
    "no_such_end":
        NoSuchEnd { terrain: Terrain, crowns: u8 } = "no domino has {terrain} with {crowns} crowns";
    "castles":
        Castles { found: usize } = "it has {found} castles, not one";
    "castle":
        Castle = "square (0, 0) is the castle's";
    "square_twice":
        SquareTwice { square: (i64, i64) } = "square {square:?} is given twice";
    "too_wide":
        TooWide { found: i128, expected: i64 } =
            "the kingdom is {found} squares wide ({expected} at the most)";
    "too_tall":
        TooTall { found: i128, expected: i64 } =
            "the kingdom is {found} squares tall ({expected} at the most)";
    "unconnected":
        Unconnected { square: (i64, i64) } = "square {square:?} is not connected to the castle";
    "square_count":
        ManySquares { covered: usize, placed: usize } = "it has {covered} squares after {placed} dominoes";
        EvenSquares { covered: usize, placed: usize } =
            "it has {covered} squares, but the number must be odd: the castle, and two squares for each domino";

    // Kingdoms on a table, and the dominoes that can lie there.
    "terrain_count":
        TerrainCount { terrain: Terrain, found: usize, expected: usize } =
            "{found} squares of {terrain} (the 48 dominoes have {expected})";
    "end_count":
        EndCount { terrain: Terrain, crowns: u8, found: usize, expected: usize } =
            "{found} squares of {terrain} with {crowns} crowns (the 48 dominoes have {expected})";
    "no_tiling":
        NoTiling = "no dominoes make these squares, each used once";
    "no_tiling_together":
        NoTilingTogether = "no dominoes make the squares of all kingdoms, each used once";

    // Lines and the dominoes in them.
    "given_twice":
        GivenTwice { domino: Domino } = "domino {domino} is given twice";
        UnseenTwice { domino: Domino } = "{domino} is given twice";
        TwiceInDeck { domino: Domino } = "domino {domino} is twice in the deck";
    "seen_before":
        NotUnseen { domino: Domino } = "domino {domino} is not unseen";
        SeenInDeck { domino: Domino } = "domino {domino} is in the deck, but has been seen";
        SeenBefore { first: Domino, dominoes: DominoSet } = "domino {first} has been revealed before";
    "in_both_lines":
        InBothLines { dominoes: DominoSet } = "dominoes {dominoes} are in both lines";
    "shown_and_unseen":
        ShownAndUnseen { dominoes: DominoSet } = "dominoes {dominoes} are in a line and unseen";
    "unseen_count":
        UnseenCount { found: usize, expected: usize, round: usize } =
            "{found} dominoes are unseen in round {round}, not {expected}";
    "line_length":
        LineLength { found: usize, expected: usize } =
            "{found} dominoes in the line being resolved, not {expected}";
        RevealedLength { found: usize, expected: usize } = "a line has {expected} dominoes, not {found}";
        RecordedLength { found: usize, expected: usize } = "the line has {found} dominoes, not {expected}";
    "offered_length":
        OfferedLength { found: usize, expected: usize } = "{found} dominoes on offer, not {expected}";
    "no_king":
        NoKing { dominoes: DominoSet } = "a domino in the line being resolved has no king";
    "kings_in_line":
        KingsInLine { seat: Seat, found: usize, expected: usize } =
            "seat {seat} has {found} kings in the line being resolved, not {expected}";
    "kings_on_offer":
        KingsOnOffer { seat: Seat, found: usize, expected: usize } =
            "seat {seat} has {found} kings on offered dominoes";

    // The next step.
    "not_over":
        TurnsToCome = "the game is over, but turns are still to come";
        NotOver = "the game is not over";
    "no_place":
        NoPlace = "nothing can be placed in round 0";
    "no_claim":
        NoClaim = "nothing can be claimed in the last round";
    "no_reveal":
        NoReveal = "no line can be revealed here";
    "no_draw":
        NoDraw = "no king can be drawn here";
    "round_over":
        RoundOver = "every turn of the round is finished";
    "no_king_left":
        NoKingLeft { seat: Seat } = "seat {seat} has no king to claim with now";
    "turn":
        Turn { found: Seat, expected: Seat } = "it is seat {expected}'s turn, not seat {found}'s";
    "no_line_due":
        NoLineDue = "no line is due";
        NoLineDueHere = "no line is due here";
    "line_due":
        LineDue = "the next line has not been revealed";
    "no_king_due":
        NoKingDue = "no king is due";
    "king_due":
        KingDue = "the opening order names no king for this claim";
    "no_seat":
        NoSeat { seat: Seat, most: Seat } = "there is no seat {seat} (0 to {most})";
    "all_drawn":
        AllDrawn { seat: Seat } = "every king of seat {seat} has been drawn";
    "illegal":
        Illegal { action: Action, refusal: Refusal } = "{action}: {refusal}";

    // The hidden part.
    "deck":
        DeckLength { found: usize, expected: usize } = "the deck has {found} dominoes, not {expected}";
        Deck { faults: Faults } = "{faults}";
        DeckAfterEnd = "the game is over, so no dominoes are to come";
    "no_deck":
        NoDeck = "it holds no deck, so the game cannot continue (its positions are known)";
    "opening":
        Opening { found: Vec<Seat>, expected: Kings } =
            "the opening order is {found:?}, but the kings still to be drawn are those of {expected:?}";
        NotSnake { found: Vec<Seat>, expected: Kings } =
            "the opening order {found:?} is not in snake order (like {expected:?})";
        NoKingToDraw { seat: Seat } = "seat {seat} has no king to be drawn";
        ManyDrawn = "it names more kings than have been drawn";
        NotEveryKing = "it does not name every king once";
        SnakeOrder = "it is not in snake order (like 0 1 1 0)";

    // Records.
    "format":
        FirstLine { plain: &'static str, annotated: &'static str } =
            "a record begins with {plain:?} or {annotated:?}";
        Format { text: String, plain: &'static str, annotated: &'static str } =
            "{text:?} is neither {plain:?} nor {annotated:?}";
        Annotations { annotated: &'static str } = "annotations need {annotated:?}";
    "not_json":
        Array = "a record is an object ({{…}}), not an array";
        NotJson { error: ParseError } = "{error}";
    "no_rules":
        NoRules = "it names no rules";
    "half_result":
        HalfResult = "it must give both scores and winners, or neither";
    "start":
        Start { faults: Faults } = "{faults}";
        OtherRules { expected: Rules } = "its rules are not {expected}";
    "names":
        Names { found: usize, expected: usize } = "{found} names for {expected} players";
    "words":
        Name = "a name is one line of text without spaces around it";
        Tag = "a tag is one word, its value one line of text without spaces around it";
        Comment = "a comment is lines of text without spaces around them";
    "no_such_ply":
        NoSuchPly = "the game has no such ply";
    "result":
        OtherResult { scores: Vec<u32>, winners: Vec<Seat>, decided_by: DecidedBy } =
            "the game came to scores {scores:?}, winners {winners:?} by {decided_by}";
    "annotation":
        NoFigures = "an annotation needs at least one figure or the best action";
        FigureCount { found: usize, players: usize } = "{found} numbers for {players} seats";
        FigureRange { text: String, low: i32, high: i32 } = "{text} is not between {low} and {high}";
        NothingPlayed = "no action follows that could have a cost";
        IllegalBest { action: Action, refusal: Refusal } = "best {action}: {refusal}";
}

/// The facts of a fault, for programs. Facts of other kinds of faults are empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultFacts {
    /// Whose king, turn or kingdom it is.
    pub seat: Option<Seat>,
    /// The square, as (x, y) from the castle.
    pub square: Option<(i64, i64)>,
    /// The row and the column of a grid, from 1.
    pub place: Option<(usize, usize)>,
    /// The terrain of the squares.
    pub terrain: Option<Terrain>,
    /// The crowns on each of them.
    pub crowns: Option<u8>,
    /// The dominoes.
    pub dominoes: DominoSet,
    /// The wrong number.
    pub found: Option<i64>,
    /// The right number, or the highest.
    pub expected: Option<i64>,
}

impl Fault {
    /// The same fault, found in this part.
    #[must_use]
    pub fn at(self, part: Part) -> Fault {
        Fault::In { part, fault: Box::new(self) }
    }

    /// Its facts.
    pub fn facts(&self) -> FaultFacts {
        let none = FaultFacts::default();
        let numbers = |found: usize, expected: usize| FaultFacts {
            found: Some(found as i64),
            expected: Some(expected as i64),
            ..none
        };
        match *self {
            Fault::In { ref part, ref fault } => match (part, fault.facts()) {
                (Part::Kingdom(seat), facts) => FaultFacts { seat: Some(*seat), ..facts },
                (Part::Square(x, y), facts) => FaultFacts { square: Some((*x, *y)), ..facts },
                (Part::Place(row, column), facts) => FaultFacts { place: Some((*row, *column)), ..facts },
                (_, facts) => facts,
            },
            Fault::TooWide { found, expected } | Fault::TooTall { found, expected } => {
                FaultFacts { found: i64::try_from(found).ok(), expected: Some(expected), ..none }
            }
            Fault::NoSuchEnd { terrain, crowns } => FaultFacts {
                found: Some(crowns.into()),
                terrain: Some(terrain),
                crowns: Some(crowns),
                ..none
            },
            Fault::TerrainCount { terrain, found, expected } => {
                FaultFacts { terrain: Some(terrain), ..numbers(found, expected) }
            }
            Fault::EndCount { terrain, crowns, found, expected } => {
                FaultFacts { terrain: Some(terrain), crowns: Some(crowns), ..numbers(found, expected) }
            }
            Fault::Castles { found } => numbers(found, 1),
            Fault::SquareTwice { square } | Fault::Unconnected { square } => {
                FaultFacts { square: Some(square), ..none }
            }
            Fault::ManySquares { covered, placed } | Fault::EvenSquares { covered, placed } => {
                numbers(covered - 1, 2 * placed)
            }
            Fault::GivenTwice { domino }
            | Fault::UnseenTwice { domino }
            | Fault::TwiceInDeck { domino }
            | Fault::NotUnseen { domino }
            | Fault::SeenInDeck { domino } => FaultFacts { dominoes: DominoSet::from_iter([domino]), ..none },
            Fault::SeenBefore { dominoes, .. }
            | Fault::InBothLines { dominoes }
            | Fault::ShownAndUnseen { dominoes }
            | Fault::NoKing { dominoes } => FaultFacts { dominoes, ..none },
            Fault::UnseenCount { found, expected, .. }
            | Fault::LineLength { found, expected }
            | Fault::RevealedLength { found, expected }
            | Fault::RecordedLength { found, expected }
            | Fault::OfferedLength { found, expected }
            | Fault::DeckLength { found, expected }
            | Fault::Names { found, expected } => numbers(found, expected),
            Fault::KingsInLine { seat, found, expected } | Fault::KingsOnOffer { seat, found, expected } => {
                FaultFacts { seat: Some(seat), ..numbers(found, expected) }
            }
            Fault::Turn { expected: seat, .. }
            | Fault::NoKingLeft { seat }
            | Fault::NoSeat { seat, .. }
            | Fault::AllDrawn { seat }
            | Fault::NoKingToDraw { seat } => FaultFacts { seat: Some(seat), ..none },
            _ => none,
        }
    }

    /// Why the rules do not allow an action.
    pub fn refusal(&self) -> Option<&Refusal> {
        match self {
            Fault::In { fault, .. } => fault.refusal(),
            Fault::Illegal { refusal, .. } => Some(refusal),
            _ => None,
        }
    }
}

impl From<ParseError> for Fault {
    fn from(error: ParseError) -> Fault {
        Fault::Unreadable { error }
    }
}

/// Everything that is wrong with a set-up. Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// `Ok` if the list is empty.
    pub(crate) fn check(faults: Vec<Fault>) -> Result<(), Faults> {
        if faults.is_empty() { Ok(()) } else { Err(Faults(faults)) }
    }

    /// The faults.
    pub fn list(&self) -> &[Fault] {
        &self.0
    }
}

impl<F: Into<Fault>> From<F> for Faults {
    fn from(fault: F) -> Faults {
        Faults(vec![fault.into()])
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sentences: Vec<_> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&sentences.join("; "))
    }
}

impl Error for Faults {}
