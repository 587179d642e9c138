//! The table of dominoes in the code is the one in tests/data.

use kingdomino_rules::{Domino, DominoSet, Terrain};

const TABLE: &str = include_str!("../../../tests/data/dominoes.csv");

#[test]
fn every_domino_is_the_one_in_the_table() {
    let mut rows = TABLE.lines().skip(1);
    for domino in Domino::all() {
        let [left, right] = domino.ends();
        let row = format!("{domino},{},{},{},{}", left.terrain, left.crowns, right.terrain, right.crowns);
        assert_eq!(rows.next(), Some(row.as_str()));
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn the_96_squares_are_counted_as_in_the_rules() {
    let count = |terrain: Terrain, value: fn(u8) -> usize| -> usize {
        let ends = Domino::all().flat_map(Domino::ends).filter(|end| end.terrain == terrain);
        ends.map(|end| value(end.crowns)).sum()
    };
    assert_eq!(Terrain::ALL.map(|terrain| count(terrain, |_| 1)), [26, 22, 18, 14, 10, 6]);
    assert_eq!(Terrain::ALL.map(|terrain| count(terrain, usize::from)), [5, 6, 6, 6, 6, 10]);
}

#[test]
fn exactly_1_to_12_are_doubles() {
    let doubles: DominoSet = Domino::all().filter(|domino| domino.is_double()).collect();
    assert_eq!(doubles.bits(), 0xfff);
}
