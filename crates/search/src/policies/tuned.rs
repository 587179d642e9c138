//! The tuned policy: greedy for points now and still to come, with weights tuned in matches.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use kingdomino_rules::random::Stream;
use kingdomino_rules::{
    Domino, Kingdom, Outline, Placements, Position, Rules, Seat, Spot, Terrain, Territory,
};

use super::Decide;
use super::gains::{Counts, GainModel, GainTable, Points};
use super::lost_squares::lost_around_castle;
use super::misfits::{Fits, WHOLE};
use super::remaining::Remaining;
use super::weights::Weights;
use crate::cpu::Cpu;

/// Placing: points now, points that the territories may still gain, and room to grow. Claiming: the same for the
/// domino's best placement, its crowns, and how early its king acts in the next round.
#[derive(Debug)]
pub(crate) struct Tuned {
    weights: Weights,
    valuation: Valuation,
    /// The unseen dominoes that the valuation is for.
    unseen: u64,
    /// One a seat, for the kingdom after the last placement in it.
    gain_tables: [GainTable<Potential>; Rules::MOST],
}

/// Placements with their values, in `POINT`s of a point.
pub(crate) type Ranked = ArrayVec<(i32, Spot), 256>;

/// The worth of placements and claims while the same dominoes are unseen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Valuation {
    stage: StageWeights,
    potential: Potential,
}

/// The weights at this stage of the game.
#[derive(Clone, Copy, Debug, Default)]
struct StageWeights {
    hole: i32,
    reach: i32,
    frontier: i32,
    spoilt: i32,
    later: i32,
    crown: i32,
    lost: i32,
    unfit: i32,
}

impl Tuned {
    #[inline(always)]
    pub(crate) fn new(weights: Weights) -> Tuned {
        Tuned { weights, valuation: Valuation::default(), unseen: u64::MAX, gain_tables: Default::default() }
    }

    /// Updates the cache when another policy places this domino in this seat's kingdom.
    #[inline(always)]
    pub(crate) fn forget(&mut self, seat: Seat, domino: Domino) {
        self.gain_tables[seat & 3].forget(domino);
    }

    /// Every placement of the domino to place that differs from the others, with its value, best first.
    pub(crate) fn ranked(&mut self, position: &Position, domino: Domino) -> Ranked {
        self.update_valuation(position);
        let gain_table = &mut self.gain_tables[position.to_move_unchecked()];
        let fits = self.valuation.stage.fits(position, domino);
        self.valuation.rank(gain_table, position.own_kingdom_unchecked(), domino, fits.as_ref())
    }

    /// Every free place of the offered line with the value of claiming it, best first.
    pub(crate) fn ranked_claims(&mut self, position: &Position) -> ArrayVec<(i32, usize), 4> {
        self.update_valuation(position);
        let Tuned { valuation: Valuation { stage, potential }, gain_tables, weights, .. } = self;
        let kingdom = position.own_kingdom_unchecked();
        let gain_table = &mut gain_tables[position.to_move_unchecked()];
        let line = position.offered();
        let claims = line.free_places().map(|place| {
            let domino = line.domino(place);
            let gain = gain_table.best_gain(potential, kingdom, domino, &kingdom.placements(domino));
            (gain.unwrap_or(-weights.misfit) + stage.beside_gain(domino, place), place)
        });
        let mut ranked: ArrayVec<(i32, usize), 4> = claims.collect();
        ranked.sort_by_key(|(worth, _)| Reverse(*worth));
        ranked
    }

    /// Updates the valuation if a line has been revealed since the last call.
    #[inline(always)]
    fn update_valuation(&mut self, position: &Position) {
        let unseen = position.unseen().bits();
        if unseen != self.unseen {
            self.unseen = unseen;
            self.valuation = Valuation::new(&self.weights, position);
        }
    }

    /// The placement that is worth most; `None` if the domino fits nowhere.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn best_placement(&mut self, position: &Position, domino: Domino) -> Option<Spot> {
        self.update_valuation(position);
        let Tuned { valuation: Valuation { stage, potential }, gain_tables, weights, .. } = self;
        let kingdom = position.own_kingdom_unchecked();
        let gain_table = &mut gain_tables[position.to_move_unchecked()];
        let placements = kingdom.placements(domino);
        let outline = kingdom.outline();
        // Pairs that may gain enough; most are outdone by later ones.
        let mut candidates: ArrayVec<(i32, Placements), 16> = ArrayVec::new();
        let mut enough = i32::MIN;
        gain_table.each_pair(potential, kingdom, domino, &placements, |gain, placements, right| {
            if gain < enough {
                return;
            }
            let placements = placements.with_right(right);
            if placements.is_empty() {
                return;
            }
            enough = enough.max(gain - weights.slack);
            if candidates.is_full() {
                candidates.retain(|(gain, _)| *gain >= enough);
            }
            // If 16 are within the slack of the best, the rest are left out.
            let _ = candidates.try_push((gain, placements));
        });
        let fits = stage.fits(position, domino);
        let mut best = (i32::MIN, None);
        for (gain, placements) in candidates.into_iter().filter(|(gain, _)| *gain >= enough) {
            for spot in placements.spots() {
                let outline = outline.with(spot);
                let most = gain + stage.room(&outline);
                if most <= best.0 {
                    continue;
                }
                let value = most - stage.losses(fits.as_ref(), spot, &outline);
                if value > best.0 {
                    best = (value, Some(spot));
                }
            }
        }
        gain_table.forget(domino);
        best.1
    }
}

impl Valuation {
    /// The valuation in a position with these weights.
    #[inline(always)]
    pub(crate) fn new(weights: &Weights, position: &Position) -> Valuation {
        let rules = position.rules();
        let lines = position.lines_to_come() as i32;
        let rounds = rules.rounds() as i32;
        let between = |[begin, end]: [i32; 2]| end + (begin - end) * lines / rounds;
        let stage = StageWeights {
            hole: between(weights.hole),
            reach: between(weights.reach),
            frontier: between(weights.frontier),
            spoilt: if rules.middle_kingdom { weights.spoilt } else { 0 },
            later: if lines > 0 { weights.later } else { 0 },
            crown: between(weights.crown),
            lost: if rules.middle_kingdom { weights.lost } else { 0 },
            unfit: if lines <= 1 { weights.unfit } else { 0 },
        };
        let draws = lines as usize * rules.kings();
        let remaining = Remaining::of(position.unseen());
        Valuation { stage, potential: Potential::new([weights.size, weights.crowns], &remaining, draws) }
    }

    /// Every placement of the domino in this kingdom that differs from the others, with its value, best first. The policy
    /// itself looks at the room only among placements that gain nearly the most (`slack`). Dominoes that no longer fit do not
    /// count here.
    pub(crate) fn ranked(&self, kingdom: &Kingdom, domino: Domino) -> Ranked {
        self.rank(&mut GainTable::default(), kingdom, domino, None)
    }

    fn rank(
        &self,
        gain_table: &mut GainTable<Potential>,
        kingdom: &Kingdom,
        domino: Domino,
        fits: Option<&Fits>,
    ) -> Ranked {
        let Valuation { stage, potential } = self;
        let (outline, placements) = (kingdom.outline(), kingdom.distinct_placements(domino));
        let mut ranked = Ranked::new();
        gain_table.each_pair(potential, kingdom, domino, &placements, |gain, placements, right| {
            for spot in placements.with_right(right).spots() {
                let outline = outline.with(spot);
                ranked.push((gain + stage.room(&outline) - stage.losses(fits, spot, &outline), spot));
            }
        });
        ranked.sort_by_key(|(worth, _)| Reverse(*worth));
        ranked
    }
}

impl StageWeights {
    /// The value of the room around a kingdom.
    #[inline(always)]
    fn room(&self, outline: &Outline) -> i32 {
        self.frontier * outline.frontier().count_ones() as i32
            - self.reach * outline.reach() as i32
            - self.hole * outline.holes().count_ones() as i32
            - self.spoilt * i32::from(!outline.can_be_centred())
    }

    /// The data for counting misfits; `None` while they have no weight.
    #[inline(always)]
    fn fits(&self, position: &Position, domino: Domino) -> Option<Fits> {
        (self.unfit > 0).then(|| Fits::new(position, domino))
    }

    /// The penalty for squares that stay empty, and for dominoes that fit nowhere; never negative. It is slower
    /// than `room`, so the policy computes it only where the room does not decide.
    #[inline(always)]
    fn losses(&self, fits: Option<&Fits>, spot: Spot, outline: &Outline) -> i32 {
        let counts_lost = self.lost > 0 && outline.can_be_centred();
        let lost = if counts_lost { lost_around_castle(outline) as i32 } else { 0 };
        let misfits = fits.map_or(0, |fits| fits.misfits(spot, outline));
        self.lost * lost + self.unfit * misfits / WHOLE
    }

    /// The value of a claim besides the gain of its domino.
    #[inline(always)]
    fn beside_gain(&self, domino: Domino, place: usize) -> i32 {
        let [left, right] = domino.ends();
        self.crown * i32::from(left.crowns + right.crowns) - self.later * place as i32
    }
}

impl Decide for Tuned {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(&mut self, position: &Position, domino: Domino, _: &mut Stream, _: impl Cpu) -> Option<Spot> {
        self.best_placement(position, domino)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn claim(&mut self, position: &Position, _: &mut Stream, _: impl Cpu) -> usize {
        let line = position.offered();
        if line.free().is_power_of_two() {
            return line.free().trailing_zeros() as usize;
        }
        self.update_valuation(position);
        let Tuned { valuation: Valuation { stage, potential }, gain_tables, weights, .. } = self;
        let kingdom = position.own_kingdom_unchecked();
        let gain_table = &mut gain_tables[position.to_move_unchecked()];
        let mut chosen = (i32::MIN, 0);
        // From the highest number: those have crowns, and their high gains rule the others out early.
        for place in line.free_places().rev() {
            let domino = line.domino(place);
            let extra = stage.beside_gain(domino, place);
            if gain_table.bound(potential, kingdom, domino) + extra < chosen.0 {
                continue;
            }
            let gain = gain_table.best_gain(potential, kingdom, domino, &kingdom.placements(domino));
            let worth = gain.unwrap_or(-weights.misfit) + extra;
            if worth >= chosen.0 {
                chosen = (worth, place);
            }
        }
        chosen.1
    }
}

/// The tuned policy with different weights for each seat.
#[derive(Debug)]
pub(crate) struct Weighted {
    seats: [Tuned; Rules::MOST],
}

impl Weighted {
    #[inline(always)]
    pub(crate) fn new(weights: [Weights; Rules::MOST]) -> Weighted {
        Weighted { seats: weights.map(Tuned::new) }
    }

    #[inline(always)]
    fn seat(&mut self, position: &Position) -> &mut Tuned {
        &mut self.seats[position.to_move_unchecked()]
    }
}

impl Decide for Weighted {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn place(
        &mut self,
        position: &Position,
        domino: Domino,
        random: &mut Stream,
        cpu: impl Cpu,
    ) -> Option<Spot> {
        self.seat(position).place(position, domino, random, cpu)
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn claim(&mut self, position: &Position, random: &mut Stream, cpu: impl Cpu) -> usize {
        self.seat(position).claim(position, random, cpu)
    }
}

/// Points now, and the potential of territories to gain more; in 64ths of a point.
///
/// A territory of S squares and C crowns is worth S·C + size·S² + crowns·C². The terms are quadratic because two
/// joined territories must be worth more than two separate ones.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Potential {
    /// By terrain.
    size: [i32; 6],
    crowns: [i32; 6],
}

/// The unit of values: this many are one point.
pub(crate) const POINT: i32 = 64;

impl Potential {
    /// The potential for a seat that will still get this many of the remaining dominoes, with the weights of `size` and
    /// `crowns`.
    #[inline(always)]
    pub(crate) fn new([size, crowns]: [i32; 2], remaining: &Remaining, draws: usize) -> Potential {
        let mut potential = Potential::default();
        if draws == 0 || remaining.dominoes == 0 {
            return potential;
        }
        let share = (draws << 12) as i32 / remaining.dominoes;
        for terrain in 0..6 {
            potential.size[terrain] = (size * remaining.crowns[terrain] * share) >> 12;
            potential.crowns[terrain] = (crowns * remaining.squares[terrain] * share) >> 12;
        }
        potential
    }
}

/// The counts of some territories, and the sums of squares and of crowns squared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SquaredCounts {
    counts: Counts,
    squares: i32,
    crowns: i32,
}

impl GainModel for Potential {
    type Sum = SquaredCounts;

    #[inline(always)]
    fn of(territory: &Territory) -> SquaredCounts {
        let counts = Points::of(territory);
        let Counts { squares, crowns, .. } = counts;
        SquaredCounts { counts, squares: squares * squares, crowns: crowns * crowns }
    }

    #[inline(always)]
    fn add(one: SquaredCounts, other: SquaredCounts) -> SquaredCounts {
        SquaredCounts {
            counts: Points::add(one.counts, other.counts),
            squares: one.squares + other.squares,
            crowns: one.crowns + other.crowns,
        }
    }

    #[inline(always)]
    fn gain(&self, terrain: Terrain, sum: &SquaredCounts, squares: i32, crowns: i32) -> i32 {
        let points = Points.gain(terrain, &sum.counts, squares, crowns);
        let (squares, crowns) = (sum.counts.squares + squares, sum.counts.crowns + crowns);
        POINT * points
            + self.size[terrain as usize] * (squares * squares - sum.squares)
            + self.crowns[terrain as usize] * (crowns * crowns - sum.crowns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Policy, choose};
    use kingdomino_rules::Game;

    /// Only the stage's weights for Middle Kingdom differ, so any difference in value comes from it.
    #[test]
    fn a_placement_is_worth_less_if_it_costs_middle_kingdom_or_squares_and_no_less_otherwise() {
        for rules in ["2.second.random", "2.second.random.duel", "3.second.random", "4.second.random"] {
            let plain: Rules = rules.parse().expect("a rules set");
            let mut bonus = plain;
            bonus.middle_kingdom = true;
            let weights = Weights::of(&bonus);
            let mut spoiling = 0;
            let (mut game, mut with_bonus) = (Game::new(plain, 1), Game::new(bonus, 1));
            while !game.position().is_over() {
                let position = *game.position();
                if let Some(domino) = position.domino() {
                    let outline = position.own_kingdom_unchecked().outline();
                    let placements = Tuned::new(weights).ranked(&position, domino);
                    let valued = Tuned::new(weights).ranked(with_bonus.position(), domino);
                    for (worth, spot) in placements {
                        let same = valued.iter().find(|(_, other)| *other == spot);
                        let (with_bonus, _) = *same.expect("the same placements are legal");
                        let placed = outline.with(spot);
                        if placed.can_be_centred() {
                            assert_eq!(worth - with_bonus, weights.lost * lost_around_castle(&placed) as i32);
                        } else {
                            assert!(with_bonus <= worth - 2 * POINT, "{rules}: {worth}, {with_bonus}");
                            spoiling += 1;
                        }
                    }
                }
                let action = choose(&position, Policy::Random, 1).expect("a seat is to move");
                game.play(action).expect("it is legal");
                with_bonus.play(action).expect("it is as legal");
            }
            assert!(spoiling > 0);
        }
    }
}
