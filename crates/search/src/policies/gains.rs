//! The points that an end of each terrain gains on each empty square of a kingdom.
//!
//! The squares are grouped by the territories that they touch: an end gains the same on all squares of a group. So the
//! best gain of a domino is found by trying a handful of pairs of groups on the bitboards of legal placements, instead
//! of every placement.

use arrayvec::ArrayVec;

use kingdomino_rules::{Domino, End, Kingdom, Placements, Terrain, Territory};

/// The value of joining territories.
pub(crate) trait GainModel {
    /// The sums over separate territories that the value depends on.
    type Sum: Copy + Default + std::fmt::Debug;

    fn of(territory: &Territory) -> Self::Sum;

    fn add(one: Self::Sum, other: Self::Sum) -> Self::Sum;

    /// The gain if these territories, these squares and these crowns become one territory.
    fn gain(&self, terrain: Terrain, sum: &Self::Sum, squares: i32, crowns: i32) -> i32;
}

/// Points as if the game ended now.
#[derive(Debug)]
pub(crate) struct Points;

/// The squares and crowns of some territories, and their points while they are separate.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(super) squares: i32,
    pub(super) crowns: i32,
    score: i32,
}

impl GainModel for Points {
    type Sum = Counts;

    #[inline(always)]
    fn of(territory: &Territory) -> Counts {
        let (squares, crowns) = (territory.bits.count_ones() as i32, territory.crowns as i32);
        Counts { squares, crowns, score: squares * crowns }
    }

    #[inline(always)]
    fn add(one: Counts, other: Counts) -> Counts {
        Counts {
            squares: one.squares + other.squares,
            crowns: one.crowns + other.crowns,
            score: one.score + other.score,
        }
    }

    #[inline(always)]
    fn gain(&self, _: Terrain, sum: &Counts, squares: i32, crowns: i32) -> i32 {
        (sum.squares + squares) * (sum.crowns + crowns) - sum.score
    }
}

/// Squares on which an end of one terrain joins the same territories.
#[derive(Clone, Copy, Debug)]
struct Group<S> {
    /// May include squares covered since; no legal placement is there.
    squares: u64,
    /// The numbers of the terrain's territories, as bits.
    territories: u32,
    /// The sum over these territories.
    sum: S,
}

/// There is always room: no group is empty, and no square is in two of them.
type Groups<S> = ArrayVec<Group<S>, 64>;

/// The groups of each terrain, computed when first needed.
#[derive(Debug)]
pub(crate) struct GainTable<W: GainModel> {
    groups: [Groups<W::Sum>; 6],
}

impl<W: GainModel> Default for GainTable<W> {
    #[inline(always)]
    fn default() -> Self {
        GainTable { groups: Default::default() }
    }
}

impl<W: GainModel> GainTable<W> {
    /// Drops the groups that placing this domino changes. A terrain's groups depend only on its own squares.
    #[inline(always)]
    pub(crate) fn forget(&mut self, domino: Domino) {
        for end in domino.ends() {
            self.groups[end.terrain as usize].clear();
        }
    }

    #[inline(always)]
    fn find(&mut self, kingdom: &Kingdom, terrain: Terrain) {
        if self.groups[terrain as usize].is_empty() {
            find_groups::<W>(&mut self.groups[terrain as usize], kingdom, terrain);
        }
    }

    /// An upper bound for the gain of this domino: the highest gain if it fitted everywhere.
    #[inline(always)]
    pub(crate) fn bound(&mut self, worth: &W, kingdom: &Kingdom, domino: Domino) -> i32 {
        let [left, right] = domino.ends();
        self.find(kingdom, left.terrain);
        self.find(kingdom, right.terrain);
        if left.terrain == right.terrain {
            let groups = &self.groups[left.terrain as usize];
            let pairs = groups.iter().flat_map(|one| groups.iter().map(move |other| (one, other)));
            return pairs
                .map(|(one, other)| pair_gain(worth, kingdom, left, one, right, other))
                .fold(0, i32::max);
        }
        let best = |end: End| {
            let groups = &self.groups[end.terrain as usize];
            groups
                .iter()
                .map(|group| worth.gain(end.terrain, &group.sum, 1, i32::from(end.crowns)))
                .fold(0, i32::max)
        };
        best(left) + best(right)
    }

    /// The highest gain of this domino; `None` if it fits nowhere.
    #[inline(always)]
    pub(crate) fn best_gain(
        &mut self,
        worth: &W,
        kingdom: &Kingdom,
        domino: Domino,
        placements: &Placements,
    ) -> Option<i32> {
        let mut best = None;
        self.each_pair(worth, kingdom, domino, placements, |gain, placements, right| {
            if best < Some(gain) && !placements.with_right(right).is_empty() {
                best = Some(gain);
            }
        });
        best
    }

    /// The placements with this gain.
    #[inline(always)]
    pub(crate) fn placements_with(
        &mut self,
        gain: i32,
        worth: &W,
        kingdom: &Kingdom,
        domino: Domino,
        placements: &Placements,
    ) -> Placements {
        let mut found = placements.with_left(0);
        self.each_pair(worth, kingdom, domino, placements, |pair_gain, placements, right| {
            if pair_gain == gain {
                found = found.union(placements.with_right(right));
            }
        });
        found
    }

    /// Calls `visit` for each pair of groups: with the gain, the placements whose left end is in the left group, and
    /// the squares of the right group.
    #[inline(always)]
    pub(crate) fn each_pair(
        &mut self,
        worth: &W,
        kingdom: &Kingdom,
        domino: Domino,
        placements: &Placements,
        mut visit: impl FnMut(i32, &Placements, u64),
    ) {
        let [left, right] = domino.ends();
        self.find(kingdom, left.terrain);
        self.find(kingdom, right.terrain);
        for left_group in &self.groups[left.terrain as usize] {
            let placements = placements.with_left(left_group.squares);
            if placements.is_empty() {
                continue;
            }
            for right_group in &self.groups[right.terrain as usize] {
                let gain = pair_gain(worth, kingdom, left, left_group, right, right_group);
                visit(gain, &placements, right_group.squares);
            }
        }
    }
}

/// The gain of a domino with its ends on squares of these groups.
#[inline(always)]
fn pair_gain<W: GainModel>(
    worth: &W,
    kingdom: &Kingdom,
    left: End,
    left_group: &Group<W::Sum>,
    right: End,
    right_group: &Group<W::Sum>,
) -> i32 {
    let (left_crowns, right_crowns) = (i32::from(left.crowns), i32::from(right.crowns));
    if left.terrain == right.terrain {
        let sum = joined::<W>(kingdom, left.terrain, left_group, right_group);
        worth.gain(left.terrain, &sum, 2, left_crowns + right_crowns)
    } else {
        worth.gain(left.terrain, &left_group.sum, 1, left_crowns)
            + worth.gain(right.terrain, &right_group.sum, 1, right_crowns)
    }
}

#[inline(always)]
fn find_groups<W: GainModel>(groups: &mut Groups<W::Sum>, kingdom: &Kingdom, terrain: Terrain) {
    groups.push(Group { squares: u64::MAX, territories: 0, sum: W::Sum::default() });
    for (index, territory) in kingdom.territories_of(terrain).enumerate() {
        let beside = kingdom.beside(territory.bits);
        let sum = W::of(&territory);
        let mut known = 0;
        for _ in 0..groups.len() {
            let group = &mut groups[known];
            let both = group.squares & beside;
            if both == 0 {
                known += 1;
                continue;
            }
            let territories = group.territories | 1 << (index & 31);
            let joined = Group { squares: both, territories, sum: W::add(group.sum, sum) };
            group.squares ^= both;
            if group.squares == 0 {
                groups.remove(known);
            } else {
                known += 1;
            }
            groups.push(joined);
        }
    }
}

/// The sum over the territories that two neighbouring ends of one terrain join: each that touches either end, once.
#[inline(always)]
fn joined<W: GainModel>(
    kingdom: &Kingdom,
    terrain: Terrain,
    left: &Group<W::Sum>,
    right: &Group<W::Sum>,
) -> W::Sum {
    if left.territories & right.territories == 0 {
        return W::add(left.sum, right.sum);
    }
    if left.territories == right.territories {
        return left.sum;
    }
    let either = left.territories | right.territories;
    let territories = kingdom.territories_of(terrain).enumerate();
    let joined = territories.filter(|(index, _)| either >> (index & 31) & 1 == 1);
    joined.fold(W::Sum::default(), |sum, (_, territory)| W::add(sum, W::of(&territory)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingdomino_rules::random::Stream;
    use kingdomino_rules::{KingdomSize, Placement};

    fn gain(kingdom: &Kingdom, domino: Domino, placement: Placement) -> i32 {
        let mut after = *kingdom;
        after.place_unchecked(domino, placement);
        i32::from(after.territory_score()) - i32::from(kingdom.territory_score())
    }

    /// Kingdoms grow at random, each with one gain table; every gain is compared with placing the domino and scoring.
    #[test]
    fn gains_equal_the_score_difference_of_a_placement() {
        for seed in 0..400 {
            let size = if seed % 2 == 0 { KingdomSize::Five } else { KingdomSize::Seven };
            let mut random = Stream::new(seed, "test", 0);
            let mut dominoes: Vec<Domino> = Domino::all().collect();
            random.shuffle(&mut dominoes);
            let (mut kingdom, mut gain_table) = (Kingdom::new(size), GainTable::default());
            for domino in dominoes {
                let placements = kingdom.placements(domino);
                let gains: Vec<_> =
                    placements.iter().map(|place| (gain(&kingdom, domino, place), place)).collect();
                let best = gains.iter().map(|(gain, _)| *gain).max();
                assert_eq!(gain_table.best_gain(&Points, &kingdom, domino, &placements), best);
                let Some(best) = best else { continue };
                assert!(best <= gain_table.bound(&Points, &kingdom, domino));
                let expected: Vec<_> =
                    gains.iter().filter(|(gain, _)| *gain == best).map(|(_, place)| *place).collect();
                let found = gain_table.placements_with(best, &Points, &kingdom, domino, &placements);
                assert_eq!(found.iter().collect::<Vec<_>>(), expected);
                let (_, place) = gains[random.below(gains.len())];
                kingdom.place_unchecked(domino, place);
                gain_table.forget(domino);
            }
        }
    }
}
