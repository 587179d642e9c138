//! Reads a photographed kingdom: what most likely lies on each square, under the condition that real dominoes can lie so.
//!
//! 1. [`Picture`]: pixels, from a file (the feature `decode`) or from memory.
//! 2. `pose`: where the squares of the kingdom are, from four corners; cuts the squares out.
//! 3. `network`: a small convolutional network in whole numbers says for each square how likely each content is.
//! 4. `tiling`: the most likely kingdom that the 48 dominoes can make, each used at most once, with one castle.
//! 5. [`read`]: tries small shifts and rotations, and compares the best kingdom with the best ones that differ in a square.
//!
//! The same picture gives the same reading on every machine.
#![forbid(unsafe_code)]

mod content;
mod error;
mod network;
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
pub use reading::{ReadSquare, Reading, read, read_with};
pub use taught::Taught;
