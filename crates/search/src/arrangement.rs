//! The best kingdom that dominoes can make, placed in any order: a lower bound.
//!
//! A large neighbourhood search (Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing
//! Problems", 1998) with threshold acceptance (Dueck and Scheuer, "Threshold Accepting", 1990): it takes some dominoes out,
//! places them again one by one where they score best, and keeps a slightly worse kingdom while the threshold is high.

use kingdomino_rules::random::Stream;
use kingdomino_rules::{Domino, DominoSet, Kingdom, Placement, Rules, Spot, Tiling};

/// Steps in which the threshold falls to 0. Then the search goes on from the best kingdom.
const CYCLE: u32 = 8_192;

/// The highest threshold, in points.
const THRESHOLD: usize = 8;

/// The most dominoes that most steps take out.
const FEW: usize = 5;

/// Placed dominoes.
#[derive(Clone, Debug)]
struct Placed {
    kingdom: Kingdom,
    tiling: Tiling,
    score: u32,
}

/// A search for the best kingdom of some dominoes.
#[derive(Clone, Debug)]
pub struct Arrangement {
    rules: Rules,
    random: Stream,
    steps: u32,
    dominoes: Vec<Domino>,
    current: Placed,
    best: Placed,
}

impl Arrangement {
    /// Begins a search for the best kingdom of these dominoes under these rules.
    pub fn new(dominoes: DominoSet, rules: &Rules, seed: u64) -> Arrangement {
        let kingdom = Kingdom::new(rules.kingdom_size());
        let castle = Placed { kingdom, tiling: Tiling::new(), score: kingdom.score(rules).total() };
        let random = Stream::new(seed, "arrangement", 0);
        let dominoes = dominoes.into_iter().collect();
        Arrangement { rules: *rules, random, steps: 0, dominoes, current: castle.clone(), best: castle }
    }

    /// Begins a search at a kingdom, with the dominoes of its first tiling as far as the rules allow them in their order.
    /// `None` if no dominoes make the kingdom.
    pub fn of_kingdom(kingdom: &Kingdom, rules: &Rules, seed: u64) -> Option<Arrangement> {
        let tiling = kingdom.tilings(1).pop()?;
        let dominoes = tiling.iter().map(|(domino, _)| *domino).collect();
        let mut search = Arrangement::new(dominoes, rules, seed);
        search.current = search.replaced(tiling.into_iter());
        search.best = search.current.clone();
        Some(search)
    }

    /// The best kingdom so far, and its dominoes in an order in which the rules allow them.
    pub fn best(&self) -> (&Kingdom, &Tiling) {
        (&self.best.kingdom, &self.best.tiling)
    }

    /// Searches on for this many steps, of some microseconds each, while `keep_going` returns true. Returns whether all
    /// steps were made.
    pub fn run(&mut self, steps: u32, keep_going: &mut dyn FnMut() -> bool) -> bool {
        (0..steps).all(|step| {
            let goes_on = step % 64 != 0 || keep_going();
            if goes_on {
                self.step();
            }
            goes_on
        })
    }

    fn step(&mut self) {
        let done = self.steps % CYCLE;
        if done == 0 {
            self.current = self.best.clone();
        }
        self.steps = self.steps.wrapping_add(1);
        let placed = self.current.tiling.len();
        // Rarely, most of the kingdom is built again.
        let most = if self.random.below(16) == 0 { placed } else { placed.min(FEW) };
        let mut out: Vec<bool> = vec![false; placed];
        for _ in 0..=self.random.below(most.max(1)) {
            if placed > 0 {
                out[self.random.below(placed)] = true;
            }
        }
        let kept = self.current.tiling.iter().zip(&out).filter(|(_, out)| !**out).map(|(placed, _)| *placed);
        let mut next = self.replaced(kept);
        self.place_rest(&mut next);
        let threshold = THRESHOLD * (CYCLE - done) as usize / CYCLE as usize;
        if next.score + self.random.below(threshold + 1) as u32 >= self.current.score {
            self.current = next;
            if self.current.score > self.best.score {
                self.best = self.current.clone();
            }
        }
    }

    /// The castle with these dominoes, in their order, except the ones that the rules do not allow there.
    fn replaced(&self, tiling: impl Iterator<Item = (Domino, Placement)>) -> Placed {
        let mut kingdom = Kingdom::new(self.rules.kingdom_size());
        let allowed = tiling.filter(|(domino, placement)| {
            let is_allowed = kingdom.check(*domino, *placement).is_ok();
            if is_allowed {
                kingdom.place_unchecked(*domino, *placement);
            }
            is_allowed
        });
        let tiling = allowed.collect();
        Placed { kingdom, tiling, score: kingdom.score(&self.rules).total() }
    }

    /// Places the other dominoes in a random order, each where it scores best, until none fits.
    fn place_rest(&mut self, placed: &mut Placed) {
        let used: DominoSet = placed.tiling.iter().map(|(domino, _)| *domino).collect();
        let mut rest: Vec<_> =
            self.dominoes.iter().copied().filter(|domino| !used.contains(*domino)).collect();
        self.random.shuffle(&mut rest);
        loop {
            let before = rest.len();
            rest.retain(|domino| {
                let Some(spot) = self.best_spot(&placed.kingdom, *domino) else { return true };
                placed.kingdom.place_unchecked(*domino, spot);
                placed.tiling.push((*domino, spot.into()));
                false
            });
            if rest.len() == before {
                break;
            }
        }
        placed.score = placed.kingdom.score(&self.rules).total();
    }

    /// The spot where a domino scores best; among nearly equal ones a random one.
    fn best_spot(&mut self, kingdom: &Kingdom, domino: Domino) -> Option<Spot> {
        let noise = self.random.word();
        let value = |(index, spot): &(usize, Spot)| {
            let mut placed = *kingdom;
            placed.place_unchecked(domino, *spot);
            // A cheap random number for each spot: 0 to 3 points.
            let random = noise.rotate_left(7 * *index as u32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 62;
            u64::from(placed.score(&self.rules).total()) + random
        };
        kingdom.placements(domino).spots().enumerate().max_by_key(value).map(|(_, spot)| spot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_arrangement_is_legal_and_never_worse_than_its_start() {
        for (text, kingdom) in [
            ("2.second.random.harmony.middle", "m2gg2gg/sf1wm1w/Cfff1w/wf1wf./l1l1ff."),
            ("2.second.random.duel", "C"),
        ] {
            let rules: Rules = text.parse().expect("rules");
            let kingdom = Kingdom::parse(kingdom, rules.kingdom_size()).expect("a kingdom");
            let mut search = Arrangement::of_kingdom(&kingdom, &rules, 1).expect("dominoes make it");
            let start = search.best().0.score(&rules).total();
            search.run(500, &mut || true);
            let (best, placed) = search.best();
            let mut again = Kingdom::new(rules.kingdom_size());
            for (domino, placement) in placed {
                assert_eq!(again.check(*domino, *placement), Ok(()));
                again.place_unchecked(*domino, *placement);
            }
            assert_eq!(&again, best);
            assert!(best.score(&rules).total() >= start);
        }
    }
}
