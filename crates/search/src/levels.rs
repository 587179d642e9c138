//! The levels of the bot `king`, which decide faster and worse than its search, except for the last.

use kingdomino_rules::{Action, Position};

use crate::policies::{Glance, Policy, choose, choose_with_noise};

/// How many levels there are; the last is the strongest.
pub const LEVELS: usize = 8;
/// The first levels, which judge as beginners do.
const GLANCES: [Glance; 3] = [
    Glance { points: 0.2, crowns: 0.0, error: 1.6, overlooked: 90 },
    Glance { points: 0.5, crowns: 0.0, error: 1.2, overlooked: 70 },
    Glance { points: 0.8, crowns: 0.5, error: 1.15, overlooked: 54 },
];
/// The noise of the next levels in the evaluation of the tuned policy, in points. The last of them searches, too, but
/// only for its claims.
const NOISE: [f64; LEVELS - 1 - GLANCES.len()] = [1.9, 0.8, 0.0, 0.0];
/// The playouts of that search.
const SHORT_SEARCH: u64 = 110;

/// How a level decides in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LevelMove {
    /// It has chosen.
    Chosen(Action),
    /// It chooses the best action of a search with this many playouts; `None`: as many as there is time for.
    Search(Option<u64>),
}

/// How a level, from 1, decides in a position; `None` if no seat is to move.
pub fn level_move(position: &Position, level: usize, seed: u64) -> Option<LevelMove> {
    position.to_move()?;
    if let [action] = &*position.distinct_actions() {
        return Some(LevelMove::Chosen(*action));
    }
    let number = level.saturating_sub(1);
    if let Some(glance) = GLANCES.get(number) {
        return glance.choose(position, seed).map(LevelMove::Chosen);
    }
    let Some(noise) = NOISE.get(number - GLANCES.len()) else { return Some(LevelMove::Search(None)) };
    if level == LEVELS - 1 && position.domino().is_none() {
        return Some(LevelMove::Search(Some(SHORT_SEARCH)));
    }
    let action = if *noise > 0.0 {
        choose_with_noise(position, *noise, seed)
    } else {
        choose(position, Policy::Tuned, seed)
    };
    action.map(LevelMove::Chosen)
}

#[cfg(test)]
mod tests {
    use kingdomino_rules::{Game, Rules};

    use super::*;

    /// `python -m benches.strength` lets them play.
    #[test]
    fn every_level_judges_more_precisely_than_the_one_below() {
        assert!(GLANCES.is_sorted_by_key(|one| std::cmp::Reverse(one.overlooked)), "{GLANCES:?}");
        assert!(GLANCES.is_sorted_by(|one, other| one.error > other.error), "{GLANCES:?}");
        assert!(NOISE[..3].is_sorted_by(|one, other| one > other), "{NOISE:?}");
        assert!(NOISE[2..].iter().all(|noise| *noise == 0.0), "{NOISE:?}");
    }

    #[test]
    fn only_the_last_two_levels_search_and_the_lower_of_them_only_for_its_claims() {
        let mut game = Game::new(Rules::default(), 4);
        while !game.position().is_over() {
            let (position, actions) = (*game.position(), game.position().legal_actions());
            let choices = position.distinct_actions().len();
            let is_claim = position.domino().is_none();
            for level in 1..=LEVELS {
                let expected = match level {
                    _ if choices == 1 => None,
                    7 if is_claim => Some(LevelMove::Search(Some(SHORT_SEARCH))),
                    8 => Some(LevelMove::Search(None)),
                    _ => None,
                };
                let decided = level_move(&position, level, 3).expect("a seat is to move");
                match (decided, expected) {
                    (LevelMove::Chosen(action), None) => assert!(actions.contains(&action)),
                    (decided, expected) => assert_eq!(Some(decided), expected, "level {level}"),
                }
            }
            game.play(actions[0]).expect("legal");
        }
        assert_eq!(level_move(game.position(), 1, 3), None);
    }
}
