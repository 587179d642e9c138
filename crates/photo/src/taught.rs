//! Examples of another edition: how its squares look to the network.

use crate::content::{CLASSES, Content};
use crate::error::PictureError;
use crate::network::{HIDDEN, NAT, Network, Seen};
use crate::picture::Picture;
use crate::pose::{Corners, Frame, Pose};
use kingdomino_rules::KingdomSize;

/// Examples of squares, and what they show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taught {
    examples: Vec<([u8; HIDDEN], u8)>,
}

impl Taught {
    pub(crate) fn outputs(&self, seen: &Seen) -> [i32; CLASSES] {
        seen.outputs
    }
}
