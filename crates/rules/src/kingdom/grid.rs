//! Grids: kingdoms as people write them, row by row from the top, in words or letters.

use std::collections::BTreeMap;

use crate::input::fault::{Fault, Faults, Part};
use crate::input::pasted;
use crate::kingdom::Kingdom;
use crate::kingdom::layout::Layout;
use crate::kingdom::setup::KingdomSetup;
use crate::values::domino::{End, Terrain};
use crate::values::size::KingdomSize;
use crate::values::square::Square;

/// The most squares that a grid takes. Each may be a fault.
const MOST_SQUARES: usize = 1_024;

/// The most characters of a grid's text.
const LONGEST: usize = 16_384;

/// A kingdom as someone wrote it, which may be none. The castle is anywhere, and empty rows and columns around it mean
/// nothing.
///
/// ```
/// use kingdomino_rules::{Grid, KingdomSize};
///
/// let mut grid = Grid::new([("P".into(), "grassland".into())]);
/// grid.add_text("wheat 2, ocean, castle\n . , P1, woods");
/// assert_eq!(grid.kingdom(KingdomSize::Five)?.to_string(), "w2lC/.g1f");
///
/// let mut grid = Grid::new([]);
/// grid.add_text("w4f/C");
/// let faults = grid.kingdom(KingdomSize::Five).unwrap_err();
/// assert_eq!(faults.list()[0].to_string(), "row 1, column 1: 4 crowns (a square has 0 to 3)");
/// # Ok::<(), kingdomino_rules::Faults>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Grid {
    /// Words of the writer, and the usual word or letter for each.
    names: BTreeMap<String, String>,
    /// The contents of the squares, by row and column from 1; `None` is a castle.
    squares: BTreeMap<(usize, usize), Option<End>>,
    row: usize,
    column: usize,
    count: usize,
    faults: Vec<Fault>,
}

impl Grid {
    /// An empty grid. `names` gives the writer's own words and letters, with the usual word for each; "" is an empty square.
    pub fn new(names: impl IntoIterator<Item = (String, String)>) -> Grid {
        Grid { names: names.into_iter().collect(), row: 1, column: 1, ..Grid::default() }
    }

    /// Adds rows from a text. Rows are lines, or joined by `/`. The squares of a row are letters and crowns (`w2ff`), words
    /// with spaces between them, or anything between commas, semicolons, bars or tabs. Reads also the board of a terminal.
    pub fn add_text(&mut self, text: &str) {
        if text.len() > LONGEST {
            self.faults.push(Fault::KingdomTooLong);
            return;
        }
        let mut lines: Vec<&str> = pasted::trim(text).split(['\n', '/']).map(str::trim_end).collect();
        let is_number = |word: &str| word.parse::<i8>().is_ok();
        // A board begins with the x of each column; each row with its y.
        let is_board = lines.len() > 1 && lines[0].split_whitespace().all(is_number) && !lines[0].is_empty();
        if is_board {
            lines.remove(0);
        }
        for line in lines {
            let line = line.trim();
            let row =
                if is_board { line.split_once(char::is_whitespace).map_or("", |(_, row)| row) } else { line };
            self.add_row(row.trim());
            self.end_row();
        }
    }

    /// Adds the squares of one row, as text.
    pub fn add_row(&mut self, row: &str) {
        let separators = [',', ';', '|', '\t'];
        if row.contains(separators) {
            // Tables of Markdown have bars around each row.
            let row = row.strip_prefix('|').unwrap_or(row);
            for word in row.strip_suffix('|').unwrap_or(row).split(separators) {
                self.add(word, None);
            }
            return;
        }
        let mut words = row.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let is_crowns = |next: &&str| next.bytes().all(|byte| byte.is_ascii_digit());
            let crowns =
                words.next_if(is_crowns).filter(|_| !word.ends_with(|last: char| last.is_ascii_digit()));
            match crowns {
                Some(crowns) => self.add(&format!("{word} {crowns}"), None),
                None => self.add_letters(word),
            }
        }
    }

    /// Adds a word, or the squares of letters with crowns that it has.
    fn add_letters(&mut self, word: &str) {
        let mut letters: Vec<String> = Vec::new();
        for character in word.chars() {
            match letters.last_mut() {
                Some(last) if character.is_ascii_digit() => last.push(character),
                _ => letters.push(character.into()),
            }
        }
        let is_known =
            |letter: &&String| matches!(self.read(letter, None), Ok(_) | Err(Fault::Crowns { .. }));
        let known = letters.iter().filter(is_known).count();
        // A word that is not known is one fault, letters with a slip among them are several squares.
        if self.read(word, None).is_ok() || 2 * known <= letters.len() {
            self.add(word, None);
        } else {
            for letter in letters {
                self.add(&letter, None);
            }
        }
    }

    /// Adds a square: a word or a letter, and its crowns, if the word does not say them. "" and `.` are empty squares.
    pub fn add(&mut self, word: &str, crowns: Option<&str>) {
        let at = (self.row, self.column);
        self.column += 1;
        self.count += 1;
        if self.count > MOST_SQUARES {
            if self.count == MOST_SQUARES + 1 {
                self.faults.push(Fault::KingdomTooLong);
            }
            return;
        }
        match self.read(word, crowns) {
            Ok(Some(content)) => {
                self.squares.insert(at, content);
            }
            Ok(None) => {}
            Err(fault) => self.faults.push(fault.at(Part::Place(at.0, at.1))),
        }
    }

    /// Ends a row.
    pub fn end_row(&mut self) {
        (self.row, self.column) = (self.row + 1, 1);
    }

    /// The meaning of a word: an empty square, a castle (`Some(None)`) or an end.
    fn read(&self, word: &str, crowns: Option<&str>) -> Result<Option<Option<End>>, Fault> {
        let word = word.trim();
        let (name, written) = match crowns {
            Some(crowns) => (word, crowns),
            None => {
                let bare = word.strip_suffix(')').unwrap_or(word);
                let name = bare.trim_end_matches(|last: char| last.is_ascii_digit());
                (name, &bare[name.len()..])
            }
        };
        let name = if written.is_empty() { word } else { name.trim_end_matches([' ', ':', '_', '-', '(']) };
        let lower = name.to_lowercase();
        let name =
            self.names.get(name).or_else(|| self.names.get(&lower)).map_or(lower, |name| name.to_lowercase());
        let has_crowns = !written.trim_start_matches('0').is_empty();
        match name.as_str() {
            "" | "." | "-" | "_" | "empty" | "none" if !has_crowns => return Ok(None),
            "c" | "castle" if !has_crowns => return Ok(Some(None)),
            _ => {}
        }
        let mut letters = name.chars();
        let letter = letters.next().filter(|_| letters.next().is_none()).and_then(Terrain::from_letter);
        let terrain = letter.map_or_else(|| name.parse(), Ok)?;
        let digits = if written.is_empty() { "0" } else { written };
        match digits.parse() {
            Ok(crowns @ 0..=3) => Ok(Some(Some(End { terrain, crowns }))),
            _ => Err(Fault::Crowns { text: digits.into() }),
        }
    }

    /// Its squares as a layout. The error lists every square that cannot be read.
    pub fn layout(self, size: KingdomSize) -> Result<Layout, Faults> {
        let mut faults = self.faults;
        let mut layout = Layout::new(size);
        let (bottom, _) = self.squares.keys().copied().max().unwrap_or_default();
        let left = self.squares.keys().map(|(_, column)| *column).min().unwrap_or_default();
        for ((row, column), content) in self.squares {
            let square = i8::try_from(column - left).ok().zip(i8::try_from(bottom - row).ok());
            let added = square.ok_or(Fault::KingdomTooLong).and_then(|(x, y)| match content {
                None => layout.add_castle(Square::new(x, y)),
                Some(end) => layout.add(Square::new(x, y), end),
            });
            if let Err(fault) = added {
                faults.push(fault.at(Part::Place(row, column)));
            }
        }
        Faults::check(faults)?;
        Ok(layout)
    }

    /// The kingdom. The error lists everything that is wrong, with rows and columns from 1.
    pub fn kingdom(self, size: KingdomSize) -> Result<Kingdom, Faults> {
        let mut faults = self.faults;
        let castles: Vec<_> =
            self.squares.iter().filter(|(_, content)| content.is_none()).map(|(at, _)| *at).collect();
        let found = castles.len();
        let &[(castle_row, castle_column)] = castles.as_slice() else {
            let fault = Fault::Castles { found };
            let places = castles.iter().map(|(row, column)| fault.clone().at(Part::Place(*row, *column)));
            faults.extend(places);
            if found == 0 {
                faults.push(fault);
            }
            return Err(Faults::check(faults).err().unwrap_or_else(|| Fault::Castles { found }.into()));
        };
        let mut setup = KingdomSetup::new();
        for ((row, column), content) in self.squares {
            if let Some(End { terrain, crowns }) = content {
                let (x, y) = (column as i64 - castle_column as i64, castle_row as i64 - row as i64);
                setup.add(x, y, terrain.name(), crowns.into());
            }
        }
        let checked = setup.validate(size);
        let found = checked.as_ref().err().map(Faults::list).unwrap_or_default();
        faults.extend(found.iter().cloned().map(|fault| match fault.facts().square {
            Some((x, y)) => {
                let place = (castle_row as i64 - y, castle_column as i64 + x);
                fault.at(Part::Place(place.0 as usize, place.1 as usize))
            }
            None => fault,
        }));
        Faults::check(faults)?;
        checked
    }
}
