//! Examples of another edition: how its squares look to the network.

use kingdomino_rules::KingdomSize;

use crate::content::{CLASSES, Content};
use crate::error::PictureError;
use crate::network::{LOOKS, NAT, Network, Seen, turned};
use crate::picture::Picture;
use crate::pose::{Corners, Frame, Pose};
use crate::reading::located;

/// Examples of squares of the user's box, which make readings more certain.
///
/// The reader compares a square with the nearest example of each content, and with the network's answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Taught {
    examples: Vec<Example>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Example {
    class: u8,
    looks: [u8; LOOKS],
}

/// The most examples, from some ten kingdoms. Older ones are dropped.
const MOST_EXAMPLES: usize = 1_000;
/// The squared distance that makes a content e times less likely.
const DISTANCE: i32 = 3_000;
/// At this squared distance or more, a square looks like no example.
const FAR: i32 = 9 * DISTANCE;

impl Taught {
    /// Adds the squares of a picture, whose contents are given row by row from the top, each in four directions. There
    /// must be a content for each square.
    pub fn teach(
        &mut self,
        picture: &Picture,
        size: KingdomSize,
        corners: Option<Corners>,
        contents: &[Content],
    ) -> Result<(), PictureError> {
        let network = Network::learned();
        let corners = located(&network, picture, size, corners, Some(self));
        let squares = Frame::new(picture, size, corners)?.squares(Pose::default())?;
        for (mut square, content) in squares.into_iter().zip(contents) {
            // A content that no domino has teaches nothing.
            let Some(class) = content.class() else { continue };
            for _ in 0..4 {
                let looks = network.look(&square).looks;
                self.examples.push(Example { class: class as u8, looks });
                square = turned(&square);
            }
        }
        let surplus = self.examples.len().saturating_sub(MOST_EXAMPLES);
        self.examples.drain(..surplus);
        Ok(())
    }

    /// The examples as bytes, for [`from_bytes`](Taught::from_bytes).
    pub fn to_bytes(&self) -> Vec<u8> {
        self.examples.iter().flat_map(|example| [&[example.class], &example.looks[..]].concat()).collect()
    }

    /// Reads the bytes of [`to_bytes`](Taught::to_bytes); `None` if they are no examples.
    pub fn from_bytes(bytes: &[u8]) -> Option<Taught> {
        let (rows, rest) = bytes.as_chunks::<{ LOOKS + 1 }>();
        let fits = rest.is_empty() && rows.len() <= MOST_EXAMPLES;
        let valid = fits && rows.iter().all(|[class, ..]| usize::from(*class) < CLASSES);
        valid.then(|| {
            let example = |[class, looks @ ..]: &[u8; LOOKS + 1]| Example { class: *class, looks: *looks };
            Taught { examples: rows.iter().map(example).collect() }
        })
    }

    /// How much the network's outputs count beside the examples, in eighths: much if it reads them rightly itself.
    pub(crate) fn trust(&self, network: &Network) -> i32 {
        let is_right = |example: &&Example| {
            let outputs = network.judge(&example.looks.map(i16::from));
            (0..CLASSES).max_by_key(|class| outputs[*class]) == Some(usize::from(example.class))
        };
        let right = self.examples.iter().filter(is_right).count();
        if 10 * right >= 9 * self.examples.len() { 8 } else { 1 }
    }

    /// Combines the network's output for a square, with this [`trust`](Taught::trust), and the examples.
    pub(crate) fn outputs(&self, seen: &Seen, trust: i32) -> [i32; CLASSES] {
        if self.examples.is_empty() {
            return seen.outputs;
        }
        let mut distances = [FAR; CLASSES];
        for example in &self.examples {
            let squares =
                seen.looks.iter().zip(&example.looks).map(|(a, b)| i32::from(a.abs_diff(*b)).pow(2));
            let least = &mut distances[usize::from(example.class)];
            *least = squares.sum::<i32>().min(*least);
        }
        std::array::from_fn(|class| (seen.outputs[class] * trust) / 8 - distances[class] * NAT / DISTANCE)
    }
}
