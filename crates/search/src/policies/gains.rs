//! What an end of each terrain is worth on each empty square of a kingdom.
//!
//! The squares are grouped by the territories of the terrain that they touch: on all squares of a
//! group an end gains the same. So the best gain of a domino is found by trying pairs of groups, a
//! handful, on the boards of legal placements, and not placement by placement.

use arrayvec::ArrayVec;

use kingdomino_rules::{Domino, End, Kingdom, Placements, Terrain, Territory};

/// What joining territories is worth.
pub(crate) trait GainModel {
    /// What has to be known of territories for that.
    type Sum: Copy + Default + std::fmt::Debug;

    fn of(territory: &Territory) -> Self::Sum;

    /// Of all these together, still apart.
    fn add(one: Self::Sum, other: Self::Sum) -> Self::Sum;

    /// What is gained when so many squares and crowns make one territory of all this.
    fn gain(&self, terrain: Terrain, sum: &Self::Sum, squares: i32, crowns: i32) -> i32;
}

/// Points, as they would be counted now.
#[derive(Debug)]
pub(crate) struct Points;

/// The counts of some territories, and what they score apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    squares: i32,
    crowns: i32,
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
    /// Squares that have been covered since are not taken away: no legal placement lies there.
    squares: u64,
    /// Which of the terrain's territories, as bits.
    territories: u32,
    /// What these come to together.
    sum: S,
}

/// More groups than any kingdom of real dominoes has: a square touches four others at the most.
type Groups<S> = ArrayVec<Group<S>, 64>;

/// The groups of each terrain, found when they are first asked for.
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
    /// Forgets what placing this domino has changed: a terrain's groups depend on its own squares only.
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

    /// The highest gain that this domino could have if it fitted everywhere.
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

    /// The highest gain of this domino; `None` where it fits nowhere.
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

    /// Those of the placements that gain this much.
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

    /// Each gain that this domino could have, with the placements whose left end gives its part to it,
    /// and the squares on which the right end gives its own.
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

/// What a domino gains with its ends on squares of these groups.
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
        for known in 0..groups.len() {
            let group = &mut groups[known];
            let both = group.squares & beside;
            if both != 0 {
                group.squares ^= both;
                let territories = group.territories | 1 << (index & 31);
                let joined = Group { squares: both, territories, sum: W::add(group.sum, sum) };
                // A square is in one group only, so that there is always room; were there none, a
                // gain would be missed, no more.
                let _ = groups.try_push(joined);
            }
        }
    }
}

/// What two neighbouring ends of one terrain join: every territory that either touches, once.
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

    /// Kingdoms grow at random while one gain_table follows each of them; every gain is compared with
    /// laying the domino down and scoring.
    #[test]
    fn gains_are_those_of_laying_the_domino_down() {
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
