//! Where a player's points go over many games: by theme, by round, placing and claiming.

use kingdomino_rules::{Action, Rules};
use serde::{Deserialize, Serialize};

use super::level::{Level, mean_and_error};
use super::reasons::Theme;

/// The 95% quantile of the normal distribution.
const Z: f64 = 1.644854;

/// The part of a decision that the sums need; its fields are those of [`Decision`](super::Decision).
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct DecisionCost {
    /// The round, from 1; 0 for the claims of the opening.
    pub round: usize,
    /// The action played.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub action: Action,
    /// The number of legal actions that differ.
    pub choices: usize,
    /// The points that the action lost.
    pub cost_points: f64,
    /// The theme of its reason; `None` without one.
    pub theme: Option<Theme>,
}

/// Points per game, with a 90% interval over the games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end; `None` for fewer than two games, which do not bound it.
    pub high: Option<f64>,
}

impl Estimate {
    /// The mean points per game, with Student's interval.
    fn of(sums: &[f64]) -> Estimate {
        if sums.len() < 2 {
            return Estimate { mean: sums.first().copied().unwrap_or_default(), low: 0.0, high: None };
        }
        let (mean, error) = mean_and_error(sums);
        let reach = quantile(sums.len() - 1) * error;
        Estimate { mean, low: (mean - reach).max(0.0), high: Some(mean + reach) }
    }
}

/// The 95% quantile of Student's distribution, to 1% from four degrees of freedom on.
///
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
fn quantile(freedom: usize) -> f64 {
    let freedom = freedom as f64;
    let (third, fifth) = (Z * Z * Z, Z * Z * Z * Z * Z);
    Z + (third + Z) / (4.0 * freedom) + (5.0 * fifth + 16.0 * third + 3.0 * Z) / (96.0 * freedom * freedom)
}

/// The cost of the decisions with one theme.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct ThemeSum {
    /// The theme; `None` for the decisions without one.
    pub theme: Option<Theme>,
    /// Points per game.
    pub estimate: Estimate,
    /// The number of decisions that cost something.
    pub count: usize,
}

/// Where a player's points go.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Summary {
    /// The number of games.
    pub games: usize,
    /// The cost of all decisions.
    pub cost: Estimate,
    /// The costliest first, and last the decisions without a theme. They add up to the cost, and so do the rounds, and
    /// placing with claiming.
    pub themes: Vec<ThemeSum>,
    /// By number, from 0 for the claims of the opening.
    pub rounds: Vec<Estimate>,
    /// Placements and discards.
    pub placing: Estimate,
    /// Claims.
    pub claiming: Estimate,
    /// The level of `king` whose decisions cost as much; `None` unless that is clear to two levels, and without
    /// rules.
    pub level: Option<Level>,
}

impl Summary {
    /// The sums of a player's decisions over many games. `games`: one list of decisions per game. `rules`: the rules of
    /// all games, for the level.
    pub fn of(games: &[Vec<DecisionCost>], rules: Option<&Rules>) -> Summary {
        let estimate = |counts: &dyn Fn(&DecisionCost) -> bool| {
            let sum = |game: &Vec<DecisionCost>| {
                game.iter().filter(|one| counts(one)).map(|one| one.cost_points).sum::<f64>()
            };
            Estimate::of(&games.iter().map(sum).collect::<Vec<_>>())
        };
        let is_claim = |one: &DecisionCost| matches!(one.action, Action::Claim(_));
        let all = || games.iter().flatten();
        let mut themes: Vec<ThemeSum> = Vec::new();
        for one in all().filter(|one| one.cost_points > 0.0) {
            match themes.iter_mut().find(|sum| sum.theme == one.theme) {
                Some(sum) => sum.count += 1,
                None => {
                    let estimate = estimate(&|other| other.theme == one.theme);
                    themes.push(ThemeSum { theme: one.theme, estimate, count: 1 });
                }
            }
        }
        themes.sort_by(|one, other| {
            let by_mean = other.estimate.mean.total_cmp(&one.estimate.mean);
            one.theme.is_none().cmp(&other.theme.is_none()).then(by_mean)
        });
        let rounds = all().map(|one| one.round + 1).max().unwrap_or_default();
        let spent: Vec<f64> = all().filter(|one| one.choices > 1).map(|one| one.cost_points).collect();
        Summary {
            games: games.len(),
            cost: estimate(&|_| true),
            themes,
            rounds: (0..rounds).map(|round| estimate(&|one| one.round == round)).collect(),
            placing: estimate(&|one| !is_claim(one)),
            claiming: estimate(&is_claim),
            level: rules.and_then(|rules| Level::of(&spent, rules)),
        }
    }
}

#[cfg(test)]
mod tests {
    use kingdomino_rules::Domino;

    use super::*;

    fn claim(round: usize, cost_points: f64, theme: Option<Theme>) -> DecisionCost {
        let domino = Domino::new(7).expect("a domino");
        DecisionCost { round, action: Action::Claim(domino), choices: 4, cost_points, theme }
    }

    fn discard(round: usize, cost_points: f64, theme: Option<Theme>) -> DecisionCost {
        DecisionCost { action: Action::Discard, ..claim(round, cost_points, theme) }
    }

    #[test]
    fn every_division_adds_up_to_the_cost() {
        let games = [
            vec![claim(0, 0.5, None), discard(1, 2.0, Some(Theme::Room)), claim(1, 1.0, Some(Theme::Order))],
            vec![claim(0, 0.0, None), discard(2, 4.0, Some(Theme::Room)), claim(2, 0.5, None)],
        ];
        let found = Summary::of(&games, None);
        assert_eq!((found.games, found.cost.mean), (2, 4.0));
        assert_eq!((found.placing.mean, found.claiming.mean), (3.0, 1.0));
        assert_eq!(found.rounds.iter().map(|one| one.mean).collect::<Vec<_>>(), [0.25, 1.5, 2.25]);
        let themes: Vec<_> =
            found.themes.iter().map(|one| (one.theme, one.estimate.mean, one.count)).collect();
        assert_eq!(themes, [(Some(Theme::Room), 3.0, 2), (Some(Theme::Order), 0.5, 1), (None, 0.5, 2)]);
    }

    #[test]
    fn decisions_without_a_theme_come_last() {
        let found = Summary::of(&[vec![claim(1, 9.0, None), claim(2, 1.0, Some(Theme::Points))]], None);
        assert_eq!(found.themes.iter().map(|one| one.theme).collect::<Vec<_>>(), [Some(Theme::Points), None]);
    }

    #[test]
    fn a_decision_that_costs_nothing_has_no_theme_to_show() {
        let found = Summary::of(&[vec![claim(1, 0.0, Some(Theme::Harmony))]], None);
        assert_eq!(found.themes, []);
    }

    #[test]
    fn the_interval_comes_from_students_distribution() {
        let games = [10.0, 12.0, 20.0, 6.0, 12.0].map(|points| vec![claim(1, points, None)]);
        let Estimate { mean, low, high } = Summary::of(&games, None).cost;
        let reach = high.expect("five games") - mean;
        assert_eq!(mean, 12.0);
        // The standard error is sqrt(26 / 5), and Student's 95% quantile with 4 degrees of freedom 2.132.
        assert!((reach / (2.132 * 5.2_f64.sqrt()) - 1.0).abs() < 0.01, "{reach}");
        assert!((low - (mean - reach)).abs() < 1e-9);
    }

    #[test]
    fn the_quantiles_are_those_of_tables() {
        for (freedom, known) in [(4, 2.132), (5, 2.015), (9, 1.833), (19, 1.729), (99, 1.660)] {
            assert!((quantile(freedom) / known - 1.0).abs() < 0.01, "{freedom}: {}", quantile(freedom));
        }
    }

    #[test]
    fn the_interval_never_goes_below_zero() {
        let games = [0.0, 0.0, 0.0, 0.0, 9.0].map(|points| vec![claim(1, points, None)]);
        assert_eq!(Summary::of(&games, None).cost.low, 0.0);
    }

    #[test]
    fn few_games_do_not_bound_the_cost() {
        let alone = Summary::of(&[vec![claim(1, 3.0, None)]], None);
        assert_eq!(alone.cost, Estimate { mean: 3.0, low: 0.0, high: None });
        assert_eq!(Summary::of(&[], None).cost, Estimate { mean: 0.0, low: 0.0, high: None });
        assert_eq!(Summary::of(&[vec![]], None).rounds, []);
    }

    #[test]
    fn the_level_pools_the_decisions_with_a_choice() {
        let forced = DecisionCost { choices: 1, ..claim(1, 0.0, None) };
        let mut game = vec![claim(1, 2.2, None); 6];
        game.extend([forced; 20]);
        let rules = Rules::default();
        let level = |games: &[Vec<DecisionCost>]| Summary::of(games, Some(&rules)).level;
        assert_eq!(level(&[game.clone()]), None);
        assert_eq!(level(&[game.clone(), game.clone()]), Some(Level { level: 3, low: 3, high: 3 }));
        assert_eq!(Summary::of(&[game.clone(), game], None).level, None);
    }
}
