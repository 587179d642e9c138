//! Why one action is worse than another, in the game's terms and from facts of the position.

use std::collections::BTreeSet;

use kingdomino_rules::{
    Action, Domino, End, Kingdom, Placement, Position, Prospects, Refusal, Seat, Square, Terrain, Territory,
};
use serde::{Deserialize, Serialize};

use super::parts::{CostPart, Source};

/// The part of a cost that a fact must explain to come before an expectation.
const STRONG: f64 = 1.0 / 3.0;

/// A square, (x, y).
type Coordinates = (i8, i8);

/// Why an action is worse than another. In JSON, `code` tells reasons apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Reason {
    /// It leaves empty squares between the others that no domino can ever cover. Before it, a domino could cover them;
    /// the better placement covers them, or leaves that possible.
    Unfillable {
        /// The empty squares, in order.
        squares: Vec<Coordinates>,
        /// Whether Harmony is gone as well, which is still possible after the better placement.
        harmony: bool,
    },
    /// It makes Harmony impossible. The better placement leaves it possible.
    Harmony,
    /// The castle can no longer end up in the middle, for Middle Kingdom. The better placement leaves that possible.
    MiddleKingdom,
    /// A territory with crowns can no longer grow. After the better placement it can, and it is no smaller.
    TerritoryClosed {
        /// Its terrain.
        #[cfg_attr(feature = "ts", ts(type = "Terrain"))]
        terrain: Terrain,
        /// Its squares, in order.
        squares: Vec<Coordinates>,
        /// Its crowns.
        crowns: u32,
    },
    /// Fewer crowns: in the territories that the placed domino belongs to, or on the claimed domino.
    FewerCrowns {
        /// The crowns of the action.
        crowns: u32,
        /// The crowns of the better action.
        better: u32,
        /// For claims, the numbers of the two dominoes in the same order.
        dominoes: Option<(u8, u8)>,
    },
    /// Fewer points now.
    FewerPoints {
        /// The points of the action. For a claim, the points that the best placement of the domino would add now;
        /// `None` if it fits nowhere now.
        points: Option<i32>,
        /// The same for the better one.
        better: i32,
        /// Whether this is the player's last placement. Then the points include bonuses.
        last: bool,
        /// For claims, the numbers of the two dominoes in the same order.
        dominoes: Option<(u8, u8)>,
    },
    /// It leaves the better domino to opponents who can still claim it and to whom it is worth more than this one.
    LeftToOpponents {
        /// The number of the better domino.
        domino: u8,
        /// The player who claims.
        seat: Seat,
        /// The seats of those opponents.
        opponents: Vec<Seat>,
        /// The points that the best placement of the better domino would add to each seat now; `None` if it
        /// fits nowhere.
        points: Vec<Option<u16>>,
    },
    /// The player gets a later turn in the next round, in which there is still a line to claim from.
    LaterTurn {
        /// The number of the domino.
        domino: u8,
        /// The same for the better domino.
        better: u8,
        /// The place of the domino in its line, from 1. The dominoes of a line are placed in that order.
        place: usize,
        /// The same for the better domino.
        better_place: usize,
    },
    /// Fewer points from one source at the end of simulated games.
    Expected(CostPart),
}

/// The theme of a cost, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub enum Theme {
    /// Harmony is less likely.
    Harmony,
    /// The castle is less likely to end up in the middle.
    Centre,
    /// There is less room: for a square, or for a territory with crowns.
    Room,
    /// There are fewer crowns.
    Crowns,
    /// There are fewer points.
    Points,
    /// An opponent gains.
    Opponent,
    /// The next turn comes later.
    Order,
}

impl Theme {
    /// The theme of a reason.
    pub const fn of(reason: &Reason) -> Theme {
        match reason {
            Reason::Unfillable { harmony: true, .. } | Reason::Harmony => Theme::Harmony,
            Reason::MiddleKingdom => Theme::Centre,
            Reason::Unfillable { .. } | Reason::TerritoryClosed { .. } => Theme::Room,
            Reason::FewerCrowns { .. } => Theme::Crowns,
            Reason::FewerPoints { .. } => Theme::Points,
            Reason::LeftToOpponents { .. } => Theme::Opponent,
            Reason::LaterTurn { .. } => Theme::Order,
            Reason::Expected(part) => match part.source {
                Source::Terrain { .. } => Theme::Points,
                Source::Harmony => Theme::Harmony,
                Source::MiddleKingdom => Theme::Centre,
                Source::Opponent { .. } => Theme::Opponent,
            },
        }
    }
}

/// The weightiest reason why an action is worse than a better one; `None` if none is true. Refuses as [`reasons`] does.
pub fn why(
    position: &Position,
    action: Action,
    better: Action,
    parts: &[CostPart],
) -> Result<Option<Reason>, Refusal> {
    Ok(reasons(position, action, better, parts)?.into_iter().next())
}

/// Every reason why an action is worse than a better one, the weightiest first: facts about this position, and the whole
/// points to expect less.
///
/// With the parts of a cost, each reason's weight is the part that it explains: a fact about wheat explains wheat's loss.
/// Facts that explain a third of the cost come first. A reason that explains nothing is left out. Refuses an illegal
/// action.
pub fn reasons(
    position: &Position,
    action: Action,
    better: Action,
    parts: &[CostPart],
) -> Result<Vec<Reason>, Refusal> {
    let (mut after, mut after_better) = (*position, *position);
    after.play(action)?;
    after_better.play(better)?;
    let mut found = match (action, better) {
        (Action::Place(placement), Action::Place(other)) => {
            of_placements(position, (&after, placement), (&after_better, other))
        }
        (Action::Claim(domino), Action::Claim(other)) => of_claims(position, domino, other),
        _ => Vec::new(),
    };
    if parts.is_empty() {
        return Ok(found);
    }
    let domino = match better {
        Action::Claim(domino) => Some(domino),
        _ => position.domino(),
    };
    let ends = domino.map(Domino::ends).into_iter().flatten().collect::<Vec<_>>();
    found.extend(parts.iter().filter(|part| part.whole > 0).copied().map(Reason::Expected));
    let weights: Vec<_> = found.iter().map(|reason| explained(reason, parts, &ends, &found)).collect();
    let mut weighed: Vec<_> = found.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0).collect();
    let cost: f64 = parts.iter().map(|part| part.points).sum();
    let is_strong =
        |(reason, weight): &(Reason, f64)| !matches!(reason, Reason::Expected(_)) && *weight >= cost * STRONG;
    weighed.sort_by(|one, other| is_strong(other).cmp(&is_strong(one)).then(other.1.total_cmp(&one.1)));
    Ok(weighed.into_iter().map(|(reason, _)| reason).collect())
}

/// How many points of a cost a reason explains.
///
/// `ends`: those of the domino to place, or of the better one to claim. `all`: all reasons.
fn explained(reason: &Reason, parts: &[CostPart], ends: &[End], all: &[Reason]) -> f64 {
    let sum = |is_meant: &dyn Fn(&Source) -> bool| {
        parts.iter().filter(|part| is_meant(&part.source)).map(|part| part.points).sum::<f64>()
    };
    let is_terrain = |source: &Source| matches!(source, Source::Terrain { .. });
    let of_ends = |crowned: bool| {
        sum(&|source| {
            let is_here =
                |terrain| ends.iter().any(|end| end.terrain == terrain && (!crowned || end.crowns > 0));
            matches!(source, Source::Terrain { terrain } if is_here(*terrain))
        })
    };
    let of_opponents =
        |seats: &[Seat]| sum(&|source| matches!(source, Source::Opponent { seat } if seats.contains(seat)));
    let harmony = || sum(&|source| *source == Source::Harmony);
    match reason {
        // Without Harmony, a domino will find no place. Points that make up for part of it take nothing from the reason.
        Reason::Unfillable { harmony: true, .. } | Reason::Harmony => harmony() + sum(&is_terrain).max(0.0),
        Reason::Unfillable { harmony: false, .. } => sum(&is_terrain),
        Reason::MiddleKingdom => sum(&|source| *source == Source::MiddleKingdom),
        Reason::TerritoryClosed { terrain, .. } => {
            sum(&|source| *source == Source::Terrain { terrain: *terrain })
        }
        Reason::FewerCrowns { dominoes, .. } => of_ends(dominoes.is_some()),
        Reason::FewerPoints { last: true, .. } => sum(&|source| !matches!(source, Source::Opponent { .. })),
        // Discarding the domino would leave a gap.
        Reason::FewerPoints { points: None, .. } => of_ends(false) + harmony().max(0.0),
        Reason::FewerPoints { .. } => of_ends(false),
        Reason::LeftToOpponents { opponents, .. } => of_opponents(opponents),
        // Half of the cost that the dominoes themselves do not explain: the effect of the order is unknown.
        Reason::LaterTurn { .. } => {
            let left = all.iter().map(|other| match other {
                Reason::LeftToOpponents { opponents, .. } => of_opponents(opponents).max(0.0),
                _ => 0.0,
            });
            (sum(&|_| true) - of_ends(false).max(0.0) - left.sum::<f64>()) / 2.0
        }
        Reason::Expected(part) => part.points,
    }
}

fn of_placements(
    position: &Position,
    (after, placement): (&Position, Placement),
    (after_better, better_placement): (&Position, Placement),
) -> Vec<Reason> {
    let seat = position.to_move_unchecked();
    let rules = position.rules();
    let [before, kingdom, better_kingdom] =
        [position, after, after_better].map(|position| position.kingdoms()[seat]);
    let [could, can, better_can] = [position, after, after_better].map(|position| position.prospects(seat));
    let mut found = Vec::new();

    let for_harmony = |prospects: &Prospects| rules.harmony_points() > 0 && prospects.can_be_filled();
    let harmony = for_harmony(&could) && for_harmony(&better_can) && !for_harmony(&can);
    let lost = lost_squares(&could, (&kingdom, &can), (&better_kingdom, &better_can));
    let lost_by_better = lost_squares(&could, (&better_kingdom, &better_can), (&kingdom, &can));
    if can.placements() > 0 && lost.len() > lost_by_better.len() {
        found.push(Reason::Unfillable { squares: lost.into_iter().collect(), harmony });
    } else if harmony {
        found.push(Reason::Harmony);
    }
    let for_middle = |prospects: &Prospects| rules.middle_kingdom_points() > 0 && prospects.can_be_centred();
    if for_middle(&could) && for_middle(&better_can) && !for_middle(&can) {
        found.push(Reason::MiddleKingdom);
    }

    found.extend(closed(
        &before,
        (&kingdom, &can, placement),
        (&better_kingdom, &better_can, better_placement),
    ));

    let crowns = crowns_joined(&kingdom, placement);
    let better_crowns = crowns_joined(&better_kingdom, better_placement);
    if can.placements() > 0 && crowns < better_crowns {
        found.push(Reason::FewerCrowns { crowns, better: better_crowns, dominoes: None });
    }

    // Bonuses can still be lost while anything is to be placed.
    let last = can.placements() == 0;
    let added = |kingdom: &Kingdom| {
        let total = if last { kingdom.score(rules).total() } else { kingdom.territory_score().into() };
        total as i32 - i32::from(before.territory_score())
    };
    let (points, better) = (added(&kingdom), added(&better_kingdom));
    if points < better {
        found.push(Reason::FewerPoints { points: Some(points), better, last, dominoes: None });
    }
    found
}

/// The most valuable territory with crowns that one placement closes and the other leaves open.
fn closed(
    before: &Kingdom,
    (kingdom, can, placement): (&Kingdom, &Prospects, Placement),
    (better_kingdom, better_can, better_placement): (&Kingdom, &Prospects, Placement),
) -> Option<Reason> {
    let old = before.territories().filter(|territory| territory.crowns > 0);
    let old = old.filter_map(|territory| before.squares_in(&territory).next()).map(|square| (square, square));
    let new = [(placement.left, better_placement.left), (placement.right, better_placement.right)];
    let pairs = old.chain(new).filter_map(|(square, other)| {
        Some((territory_at(kingdom, square)?, territory_at(better_kingdom, other)?))
    });
    let squares = |territory: &Territory| {
        kingdom
            .squares_in(territory)
            .map(coordinates)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    };
    pairs
        .filter(|(territory, grown)| {
            territory.crowns > 0
                && !can.can_grow(territory)
                && better_can.can_grow(grown)
                && territory.bits.count_ones() <= grown.bits.count_ones()
        })
        .map(|(territory, _)| (territory.crowns, territory.score(), squares(&territory), territory.terrain))
        .max_by(|one, other| (one.0, one.1, &one.2).cmp(&(other.0, other.1, &other.2)))
        .map(|(crowns, _, squares, terrain)| Reason::TerritoryClosed { terrain, squares, crowns })
}

fn of_claims(position: &Position, domino: Domino, better: Domino) -> Vec<Reason> {
    let seat = position.to_move_unchecked();
    let dominoes = Some((domino.number(), better.number()));
    let mut found = Vec::new();
    let [crowns, better_crowns] =
        [domino, better].map(|domino| domino.ends().iter().map(|end| u32::from(end.crowns)).sum());
    if crowns < better_crowns {
        found.push(Reason::FewerCrowns { crowns, better: better_crowns, dominoes });
    }

    let [worth, better_worth] = [domino, better].map(|domino| {
        position.kingdoms().iter().map(|kingdom| kingdom.best_gain(domino)).collect::<Vec<_>>()
    });
    if let Some(more) = better_worth[seat]
        && worth[seat].is_none_or(|points| points < more)
    {
        let points = worth[seat].map(i32::from);
        found.push(Reason::FewerPoints { points, better: more.into(), last: false, dominoes });
    }

    let claiming = position.kings_to_claim();
    let opponents: Vec<Seat> = (0..worth.len())
        .filter(|other| *other != seat && claiming.contains(other))
        .filter(|other| better_worth[*other].unwrap_or(0) > worth[*other].unwrap_or(0))
        .collect();
    if !opponents.is_empty() {
        found.push(Reason::LeftToOpponents {
            domino: better.number(),
            seat,
            opponents,
            points: better_worth,
        });
    }

    if position.lines_to_come() > 0 && better < domino {
        let [place, better_place] = [domino, better]
            .map(|domino| 1 + position.offered().dominoes().take_while(|other| *other != domino).count());
        let (domino, better) = (domino.number(), better.number());
        found.push(Reason::LaterTurn { domino, better, place, better_place });
    }
    found
}

/// The squares of gaps that this placement makes unfillable, and that the other one covers or leaves open.
///
/// A gap is what is empty and connected, in or beside the kingdom's box. A gap of which one square can still be filled
/// is not counted: it may only be that dominoes run out.
fn lost_squares(
    could: &Prospects,
    (kingdom, can): (&Kingdom, &Prospects),
    (other, other_can): (&Kingdom, &Prospects),
) -> BTreeSet<Coordinates> {
    let fillable = |prospects: &Prospects| prospects.fillable().map(coordinates).collect::<BTreeSet<_>>();
    let (can, other_can) = (fillable(can), fillable(other_can));
    let (low, high) = kingdom.corners();
    let in_box =
        |square: &Square| (low.x..=high.x).contains(&square.x) && (low.y..=high.y).contains(&square.y);
    could
        .fillable()
        .filter(|square| in_box(square) && !kingdom.covers(*square) && !can.contains(&coordinates(*square)))
        .filter(|square| other.covers(*square) || other_can.contains(&coordinates(*square)))
        .filter(|square| gap_around(kingdom, *square).is_disjoint(&can))
        .map(coordinates)
        .collect()
}

/// The empty squares connected with this one, within the kingdom's reach.
fn gap_around(kingdom: &Kingdom, square: Square) -> BTreeSet<Coordinates> {
    let side = kingdom.size().squares();
    let (low, high) = kingdom.corners();
    let is_free = |square: Square| {
        (high.x - side < square.x && square.x < low.x + side)
            && (high.y - side < square.y && square.y < low.y + side)
            && !kingdom.covers(square)
    };
    let (mut found, mut new) = (BTreeSet::from([coordinates(square)]), vec![square]);
    while let Some(Square { x, y }) = new.pop() {
        for near in [(x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)] {
            let square = Square::new(near.0, near.1);
            if is_free(square) && found.insert(near) {
                new.push(square);
            }
        }
    }
    found
}

const fn coordinates(square: Square) -> Coordinates {
    (square.x, square.y)
}

fn territory_at(kingdom: &Kingdom, square: Square) -> Option<Territory> {
    let holds = |territory: &Territory| territory.bits >> square.bit() & 1 == 1;
    kingdom.territories().find(holds)
}

/// The crowns of the territories that a placed domino belongs to.
fn crowns_joined(kingdom: &Kingdom, placement: Placement) -> u32 {
    let bits = 1 << placement.left.bit() | 1 << placement.right.bit();
    kingdom
        .territories()
        .filter(|territory| territory.bits & bits != 0)
        .map(|territory| territory.crowns)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHEAT: Source = Source::Terrain { terrain: Terrain::Wheat };

    fn part(source: Source, points: f64) -> CostPart {
        CostPart { source, points, whole: libm::round(points) as i32, chances: None }
    }

    fn first(parts: &[CostPart]) -> Option<Reason> {
        let text = "kd1 2.second.random 4 claim:0 *5@1,6@0,7@0,8@1 26,37,41@1,48 1-4,9-25,27-33 wwC;llC";
        let position: Position = text.parse().expect("a position");
        let [worse, better] = ["claim 26", "claim 48"].map(|text| text.parse().expect("an action"));
        why(&position, worse, better, parts).expect("both are legal")
    }

    #[test]
    fn the_reason_that_explains_most_comes_first() {
        // 48 is wheat and a mine with three crowns; 26 has a crown of wheat.
        let crowns = first(&[]).expect("48 has more crowns");
        assert!(matches!(crowns, Reason::FewerCrowns { .. }));
        let mine = part(Source::Terrain { terrain: Terrain::Mine }, 3.0);
        let sorrel = part(Source::Opponent { seat: 1 }, 2.0);
        assert_eq!(first(&[mine, sorrel]), Some(crowns));
        let left = first(&[part(sorrel.source, 4.0), mine]).expect("48 is worth more to the opponent");
        assert_eq!(Theme::of(&left), Theme::Opponent);
        assert!(matches!(left, Reason::LeftToOpponents { .. }));
        let wheat = part(WHEAT, 3.0);
        assert!(matches!(first(&[wheat]), Some(Reason::FewerPoints { .. })));
        let forest = part(Source::Terrain { terrain: Terrain::Forest }, 3.0);
        assert_eq!(first(&[forest, wheat, sorrel]).as_ref().map(Theme::of), Some(Theme::Points));
        assert_eq!(
            first(&[part(forest.source, 5.0), sorrel]),
            Some(Reason::Expected(part(forest.source, 5.0)))
        );
        assert_eq!(first(&[part(forest.source, -1.0)]), None);
    }
}
