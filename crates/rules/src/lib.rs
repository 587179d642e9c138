//! The rules of Kingdomino, once: values, kingdoms, positions, games, scoring, text forms.
//!
//! No input or output, no Python, no unsafe code, and no allocation while a position is played on.
//! `Position` holds what everyone at the table can see; `Game` adds the hidden deck and the history.
#![forbid(unsafe_code)]

mod action;
mod domino;
mod dynasty;
mod error;
mod game;
mod kingdom;
mod kingdom_text;
mod line;
mod outcome;
mod outline;
mod placements;
mod position;
mod position_text;
pub mod random;
mod record;
mod record_check;
mod record_json;
mod record_text;
mod refusal;
mod rules;
mod scoring;
mod setup;
mod square;

pub use action::Action;
pub use domino::{Domino, DominoSet, Dominoes, End, Terrain};
pub use dynasty::Dynasty;
pub use error::{Faults, ParseError};
pub use game::{Deck, Event, Game, Kings, kings_to_draw};
pub use kingdom::Kingdom;
pub use line::{Line, Seat};
pub use outcome::{DecidedBy, Outcome};
pub use outline::{KingdomSize, Outline};
pub use placements::{Placements, Spot, Spots};
pub use position::{Actions, Position, Stage};
pub use record::{Record, RecordError};
pub use refusal::{Facts, Misfit, Refusal};
pub use rules::{Edition, Opening, Rules};
pub use scoring::{Score, Territory};
pub use setup::KingdomSetup;
pub use square::{Direction, Placement, Square, flood};
