//! The future of a kingdom.

use crate::kingdom::Kingdom;
use crate::kingdom::bitboard::neighbours;
use crate::kingdom::scoring::Territory;
use crate::position::Position;
use crate::values::domino::{Domino, DominoSet};
use crate::values::line::Seat;
use crate::values::square::Square;

/// Squares are at most 6 away from the castle; one more on each side needs no checks.
const SIDE: usize = 15;

/// A set of terrains, as bits.
type Terrains = u8;

const EVERY: Terrains = 0b11_1111;

const fn index(place: i8) -> usize {
    (place + 7) as usize
}

/// Bounds on the future of a player's kingdom, with the dominoes that the player may still get.
///
/// Anything outside these bounds is impossible. Not everything within them is possible: they ignore whether two
/// dominoes need the same square, and which dominoes the others take.
///
/// ```
/// use kingdomino_rules::{DominoSet, Kingdom, KingdomSize, Prospects, Square};
///
/// let kingdom = Kingdom::parse("www/w.w/wCw", KingdomSize::Five)?;
/// let prospects = Prospects::new(kingdom, DominoSet::ALL, 6);
/// assert!(prospects.fillable().all(|square| square != Square::new(0, 1)));
/// assert!(!prospects.can_be_filled());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Prospects {
    kingdom: Kingdom,
    dominoes: DominoSet,
    placements: usize,
    /// The terrains that each square has or may get, by y and x.
    terrains: [[Terrains; SIDE]; SIDE],
    /// Whether a domino may come to lie on a square and the one to its right, by y; bit x + 7.
    side_by_side: [u16; SIDE],
    /// The same for a square and the one above it.
    stacked: [u16; SIDE],
}

impl Position {
    /// The future of this seat's kingdom.
    pub fn prospects(&self, seat: Seat) -> Prospects {
        let dominoes = self.claimed(seat).union(self.obtainable(seat));
        let placements = self.placements_to_come(seat);
        debug_assert_eq!(placements == 0, dominoes.is_empty());
        Prospects::new(self.kingdoms[seat], dominoes, placements)
    }

    /// The dominoes that this seat has claimed and neither placed nor discarded.
    #[inline]
    pub fn claimed(&self, seat: Seat) -> DominoSet {
        self.resolving.at(self.waiting(seat)).union(self.offered.at(self.offered.places_of(seat)))
    }

    /// The dominoes that this seat may still claim: those offered, if it has a king to claim them with, and the unseen,
    /// if lines are to come.
    #[inline]
    pub fn obtainable(&self, seat: Seat) -> DominoSet {
        let unseen = if self.lines_to_come() > 0 { self.unseen } else { DominoSet::EMPTY };
        let free = if self.kings_waiting(seat) > 0 { self.offered.free() } else { 0 };
        unseen.union(self.offered.at(free))
    }

    /// Whether this seat has lost Harmony by discarding a domino, perhaps before the game began; false under rules
    /// without Harmony. [`Prospects::can_be_filled`] also sees gaps that nothing can fill.
    ///
    /// ```
    /// use kingdomino_rules::Position;
    ///
    /// let text = "kd1 2.second.random.harmony 6 place:0 *16@1,*17@1,*21@0,43@0 - \
    ///     2-3,5-7,9-10,13-15,18-19,23-26,28,33-36,44-45,47 \
    ///     wwww1g/wm3m1m2s/ws1Cff/w1sl../gs1ll1f;sll1l1l/ww1wwf/f1wCgg/f1gg2g1./wg2ll.";
    /// let position: Position = text.parse()?;
    /// assert_eq!([0, 1].map(|seat| position.harmony_lost(seat)), [false, true]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn harmony_lost(&self, seat: Seat) -> bool {
        self.rules.harmony && self.kingdoms[seat].squares_missing() > 2 * self.placements_to_come(seat) as u32
    }

    /// How many dominoes this seat will still place or discard.
    fn placements_to_come(&self, seat: Seat) -> usize {
        let rounds_to_come = self.rules.rounds() - self.round();
        self.waiting(seat).count_ones() as usize + rounds_to_come * self.rules.kings()
    }

    /// The places in the line of the dominoes that this seat still has to place, as bits.
    #[inline]
    fn waiting(&self, seat: Seat) -> u8 {
        let settled = self.turn() + usize::from(self.settled().is_some());
        self.resolving.places_of(seat) >> settled << settled
    }
}

impl Prospects {
    /// The future of this kingdom with this number of these dominoes.
    pub fn new(kingdom: Kingdom, dominoes: DominoSet, placements: usize) -> Prospects {
        let mut prospects = Prospects {
            kingdom,
            dominoes,
            placements,
            terrains: [[0; SIDE]; SIDE],
            side_by_side: [0; SIDE],
            stacked: [0; SIDE],
        };
        for square in kingdom.rows().flatten().filter(|square| kingdom.covers(*square)) {
            let terrains = kingdom.get(square).map_or(EVERY, |(terrain, _)| 1 << terrain as u8);
            prospects.terrains[index(square.y)][index(square.x)] = terrains;
        }
        prospects.look_ahead();
        prospects
    }

    /// Places any of the dominoes wherever they match a possible neighbour, until nothing changes.
    fn look_ahead(&mut self) {
        let mut partners = [0; 6];
        for domino in self.dominoes {
            let [left, right] = domino.ends().map(|end| end.terrain as usize);
            partners[left] |= 1 << right;
            partners[right] |= 1 << left;
        }
        let empty: Vec<Square> = self.within_reach().filter(|square| !self.kingdom.covers(*square)).collect();
        let (low, high) = self.reach();
        let is_free = |square: Square| {
            (low.x..=high.x).contains(&square.x)
                && (low.y..=high.y).contains(&square.y)
                && !self.kingdom.covers(square)
        };
        let mut pairs = Vec::with_capacity(2 * empty.len());
        for square in empty {
            for other in [Square::new(square.x + 1, square.y), Square::new(square.x, square.y + 1)] {
                if is_free(other) {
                    pairs.push((square, other));
                }
            }
        }
        for _ in 0..self.placements {
            let before = self.terrains;
            for (one, other) in &pairs {
                let beside_one = touched(&before, *one, *other);
                let beside_other = touched(&before, *other, *one);
                for (terrain, partners) in partners.iter().enumerate() {
                    let matches = beside_one >> terrain & 1 == 1;
                    let partners = partners & if matches { EVERY } else { beside_other };
                    if partners != 0 {
                        self.terrains[index(one.y)][index(one.x)] |= 1 << terrain;
                        self.terrains[index(other.y)][index(other.x)] |= partners;
                        let board = if one.y == other.y { &mut self.side_by_side } else { &mut self.stacked };
                        board[index(one.y)] |= 1 << index(one.x);
                    }
                }
            }
            if self.terrains == before {
                break;
            }
        }
    }

    /// The lowest and the highest corner within the kingdom's reach.
    fn reach(&self) -> (Square, Square) {
        let side = self.kingdom.size().squares();
        let (low, high) = self.kingdom.corners();
        let lowest = Square::new(high.x - side + 1, high.y - side + 1);
        (lowest, Square::new(low.x + side - 1, low.y + side - 1))
    }

    fn within_reach(&self) -> impl Iterator<Item = Square> + use<> {
        let (low, high) = self.reach();
        (low.y..=high.y).flat_map(move |y| (low.x..=high.x).map(move |x| Square::new(x, y)))
    }

    /// The dominoes that the player may still get: unseen ones if lines are to come, free ones of the line that is
    /// being claimed, and those under the player's kings.
    pub const fn dominoes(&self) -> DominoSet {
        self.dominoes
    }

    /// How many dominoes the player will still place or discard.
    pub const fn placements(&self) -> usize {
        self.placements
    }

    /// The empty squares that are not ruled out: any other can never be covered.
    pub fn fillable(&self) -> impl Iterator<Item = Square> {
        self.within_reach().filter(|square| {
            !self.kingdom.covers(*square) && self.terrains[index(square.y)][index(square.x)] != 0
        })
    }

    /// Whether a domino that the player may still get can extend this territory. If none can now, none ever can.
    pub fn can_grow(&self, territory: &Territory) -> bool {
        let beside = neighbours(territory.bits);
        let extends = |domino: Domino| {
            let [left, right] = domino.ends().map(|end| end.terrain == territory.terrain);
            let placements = self.kingdom.placements(domino);
            left && !placements.with_left(beside).is_empty()
                || right && !placements.with_right(beside).is_empty()
        };
        self.placements > 0 && self.dominoes.into_iter().any(extends)
    }

    /// Whether it is not ruled out that the kingdom fills its largest box, as Harmony requires.
    pub fn can_be_filled(&self) -> bool {
        if self.kingdom.squares_missing() as usize != 2 * self.placements {
            return false;
        }
        let side = self.kingdom.size().squares();
        let (low, high) = self.kingdom.corners();
        let mut corners =
            (high.y - side + 1..=low.y).flat_map(|y| (high.x - side + 1..=low.x).map(move |x| (x, y)));
        corners.any(|(x, y)| self.can_fill(Square::new(x, y)))
    }

    /// Whether dominoes can cover the empty squares of the largest box with this lowest corner without overlapping.
    fn can_fill(&self, corner: Square) -> bool {
        let side = self.kingdom.size().squares() as usize;
        // By row, from the lowest. A state is a set of columns, as bits: columns of this row that are covered
        // from below, and in the columns already visited, columns of the next row.
        let mut states = [false; 1 << 7];
        states[0] = true;
        for row in 0..side {
            for column in 0..side {
                let square = Square::new(corner.x + column as i8, corner.y + row as i8);
                let (x, y) = (index(square.x), index(square.y));
                let bit = 1 << column;
                let mut next = [false; 1 << 7];
                for state in (0..1 << side).filter(|state| states[*state]) {
                    if self.kingdom.covers(square) {
                        next[state] = true;
                    } else if state & bit != 0 {
                        next[state & !bit] = true;
                    } else {
                        let beside = bit << 1;
                        if column + 1 < side && state & beside == 0 && self.side_by_side[y] >> x & 1 == 1 {
                            next[state | beside] = true;
                        }
                        if row + 1 < side && self.stacked[y] >> x & 1 == 1 {
                            next[state | bit] = true;
                        }
                    }
                }
                states = next;
            }
        }
        states[0]
    }

    /// Whether it is not ruled out that the castle ends up in the middle, as Middle Kingdom requires.
    pub fn can_be_centred(&self) -> bool {
        self.kingdom.is_centred() || self.placements > 0 && self.kingdom.outline().can_be_centred()
    }

    /// The territories that can still grow.
    pub fn growing(&self) -> impl Iterator<Item = Territory> {
        self.kingdom.territories().filter(|territory| self.can_grow(territory))
    }
}

/// The terrains that may lie beside a square, except on the square that the same domino covers.
fn touched(terrains: &[[Terrains; SIDE]; SIDE], square: Square, without: Square) -> Terrains {
    let Square { x, y } = square;
    [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)]
        .into_iter()
        .filter(|(x, y)| Square::new(*x, *y) != without)
        .fold(0, |touched, (x, y)| touched | terrains[index(y)][index(x)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::game::random::Stream;
    use crate::values::action::Action;
    use crate::values::size::KingdomSize;

    fn prospects(text: &str, dominoes: &[u8], placements: usize) -> Prospects {
        let kingdom = Kingdom::parse(text, KingdomSize::Five).expect("a kingdom");
        Prospects::new(
            kingdom,
            dominoes.iter().filter_map(|number| Domino::new(*number)).collect(),
            placements,
        )
    }

    fn fillable(text: &str, dominoes: &[u8], placements: usize) -> Vec<(i8, i8)> {
        prospects(text, dominoes, placements).fillable().map(|square| (square.x, square.y)).collect()
    }

    /// Every kingdom after at most this number of placements of different dominoes of the set.
    fn each_future(
        kingdom: Kingdom,
        dominoes: DominoSet,
        placements: usize,
        visit: &mut impl FnMut(&Kingdom),
    ) {
        visit(&kingdom);
        if placements == 0 {
            return;
        }
        for domino in dominoes {
            for spot in kingdom.placements(domino).spots() {
                let mut after = kingdom;
                after.place_unchecked(domino, spot);
                let rest = dominoes.without([domino].into_iter().collect());
                each_future(after, rest, placements - 1, visit);
            }
        }
    }

    #[test]
    fn a_gap_of_two_squares_is_filled_by_what_matches_its_border() {
        let gap = "wwwww/w..ww/wwwww/wwCww/wwwww";
        assert_eq!(fillable(gap, &[1], 1), [(-1, 2), (0, 2)]);
        assert_eq!(fillable(gap, &[7], 1), [], "no lake touches it");
        assert_eq!(fillable(gap, &[1], 0), [], "nothing more is placed");
        assert_eq!(fillable("wwwww/w.www/wwwww/wwCww/wwwww", &[1], 1), [], "a single square");
    }

    #[test]
    fn two_dominoes_reach_further_than_one() {
        assert!(!fillable("wC", &[1, 2], 1).contains(&(3, 0)));
        assert!(fillable("wC", &[1, 2], 2).contains(&(3, 0)));
    }

    #[test]
    fn without_a_placement_to_come_no_territory_grows() {
        assert_eq!(prospects("wC", &[1], 1).growing().count(), 1);
        assert_eq!(prospects("wC", &[1], 0).growing().count(), 0);
    }

    #[test]
    fn gaps_that_dominoes_cannot_cover_rule_out_that_the_box_is_filled() {
        assert!(prospects("wwwww/w..ww/wwwww/wwCww/wwwww", &[1], 1).can_be_filled());
        assert!(!prospects("wwwww/w..ww/wwwww/wwCww/wwwww", &[3], 1).can_be_filled(), "no forest touches it");
        assert!(!prospects("wwwww/ww.ww/wwCww/ww.ww/wwwww", &[1], 1).can_be_filled(), "two single squares");
        assert!(!prospects("wwwww/w...w/wwCww/ww.ww/wwwww", &[1, 2], 2).can_be_filled(), "an odd gap");
    }

    #[test]
    fn harmony_is_lost_by_the_first_discard() {
        let (mut open, mut lost) = (0, 0);
        for seed in 0..20 {
            for rules in ["2.second.random.harmony", "3.second.random.harmony", "2.first.snake.duel.harmony"]
            {
                let mut game = Game::new(rules.parse().expect("a rules set"), seed);
                let mut random = Stream::new(seed, "test", 0);
                let mut has_discarded = [false; 3];
                while let Some(seat) = game.position().to_move() {
                    let actions = game.position().legal_actions();
                    let action = actions[random.below(actions.len())];
                    has_discarded[seat] |= action == Action::Discard;
                    game.play(action).expect("legal");
                    for (seat, has_discarded) in (0..game.position().rules().players()).zip(has_discarded) {
                        assert_eq!(game.position().harmony_lost(seat), has_discarded, "{}", game.position());
                        *if has_discarded { &mut lost } else { &mut open } += 1;
                    }
                }
            }
        }
        assert!(open > 0 && lost > 0);
        assert!(!Position::new("2.second.random".parse().expect("a rules set")).harmony_lost(0));
    }

    /// In the last two rounds of random games every future can be tried.
    #[test]
    fn nothing_ruled_out_ever_happens() {
        for seed in 0..60 {
            let rules =
                ["2.second.random.harmony.middle", "4.second.random.harmony.middle"][seed as usize % 2];
            let mut game = Game::new(rules.parse().expect("a rules set"), seed);
            let mut random = Stream::new(seed, "test", 0);
            while !game.position().is_over() {
                let position = *game.position();
                for seat in 0..position.rules().players() {
                    let prospects = position.prospects(seat);
                    if prospects.placements() <= 2 && prospects.dominoes().len() <= 6 {
                        is_sound(&position, &prospects, seat);
                    }
                }
                let actions = position.legal_actions();
                game.play(actions[random.below(actions.len())]).expect("legal");
            }
        }
    }

    fn is_sound(position: &Position, prospects: &Prospects, seat: Seat) {
        let kingdom = position.kingdoms()[seat];
        let fillable: Vec<Square> = prospects.fillable().collect();
        let mut grown = Vec::new();
        each_future(kingdom, prospects.dominoes(), prospects.placements(), &mut |future| {
            for square in future.rows().flatten().filter(|square| future.covers(*square)) {
                assert!(kingdom.covers(square) || fillable.contains(&square), "{position}: {square}");
            }
            assert!(!future.is_full() || prospects.can_be_filled(), "{position}");
            assert!(!future.is_centred() || prospects.can_be_centred(), "{position}");
            for territory in kingdom.territories() {
                let board = future.terrain(territory.terrain);
                if neighbours(territory.bits) & board & !kingdom.terrain(territory.terrain) != 0 {
                    grown.push(territory);
                }
            }
        });
        for territory in kingdom.territories() {
            assert_eq!(grown.contains(&territory), prospects.can_grow(&territory), "{position}");
        }
    }
}
