//! Photographs from JavaScript: pixels and examples as base64.

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

/// What was read from a picture.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Reading {
    /// Why nothing was read: `too_small`, `too_dark`, `corners` or `no_kingdom`.
    pub problem: Option<String>,
    /// The text of the most likely kingdom; null if dominoes cannot make it, or if it falls apart.
    pub kingdom: Option<String>,
    /// All squares, row by row from the top.
    pub squares: Vec<ReadSquare>,
}

/// What lies on a square.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct ReadSquare {
    /// What most likely lies there: a terrain's letter and its crowns, like `w` and `m2`, `C` or `.`.
    pub content: String,
    /// How likely that is, from 0 to 1.
    pub probability: f64,
    /// What lies there otherwise.
    pub other: String,
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
                    other: written(square.other),
                    is_doubtful: square.is_doubtful,
                })
                .collect(),
        },
        Err(error) => Reading { problem: Some(error.code().into()), kingdom: None, squares: Vec::new() },
    })
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
    Ok(to_base64(&taught.to_bytes()))
}

fn points(corners: Corners) -> kingdomino_photo::Corners {
    corners.map(|[x, y]| (x, y))
}

fn picture(pixels: &Pixels) -> Result<Picture> {
    let bytes = from_base64(&pixels.rgba);
    let picture = bytes.and_then(|bytes| Picture::from_pixels(pixels.width, pixels.height, 4, &bytes));
    picture.ok_or_else(|| Failure::misuse("these are not the pixels of a picture"))
}

/// Reads examples that the page has kept. Those of another version teach nothing.
fn examples(text: &str) -> Result<Taught> {
    Ok(from_base64(text).and_then(|bytes| Taught::from_bytes(&bytes)).unwrap_or_default())
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

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut values = [None; 256];
    for (value, digit) in DIGITS.iter().enumerate() {
        values[usize::from(*digit)] = Some(value as u32);
    }
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for four in text.chunks(4) {
        let mut number = 0;
        for digit in four {
            number = number << 6 | values[usize::from(*digit)]?;
        }
        number <<= 6 * (4 - four.len());
        bytes.extend(number.to_be_bytes().get(1..four.len())?);
    }
    Some(bytes)
}

pub(crate) fn to_base64(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number =
            three.iter().chain(&[0; 2]).take(3).fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
        for place in 0..=three.len() {
            text.push(char::from(DIGITS[(number >> (18 - 6 * place) & 63) as usize]));
        }
        text.extend(std::iter::repeat_n('=', 3 - three.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_javascript() {
        for (bytes, text) in [("", ""), ("M", "TQ=="), ("Ma", "TWE="), ("Man", "TWFu"), ("\u{3ff}>", "z78+")]
        {
            assert_eq!(to_base64(bytes.as_bytes()), text);
            assert_eq!(from_base64(text).as_deref(), Some(bytes.as_bytes()));
        }
        assert_eq!(from_base64("A*=="), None);
    }

    #[test]
    fn a_content_is_read_as_it_is_written() {
        for one in Content::all() {
            assert_eq!(content(&written(one)).expect("a content"), one);
        }
        assert!(content("w7x").is_err());
    }
}
