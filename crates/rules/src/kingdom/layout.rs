//! The squares of a real table, scored even if they are impossible, with doubts.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::fault::{Fault, Part};
use crate::kingdom::Kingdom;
use crate::kingdom::scoring::Score;
use crate::kingdom::tilings::Floor;
use crate::values::domino::{Domino, DominoSet, End, Terrain};
use crate::values::rules::Rules;
use crate::values::size::KingdomSize;
use crate::values::square::{Direction, Square};

/// Nodes of the search for tilings in one check. A kingdom takes some dozens, four kingdoms together some hundreds.
const BUDGET: u32 = 20_000;

/// How far from (0, 0) a square can lie.
const FARTHEST: i8 = 31;

/// The squares that someone sees on a table. They need not be a kingdom: the castle may be missing or lie anywhere, and the
/// dominoes may not exist.
///
/// ```
/// use kingdomino_rules::{End, KingdomSize, Layout, Rules, Square, Terrain};
///
/// let mut layout = Layout::new(KingdomSize::Five);
/// layout.add_castle(Square::new(2, 0))?;
/// layout.add(Square::new(0, 0), End { terrain: Terrain::Mine, crowns: 3 })?;
/// layout.add(Square::new(1, 0), End { terrain: Terrain::Mine, crowns: 0 })?;
/// assert_eq!(layout.score(&Rules::default()).total(), 6);
/// let [check] = &Layout::check(&[layout])[..] else { unreachable!() };
/// assert_eq!(check.doubts[0].fault.to_string(), "no dominoes make these squares, each used once");
/// # Ok::<(), kingdomino_rules::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    size: KingdomSize,
    /// The content of each square; `None` is a castle.
    squares: BTreeMap<Square, Option<End>>,
    dominoes: Vec<Domino>,
}

/// Connected squares of one terrain in a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutTerritory {
    /// Its terrain.
    pub terrain: Terrain,
    /// Its squares, in order.
    pub squares: Vec<Square>,
    /// The crowns on all its squares.
    pub crowns: u32,
}

impl LayoutTerritory {
    /// Its points: squares × crowns.
    pub fn score(&self) -> u32 {
        self.squares.len() as u32 * self.crowns
    }
}

/// An impossible fact of a layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doubt {
    /// Its kind.
    pub fault: Fault,
    /// The squares that it concerns; empty if it concerns all of them.
    pub squares: Vec<Square>,
}

/// The facts about a layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Check {
    /// The doubts.
    pub doubts: Vec<Doubt>,
    /// Whether dominoes can make it, each used at most once; `None` if that would take too long to find out.
    pub can_be_built: Option<bool>,
}

impl Layout {
    /// An empty table, for a kingdom whose largest box has this size.
    pub const fn new(size: KingdomSize) -> Layout {
        Layout { size, squares: BTreeMap::new(), dominoes: Vec::new() }
    }

    /// Sets the content of a square. The frame is arbitrary; x to the right, y up. Refuses more than 3 crowns and far squares.
    pub fn add(&mut self, square: Square, end: End) -> Result<(), Fault> {
        if end.crowns > 3 {
            let part = Part::Square(square.x.into(), square.y.into());
            return Err(Fault::Crowns { text: end.crowns.to_string() }.at(part));
        }
        self.set(square, Some(end))
    }

    /// Puts a castle on a square. Refuses far squares.
    pub fn add_castle(&mut self, square: Square) -> Result<(), Fault> {
        self.set(square, None)
    }

    fn set(&mut self, square: Square, content: Option<End>) -> Result<(), Fault> {
        if square.x.unsigned_abs().max(square.y.unsigned_abs()) > FARTHEST as u8 {
            return Err(Fault::FarSquare { text: square.to_string() });
        }
        self.squares.insert(square, content);
        Ok(())
    }

    /// Notes that this domino lies in it.
    pub fn use_domino(&mut self, domino: Domino) {
        self.dominoes.push(domino);
    }

    /// Its squares, in order, with their contents; `None` is a castle.
    pub fn squares(&self) -> impl Iterator<Item = (Square, Option<End>)> {
        self.squares.iter().map(|(square, content)| (*square, *content))
    }

    fn castles(&self) -> Vec<Square> {
        self.squares.iter().filter(|(_, content)| content.is_none()).map(|(square, _)| *square).collect()
    }

    fn ends(&self) -> impl Iterator<Item = (Square, End)> {
        self.squares.iter().filter_map(|(square, content)| content.map(|end| (*square, end)))
    }

    /// Divides these squares into connected groups, each in order.
    fn groups(mut squares: BTreeSet<Square>) -> Vec<Vec<Square>> {
        let mut groups = Vec::new();
        while let Some(first) = squares.pop_first() {
            let mut group = BTreeSet::from([first]);
            let mut frontier = vec![first];
            while let Some(square) = frontier.pop() {
                for (dx, dy) in Direction::ALL.map(Direction::step) {
                    let next = Square::new(square.x + dx, square.y + dy);
                    if squares.remove(&next) {
                        group.insert(next);
                        frontier.push(next);
                    }
                }
            }
            groups.push(group.into_iter().collect());
        }
        groups
    }

    /// Its territories, terrain by terrain.
    pub fn territories(&self) -> Vec<LayoutTerritory> {
        let of = |terrain: Terrain| {
            let squares = self.ends().filter(|(_, end)| end.terrain == terrain).map(|(square, _)| square);
            Layout::groups(squares.collect()).into_iter().map(move |squares| {
                let crowns = squares.iter().map(|square| self.crowns_on(*square)).sum();
                LayoutTerritory { terrain, squares, crowns }
            })
        };
        Terrain::ALL.into_iter().flat_map(of).collect()
    }

    fn crowns_on(&self, square: Square) -> u32 {
        self.squares.get(&square).copied().flatten().map_or(0, |end| end.crowns.into())
    }

    /// The lowest and the highest corner of the smallest box around all squares; `None` if there are none.
    fn corners(&self) -> Option<(Square, Square)> {
        let range = |coordinate: fn(&Square) -> i8| {
            Some((self.squares.keys().map(coordinate).min()?, self.squares.keys().map(coordinate).max()?))
        };
        let ((low_x, high_x), (low_y, high_y)) = (range(|square| square.x)?, range(|square| square.y)?);
        Some((Square::new(low_x, low_y), Square::new(high_x, high_y)))
    }

    /// Its squares around the only castle, if they fit into the largest box.
    fn around_castle(&self) -> Option<Kingdom> {
        let [castle] = self.castles()[..] else { return None };
        let ((low, high), side) = (self.corners()?, self.size.squares());
        if high.x - low.x >= side || high.y - low.y >= side {
            return None;
        }
        let mut kingdom = Kingdom::new(self.size);
        for (square, end) in self.ends() {
            kingdom.cover(Square::new(square.x - castle.x, square.y - castle.y), end);
        }
        Some(kingdom)
    }

    /// The kingdom with these squares; `None` if they are none: the castle, the box or a connection is missing.
    pub fn kingdom(&self) -> Option<Kingdom> {
        let is_connected = Layout::groups(self.squares.keys().copied().collect()).len() == 1;
        self.around_castle().filter(|_| is_connected)
    }

    /// Its score under these rules. Bonuses need one castle, and a box that is not too large.
    pub fn score(&self, rules: &Rules) -> Score {
        let territories = self.territories().iter().map(LayoutTerritory::score).sum();
        let bonuses = self.around_castle().map(|kingdom| kingdom.score(rules)).unwrap_or_default();
        Score { territories, ..bonuses }
    }

    /// How many squares it has fewer than its largest box, without the castle; 0 if it is too large.
    pub fn squares_missing(&self) -> usize {
        let side = self.size.squares() as usize;
        (side * side - 1).saturating_sub(self.ends().count())
    }

    /// The number of squares in its largest territory.
    pub(crate) fn largest_territory(&self) -> u32 {
        self.territories().iter().map(|territory| territory.squares.len() as u32).max().unwrap_or(0)
    }

    /// The crowns on all its squares.
    pub(crate) fn total_crowns(&self) -> u32 {
        self.ends().map(|(_, end)| u32::from(end.crowns)).sum()
    }

    /// The doubts about the kingdoms of one table, one entry per kingdom. Their dominoes come from one box.
    pub fn check(layouts: &[Layout]) -> Vec<Check> {
        let mut checks: Vec<Check> = layouts
            .iter()
            .map(|layout| Check { doubts: layout.doubts(), can_be_built: Some(false) })
            .collect();
        let together = Layout::shortages(layouts);
        for (check, layout) in checks.iter_mut().zip(layouts) {
            check.doubts.extend(together.iter().filter_map(|(fault, counts)| {
                let squares: Vec<_> = layout.squares_like(counts);
                (!squares.is_empty()).then(|| Doubt { fault: fault.clone(), squares })
            }));
            for domino in layout.dominoes_used_twice(layouts) {
                check.doubts.push(Doubt { fault: Fault::GivenTwice { domino }, squares: Vec::new() });
            }
        }
        let mut budget = BUDGET;
        for (check, layout) in checks.iter_mut().zip(layouts) {
            layout.check_tiling(check, &mut budget);
        }
        let can_all_be_built = checks.iter().all(|check| check.can_be_built == Some(true));
        if layouts.len() > 1 && can_all_be_built && together.is_empty() {
            Layout::check_all_tilings(layouts, &mut checks, &mut budget);
        }
        checks
    }

    /// The doubts about this layout that hold for any dominoes.
    fn doubts(&self) -> Vec<Doubt> {
        let mut doubts = Vec::new();
        let mut doubt = |fault: Fault, squares: Vec<Square>| doubts.push(Doubt { fault, squares });
        let castles = self.castles();
        if castles.len() != 1 {
            doubt(Fault::Castles { found: castles.len() }, castles.clone());
        }
        let side = i64::from(self.size.squares());
        if let Some((low, high)) = self.corners() {
            let (width, height) = (i128::from(high.x - low.x) + 1, i128::from(high.y - low.y) + 1);
            if width > i128::from(side) {
                doubt(Fault::TooWide { found: width, expected: side }, Vec::new());
            }
            if height > i128::from(side) {
                doubt(Fault::TooTall { found: height, expected: side }, Vec::new());
            }
        }
        if !castles.is_empty() {
            let groups = Layout::groups(self.squares.keys().copied().collect());
            for group in groups {
                if !group.iter().any(|square| castles.contains(square)) {
                    let square = (group[0].x.into(), group[0].y.into());
                    doubt(Fault::Unconnected { square }, group);
                }
            }
        }
        let covered = 1 + self.ends().count();
        if covered.is_multiple_of(2) {
            doubt(Fault::EvenSquares { covered, placed: (side * side / 2) as usize }, Vec::new());
        }
        let unknown: BTreeSet<(Terrain, u8)> = self
            .ends()
            .filter(|(_, end)| end.count() == 0)
            .map(|(_, end)| (end.terrain, end.crowns))
            .collect();
        for (terrain, crowns) in unknown {
            let squares = self.squares_like(&[End { terrain, crowns }]);
            doubt(Fault::NoSuchEnd { terrain, crowns }, squares);
        }
        doubts
    }

    /// Its squares that show one of these.
    fn squares_like(&self, ends: &[End]) -> Vec<Square> {
        self.ends().filter(|(_, end)| ends.contains(end)).map(|(square, _)| square).collect()
    }

    /// More squares of a terrain, or with a terrain and its crowns, than the 48 dominoes have; each with the ends that it
    /// counts.
    fn shortages(layouts: &[Layout]) -> Vec<(Fault, Vec<End>)> {
        let mut shortages = Vec::new();
        let found =
            |ends: &[End]| layouts.iter().map(|layout| layout.squares_like(ends).len()).sum::<usize>();
        let known = |ends: &[End]| ends.iter().map(|end| end.count()).sum::<usize>();
        for terrain in Terrain::ALL {
            let all = [0, 1, 2, 3].map(|crowns| End { terrain, crowns });
            let has_too_many = found(&all) > known(&all);
            if has_too_many {
                let (found, expected) = (found(&all), known(&all));
                shortages.push((Fault::TerrainCount { terrain, found, expected }, all.to_vec()));
            }
            for end in all {
                let (found, expected) = (found(&[end]), known(&[end]));
                // Too many squares of the terrain explain too many without a crown; an end that no domino has is another
                // fault.
                let is_explained = has_too_many && end.crowns == 0 || expected == 0;
                if found > expected && !is_explained {
                    let fault = Fault::EndCount { terrain, crowns: end.crowns, found, expected };
                    shortages.push((fault, vec![end]));
                }
            }
        }
        shortages
    }

    /// Its dominoes that lie twice in these layouts, each once.
    fn dominoes_used_twice(&self, layouts: &[Layout]) -> DominoSet {
        let times = |domino: &Domino| {
            layouts.iter().flat_map(|layout| &layout.dominoes).filter(|other| *other == domino).count()
        };
        self.dominoes.iter().copied().filter(|domino| times(domino) > 1).collect()
    }

    /// Finds out whether dominoes can make it, if nothing simpler already says no.
    fn check_tiling(&self, check: &mut Check, budget: &mut u32) {
        let is_explained =
            |doubt: &Doubt| matches!(doubt.fault, Fault::EvenSquares { .. } | Fault::NoSuchEnd { .. });
        if check.doubts.iter().any(is_explained) || !Layout::shortages(std::slice::from_ref(self)).is_empty()
        {
            return;
        }
        let mut floor = Floor::default();
        floor.add(self.ends());
        check.can_be_built = floor.can_cover(0..floor.len(), budget);
        if check.can_be_built == Some(false) {
            let squares = floor.obstacle(budget).into_iter().map(|index| floor.at(index).1).collect();
            check.doubts.push(Doubt { fault: Fault::NoTiling, squares });
        }
    }

    /// Finds out whether the dominoes of one box can make all of them together.
    fn check_all_tilings(layouts: &[Layout], checks: &mut [Check], budget: &mut u32) {
        let mut floor = Floor::default();
        for layout in layouts {
            floor.add(layout.ends());
        }
        if floor.can_cover(0..floor.len(), budget) != Some(false) {
            return;
        }
        let mut squares: Vec<Vec<Square>> = vec![Vec::new(); layouts.len()];
        for index in floor.obstacle(budget) {
            let (seat, square) = floor.at(index);
            squares[seat].push(square);
        }
        for (check, squares) in checks.iter_mut().zip(squares).filter(|(_, squares)| !squares.is_empty()) {
            check.doubts.push(Doubt { fault: Fault::NoTilingTogether, squares });
        }
    }
}

impl From<&Kingdom> for Layout {
    fn from(kingdom: &Kingdom) -> Layout {
        let squares = kingdom.rows().flatten().filter(|square| kingdom.covers(*square));
        let content = |square| kingdom.get(square).map(|(terrain, crowns)| End { terrain, crowns });
        let squares = squares.map(|square| (square, content(square))).collect();
        Layout { size: kingdom.size(), squares, dominoes: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::random::Stream;
    use crate::position::outcome::Outcome;

    /// The kingdoms of a game that is played at random.
    fn kingdoms(rules: &str, seed: u64) -> (Rules, Vec<Kingdom>) {
        let rules = rules.parse().expect("rules");
        let (mut game, mut random) = (Game::new(rules, seed), Stream::new(seed, "layouts", 0));
        while !game.position().is_over() {
            let actions = game.position().legal_actions();
            game.play(actions[random.below(actions.len())]).expect("a legal action");
        }
        (rules, game.position().kingdoms().to_vec())
    }

    fn layouts(texts: &[&str]) -> Vec<Layout> {
        let kingdom = |text: &&str| Kingdom::parse(text, KingdomSize::Five).expect("a kingdom");
        texts.iter().map(kingdom).map(|kingdom| Layout::from(&kingdom)).collect()
    }

    fn codes(check: &Check) -> Vec<&'static str> {
        check.doubts.iter().map(|doubt| doubt.fault.code()).collect()
    }

    #[test]
    fn the_kingdoms_of_games_are_beyond_doubt_and_score_alike_in_any_frame() {
        for rules in ["2.second.random.harmony.middle", "2.first.snake.duel", "4.first.random.middle"] {
            for seed in 0..20 {
                let (rules, kingdoms) = kingdoms(rules, seed);
                let moved = |kingdom: &Kingdom| {
                    let mut layout = Layout::new(kingdom.size());
                    for (Square { x, y }, content) in Layout::from(kingdom).squares() {
                        layout.set(Square::new(x + 5, y - 9), content).expect("a near square");
                    }
                    layout
                };
                let layouts: Vec<_> = kingdoms.iter().map(moved).collect();
                for (layout, kingdom) in layouts.iter().zip(&kingdoms) {
                    assert_eq!(layout.score(&rules), kingdom.score(&rules));
                    assert_eq!(layout.kingdom().as_ref(), Some(kingdom));
                    assert_eq!(layout.territories().len(), kingdom.territories().count());
                }
                for check in Layout::check(&layouts) {
                    assert_eq!(check, Check { doubts: Vec::new(), can_be_built: Some(true) });
                }
                assert_eq!(Outcome::of_layouts(&rules, &layouts), Outcome::new(&rules, &kingdoms));
            }
        }
    }

    #[test]
    fn dominoes_of_one_box_lie_in_one_kingdom() {
        let checks = Layout::check(&layouts(&["m3w/C.", "m3w/C."]));
        assert_eq!(checks.iter().map(codes).collect::<Vec<_>>(), [["end_count"], ["end_count"]]);
        // The only domino with wheat and lake without crowns.
        let checks = Layout::check(&layouts(&["wl/C.", "wl/C.", "ff/C."]));
        let together = ["no_tiling_together"].as_slice();
        assert_eq!(checks.iter().map(codes).collect::<Vec<_>>(), [together, together, &[]]);
        assert!(checks.iter().all(|check| check.can_be_built == Some(true)));
        let mut twice = layouts(&["ff/C.", "ff/C."]);
        for layout in &mut twice {
            layout.use_domino(Domino::from_index(2));
        }
        assert_eq!(
            Layout::check(&twice).iter().map(codes).collect::<Vec<_>>(),
            [["given_twice"], ["given_twice"]]
        );
    }

    #[test]
    fn the_squares_of_a_doubt_cannot_be_covered_but_all_of_them_but_one_can() {
        for text in ["ffC/m3m.", "wwwww/wwCww/wwwww", "s1s1s1s1s1/s1C..."] {
            let mut floor = Floor::default();
            floor.add(layouts(&[text])[0].ends());
            let obstacle = floor.obstacle(&mut { BUDGET });
            assert_eq!(floor.can_cover(obstacle.iter().copied(), &mut { BUDGET }), Some(false));
            for left_out in &obstacle {
                let others = obstacle.iter().copied().filter(|index| index != left_out);
                assert_eq!(floor.can_cover(others, &mut { BUDGET }), Some(true), "{text}");
            }
        }
    }

    #[test]
    fn squares_that_form_no_kingdom_are_scored_with_doubts() {
        let wheat = End { terrain: Terrain::Wheat, crowns: 1 };
        let mut layout = Layout::new(KingdomSize::Five);
        for x in 0..6 {
            layout.add(Square::new(x, 0), wheat).expect("a near square");
        }
        layout.add(Square::new(9, 0), End { terrain: Terrain::Swamp, crowns: 3 }).expect("a near square");
        assert_eq!(layout.score(&Rules::default().with_bonuses(true, true)).total(), 39);
        assert_eq!(
            codes(&Layout::check(&[layout.clone()])[0]),
            ["castles", "too_wide", "square_count", "no_such_end", "end_count"]
        );
        layout.add_castle(Square::new(0, 1)).expect("a near square");
        assert!(codes(&Layout::check(&[layout.clone()])[0]).contains(&"unconnected"));
        assert_eq!(layout.kingdom(), None);
        assert!(layout.add(Square::new(0, 0), End { crowns: 4, ..wheat }).is_err());
        assert!(layout.add_castle(Square::new(-128, 127)).is_err());
    }

    #[test]
    fn any_squares_are_checked_within_the_budget() {
        let mut random = Stream::new(1, "squares", 0);
        for _ in 0..50 {
            let mut table = Vec::new();
            for _ in 0..4 {
                let mut layout = Layout::new(KingdomSize::Seven);
                for bit in 0..49_i8 {
                    let end = Domino::from_index(random.below(18) as u8).ends()[random.below(2)];
                    layout
                        .set(Square::new(bit % 7, bit / 7), (bit != 24).then_some(end))
                        .expect("a near square");
                }
                table.push(layout);
            }
            assert_eq!(Layout::check(&table).len(), 4);
        }
    }
}
