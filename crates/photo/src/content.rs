//! The content of a square of a picture.

use kingdomino_rules::{End, Terrain};

/// The content of a square of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// One end of a domino.
    End(End),
    /// The castle.
    Castle,
    /// The table.
    Empty,
}

/// The number of contents that a square can have: 16 kinds of ends, the castle, the table.
pub(crate) const CLASSES: usize = 18;
/// The class of the castle.
pub(crate) const CASTLE: usize = 16;
/// The class of the table.
pub(crate) const EMPTY: usize = 17;

/// The most crowns that an end of each terrain has, in the order of [`Terrain::ALL`].
const MOST_CROWNS: [u8; 6] = [1, 1, 1, 2, 2, 3];

impl Content {
    /// All, in the order of the network's outputs: by terrain and crowns, then castle and table.
    pub fn all() -> impl Iterator<Item = Content> {
        let ends = Terrain::ALL
            .into_iter()
            .zip(MOST_CROWNS)
            .flat_map(|(terrain, most)| (0..=most).map(move |crowns| Content::End(End { terrain, crowns })));
        ends.chain([Content::Castle, Content::Empty])
    }

    /// The content with this class.
    pub(crate) fn of_class(class: usize) -> Content {
        Content::all().nth(class).unwrap_or(Content::Empty)
    }

    /// Its class; `None` for crowns that no domino has there.
    pub(crate) fn class(self) -> Option<usize> {
        Content::all().position(|content| content == self)
    }
}
