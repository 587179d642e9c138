//! The composition of final scores.

use kingdomino_rules::{Position, Rules, Seat, Terrain};

use crate::evaluation::Evaluation;

/// The terrains, then Harmony, then Middle Kingdom.
pub(crate) const SOURCES: usize = Terrain::ALL.len() + 2;

/// Sums over simulations that lead to the end of the game, as one seat sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Composition {
    count: f64,
    /// The seat's points by their source.
    points: [f64; SOURCES],
    /// How often each seat is its best opponent.
    nearest: [f64; Rules::MOST],
}

impl Composition {
    /// Adds a finished game, as this seat sees it. The evaluations of the simulation say who the best opponent is.
    pub(crate) fn add(&mut self, seat: Seat, end: &Position, evaluations: &[Evaluation; 2]) {
        let kingdom = &end.kingdoms()[seat];
        let bonuses = kingdom.score_with(0, end.rules());
        let terrains = Terrain::ALL.map(|terrain| u32::from(kingdom.terrain_score(terrain)));
        let points = terrains.into_iter().chain([bonuses.harmony, bonuses.middle_kingdom]);
        for (sum, points) in self.points.iter_mut().zip(points) {
            *sum += f64::from(points);
        }
        for Evaluation { totals, .. } in evaluations {
            let opponents = (0..end.rules().players()).filter(|other| *other != seat);
            // Of equal ones the last.
            if let Some(nearest) = opponents.max_by(|one, other| totals[*one].total_cmp(&totals[*other])) {
                self.nearest[nearest] += 1.0 / evaluations.len() as f64;
            }
        }
        self.count += 1.0;
    }

    /// The sum of both.
    pub(crate) fn merge(mut self, other: &Composition) -> Composition {
        self.count += other.count;
        let points = self.points.iter_mut().zip(&other.points);
        for (sum, other) in points.chain(self.nearest.iter_mut().zip(&other.nearest)) {
            *sum += other;
        }
        self
    }

    /// The points of each source, if all together are this many. Bonuses have what their chances are worth, and terrains
    /// share the rest.
    pub(crate) fn points(&self, total: f64) -> [f64; SOURCES] {
        const TERRAINS: usize = Terrain::ALL.len();
        let mut found = self.points.map(|points| points / self.count.max(1.0));
        let [terrains, bonuses] =
            [&found[..TERRAINS], &found[TERRAINS..]].map(|part| part.iter().sum::<f64>());
        let rest = total - bonuses;
        for points in &mut found[..TERRAINS] {
            *points = if terrains > 0.0 { *points * rest / terrains } else { rest / TERRAINS as f64 };
        }
        found
    }

    /// How likely Harmony and Middle Kingdom are.
    pub(crate) fn chances(&self, rules: &Rules) -> [f64; 2] {
        let [.., harmony, middle_kingdom] = self.points;
        let chance = |points: f64, bonus: u16| points / (self.count * f64::from(bonus)).max(1.0);
        [chance(harmony, rules.harmony_points()), chance(middle_kingdom, rules.middle_kingdom_points())]
    }

    /// How likely each seat is the best opponent.
    pub(crate) fn nearest(&self) -> [f64; Rules::MOST] {
        self.nearest.map(|sum| sum / self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bonus_has_what_its_chance_is_worth_and_terrains_share_the_rest() {
        let points = [20.0, 0.0, 0.0, 0.0, 0.0, 10.0, 15.0, 0.0];
        let composed = Composition { count: 5.0, points, nearest: [0.0; Rules::MOST] };
        assert_eq!(composed.points(12.0), [6.0, 0.0, 0.0, 0.0, 0.0, 3.0, 3.0, 0.0]);
        let bare = Composition { points: [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 15.0, 0.0], ..composed };
        assert_eq!(bare.points(9.0), [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 3.0, 0.0]);
    }
}
