//! Unchecked kingdoms, and how they become kingdoms: checked, with all faults at once.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::fault::{Fault, Faults, Part};
use crate::kingdom::Kingdom;
use crate::values::domino::{End, Terrain};
use crate::values::size::KingdomSize;
use crate::values::square::Square;

/// An unchecked kingdom: squares from anywhere. [`validate`](KingdomSetup::validate) makes a [`Kingdom`] of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KingdomSetup {
    squares: BTreeMap<(i64, i64), End>,
    faults: Vec<Fault>,
}

impl KingdomSetup {
    /// The castle alone.
    pub fn new() -> KingdomSetup {
        KingdomSetup::default()
    }

    /// Adds a fault that the caller has found, for `validate` to report with the others.
    pub fn fault(&mut self, fault: Fault) {
        self.faults.push(fault);
    }

    /// Adds a square. `validate` reports what is wrong with it.
    pub fn add(&mut self, x: i64, y: i64, terrain: &str, crowns: i64) {
        let square = Part::Square(x, y);
        let terrain = terrain.parse::<Terrain>().map_err(|error| {
            self.faults.push(Fault::from(error).at(square.clone()));
        });
        let crowns = u8::try_from(crowns).ok().filter(|crowns| *crowns <= 3).ok_or_else(|| {
            self.faults.push(Fault::Crowns { text: crowns.to_string() }.at(square));
        });
        if (x, y) == (0, 0) {
            self.faults.push(Fault::Castle);
        } else if let (Ok(terrain), Ok(crowns)) = (terrain, crowns)
            && self.squares.insert((x, y), End { terrain, crowns }).is_some()
        {
            self.faults.push(Fault::SquareTwice { square: (x, y) });
        }
    }

    /// The kingdom. The error lists everything that is wrong: terrains, crowns, a box that is too large, squares that
    /// are not connected to the castle. It does not check that play can lead to the kingdom.
    pub fn validate(self, size: KingdomSize) -> Result<Kingdom, Faults> {
        let KingdomSetup { squares, mut faults } = self;
        let side = i64::from(size.squares());
        let extent = |coordinates: BTreeSet<i64>| {
            let low = coordinates.first().map_or(0, |low| *low.min(&0));
            let high = coordinates.last().map_or(0, |high| *high.max(&0));
            i128::from(high) - i128::from(low) + 1
        };
        let width = extent(squares.keys().map(|(x, _)| *x).collect());
        if width > i128::from(side) {
            faults.push(Fault::TooWide { found: width, expected: side });
        }
        let height = extent(squares.keys().map(|(_, y)| *y).collect());
        if height > i128::from(side) {
            faults.push(Fault::TooTall { found: height, expected: side });
        }
        let mut connected = BTreeSet::from([(0, 0)]);
        let mut frontier = vec![(0_i64, 0_i64)];
        while let Some((x, y)) = frontier.pop() {
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let next = (x.saturating_add(dx), y.saturating_add(dy));
                if squares.contains_key(&next) && connected.insert(next) {
                    frontier.push(next);
                }
            }
        }
        let apart = squares.keys().filter(|square| !connected.contains(square));
        faults.extend(apart.map(|square| Fault::Unconnected { square: *square }));
        Faults::check(faults)?;
        let mut kingdom = Kingdom::new(size);
        for ((x, y), end) in squares {
            kingdom.cover(Square::new(x as i8, y as i8), end);
        }
        Ok(kingdom)
    }

    /// Reads the text form of a kingdom (docs/formats/position.md). `validate` reports what is wrong with it.
    pub fn parse(text: &str) -> KingdomSetup {
        let mut setup = KingdomSetup::new();
        let mut squares = Vec::new();
        let mut widths = BTreeSet::new();
        for (row, line) in text.split('/').enumerate() {
            let mut column = 0;
            for character in line.chars() {
                match character {
                    '1'..='3' => match squares.last_mut() {
                        Some((place, letter, crowns @ 0))
                            if *place == (column - 1, row) && *letter != 'C' =>
                        {
                            *crowns = character as i64 - '0' as i64;
                        }
                        _ => setup.fault(Fault::LooseCrowns { letter: character, row: row + 1 }),
                    },
                    '.' => column += 1,
                    _ if character == 'C' || Terrain::from_letter(character).is_some() => {
                        squares.push(((column, row), character, 0));
                        column += 1;
                    }
                    _ => setup.fault(Fault::NoSuchSquare { letter: character, row: row + 1 }),
                }
            }
            widths.insert(column);
        }
        if widths.len() > 1 {
            setup.fault(Fault::UnequalRows);
        }
        let castles: Vec<_> = squares.iter().filter(|(_, letter, _)| *letter == 'C').collect();
        let &[&((castle_x, castle_y), ..)] = castles.as_slice() else {
            setup.fault(Fault::Castles { found: castles.len() });
            return setup;
        };
        for ((column, row), letter, crowns) in squares {
            if let Some(terrain) = Terrain::from_letter(letter) {
                setup.add(
                    column as i64 - castle_x as i64,
                    castle_y as i64 - row as i64,
                    terrain.name(),
                    crowns,
                );
            }
        }
        setup
    }
}
