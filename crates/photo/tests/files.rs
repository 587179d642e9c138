//! Files of pictures: each that cannot be read has its error.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use kingdomino_photo::{Picture, PictureError};

/// A picture of two colours, as a file.
fn file(format: ImageFormat) -> Vec<u8> {
    let picture =
        RgbImage::from_fn(60, 40, |x, _| if x < 30 { Rgb([200, 30, 30]) } else { Rgb([30, 30, 200]) });
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(picture).write_to(&mut bytes, format).expect("it can be written");
    bytes.into_inner()
}

#[test]
fn jpeg_png_and_webp_are_read() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let picture = Picture::decode(&file(format)).expect("a picture");
        assert_eq!((picture.width(), picture.height()), (60, 40));
    }
}

#[test]
fn a_picture_is_turned_as_its_exif_data_say() {
    let jpeg = file(ImageFormat::Jpeg);
    // Orientation 6: the camera was turned by a quarter.
    let exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
    let length = (exif.len() as u16 + 2).to_be_bytes();
    let turned = [&jpeg[..2], &[0xff, 0xe1], &length, exif, &jpeg[2..]].concat();
    let picture = Picture::decode(&turned).expect("a picture");
    assert_eq!((picture.width(), picture.height()), (40, 60));
}

#[test]
fn a_truncated_file_is_damaged() {
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        let whole = file(format);
        assert_eq!(Picture::decode(&whole[..whole.len() / 2]), Err(PictureError::Damaged));
    }
    let jpeg = file(ImageFormat::Jpeg);
    for length in [3, 300, jpeg.len() - 40, jpeg.len() - 2] {
        assert_eq!(Picture::decode(&jpeg[..length]), Err(PictureError::Damaged), "{length} bytes");
    }
}

#[test]
fn other_files_have_their_own_errors() {
    assert_eq!(Picture::decode(b""), Err(PictureError::Format));
    assert_eq!(Picture::decode(b"GIF89a-and-so-on"), Err(PictureError::Format));
    assert_eq!(Picture::decode(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"), Err(PictureError::Heic));
}

#[test]
fn an_animated_png_is_refused() {
    let png = file(ImageFormat::Png);
    // acTL, after the header of 33 bytes: two frames, without end.
    let control = [&8_u32.to_be_bytes(), &b"acTL"[..], &2_u32.to_be_bytes(), &[0; 4]].concat();
    let checksum = checksum(&control[4..]).to_be_bytes();
    let animated = [&png[..33], &control, &checksum, &png[33..]].concat();
    assert_eq!(Picture::decode(&animated), Err(PictureError::Animated));
}

/// CRC-32, as PNG uses it.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
    })
}

#[test]
fn a_huge_picture_is_refused_before_it_is_unpacked() {
    let mut png = file(ImageFormat::Png);
    png[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]); // 65,536 by 65,536
    let sum = checksum(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&sum);
    assert_eq!(Picture::decode(&png), Err(PictureError::TooLarge));
}
