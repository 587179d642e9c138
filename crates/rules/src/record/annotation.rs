//! An analysis's annotation of a position in a record (docs/formats/record.md).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::input::fault::{Fault, Part};
use crate::input::parse_error::ParseError;
use crate::position::Position;
use crate::values::action::Action;

/// The largest figure in points; no game comes near it.
const MOST_POINTS: f64 = 10_000.0;
const NAMES: [&str; 6] = ["win_rates", "mean_scores", "mean_margin", "best", "cost", "cost_points"];

/// An analysis's values of the position before a ply, and the cost of the played action. Every part is optional, but
/// at least one is present.
#[derive(Clone, Debug, Default)]
#[cfg_attr(
    feature = "json",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields, default)
)]
pub struct Annotation {
    /// Win probabilities with the best action, 0 to 1, one per seat, or empty.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub win_rates: Vec<f64>,
    /// Expected scores with the best action, one per seat, or empty.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub mean_scores: Vec<f64>,
    /// Expected scores minus the best opponent's, one per seat, or empty.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub mean_margin: Vec<f64>,
    /// The best action.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub best: Option<Action>,
    /// The win probability that the played action cost the seat to move, 0 to 1.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub cost: Option<f64>,
    /// The points that the played action cost the seat to move; below 0 where it gained points.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub cost_points: Option<f64>,
}

impl Annotation {
    fn numbers(&self) -> impl Iterator<Item = Option<u64>> {
        let lists = [&self.win_rates, &self.mean_scores, &self.mean_margin].into_iter();
        let single = [self.cost, self.cost_points].into_iter().map(|number| number.map(f64::to_bits));
        lists.flat_map(|list| list.iter().map(|number| Some(number.to_bits())).chain([None])).chain(single)
    }

    /// Checks the figures and the best action in this position. `played`: whether an action follows.
    pub(crate) fn check(&mut self, position: &Position, played: bool) -> Result<(), Fault> {
        if self.best.is_none() && self.numbers().all(|number| number.is_none()) {
            return Err(Fault::NoFigures);
        }
        let (players, points) = (position.rules().players(), -MOST_POINTS..=MOST_POINTS);
        let lists = [
            ("win_rates", &mut self.win_rates, 0.0..=1.0),
            ("mean_scores", &mut self.mean_scores, points.clone()),
            ("mean_margin", &mut self.mean_margin, points.clone()),
        ];
        for (name, list, range) in lists {
            if !list.is_empty() && list.len() != players {
                return Err(Fault::FigureCount { found: list.len(), players }.at(Part::Field(name)));
            }
            list.iter_mut().try_for_each(|number| check_number(name, number, &range))?;
        }
        for (name, number, range) in
            [("cost", &mut self.cost, 0.0..=1.0), ("cost_points", &mut self.cost_points, points)]
        {
            if let Some(number) = number {
                check_number(name, number, &range)?;
                if !played {
                    return Err(Fault::NothingPlayed.at(Part::Field(name)));
                }
            }
        }
        if let Some(best) = &mut self.best {
            let action = *best;
            position.check(action).map_err(|refusal| Fault::IllegalBest { action, refusal })?;
            *best = position.canonical(action);
        }
        Ok(())
    }
}

fn check_number(
    name: &'static str,
    number: &mut f64,
    range: &std::ops::RangeInclusive<f64>,
) -> Result<(), Fault> {
    if !range.contains(number) {
        let (low, high) = (*range.start() as i32, *range.end() as i32);
        return Err(Fault::FigureRange { text: number.to_string(), low, high }.at(Part::Field(name)));
    }
    *number += 0.0; // -0 becomes 0
    Ok(())
}

// A checked annotation has neither NaN nor -0, so equal numbers have equal bits.
impl PartialEq for Annotation {
    fn eq(&self, other: &Annotation) -> bool {
        self.best == other.best && self.numbers().eq(other.numbers())
    }
}
impl Eq for Annotation {}
impl Hash for Annotation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.best.hash(state);
        self.numbers().for_each(|number| number.hash(state));
    }
}

/// Writes the names and figures: `win_rates 0.61 0.39 best claim 17 cost 0.03`.
impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(" ");
        let values = [
            list(&self.win_rates),
            list(&self.mean_scores),
            list(&self.mean_margin),
            self.best.as_ref().map(Action::to_string).unwrap_or_default(),
            list(self.cost.as_slice()),
            list(self.cost_points.as_slice()),
        ];
        let given = NAMES.iter().zip(values).filter(|(_, value)| !value.is_empty());
        let said: Vec<_> = given.map(|(name, value)| format!("{name} {value}")).collect();
        f.write_str(&said.join(" "))
    }
}

impl FromStr for Annotation {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Annotation, ParseError> {
        let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in text.split_whitespace() {
            if parts.iter().any(|(name, _)| *name == word) {
                return Err(ParseError::new(text, format!("{word:?} is given for the second time")));
            }
            match parts.last_mut() {
                _ if NAMES.contains(&word) => parts.push((word, Vec::new())),
                Some((_, values)) => values.push(word),
                None => {
                    let names = NAMES.join(", ");
                    return Err(ParseError::new(text, format!("{word:?} is not one of {names}")));
                }
            }
        }
        let mut read = Annotation::default();
        for (name, values) in parts {
            match name {
                "win_rates" => read.win_rates = numbers(name, &values)?,
                "mean_scores" => read.mean_scores = numbers(name, &values)?,
                "mean_margin" => read.mean_margin = numbers(name, &values)?,
                "best" => read.best = Some(values.join(" ").parse()?),
                "cost" => read.cost = Some(one(name, &values)?),
                _ => read.cost_points = Some(one(name, &values)?),
            }
        }
        Ok(read)
    }
}

fn numbers(name: &str, words: &[&str]) -> Result<Vec<f64>, ParseError> {
    if words.is_empty() {
        return Err(ParseError::new(name, format!("{name} needs one number a seat")));
    }
    // Other forms that Rust reads (1e3, inf) are not part of the format.
    let decimal = |word: &str| word.chars().all(|c| c.is_ascii_digit() || ".-".contains(c));
    let number = |word: &&str| {
        let number = word.parse().ok().filter(|_| decimal(word));
        number.ok_or_else(|| ParseError::new(*word, format!("{name}: {word:?} is not a number")))
    };
    words.iter().map(number).collect()
}

fn one(name: &str, words: &[&str]) -> Result<f64, ParseError> {
    match numbers(name, words)?.as_slice() {
        [number] => Ok(*number),
        _ => Err(ParseError::new(words.join(" "), format!("{name} is one number"))),
    }
}
