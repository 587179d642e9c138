//! Reads straightened pictures with a network that may be another than the learned one, for `benches/photo.py`:
//!
//!     cargo run --release -p kingdomino-photo --features decode --example read_photos -- NETWORK|- PICTURE…
//!
//! One line for each square: the picture's place in the list, row, column, terrain (or castle or empty), crowns,
//! probability, 1 if doubtful, margin, 1 if overruled; then one line with `read` and the milliseconds without decoding the file.

use std::time::Instant;
use std::{env, fs};

use kingdomino_photo::{Content, Network, Picture, read_with};
use kingdomino_rules::KingdomSize;

fn main() {
    let mut arguments = env::args().skip(1);
    let network = arguments.next().expect("a network, or - for the learned one");
    let network = match network.as_str() {
        "-" => Network::learned(),
        file => Network::parse(&fs::read(file).expect("the file of a network")).expect("a network"),
    };
    for (number, file) in arguments.enumerate() {
        let start = Instant::now();
        let picture = Picture::decode(&fs::read(file).expect("a file"));
        let decoded = start.elapsed();
        let reading =
            picture.and_then(|picture| read_with(&network, &picture, KingdomSize::Five, None, None));
        let total = start.elapsed();
        match reading {
            Ok(reading) => {
                for (square, read) in reading.squares.iter().enumerate() {
                    let (terrain, crowns) = match read.content {
                        Content::End(end) => (end.terrain.name(), end.crowns),
                        Content::Castle => ("castle", 0),
                        Content::Empty => ("empty", 0),
                    };
                    let (row, column) = (square / 5, square % 5);
                    println!(
                        "{number} {row} {column} {terrain} {crowns} {:.4} {} {:.3} {}",
                        read.probability,
                        u8::from(read.is_doubtful),
                        read.margin,
                        u8::from(read.is_overruled)
                    );
                }
            }
            Err(error) => println!("{number} {}", error.code()),
        }
        println!("read {:.2} {:.2}", decoded.as_secs_f64() * 1e3, total.as_secs_f64() * 1e3);
    }
}
