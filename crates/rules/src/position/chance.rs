//! Chance events: the next line, or the next king of the opening round.

use arrayvec::ArrayVec;

use crate::position::{Position, Stage};
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::Seat;
use crate::values::rules::Rules;

/// An outcome of chance: the next line, or the seat of the next king of the opening round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// A line is revealed.
    Line(DominoSet),
    /// A king of this seat is drawn.
    King(Seat),
}

/// Everything that chance can bring in a position, each with its probability.
#[derive(Clone, Debug)]
pub struct ChanceOutcomes(Outcomes);

#[derive(Clone, Debug)]
enum Outcomes {
    Lines { lines: Lines, probability: f64 },
    Kings(arrayvec::IntoIter<(Chance, f64), { Rules::MOST }>),
}

impl ChanceOutcomes {
    pub(crate) fn of(position: &Position) -> ChanceOutcomes {
        let mut seats = ArrayVec::<_, { Rules::MOST }>::new();
        match position.stage() {
            Stage::Reveal => {
                let lines = Lines::new(position.unseen(), position.rules().line_length());
                let probability = 1.0 / lines.left as f64;
                return ChanceOutcomes(Outcomes::Lines { lines, probability });
            }
            Stage::Draw => {
                let kings = position.kings_to_draw();
                for seat in 0..position.rules().players() {
                    let of_seat = kings.iter().filter(|king| **king == seat).count();
                    if of_seat > 0 {
                        seats.push((Chance::King(seat), of_seat as f64 / kings.len() as f64));
                    }
                }
            }
            Stage::Place | Stage::Claim | Stage::Over => {}
        }
        ChanceOutcomes(Outcomes::Kings(seats.into_iter()))
    }
}

impl Iterator for ChanceOutcomes {
    type Item = (Chance, f64);

    fn next(&mut self) -> Option<(Chance, f64)> {
        match &mut self.0 {
            Outcomes::Lines { lines, probability } => Some((Chance::Line(lines.next()?), *probability)),
            Outcomes::Kings(seats) => seats.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match &self.0 {
            Outcomes::Lines { lines, .. } => (lines.left, Some(lines.left)),
            Outcomes::Kings(seats) => seats.size_hint(),
        }
    }
}

impl ExactSizeIterator for ChanceOutcomes {}

/// Every line of this length from these dominoes, in ascending order.
#[derive(Clone, Debug)]
struct Lines {
    dominoes: ArrayVec<Domino, { Domino::COUNT }>,
    /// The places in `dominoes` of the next line.
    places: ArrayVec<usize, { Rules::MOST }>,
    /// The number of lines to come.
    left: usize,
}

impl Lines {
    fn new(dominoes: DominoSet, length: usize) -> Lines {
        let all = dominoes.len();
        let left = (0..length).fold(1, |lines, drawn| lines * all.saturating_sub(drawn) / (drawn + 1));
        Lines { dominoes: dominoes.into_iter().collect(), places: (0..length).collect(), left }
    }
}

impl Iterator for Lines {
    type Item = DominoSet;

    fn next(&mut self) -> Option<DominoSet> {
        self.left = self.left.checked_sub(1)?;
        let line = self.places.iter().map(|place| self.dominoes[*place]).collect();
        let (length, all) = (self.places.len(), self.dominoes.len());
        // The last place that can move up; those after it follow at once.
        if let Some(moved) = (0..length).rev().find(|index| self.places[*index] + length < all + index) {
            let first = self.places[moved] + 1;
            for (offset, place) in self.places[moved..].iter_mut().enumerate() {
                *place = first + offset;
            }
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{Position, Stage};

    #[test]
    fn chance_outcomes_add_up_and_can_be_played() {
        for rules in Rules::all() {
            let start = Position::new(rules);
            assert_eq!(start.sample(3).stage(), Stage::Claim);
            let (first, probability) = start.chance_outcomes().next().expect("a line");
            let lines = if rules.line_length() == 3 { 17_296.0 } else { 194_580.0 };
            assert_eq!(probability, 1.0 / lines);
            let mut shown = start;
            shown.apply_unchecked(first);
            let kings: Vec<_> = shown.chance_outcomes().collect();
            assert_eq!(kings.len(), rules.players());
            assert!((kings.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-12);
            shown.apply_unchecked(kings[0].0);
            assert_eq!(shown.chance_outcomes().count(), 0);
            assert_eq!(shown.sample(9), shown);
        }
    }

    #[test]
    fn every_line_of_some_dominoes_comes_once() {
        for (dominoes, length, expected) in [(6, 4, 15), (4, 4, 1), (3, 3, 1), (3, 4, 0)] {
            let dominoes: DominoSet = Domino::all().take(dominoes).collect();
            let lines: Vec<_> = Lines::new(dominoes, length).collect();
            let distinct: HashSet<_> = lines.iter().copied().collect();
            assert_eq!((lines.len(), distinct.len()), (expected, expected));
            assert!(lines.iter().all(|line| line.len() == length && dominoes.is_superset(*line)));
        }
    }
}
