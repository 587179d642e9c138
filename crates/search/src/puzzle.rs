//! Puzzles: positions with one clearly best action (docs/formats/puzzles.md).

use std::collections::HashSet;
use std::ops::Range;

use kingdomino_rules::{Action, ParseError, Position, pasted};
use serde::Serialize;

use crate::levels::LEVELS;

/// The first line of a file.
const HEADER: &str = "kingdomino puzzles 1";
/// The most puzzles in a file.
const MOST: usize = 10_000;
/// The most characters of a name.
const LONGEST_NAME: usize = 16;
/// The highest possible cost, in points.
const HIGHEST_COST: f64 = 1_000.0;
/// The themes of puzzles: the themes of a review, and endings, in which no line is hidden any more.
const THEMES: [&str; 8] = ["harmony", "centre", "room", "crowns", "points", "opponent", "order", "ending"];

/// A position with one clearly best action.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Puzzle {
    /// A short name, which stays when others are added: lower-case letters and digits.
    pub name: String,
    /// The lowest level of the bot king that finds a solution, 1 to 8; 8 also if none does.
    pub level: usize,
    /// The cost of the best wrong action, in points.
    pub cost: f64,
    /// Its themes, each once.
    #[cfg_attr(feature = "ts", ts(type = "Array<Theme | \"ending\">"))]
    pub themes: Vec<String>,
    /// The best action, and equivalent ones.
    #[cfg_attr(feature = "ts", ts(type = "Array<string>"))]
    pub solutions: Vec<Action>,
    /// The position.
    #[cfg_attr(feature = "ts", ts(type = "string"))]
    pub position: Position,
}

impl Puzzle {
    /// Reads a file of puzzles; it has at least one. The error names the first line that is wrong.
    pub fn read(text: &str) -> Result<Vec<Puzzle>, ParseError> {
        let mut lines = text.lines().map(pasted::trim).zip(1..).skip_while(|(line, _)| line.is_empty());
        let header = lines.next().map_or("", |(line, _)| line);
        if header != HEADER {
            let message = if header.starts_with("kingdomino puzzles ") {
                format!("{} is another version: only {HEADER:?} can be read", shown(header))
            } else {
                format!("these are no puzzles: the first line is not {HEADER:?}")
            };
            return Err(ParseError::new(header, message));
        }
        let (mut puzzles, mut names) = (Vec::new(), HashSet::new());
        for (line, number) in lines.by_ref() {
            let wrong = |why: String| ParseError::new(line, format!("line {number}: {why}"));
            if let Some(count) = line.strip_prefix("end ") {
                if count != puzzles.len().to_string() {
                    let message =
                        format!("the end counts {} puzzles, but there are {}", shown(count), puzzles.len());
                    return Err(wrong(message));
                }
                if puzzles.is_empty() {
                    return Err(wrong("there are no puzzles".into()));
                }
                return match lines.find(|(rest, _)| !rest.is_empty()) {
                    None => Ok(puzzles),
                    Some((rest, number)) => {
                        Err(ParseError::new(rest, format!("line {number}: nothing can follow the end")))
                    }
                };
            }
            if puzzles.len() == MOST {
                return Err(wrong(format!("there are more than {MOST} puzzles")));
            }
            let puzzle = Puzzle::of_line(line).map_err(wrong)?;
            if !names.insert(puzzle.name.clone()) {
                return Err(wrong(format!("the name {:?} is given for the second time", puzzle.name)));
            }
            puzzles.push(puzzle);
        }
        Err(ParseError::new(
            "",
            format!("the end is missing after {} puzzles: the file was cut short", puzzles.len()),
        ))
    }

    fn of_line(line: &str) -> Result<Puzzle, String> {
        let fields: Vec<&str> = line.splitn(7, '\t').collect();
        let &[name, level, cost, themes, solution, position] = &fields[..] else {
            return Err("a puzzle has six fields, separated by tabs".into());
        };
        let is_in_name = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
        if !(1..=LONGEST_NAME).contains(&name.len()) || !name.chars().all(is_in_name) {
            return Err(format!(
                "{} is not a name: 1 to {LONGEST_NAME} lower-case letters and digits",
                shown(name)
            ));
        }
        let is_digit = level.len() == 1;
        let found = level.parse().ok().filter(|level| is_digit && (1..=LEVELS).contains(level));
        let level = found.ok_or_else(|| format!("{} is not a level: 1 to {LEVELS}", shown(level)))?;
        let found = cost.parse().ok().filter(|cost| (0.0..=HIGHEST_COST).contains(cost));
        let cost = found.ok_or_else(|| format!("{} is not a cost in points", shown(cost)))?;
        let mut listed = Vec::new();
        for theme in themes.split(',') {
            if !THEMES.contains(&theme) {
                return Err(format!("{} is not a theme: {}", shown(theme), THEMES.join(", ")));
            }
            if listed.iter().any(|other| other == theme) {
                return Err(format!("the theme {theme:?} is given for the second time"));
            }
            listed.push(theme.to_owned());
        }
        let position: Position = position.parse().map_err(|faults| format!("{faults}"))?;
        let solution: Action = solution.parse().map_err(|error| format!("{error}"))?;
        position
            .check(solution)
            .map_err(|refusal| format!("the solution {solution} is illegal: {refusal}"))?;
        let representative = position.equivalent(solution);
        let mut solutions = position.legal_actions();
        solutions.retain(|action| position.equivalent(*action) == representative);
        Ok(Puzzle { name: name.into(), level, cost, themes: listed, solutions: solutions.to_vec(), position })
    }
}

/// A part of a file for a message: its start, if it is long.
fn shown(text: &str) -> String {
    let mut start: String = text.chars().take(40).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    format!("{start:?}")
}

/// Return the index of a day's puzzle, of this many. No puzzle repeats before each has had its day.
///
/// `date`: like `2026-03-01`.
pub fn daily(date: &str, puzzles: usize) -> Result<usize, ParseError> {
    let day = day_of(date)
        .ok_or_else(|| ParseError::new(date, format!("{} is not a date (like 2026-03-01)", shown(date))))?;
    let puzzles = puzzles as u64;
    // Neighbours in a file are similar. Steps of the golden ratio keep neighbouring days apart.
    let step = (0.618 * puzzles as f64) as u64;
    let step = (step.max(1)..).find(|step| greatest_common_divisor(*step, puzzles) == 1);
    match step {
        Some(step) if puzzles > 0 => Ok((day % puzzles * step % puzzles) as usize),
        _ => Err(ParseError::new(date, "there are no puzzles")),
    }
}

const fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

/// The days from 0000-03-01 of the Gregorian calendar to a date, which also is the date's check.
fn day_of(date: &str) -> Option<u64> {
    let is_written_so = date.len() == 10
        && date.bytes().enumerate().all(|(place, byte)| match place {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !is_written_so {
        return None;
    }
    let number = |range: Range<usize>| date.get(range)?.parse::<u64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    if year == 0 || !(1..=days).contains(&day) {
        return None;
    }
    // Years begin in March, so that a leap day is their last one; (153 m + 2) / 5 days come before month m of them.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    Some(365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Theme;

    const POSITION: &str = "kd1 2.second.random.harmony.middle 1 place:1 1@1,16@1,42@0,46@0 5,11,43,44 \
                            2-4,6-10,12-15,17-41,45,47-48 C;C";

    fn file(lines: &[&str]) -> String {
        format!("{HEADER}\n{}\n", lines.join("\n"))
    }

    fn line(level: &str, cost: &str, themes: &str, solution: &str) -> String {
        ["a1", level, cost, themes, solution, POSITION].join("\t")
    }

    #[test]
    fn a_file_is_read_with_every_equivalent_solution() {
        let first = line("3", "4.2", "room,ending", "place 0,1>0,2");
        let text = file(&[&first, "end 1", ""]);
        for text in [
            format!("\u{feff}{text}"),
            format!("\n \u{feff}\n{}", text.replace('\n', " \r\n")),
            format!(" {}", text.trim_end()),
        ] {
            let puzzles = Puzzle::read(&text).expect("it is whole");
            let [puzzle] = &puzzles[..] else { panic!("{puzzles:?}") };
            assert_eq!((&*puzzle.name, puzzle.level, puzzle.cost), ("a1", 3, 4.2));
            assert_eq!(puzzle.themes, ["room", "ending"]);
            assert_eq!(puzzle.position.to_string(), POSITION);
            let solutions: Vec<_> = puzzle.solutions.iter().map(ToString::to_string).collect();
            // One domino with two equal ends beside a lone castle: straight away from it, in four directions.
            assert_eq!(solutions.len(), 4, "{solutions:?}");
            assert!(solutions.contains(&"place 0,1>0,2".into()), "{solutions:?}");
        }
    }

    #[test]
    fn a_wrong_file_is_refused_with_the_reason() {
        let good = line("3", "4.2", "room", "place 0,1>0,2");
        let with = |level, cost, themes, solution| file(&[&line(level, cost, themes, solution), "end 1"]);
        for (text, why) in [
            (String::new(), "these are no puzzles: the first line is not \"kingdomino puzzles 1\""),
            ("kingdomino puzzles 2\nend 0\n".into(), "\"kingdomino puzzles 2\" is another version"),
            (file(&[]), "line 2: a puzzle has six fields"),
            (HEADER.into(), "the end is missing after 0 puzzles: the file was cut short"),
            (file(&[&good]).trim_end().into(), "the end is missing after 1 puzzles: the file was cut short"),
            (file(&[&good, "end 2"]), "line 3: the end counts \"2\" puzzles, but there are 1"),
            (file(&["end 0"]), "line 2: there are no puzzles"),
            (file(&[&good, "end 1", &good]), "line 4: nothing can follow the end"),
            (file(&[&good, &good, "end 2"]), "line 3: the name \"a1\" is given for the second time"),
            (file(&[&good[..9], "end 1"]), "line 2: a puzzle has six fields, separated by tabs"),
            (file(&[&format!("{good}\tmore"), "end 1"]), "line 2: a puzzle has six fields"),
            (file(&[&good.replace("a1", "A1"), "end 1"]), "line 2: \"A1\" is not a name"),
            (with("9", "4.2", "room", "place 0,1>0,2"), "line 2: \"9\" is not a level: 1 to 8"),
            (with("3", "NaN", "room", "place 0,1>0,2"), "line 2: \"NaN\" is not a cost in points"),
            (with("3", "4.2", "", "place 0,1>0,2"), "line 2: \"\" is not a theme: harmony, "),
            (with("3", "4.2", "room,room", "place 0,1>0,2"), "line 2: the theme \"room\" is given"),
            (with("3", "4.2", "room", "jump"), "line 2: \"jump\" is not an action"),
            (with("3", "4.2", "room", "claim 5"), "line 2: the solution claim 5 is illegal: "),
            (with("3", "4.2", "room", "place 0,1>0,2").replace("C;C", "C"), "line 2: "),
        ] {
            let error = Puzzle::read(&text).expect_err(why).to_string();
            assert!(error.starts_with(why), "{error}");
        }
        let error = Puzzle::read(&"9".repeat(1 << 20)).expect_err("no header");
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn themes_come_from_reviews_and_endings() {
        let of_reviews = [
            Theme::Harmony,
            Theme::Centre,
            Theme::Room,
            Theme::Crowns,
            Theme::Points,
            Theme::Opponent,
            Theme::Order,
        ];
        let names: Vec<String> = of_reviews
            .iter()
            .map(|theme| serde_json::to_string(theme).expect("a word").trim_matches('"').into())
            .collect();
        assert_eq!(names, THEMES[..7]);
    }

    #[test]
    fn no_puzzle_repeats_before_each_has_had_its_day() {
        let first = day_of("1999-12-31").expect("a date");
        assert_eq!(day_of("2000-03-01"), Some(first + 61));
        assert_eq!(day_of("2001-03-01"), Some(first + 61 + 365));
        assert_eq!(day_of("2100-03-01"), day_of("2100-02-28").map(|day| day + 1));
        let days: Vec<String> =
            (1..=12).flat_map(|month| (1..=28).map(move |day| format!("2026-{month:02}-{day:02}"))).collect();
        for puzzles in [1, 2, 3, 10, 28] {
            for days in days[..28].windows(puzzles) {
                let found: HashSet<_> = days.iter().map(|day| daily(day, puzzles).expect("a date")).collect();
                assert_eq!(found.len(), puzzles);
            }
        }
        assert!(days.iter().all(|day| daily(day, 500).expect("a date") < 500));
    }

    #[test]
    fn impossible_dates_are_refused() {
        for date in [
            "",
            "today",
            "2026-3-1",
            "2026-02-29",
            "2026-13-01",
            "2026-00-10",
            "0000-01-01",
            "2026-01-0١",
            "+026-01-01",
        ] {
            let error = daily(date, 10).expect_err(date).to_string();
            assert!(error.ends_with("is not a date (like 2026-03-01)"), "{error}");
        }
        assert!(daily("2026-01-01", 0).is_err());
        assert!(daily("9999-12-31", 10).is_ok());
        assert!(daily(&"9".repeat(1 << 20), 10).expect_err("too long").to_string().len() < 100);
    }
}
