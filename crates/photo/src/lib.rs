//! Reads a photographed kingdom: what most likely lies on each square, under the condition that real dominoes can lie so.
//!
//! 1. [`Picture`]: pixels, from a file (the feature `decode`) or from memory.
//! 2. `outline`: four corners around the kingdom on the table.
//! 3. `pose`: where the squares of the kingdom are, from the corners; cuts the squares out.
//! 4. `network`: a small convolutional network in whole numbers says for each square how likely each content is.
//! 5. `tiling`: the most likely kingdom that the 48 dominoes can make, each used at most once, with one castle.
//! 6. [`read`]: tries small shifts and rotations, and compares the best kingdom with the best ones with another square.
//! 7. [`find`]: the corners whose reading is clear.
//!
//! The same picture gives the same reading on every machine.
#![forbid(unsafe_code)]

mod content;
mod error;
mod network;
mod outline;
mod picture;
mod pose;
mod reading;
mod taught;
mod tiling;

pub use content::Content;
pub use error::PictureError;
pub use network::Network;
pub use picture::Picture;
pub use pose::Corners;
pub use reading::{ReadSquare, Reading, find, read, read_with};
pub use taught::Taught;
