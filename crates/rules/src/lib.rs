#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod action;
mod annotation;
pub mod bitboard;
mod chance;
mod domino;
mod dynasty;
mod error;
mod event;
mod fault;
mod game;
mod kingdom;
mod kingdom_text;
mod line;
mod outcome;
mod outline;
mod pasted;
mod placements;
mod position;
mod position_text;
mod prospects;
pub mod random;
mod record;
mod record_check;
#[cfg(feature = "json")]
mod record_json;
mod record_text;
mod refusal;
mod rules;
mod scoring;
#[cfg(feature = "serde")]
mod serde_text;
mod setup;
mod size;
mod square;
mod symmetry;

pub use action::Action;
pub use annotation::Annotation;
pub use chance::{Chance, ChanceOutcomes};
pub use domino::{Domino, DominoSet, Dominoes, End, Terrain};
pub use dynasty::Dynasty;
pub use error::ParseError;
pub use event::{Event, Events};
pub use fault::{Fault, FaultFacts, Faults, Part};
pub use game::{Deck, Game};
pub use kingdom::Kingdom;
pub use line::{Line, Seat, Slot};
pub use outcome::{DecidedBy, Outcome};
pub use outline::Outline;
pub use placements::{Placements, Spot, Spots};
pub use position::{Actions, Kings, Position, Slots, Stage};
pub use prospects::Prospects;
pub use record::{Record, RecordError};
pub use refusal::{Facts, Misfit, Refusal};
pub use rules::{Edition, Opening, Rules};
pub use scoring::{Score, Territory};
pub use setup::KingdomSetup;
pub use size::KingdomSize;
pub use square::{Direction, Placement, Square};
