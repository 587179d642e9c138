//! Photographs from JavaScript: pixels and examples as base64.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use kingdomino_photo::{Content, Picture, PictureError, Taught};
use kingdomino_rules::{End, Terrain};
use serde::{Deserialize, Serialize};
#[cfg(test)]
use ts_rs::TS;

use crate::calls::{Failure, Result};
use crate::scores::sized;

/// The pixels of a picture, as a canvas gives them.
#[derive(Deserialize)]
#[cfg_attr(test, derive(TS))]
pub struct Pixels {
    /// The width.
    width: usize,
    /// The height.
    height: usize,
    /// Red, green, blue and opacity of each pixel, row by row, in base64.
    rgba: String,
}

/// The corners of the kingdom in pixels: top left, top right, bottom right, bottom left.
pub type Corners = [[f64; 2]; 4];

/// The reading of a picture.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Reading {
    /// Why reading failed: `too_small`, `too_dark`, `corners` or `no_kingdom`.
    pub problem: Option<String>,
    /// The text of the most likely kingdom; null if dominoes cannot make it, or if it falls apart.
    pub kingdom: Option<String>,
    /// All squares, row by row from the top.
    pub squares: Vec<ReadSquare>,
}

/// The content of a square.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReadSquare {
    /// The most likely content: a terrain's letter and its crowns, like `w` and `m2`, `C` or `.`.
    pub content: String,
    /// Its probability, from 0 to 1.
    pub probability: f64,
    /// Other candidates, likelier first.
    pub others: [String; 2],
    /// Whether the player should check it.
    pub is_doubtful: bool,
}

/// Reads a picture.
pub(crate) fn read(
    pixels: &Pixels,
    size: u8,
    corners: Option<Corners>,
    taught: Option<&str>,
) -> Result<Reading> {
    let taught = taught.map(examples).transpose()?;
    Ok(match kingdomino_photo::read(&picture(pixels)?, sized(size)?, corners.map(points), taught.as_ref()) {
        Ok(reading) => Reading {
            problem: None,
            kingdom: reading.kingdom.map(|kingdom| kingdom.to_string()),
            squares: reading
                .squares
                .into_iter()
                .map(|square| ReadSquare {
                    content: written(square.content),
                    probability: square.probability,
                    others: square.others.map(written),
                    is_doubtful: square.is_doubtful,
                })
                .collect(),
        },
        Err(error) => Reading { problem: Some(error.code().into()), kingdom: None, squares: Vec::new() },
    })
}

/// Finds the corners of the kingdom in a picture.
pub(crate) fn find(pixels: &Pixels, size: u8, taught: Option<&str>) -> Result<Option<Corners>> {
    let taught = taught.map(examples).transpose()?;
    let corners = kingdomino_photo::find(&picture(pixels)?, sized(size)?, taught.as_ref());
    Ok(corners.map(|corners| corners.map(|(x, y)| [x, y])))
}

/// Adds the squares of a picture to the examples.
pub(crate) fn teach(
    pixels: &Pixels,
    size: u8,
    corners: Option<Corners>,
    squares: &[String],
    taught: Option<&str>,
) -> Result<String> {
    let mut taught = taught.map(examples).transpose()?.unwrap_or_default();
    let contents = squares.iter().map(|text| content(text)).collect::<Result<Vec<_>>>()?;
    let refused = |error: PictureError| Failure::misuse(error);
    taught.teach(&picture(pixels)?, sized(size)?, corners.map(points), &contents).map_err(refused)?;
    Ok(BASE64.encode(taught.to_bytes()))
}

fn points(corners: Corners) -> kingdomino_photo::Corners {
    corners.map(|[x, y]| (x, y))
}

fn picture(pixels: &Pixels) -> Result<Picture> {
    let bytes = BASE64.decode(&pixels.rgba).ok();
    let picture = bytes.and_then(|bytes| Picture::from_pixels(pixels.width, pixels.height, 4, &bytes));
    picture.ok_or_else(|| Failure::misuse("these are not the pixels of a picture"))
}

/// Reads examples that the page has stored. Ignores another version's examples.
fn examples(text: &str) -> Result<Taught> {
    Ok(BASE64.decode(text).ok().and_then(|bytes| Taught::from_bytes(&bytes)).unwrap_or_default())
}

fn written(content: Content) -> String {
    match content {
        Content::End(End { terrain, crowns: 0 }) => terrain.letter().into(),
        Content::End(End { terrain, crowns }) => format!("{}{crowns}", terrain.letter()),
        Content::Castle => "C".into(),
        Content::Empty => ".".into(),
    }
}

fn content(text: &str) -> Result<Content> {
    let end = || {
        let mut letters = text.chars();
        let terrain = Terrain::from_letter(letters.next()?)?;
        let crowns = letters.as_str();
        let crowns = if crowns.is_empty() { 0 } else { crowns.parse().ok()? };
        Some(Content::End(End { terrain, crowns }))
    };
    match text {
        "C" => Ok(Content::Castle),
        "." => Ok(Content::Empty),
        _ => end().ok_or_else(|| Failure::misuse(format!("{text:?} lies on no square"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_is_read_as_it_is_written() {
        for one in Content::all() {
            assert_eq!(content(&written(one)).expect("a content"), one);
        }
        assert!(content("w7x").is_err());
    }
}
