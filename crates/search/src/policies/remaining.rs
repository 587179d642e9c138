//! The squares and crowns of each terrain on the unseen dominoes.

use kingdomino_rules::{Domino, DominoSet};

/// The number of dominoes, and their squares and crowns by terrain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Remaining {
    pub(crate) dominoes: i32,
    pub(crate) squares: [i32; 6],
    pub(crate) crowns: [i32; 6],
}

/// For each terrain, four sets of dominoes as bits: the terrain is on at least one end; it is on both ends; an end of
/// it has one or three crowns; an end of it has two or three crowns.
const DOMINOES_OF: [[u64; 4]; 6] = {
    let mut table = [[0; 4]; 6];
    let mut number = 1;
    while number <= Domino::COUNT {
        let Some(domino) = Domino::new(number as u8) else { panic!() };
        let bit = 1 << domino.index();
        let mut side = 0;
        while side < 2 {
            let end = domino.ends()[side];
            let row = &mut table[end.terrain as usize];
            if row[0] & bit != 0 {
                row[1] |= bit;
            }
            row[0] |= bit;
            // No domino has crowns on both ends.
            if end.crowns & 1 == 1 {
                row[2] |= bit;
            }
            if end.crowns & 2 == 2 {
                row[3] |= bit;
            }
            side += 1;
        }
        number += 1;
    }
    table
};

impl Remaining {
    #[inline(always)]
    pub(crate) fn of(dominoes: DominoSet) -> Remaining {
        let mut remaining = Remaining { dominoes: dominoes.len() as i32, ..Remaining::default() };
        for (terrain, table) in DOMINOES_OF.iter().enumerate() {
            let [some, both, ones, twos] = table.map(|of| (of & dominoes.bits()).count_ones() as i32);
            remaining.squares[terrain] = some + both;
            remaining.crowns[terrain] = ones + 2 * twos;
        }
        remaining
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::Terrain;

    #[test]
    fn all_dominoes_have_the_squares_and_crowns_of_their_ends() {
        let remaining = Remaining::of(DominoSet::ALL);
        for terrain in Terrain::ALL {
            let ends = Domino::all().flat_map(Domino::ends).filter(|end| end.terrain == terrain);
            let (squares, crowns) =
                ends.fold((0, 0), |(n, crowns), end| (n + 1, crowns + i32::from(end.crowns)));
            assert_eq!(remaining.squares[terrain as usize], squares);
            assert_eq!(remaining.crowns[terrain as usize], crowns);
        }
        assert_eq!(remaining.dominoes, 48);
        let none = Remaining::of(DominoSet::EMPTY);
        assert_eq!((none.dominoes, none.squares, none.crowns), (0, [0; 6], [0; 6]));
    }
}
