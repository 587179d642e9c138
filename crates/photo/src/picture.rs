//! Pictures: rows of pixels, from a file or from memory.

#[cfg(feature = "decode")]
use crate::error::PictureError;
use crate::pose::Corners;

/// The most pixels of a picture.
const MOST_PIXELS: u64 = 50_000_000;

/// A picture: red, green and blue of each pixel, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) pixels: Vec<[u8; 3]>,
}

impl Picture {
    /// A picture from pixels of `channels` bytes each: 3 (red, green, blue), or 4 with an opacity, which is ignored.
    /// `None` unless there are width times height pixels, at least one, and at most 50 million.
    pub fn from_pixels(width: usize, height: usize, channels: usize, bytes: &[u8]) -> Option<Picture> {
        let count = width.checked_mul(height).filter(|count| (1..=MOST_PIXELS as usize).contains(count))?;
        if !(channels == 3 || channels == 4) || bytes.len() != count * channels {
            return None;
        }
        let pixels = bytes.chunks_exact(channels).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        Some(Picture { width, height, pixels })
    }

    /// Reads a JPEG, PNG or WebP file, turned as its EXIF data say.
    #[cfg(feature = "decode")]
    pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
        decode::decode(bytes)
    }

    /// The width, in pixels.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// The height, in pixels.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Its own corners.
    pub(crate) fn corners(&self) -> Corners {
        let (width, height) = (self.width as f64, self.height as f64);
        [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    }

    /// The picture with each block of `factor` times `factor` pixels replaced by its mean. Pixels beyond the last
    /// whole block are dropped.
    pub(crate) fn shrunk(&self, factor: usize) -> Picture {
        if factor <= 1 {
            return self.clone();
        }
        let (width, height) = (self.width / factor, self.height / factor);
        let count = (factor * factor) as u32;
        let mut pixels = Vec::with_capacity(width * height);
        let mut sums = vec![[0_u32; 3]; width];
        for y in 0..height {
            sums.fill([0; 3]);
            for row in self.pixels.chunks_exact(self.width).skip(y * factor).take(factor) {
                for (sum, block) in sums.iter_mut().zip(row.chunks_exact(factor)) {
                    for pixel in block {
                        for (sum, value) in sum.iter_mut().zip(pixel) {
                            *sum += u32::from(*value);
                        }
                    }
                }
            }
            pixels.extend(sums.iter().map(|sum| sum.map(|sum| ((sum + count / 2) / count) as u8)));
        }
        Picture { width, height, pixels }
    }
}

#[cfg(feature = "decode")]
mod decode {
    use std::io::Cursor;

    use image::codecs::jpeg::JpegDecoder;
    use image::codecs::png::PngDecoder;
    use image::codecs::webp::WebPDecoder;
    use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, Limits};

    use super::{MOST_PIXELS, Picture};
    use crate::error::PictureError;

    pub(super) fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
        let brand = bytes.get(4..12).unwrap_or_default();
        if brand.starts_with(b"ftyp") {
            let known: [&[u8]; 7] = [b"heic", b"heix", b"heim", b"hevc", b"mif1", b"msf1", b"avif"];
            let is_heic = known.iter().any(|known| brand.ends_with(known));
            return Err(if is_heic { PictureError::Heic } else { PictureError::Format });
        }
        let cursor = Cursor::new(bytes);
        match image::guess_format(bytes) {
            // The decoder fills the rest of a truncated picture with grey.
            Ok(ImageFormat::Jpeg) if !has_end(bytes) => Err(PictureError::Damaged),
            Ok(ImageFormat::Jpeg) => pixels(JpegDecoder::new(cursor).map_err(error)?),
            Ok(ImageFormat::Png) => {
                let decoder = PngDecoder::with_limits(cursor, limits()).map_err(error)?;
                if decoder.is_apng().map_err(error)? {
                    return Err(PictureError::Animated);
                }
                pixels(decoder)
            }
            Ok(ImageFormat::WebP) => {
                let decoder = WebPDecoder::new(cursor).map_err(error)?;
                if decoder.has_animation() {
                    return Err(PictureError::Animated);
                }
                pixels(decoder)
            }
            _ => Err(PictureError::Format),
        }
    }

    /// Whether the end of a JPEG picture follows its pixels. A preview in the segments before them has an end of its own.
    fn has_end(bytes: &[u8]) -> bool {
        let mut rest = bytes.get(2..).unwrap_or_default();
        while let [0xff, kind, high, low, ..] = rest {
            if *kind == 0xda {
                return rest.windows(2).any(|pair| pair == [0xff, 0xd9]);
            }
            // A marker may have more than one byte of 255 before it.
            let skip = if *kind == 0xff { 1 } else { 2 + usize::from(u16::from_be_bytes([*high, *low])) };
            rest = rest.get(skip..).unwrap_or_default();
        }
        false
    }

    fn limits() -> Limits {
        let mut limits = Limits::default();
        limits.max_alloc = Some(8 * MOST_PIXELS);
        limits
    }

    fn pixels(mut decoder: impl ImageDecoder) -> Result<Picture, PictureError> {
        let (width, height) = decoder.dimensions();
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(PictureError::TooLarge);
        }
        decoder.set_limits(limits()).map_err(error)?;
        // A picture with unreadable EXIF data is upright.
        let orientation = decoder.orientation();
        let mut image = DynamicImage::from_decoder(decoder).map_err(error)?;
        if let Ok(orientation) = orientation {
            image.apply_orientation(orientation);
        }
        let image = image.into_rgb8();
        let (width, height) = (image.width() as usize, image.height() as usize);
        Picture::from_pixels(width, height, 3, image.as_raw()).ok_or(PictureError::Damaged)
    }

    fn error(error: ImageError) -> PictureError {
        match error {
            ImageError::Limits(_) => PictureError::TooLarge,
            _ => PictureError::Damaged,
        }
    }
}
