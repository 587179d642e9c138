//! A table's messages about a game: the parts that the rules determine (docs/formats/table.md). The
//! server's tables and the page's own send the same.
#![forbid(unsafe_code)]

mod choices;
mod events;
mod values;

pub use choices::{Choices, ClaimChoice, PlacementChoice, Placements, RefusedPlacements, TerritoryGain};
pub use events::{Event, MatchResult, Step, Totals, Turn};
pub use values::{
    BareKingdom, KingdomScore, KingdomTerritory, LineEntry, Rules, Start, TerrainSquare, Xy, xy,
};
