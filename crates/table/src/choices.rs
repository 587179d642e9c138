//! The options of the seat to move, as shown to a player.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use kingdomino_rules as engine;
use serde::Serialize;

use crate::values::{Xy, xy};

/// A territory that a placement makes or extends, as it is afterwards.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct TerritoryGain {
    /// Its terrain.
    #[cfg_attr(feature = "ts", ts(type = "Terrain"))]
    pub terrain: engine::Terrain,
    /// The number of its squares.
    pub squares: u32,
    /// Its crowns.
    pub crowns: u32,
    /// The points that it gains.
    pub points: u32,
}

/// A legal placement.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct PlacementChoice {
    /// The action.
    pub action: String,
    /// The square of the left end.
    pub left: Xy,
    /// The square of the right end.
    pub right: Xy,
    /// The points that it adds, without bonuses.
    pub points: u32,
    /// By territory.
    pub gains: Vec<TerritoryGain>,
}

/// Placements that are illegal for the same reason.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct RefusedPlacements {
    /// The code of the reason.
    #[cfg_attr(feature = "ts", ts(type = "\"taken\" | \"too_wide\" | \"too_tall\" | \"no_match\""))]
    pub code: String,
    /// The width or height that the kingdom would have; else 0.
    pub squares: u8,
    /// The domino's terrains. None of them touches it there.
    #[cfg_attr(feature = "ts", ts(type = "Array<Terrain>"))]
    pub terrains: Vec<engine::Terrain>,
    /// The reason as a sentence.
    pub text: String,
    /// The squares of both ends: x, y, x, y.
    pub placements: Vec<(i8, i8, i8, i8)>,
}

/// The legal and the illegal placements of a domino in a kingdom.
#[derive(Default, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Placements {
    /// The legal placements.
    pub placements: Vec<PlacementChoice>,
    /// The illegal placements within reach.
    pub refused: Vec<RefusedPlacements>,
}

impl Placements {
    /// The placements of a domino in a kingdom.
    pub fn of(kingdom: &engine::Kingdom, domino: engine::Domino) -> Placements {
        Placements { placements: placements(kingdom, domino), refused: refused(kingdom, domino) }
    }
}

/// A domino that can be claimed.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ClaimChoice {
    /// The action.
    pub action: String,
    /// Its number.
    pub domino: u8,
    /// Whether it could be placed now.
    pub fits: bool,
    /// The most points that it would add now.
    pub points: u16,
    /// The turns of the next round, from 1, in which it may be placed: later claims decide between them.
    pub turns: Vec<usize>,
}

/// The options of the seat to move.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Choices {
    /// The text of the position.
    pub position: String,
    /// The seat to move.
    pub seat: usize,
    /// `claim` or `place`.
    #[cfg_attr(feature = "ts", ts(type = "\"claim\" | \"place\""))]
    pub phase: &'static str,
    /// The domino to be placed.
    pub domino: Option<u8>,
    /// The points of the kingdom now, without bonuses.
    pub score: u16,
    /// Where it can be placed.
    #[serde(flatten)]
    #[cfg_attr(feature = "ts", ts(flatten))]
    pub placements: Placements,
    /// The dominoes to choose from.
    pub claims: Vec<ClaimChoice>,
}

impl Choices {
    /// The choices of a position; `None` if no seat is to move.
    pub fn of(position: &engine::Position) -> Option<Choices> {
        let seat = position.to_move()?;
        let kingdom = &position.kingdoms()[seat];
        let domino = position.domino();
        let offered = position.offered();
        let free = offered.free_places().filter(|_| domino.is_none());
        Some(Choices {
            position: position.to_string(),
            seat,
            phase: if domino.is_some() { "place" } else { "claim" },
            domino: domino.map(engine::Domino::number),
            score: kingdom.territory_score(),
            placements: domino.map(|domino| Placements::of(kingdom, domino)).unwrap_or_default(),
            claims: free.map(|place| claim(position, kingdom, place)).collect(),
        })
    }
}

fn placements(kingdom: &engine::Kingdom, domino: engine::Domino) -> Vec<PlacementChoice> {
    let choice = |placement: engine::Placement| {
        let gain = |(territory, points): (engine::Territory, u32)| TerritoryGain {
            terrain: territory.terrain,
            squares: territory.bits.count_ones(),
            crowns: territory.crowns,
            points,
        };
        let gains: Vec<_> = kingdom.gains(domino, placement).into_iter().map(gain).collect();
        PlacementChoice {
            action: engine::Action::Place(placement).to_string(),
            left: xy(placement.left),
            right: xy(placement.right),
            points: gains.iter().map(|gain| gain.points).sum(),
            gains,
        }
    };
    kingdom.placements(domino).iter().map(choice).collect()
}

/// Grouped by the reason; all taken squares count as one reason.
fn refused(kingdom: &engine::Kingdom, domino: engine::Domino) -> Vec<RefusedPlacements> {
    let mut groups: BTreeMap<(&str, u8), RefusedPlacements> = BTreeMap::new();
    for placement in kingdom.placements_within_reach() {
        let Err(misfit) = kingdom.check(domino, placement) else { continue };
        let refusal = engine::Refusal::from(misfit);
        let facts = refusal.facts();
        let squares = facts.width.or(facts.height).unwrap_or(0);
        let group = groups.entry((refusal.code(), squares)).or_insert_with(|| RefusedPlacements {
            code: refusal.code().into(),
            squares,
            terrains: facts.terrains.into_iter().collect(),
            text: refusal.to_string(),
            placements: Vec::new(),
        });
        let engine::Placement { left, right } = placement;
        group.placements.push((left.x, left.y, right.x, right.y));
    }
    groups.into_values().collect()
}

fn claim(position: &engine::Position, kingdom: &engine::Kingdom, place: usize) -> ClaimChoice {
    let domino = position.offered().domino(place);
    let points = kingdom.best_gain(domino);
    ClaimChoice {
        action: engine::Action::Claim(domino).to_string(),
        domino: domino.number(),
        fits: points.is_some(),
        points: points.unwrap_or(0),
        turns: turns_after_claim(position, place).collect(),
    }
}

/// The turns of the next round, from 1, that the domino at this place of the offered line may lead to.
fn turns_after_claim(position: &engine::Position, place: usize) -> RangeInclusive<usize> {
    let offered = position.offered();
    let (below, above): (Vec<_>, Vec<_>) =
        offered.free_places().filter(|other| *other != place).partition(|other| *other < place);
    let before = (0..place).filter(|other| offered.king(*other).is_some()).count();
    let coming = position.kings_to_claim().len() - 1;
    let least = before + coming.saturating_sub(above.len());
    let most = before + coming.min(below.len());
    least + 1..=most + 1
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kingdomino_rules::{Game, Stage};

    use super::*;

    /// Makes all later claims of these free places, in every way.
    fn turns(free: &[usize], coming: usize, before: usize, place: usize, found: &mut BTreeSet<usize>) {
        if coming == 0 {
            found.insert(before + 1);
            return;
        }
        for other in free {
            let rest: Vec<_> = free.iter().copied().filter(|one| one != other).collect();
            turns(&rest, coming - 1, before + usize::from(*other < place), place, found);
        }
    }

    #[test]
    fn a_claim_leads_to_the_turns_that_later_claims_leave() {
        let mut several = 0;
        for rules in
            ["2.second.random", "3.second.random", "3.first.random", "4.second.random", "2.second.snake"]
        {
            let mut game = Game::new(rules.parse().expect("a rules set"), 7);
            while !game.position().is_over() {
                let position = *game.position();
                for place in position.offered().free_places().filter(|_| position.stage() == Stage::Claim) {
                    let offered = position.offered();
                    let rest: Vec<_> = offered.free_places().filter(|other| *other != place).collect();
                    let before = (0..place).filter(|other| offered.king(*other).is_some()).count();
                    let mut expected = BTreeSet::new();
                    turns(&rest, position.kings_to_claim().len() - 1, before, place, &mut expected);
                    let found: Vec<_> = turns_after_claim(&position, place).collect();
                    assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{position}");
                    several += usize::from(found.len() > 1);
                }
                let actions = position.legal_actions();
                game.play(actions[actions.len() / 2]).expect("legal");
            }
        }
        assert!(several > 0);
    }
}
