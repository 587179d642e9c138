#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod game;
mod input;
mod kingdom;
mod position;
mod record;
mod values;

pub use game::dynasty::Dynasty;
pub use game::event::{Event, Events};
pub use game::{Deck, Game, random};
pub use input::fault::{Fault, FaultFacts, Faults, Part};
pub use input::parse_error::ParseError;
pub use input::pasted;
pub use kingdom::grid::Grid;
pub use kingdom::layout::{Check, Doubt, Layout, LayoutTerritory};
pub use kingdom::outline::Outline;
pub use kingdom::placements::{Placements, Spot, Spots};
pub use kingdom::prospects::Prospects;
pub use kingdom::scoring::{Score, Territory};
pub use kingdom::setup::KingdomSetup;
pub use kingdom::tilings::Tiling;
pub use kingdom::{Kingdom, bitboard};
pub use position::chance::{Chance, ChanceOutcomes};
pub use position::outcome::{DecidedBy, Outcome};
pub use position::refusal::{Facts, Misfit, Refusal};
pub use position::{Actions, Kings, Position, Slots, Stage};
pub use record::annotation::Annotation;
pub use record::{Record, RecordError};
pub use values::action::Action;
pub use values::domino::{Domino, DominoSet, Dominoes, End, Terrain};
pub use values::line::{Line, Seat, Slot};
pub use values::rules::{Edition, Opening, Rules};
pub use values::size::KingdomSize;
pub use values::square::{Direction, Placement, Square};
