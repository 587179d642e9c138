//! Features: the gains of the unseen dominoes if they came next.

use kingdomino_rules::{DominoSet, Kingdom};

use crate::policies::{GainTable, POINT, Points, Potential};

/// The number of these features.
pub(super) const FEATURES: usize = 13;

/// Placements beyond this number do not count.
const MANY: usize = 10;

/// A histogram of gains.
struct Spread {
    counts: [u16; 64],
    total: f32,
}

impl Spread {
    fn new(dominoes: usize) -> Spread {
        Spread { counts: [0; 64], total: dominoes.max(1) as f32 }
    }

    #[inline(always)]
    fn add(&mut self, gain: i32) {
        self.counts[gain.clamp(0, 63) as usize] += 1;
    }

    /// The expected highest gain of 1, of 2 and of 4 random dominoes.
    #[inline(always)]
    fn best_of_few(&self) -> [f32; 3] {
        let mut below = self.counts[0] as f32 / self.total;
        let mut best = [0.0; 3];
        for (gain, count) in self.counts.iter().enumerate().skip(1).filter(|(_, count)| **count > 0) {
            let up_to = below + f32::from(*count) / self.total;
            let (low, high) = (below * below, up_to * up_to);
            let chances = [up_to - below, high - low, high * high - low * low];
            for (best, chance) in best.iter_mut().zip(chances) {
                *best += gain as f32 * chance;
            }
            below = up_to;
        }
        best
    }
}

#[inline(always)]
pub(super) fn features(
    kingdom: &Kingdom,
    unseen: DominoSet,
    lines: usize,
    potential: &Potential,
) -> [f32; FEATURES] {
    let (mut points, mut potentials) = (GainTable::<Points>::default(), GainTable::<Potential>::default());
    // Gains in potential are counted in half points.
    let (mut gains, mut potential_gains) = (Spread::new(unseen.len()), Spread::new(unseen.len()));
    let (mut misfits, mut ways, mut narrow) = (0, 0, 0);
    for domino in unseen {
        let placements = kingdom.placements(domino);
        ways += placements.len().min(MANY);
        narrow += usize::from(placements.len() == 1);
        misfits += usize::from(placements.is_empty());
        gains.add(points.best_gain(&Points, kingdom, domino, &placements).unwrap_or_default());
        potential_gains.add(
            potentials.best_gain(potential, kingdom, domino, &placements).unwrap_or_default() / (POINT / 2),
        );
    }
    let part = |count: usize| count as f32 / gains.total;
    let [one, two, four] = gains.best_of_few();
    let [potential_one, potential_two, potential_four] = potential_gains.best_of_few();
    let lines = lines as f32;
    [
        part(misfits),
        one / 4.0,
        two / 6.0,
        four / 8.0,
        part(usize::from(gains.counts[0]) - misfits),
        one * lines / 16.0,
        two * lines / 20.0,
        four * lines / 30.0,
        potential_one / 16.0,
        potential_two / 20.0,
        potential_four / 24.0,
        part(ways) / 5.0,
        part(narrow),
    ]
}
