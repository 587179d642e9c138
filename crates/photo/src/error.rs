//! Why a picture cannot be read.

use std::fmt;

/// Why a picture cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureError {
    /// The file is neither JPEG, PNG nor WebP.
    Format,
    /// The file is HEIC or AVIF, as some phones write them.
    Heic,
    /// The picture moves.
    Animated,
    /// The file is truncated or damaged.
    Damaged,
    /// More than 50 megapixels.
    TooLarge,
    /// A square has fewer than 12 pixels a side.
    TooSmall,
    /// Almost nothing but black.
    TooDark,
    /// The corners are no convex quadrilateral in or near the picture.
    Corners,
    /// Most squares look like nothing that lies in a kingdom.
    NoKingdom,
}

impl PictureError {
    /// All of them.
    pub const ALL: [PictureError; 9] = [
        PictureError::Format,
        PictureError::Heic,
        PictureError::Animated,
        PictureError::Damaged,
        PictureError::TooLarge,
        PictureError::TooSmall,
        PictureError::TooDark,
        PictureError::Corners,
        PictureError::NoKingdom,
    ];

    /// Its name in code.
    pub const fn code(self) -> &'static str {
        match self {
            PictureError::Format => "format",
            PictureError::Heic => "heic",
            PictureError::Animated => "animated",
            PictureError::Damaged => "damaged",
            PictureError::TooLarge => "too_large",
            PictureError::TooSmall => "too_small",
            PictureError::TooDark => "too_dark",
            PictureError::Corners => "corners",
            PictureError::NoKingdom => "no_kingdom",
        }
    }
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            PictureError::Format => "the file is not a JPEG, PNG or WebP picture",
            PictureError::Heic => "HEIC and AVIF pictures cannot be read: save the picture as JPEG",
            PictureError::Animated => "the picture is animated: use a still one",
            PictureError::Damaged => "the picture is damaged or incomplete",
            PictureError::TooLarge => "the picture is too large (at most 50 megapixels)",
            PictureError::TooSmall => "the picture is too small (at least 12 pixels for each square)",
            PictureError::TooDark => "the picture is too dark",
            PictureError::Corners => {
                "the corners must go around the kingdom in the picture: top left, top right, bottom right, bottom left"
            }
            PictureError::NoKingdom => "the picture shows no kingdom within these corners",
        })
    }
}

impl std::error::Error for PictureError {}
