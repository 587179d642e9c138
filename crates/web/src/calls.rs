//! The functions that JavaScript can call.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::str::FromStr;

use kingdomino_rules as engine;
use kingdomino_search as search;
use kingdomino_search::{puzzle, review};
use kingdomino_table::{Choices, Placements, Rules, Start, Step, Totals};
use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
#[cfg(test)]
use ts_rs::TS;

use crate::photo::{self, Corners, Pixels, Reading};
use crate::scores::{self, Arrangement, Grid, Scored, TableKingdom};
use crate::setup::{Checked, SetUp, SetUpSquare};
use crate::values::{Domino, Fault, Kingdom, Outcome, Position, RecordPositions, Refusal, SampledLine};

/// Why a call has no answer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Failure {
    /// The fault, as a sentence.
    pub message: String,
    /// The refusal, if it refuses an action.
    pub refusal: Option<Box<Refusal>>,
    /// All faults of a position or a record.
    pub faults: Vec<Fault>,
    /// Where a record is wrong: the number of the line of text or of the event, from 1.
    pub number: Option<usize>,
    /// Whether the call itself is wrong: JavaScript of another version made it.
    pub is_misuse: bool,
}

impl Failure {
    pub(crate) fn new(why: impl Display) -> Failure {
        let message = why.to_string();
        Failure { message, refusal: None, faults: Vec::new(), number: None, is_misuse: false }
    }

    fn illegal(refusal: &engine::Refusal, action: engine::Action) -> Failure {
        Failure { refusal: Some(Box::new(refusal.into())), ..Failure::new(format!("{action}: {refusal}")) }
    }

    pub(crate) fn misuse(why: impl Display) -> Failure {
        Failure { is_misuse: true, ..Failure::new(why) }
    }
}

impl From<engine::Faults> for Failure {
    fn from(faults: engine::Faults) -> Failure {
        Failure { faults: faults.list().iter().map(Fault::from).collect(), ..Failure::new(faults) }
    }
}

impl From<engine::RecordError> for Failure {
    fn from(error: engine::RecordError) -> Failure {
        Failure {
            refusal: error.refusal().map(|refusal| Box::new(refusal.into())),
            faults: vec![error.fault().into()],
            number: error.number(),
            ..Failure::new(error)
        }
    }
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

/// Steps of the solver for a line that is sampled, a millisecond or two each; without a solution it is searched.
const SOLVING_A_LINE: u32 = 32;

/// The most faults of a text in an answer. A short text can have thousands: `1-48,1-48,…`.
const MOST_FAULTS: usize = 20;

/// Reads a position from its text. The failure has every fault.
fn positioned(text: &str) -> Result<engine::Position> {
    text.parse().map_err(|faults: engine::Faults| {
        let mut failure = Failure::from(faults);
        failure.faults.truncate(MOST_FAULTS);
        failure
    })
}

/// Reads a value from its text.
pub(crate) fn parsed<T: FromStr<Err: Display>>(text: &str) -> Result<T> {
    text.parse().map_err(Failure::new)
}

/// A seed: a whole number up to 2^64 - 1, as a string where a number of JavaScript does not hold all its digits.
#[derive(Clone, Copy)]
#[cfg_attr(test, derive(TS), ts(type = "number | string"))]
pub struct Seed(u64);

impl<'de> Deserialize<'de> for Seed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Seed, D::Error> {
        struct Digits;
        impl Visitor<'_> for Digits {
            type Value = Seed;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a seed, 0 to 2^64 - 1")
            }
            fn visit_u64<E: de::Error>(self, seed: u64) -> std::result::Result<Seed, E> {
                Ok(Seed(seed))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> std::result::Result<Seed, E> {
                text.parse().map(Seed).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Digits)
    }
}

/// Takes an argument of a call; a missing one is null.
fn argument<'a, T: Deserialize<'a>>(arguments: &mut BTreeMap<&str, &'a RawValue>, name: &str) -> Result<T> {
    let json = arguments.remove(name).map_or("null", RawValue::get);
    serde_json::from_str(json).map_err(|why| Failure::misuse(format!("the argument {name}: {why}")))
}

fn to_json(answer: &impl Serialize) -> Result<String> {
    serde_json::to_string(answer).map_err(Failure::new)
}

/// Declares the calls: the dispatch and the declarations for TypeScript both come from this list.
macro_rules! calls {
    ($($(#[doc = $doc:literal])* $name:ident { $($field:ident: $type:ty),* } -> $answer:ty $body:block)*) => {
        fn dispatch(name: &str, mut arguments: BTreeMap<&str, &RawValue>) -> Result<String> {
            match name {
                $(stringify!($name) => {
                    $(let $field: $type = argument(&mut arguments, stringify!($field))?;)*
                    if let Some(name) = arguments.keys().next() {
                        return Err(Failure::misuse(format!("there is no argument {name}")));
                    }
                    let answer = || -> Result<$answer> { $body };
                    to_json(&answer()?)
                })*
                _ => Err(Failure::misuse(format!("there is no call {name:?}"))),
            }
        }

        #[cfg(test)]
        fn declarations() -> Vec<String> {
            vec![$({
                let fields: Vec<String> = vec![
                    $(format!(
                        "{}{}: {}",
                        stringify!($field),
                        if <$type as TS>::inline(&Default::default()).ends_with("| null") { "?" } else { "" },
                        <$type as TS>::name(&Default::default())
                    )),*
                ];
                let doc = [$($doc.trim()),*].join(" ");
                let answer = <$answer as TS>::name(&Default::default());
                format!("  /** {doc} */\n  {}: {{ arguments: {{ {} }}; answer: {answer} }};", stringify!($name), fields.join("; "))
            }),*]
        }
    };
}

/// A game between two calls: its record with the hidden part, and the last events.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Game {
    /// The record, with the rest of the deck: `play` and `undo` go on from it.
    pub record: String,
    /// The position.
    pub position: Position,
    /// The events of the call; after reading a game, all events since its deal.
    pub steps: Vec<Step>,
}

impl Game {
    fn of(game: &engine::Game, steps: Vec<Step>) -> Result<Game> {
        let record = engine::Record::new(game, true, Vec::new(), BTreeMap::new(), BTreeMap::new());
        Ok(Game {
            record: record.map_err(Failure::new)?.to_string(),
            position: game.position().into(),
            steps,
        })
    }

    fn read(record: &str) -> Result<engine::Game> {
        Ok(engine::Record::read(record)?.replay()?)
    }

    fn whole(game: &engine::Game, before: Option<usize>) -> Result<Game> {
        Game::of(game, Step::all(game, before.unwrap_or(0)))
    }
}

/// How a level decides.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct LevelMove {
    /// The action; null if it takes the best of a search.
    pub action: Option<String>,
    /// The playouts of that search; null: no limit.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub playouts: Option<u64>,
}

/// The handles of JavaScript: a search, or work on a part of a review.
enum Held {
    Search(Box<search::Search>),
    Judging(Box<review::Judging>),
    Starting(Box<review::Starting>),
}

/// The result of work.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub struct Found {
    /// The judgement of a decision.
    pub decision: Option<review::Decision>,
    /// The value before the first event of a game.
    pub start: Option<review::Value>,
}

/// Reads the story of a record.
fn story(record: &str) -> Result<review::Story> {
    Ok(review::Story::new(&engine::Record::read(record)?))
}

thread_local! {
    /// The last number, and what JavaScript holds, by number.
    static HELD: RefCell<(u32, BTreeMap<u32, Held>)> = const { RefCell::new((0, BTreeMap::new())) };
}

/// Numbers new handles from here on: after a failure, an old number must not name a new search.
pub fn number_from(first: u32) {
    HELD.with_borrow_mut(|(last, _)| *last = first);
}

/// Keeps it for JavaScript, and returns its number.
fn keep(one: Held) -> u32 {
    HELD.with_borrow_mut(|(last, held)| {
        *last += 1;
        held.insert(*last, one);
        *last
    })
}

fn with_search<T>(number: u32, work: impl FnOnce(&mut search::Search) -> Result<T>) -> Result<T> {
    HELD.with_borrow_mut(|(_, held)| match held.get_mut(&number) {
        Some(Held::Search(search)) => work(search),
        _ => Err(Failure::new("this search was freed")),
    })
}

fn forget(number: u32) {
    HELD.with_borrow_mut(|(_, held)| held.remove(&number));
}

fn policy(name: &str) -> Result<search::Policy> {
    match name {
        "random" => Ok(search::Policy::Random),
        "greedy" => Ok(search::Policy::Greedy),
        "tuned" => Ok(search::Policy::Tuned),
        "gprd" => Ok(search::Policy::Gprd),
        "fg" => Ok(search::Policy::Fg),
        _ => Err(Failure::new(format!("there is no policy {name:?}"))),
    }
}

/// The games of a Dynasty.
const DYNASTY_GAMES: usize = 3;

fn dynasty_of(name: &str) -> Result<engine::Dynasty> {
    let named = engine::Dynasty::ALL.into_iter().find(|kind| kind.name() == name);
    named.ok_or_else(|| Failure::new(format!("there is no Dynasty {name:?}")))
}

/// Makes playouts, even where an ending is not solved yet: its solver stops after one more step.
fn grow_on(search: &mut search::Search, playouts: u32, nodes: Option<usize>) -> Option<search::Stop> {
    let mut is_due = search.is_solving();
    let limit = search::Limit { time: None, playouts: Some(playouts.into()), nodes };
    search.run(&limit, 1, &mut || !std::mem::take(&mut is_due))
}

/// The default limit for the nodes of a search: some 100 MB.
const MOST_NODES: usize = 1 << 18;

calls! {
    /// Return the facts of a rules set.
    rules { rules: String } -> Rules { Ok(parsed::<engine::Rules>(&rules)?.into()) }

    /// Return every rules set.
    all_rules {} -> Vec<Rules> { Ok(engine::Rules::all().map(Rules::from).collect()) }

    /// Read a photographed kingdom of `size` squares a side; `taught` are the examples of `teach_photo`. Without a reading,
    /// `problem` says why there is none.
    read_photo { pixels: Pixels, size: u8, corners: Option<Corners>, taught: Option<String> } -> Reading {
        photo::read(&pixels, size, corners, taught.as_deref())
    }

    /// Return the corners of a photographed kingdom of `size` squares a side; null if it is not found.
    find_photo { pixels: Pixels, size: u8, taught: Option<String> } -> Option<Corners> {
        photo::find(&pixels, size, taught.as_deref())
    }

    /// Return examples for `read_photo`: the contents of a picture's squares, row by row, like `w1`, `C` and `.`;
    /// `taught` are earlier ones.
    teach_photo { pixels: Pixels, size: u8, corners: Option<Corners>, squares: Vec<String>, taught: Option<String> } -> String {
        photo::teach(&pixels, size, corners, &squares, taught.as_deref())
    }

    /// Return the 48 dominoes.
    dominoes {} -> Vec<Domino> { Ok(engine::Domino::all().map(Domino::from).collect()) }

    /// Begin a game; the deck follows from the seed. `before` are the decisions of its table's earlier games.
    new_game { rules: String, seed: Seed, before: Option<usize> } -> Game {
        Game::whole(&engine::Game::new(parsed(&rules)?, seed.0), before)
    }

    /// Begin a game from a position; the seed determines the hidden part.
    new_game_from { position: String, seed: Seed } -> Game {
        Game::whole(&engine::Game::sampled(positioned(&position)?, seed.0), None)
    }

    /// Read a game from its record. `before` are the decisions of its table's earlier games.
    read_game { record: String, before: Option<usize> } -> Game {
        Game::whole(&Game::read(&record)?, before)
    }

    /// Play an action. `before` are the decisions of its table's earlier games.
    play { record: String, action: String, before: Option<usize> } -> Game {
        let (mut game, action) = (Game::read(&record)?, parsed(&action)?);
        let ply = game.history().len() + before.unwrap_or(0);
        let step = Step::play(&mut game, action, ply).map_err(|refusal| Failure::illegal(&refusal, action))?;
        Game::of(&game, vec![step])
    }

    /// Take back the last action, if there is one.
    undo { record: String } -> Game {
        let mut game = Game::read(&record)?;
        game.undo();
        Game::of(&game, Vec::new())
    }

    /// Read a position.
    position { position: String } -> Position { Ok((&positioned(&position)?).into()) }

    /// Return the points of a table's games so far, from their records; a Dynasty, `total` or `best`, has three games.
    totals { records: Vec<String>, dynasty: Option<String> } -> Totals {
        let dynasty = dynasty.as_deref().map(dynasty_of).transpose()?;
        let games = records.iter().map(|record| Game::read(record)).collect::<Result<Vec<_>>>()?;
        let first = games.first().ok_or_else(|| Failure::new("a table has at least one game"))?;
        Ok(Totals::of(first.start().rules(), &games, dynasty.map(|kind| (kind, DYNASTY_GAMES))))
    }

    /// Return a position as the start of a table's game.
    start { position: String } -> Start { Ok((&positioned(&position)?).into()) }

    /// Read a record of either form.
    read_record { record: String } -> RecordPositions {
        let record = engine::Record::read(&record)?;
        Ok(RecordPositions {
            positions: record.positions().iter().map(ToString::to_string).collect(),
            actions: record.actions().iter().map(ToString::to_string).collect(),
            players: record.players().to_vec(),
            tags: record.tags().clone(),
        })
    }

    /// Return a record with these players' names, one per seat, and further facts as tags; without the facts still hidden.
    label_record { record: String, players: Vec<String>, tags: BTreeMap<String, String> } -> String {
        let record = engine::Record::read(&record)?;
        Ok(engine::Record::new(&record.replay()?, false, players, tags, record.comments().clone())?.to_string())
    }

    /// Check the set-up of a position.
    check_setup { setup: SetUp } -> Checked { Ok(setup.check()?) }

    /// Score the kingdoms of a real table, even impossible ones, and return the doubts. `edition` is `first` or `second`.
    score_kingdoms {
        size: u8,
        edition: String,
        harmony: bool,
        middle_kingdom: bool,
        kingdoms: Vec<TableKingdom>
    } -> Scored { scores::score(size, &edition, (harmony, middle_kingdom), &kingdoms) }

    /// Search for the best kingdom of some dominoes, placed in any order, in this many steps of some microseconds: a lower
    /// bound. With a kingdom, use the dominoes of one of its tilings: the result is never worse than the kingdom.
    best_arrangement {
        kingdom: Option<String>,
        dominoes: Vec<u8>,
        rules: String,
        steps: u32,
        seed: Seed
    } -> Arrangement { scores::best_arrangement(kingdom.as_deref(), &dominoes, &parsed(&rules)?, steps, seed.0) }

    /// Return the outcome of a Dynasty, `total` or `best`, whose games have these points, one per seat.
    dynasty_outcome { dynasty: String, games: Vec<Vec<u32>> } -> Outcome { scores::dynasty(dynasty_of(&dynasty)?, &games) }

    /// Read a kingdom from a person's text: rows of letters or words, or the text of a kingdom, with the castle anywhere.
    read_grid { text: String, size: u8 } -> Grid { scores::read_grid(&text, size) }

    /// Return the options of the seat to move: placements with their gains, the reasons against the others, claims.
    choices { position: String } -> Option<Choices> { Ok(Choices::of(&positioned(&position)?)) }

    /// Return the placements of a domino in a real kingdom; null if the rules do not let it grow.
    placements { size: u8, squares: Vec<SetUpSquare>, domino: u8 } -> Option<Placements> {
        scores::placements(size, &squares, parsed(&domino.to_string())?)
    }

    /// Sample everything hidden that is due, and return that continuation.
    sample { position: String, seed: Seed } -> Position { Ok((&positioned(&position)?.sample(seed.0)).into()) }

    /// Sample a line if one is due, and return its value after a short search.
    sample_line { position: String, seed: Seed, playouts: u32 } -> SampledLine {
        let position = positioned(&position)?;
        if position.stage() != engine::Stage::Reveal {
            return Err(Failure::new("no line is due"));
        }
        let sampled = position.sample(seed.0);
        let options = search::TreeOptions::of(position.rules());
        let mut search = search::Search::new(&sampled, options, seed.0);
        search.solve(SOLVING_A_LINE);
        grow_on(&mut search, playouts, None);
        let best = search.analysis().actions.swap_remove(0);
        let dominoes = position.unseen().without(sampled.unseen());
        Ok(SampledLine {
            dominoes: dominoes.into_iter().map(engine::Domino::number).collect(),
            win_rates: best.win_rates,
            mean_margin: best.mean_margin,
        })
    }

    /// Play an action in a position.
    move_on { position: String, action: String } -> Position {
        let (mut position, action) = (positioned(&position)?, parsed(&action)?);
        position.play(action).map_err(|refusal| Failure::illegal(&refusal, action))?;
        Ok((&position).into())
    }

    /// Reveal a line if one is due.
    reveal { position: String, dominoes: Vec<u8> } -> Position {
        let mut position = positioned(&position)?;
        let line: Option<Vec<_>> = dominoes.into_iter().map(engine::Domino::new).collect();
        position.reveal(&line.ok_or_else(|| Failure::new("dominoes are 1 to 48"))?)?;
        Ok((&position).into())
    }

    /// Draw a king if one is due.
    draw { position: String, seat: usize } -> Position {
        let mut position = positioned(&position)?;
        position.draw(seat)?;
        Ok((&position).into())
    }

    /// Return why an action is refused in a position, or null.
    refusal { position: String, action: String } -> Option<Refusal> {
        let (position, action) = (positioned(&position)?, parsed(&action)?);
        Ok(position.check(action).err().as_ref().map(Refusal::from))
    }

    /// Read a kingdom, and score it under these rules.
    kingdom { kingdom: String, rules: String } -> Kingdom {
        let rules: engine::Rules = parsed(&rules)?;
        let kingdom = engine::Kingdom::parse(&kingdom, rules.kingdom_size()).map_err(Failure::new)?;
        Ok(Kingdom::of(&kingdom, &rules))
    }

    /// Return the action that a policy chooses: random, greedy, tuned, gprd or fg. Noise, in points, is for tuned.
    choose { position: String, policy: String, seed: Seed, noise: Option<f64> } -> String {
        let position = positioned(&position)?;
        let policy = self::policy(&policy)?;
        let action = match (policy, noise) {
            (search::Policy::Tuned, Some(noise)) if noise > 0.0 => {
                search::choose_with_noise(&position, noise, seed.0)
            }
            (_, Some(noise)) if noise > 0.0 => return Err(Failure::new("only the policy tuned can have noise")),
            _ => search::choose(&position, policy, seed.0),
        };
        action.map(|action| action.to_string()).ok_or_else(|| Failure::new("no seat is to move"))
    }

    /// Return how a level of the bot king, 1 to 8, decides.
    level_move { position: String, level: usize, seed: Seed } -> LevelMove {
        let decided = search::level_move(&positioned(&position)?, level, seed.0);
        Ok(match decided.ok_or_else(|| Failure::new("no seat is to move"))? {
            search::LevelMove::Chosen(action) => LevelMove { action: Some(action.to_string()), playouts: None },
            search::LevelMove::Search(playouts) => LevelMove { action: None, playouts },
        })
    }

    /// Play a position to its end n times, each time with a newly sampled deck, and return the statistics.
    playouts { position: String, n: u32, policy: String, seed: Seed } -> search::PlayoutResult {
        let (position, policy) = (positioned(&position)?, self::policy(&policy)?);
        let result = search::playouts(&position, n.into(), policy, 1, seed.0, &mut || true);
        result.ok_or_else(|| Failure::new("it was stopped"))
    }

    /// Begin a search, of these actions alone if some are named, and return its number. It stays in memory until free.
    /// Workers that share a search each grow the tree of another number; merge combines their results.
    search { position: String, seed: Seed, actions: Option<Vec<String>>, tree: Option<u32> } -> u32 {
        let position = positioned(&position)?;
        position.to_move().ok_or_else(|| Failure::new("no seat is to move"))?;
        let options = search::TreeOptions::of(position.rules());
        let search = match actions {
            None => search::Search::new(&position, options, seed.0),
            Some(actions) => {
                let actions: Vec<engine::Action> =
                    actions.iter().map(|action| parsed(action)).collect::<Result<_>>()?;
                for action in &actions {
                    position.check(*action).map_err(|refusal| Failure::illegal(&refusal, *action))?;
                }
                search::Search::comparing(&actions, &position, options, seed.0)
            }
        };
        let search = match tree {
            None => search,
            Some(number) => search.in_tree(number.into()),
        };
        Ok(keep(Held::Search(Box::new(search))))
    }

    /// Search on until the playouts are made or the tree has this many nodes, and return why it stopped: limit, full, solved
    /// or stopped. Stopped means that an ending is not solved yet; the next run goes on. With a number of steps, each a few
    /// milliseconds, the solver gets those, and the playouts follow whether it is done or not.
    run {
        search: u32,
        playouts: u32,
        nodes: Option<usize>,
        steps: Option<u32>
    } -> String {
        with_search(search, |search| {
            if !search.solve(steps.unwrap_or(search::STEPS)) && steps.is_none() {
                return Ok(search::Stop::Stopped.name().into());
            }
            let nodes = Some(nodes.unwrap_or(MOST_NODES));
            Ok(grow_on(search, playouts, nodes).ok_or_else(|| Failure::new("no seat is to move"))?.name().into())
        })
    }

    /// Return the sums of each tree of a search.
    sums { search: u32 } -> Vec<search::TreeSums> { with_search(search, |search| Ok(search.sums())) }

    /// Merge the results of a search's trees, in the order of their numbers.
    merge { trees: Vec<search::TreeSums> } -> search::Analysis { Ok(search::Analysis::merged(&trees)) }

    /// Return the results of a search.
    analysis { search: u32 } -> search::Analysis { with_search(search, |search| Ok(search.analysis())) }

    /// Continue with the part of a search after an action.
    advance { search: u32, action: String } -> Position {
        let action = parsed(&action)?;
        with_search(search, |search| {
            search.advance(action).map_err(|refusal| Failure::illegal(&refusal, action))?;
            Ok(search.position().into())
        })
    }

    /// Begin a search with a copy of another's part after an action, and return its number.
    branch { search: u32, action: String } -> u32 {
        let action = parsed(&action)?;
        let mut branch = with_search(search, |search| Ok(search.clone()))?;
        branch.advance(action).map_err(|refusal| Failure::illegal(&refusal, action))?;
        Ok(keep(Held::Search(Box::new(branch))))
    }

    /// Forget a search.
    free { search: u32 } -> () {
        forget(search);
        Ok(())
    }

    /// Begin to judge a decision of a record, as a review with this seed does, and return the number of the work; of
    /// another action in its place, if one is named. It stays in memory until it is complete or dropped.
    judge_ply { record: String, ply: usize, playouts: u32, seed: Seed, action: Option<String> } -> u32 {
        let story = story(&record)?;
        if ply >= story.plies() {
            return Err(Failure::new(format!("there is no decision {ply}")));
        }
        let judging = match action {
            None => story.judging(ply, playouts.into(), seed.0),
            Some(action) => {
                let action = parsed(&action)?;
                story
                    .judging_another(ply, action, playouts.into(), seed.0)
                    .map_err(|refusal| Failure::illegal(&refusal, action))?
            }
        };
        Ok(keep(Held::Judging(Box::new(judging))))
    }

    /// Begin to judge an action in a position, and return the number of the work.
    judge { position: String, action: String, playouts: u32, seed: Seed } -> u32 {
        let (position, action) = (positioned(&position)?, parsed(&action)?);
        let judging = review::Judging::new(&position, action, 0, playouts.into(), seed.0);
        let judging = judging.map_err(|refusal| Failure::illegal(&refusal, action))?;
        Ok(keep(Held::Judging(Box::new(judging))))
    }

    /// Begin to find the value before the first event of a record, and return the number of the work.
    judge_start { record: String, playouts: u32, seed: Seed } -> u32 {
        Ok(keep(Held::Starting(Box::new(story(&record)?.starting(playouts.into(), seed.0)))))
    }

    /// Work on for at most this many playouts, or some steps of the solver of endings, and return the result once the work is
    /// complete.
    work { work: u32, playouts: u32 } -> Option<Found> {
        let found = HELD.with_borrow_mut(|(_, held)| match held.get_mut(&work) {
            Some(Held::Judging(judging)) => {
                judging.step(playouts.into());
                let decision = judging.decision().cloned();
                Ok(decision.map(|decision| Found { decision: Some(decision), start: None }))
            }
            Some(Held::Starting(starting)) => {
                starting.step(playouts.into());
                Ok(starting.value().map(|start| Found { decision: None, start: Some(start) }))
            }
            _ => Err(Failure::new("this work is over")),
        })?;
        if found.is_some() {
            forget(work);
        }
        Ok(found)
    }

    /// Drop unfinished work.
    drop_work { work: u32 } -> () {
        forget(work);
        Ok(())
    }

    /// Return the review of the first decisions of a record, as they were judged; `start` is the value before its first
    /// event.
    review { record: String, start: review::Value, decisions: Vec<review::Decision> } -> review::Review {
        Ok(story(&record)?.assemble(&start, &decisions))
    }

    /// Return the sums of a player's costs over many games of a rules set; `games` has one list of decisions per game.
    summary { rules: String, games: Vec<Vec<review::DecisionCost>> } -> review::Summary {
        Ok(review::Summary::of(&games, Some(&parsed::<engine::Rules>(&rules)?)))
    }

    /// Return a hint: an action, and why a tempting other one is worse.
    hint { position: String, action: String } -> review::Hint {
        let (position, action) = (positioned(&position)?, parsed(&action)?);
        review::hint(&position, action).map_err(|refusal| Failure::illegal(&refusal, action))
    }

    /// Return the worth of each domino of the line being claimed to every kingdom; empty if no line is being claimed,
    /// and in the opening round.
    worth { position: String } -> Vec<search::DominoWorth> { Ok(search::worth(&positioned(&position)?)) }

    /// Read a file of puzzles (docs/formats/puzzles.md).
    read_puzzles { text: String } -> Vec<puzzle::Puzzle> {
        puzzle::Puzzle::read(&text).map_err(Failure::new)
    }

    /// Return the index of a day's puzzle, of this many. `date` is like `2026-03-01`.
    daily_puzzle { date: String, puzzles: usize } -> usize {
        puzzle::daily(&date, puzzles).map_err(Failure::new)
    }
}

/// A call: its name and its arguments.
#[derive(Deserialize)]
struct Call<'a> {
    name: &'a str,
    #[serde(borrow)]
    arguments: BTreeMap<&'a str, &'a RawValue>,
}

/// Answers a call in JSON: `{"answer": …}` or `{"failure": …}`.
pub fn answer(call: &[u8]) -> String {
    let answered = serde_json::from_slice::<Call<'_>>(call)
        .map_err(Failure::new)
        .and_then(|call| dispatch(call.name, call.arguments));
    match answered {
        Ok(answer) => format!(r#"{{"answer":{answer}}}"#),
        Err(failure) => format!(r#"{{"failure":{}}}"#, to_json(&failure).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base64::Engine as _;
    use kingdomino_table as table;

    use crate::{scores, setup, values};

    /// The declarations for TypeScript.
    fn declared() -> String {
        let values: Vec<String> = [
            table::KingdomTerritory::decl(&Default::default()),
            table::KingdomScore::decl(&Default::default()),
            table::Rules::decl(&Default::default()),
            values::End::decl(&Default::default()),
            values::Domino::decl(&Default::default()),
            values::Square::decl(&Default::default()),
            values::Territory::decl(&Default::default()),
            values::Score::decl(&Default::default()),
            values::Kingdom::decl(&Default::default()),
            table::LineEntry::decl(&Default::default()),
            values::Position::decl(&Default::default()),
            values::Outcome::decl(&Default::default()),
            table::TerrainSquare::decl(&Default::default()),
            table::BareKingdom::decl(&Default::default()),
            table::Start::decl(&Default::default()),
            table::Event::decl(&Default::default()),
            table::Turn::decl(&Default::default()),
            table::Step::decl(&Default::default()),
            table::MatchResult::decl(&Default::default()),
            table::Totals::decl(&Default::default()),
            values::Refusal::decl(&Default::default()),
            values::Fault::decl(&Default::default()),
            values::RecordPositions::decl(&Default::default()),
            values::SampledLine::decl(&Default::default()),
            table::TerritoryGain::decl(&Default::default()),
            table::PlacementChoice::decl(&Default::default()),
            table::RefusedPlacements::decl(&Default::default()),
            table::ClaimChoice::decl(&Default::default()),
            table::Choices::decl(&Default::default()),
            table::Placements::decl(&Default::default()),
            setup::SetUpSquare::decl(&Default::default()),
            setup::SetUpKing::decl(&Default::default()),
            scores::TableSquare::decl(&Default::default()),
            scores::TableKingdom::decl(&Default::default()),
            scores::Doubt::decl(&Default::default()),
            scores::ScoredKingdom::decl(&Default::default()),
            Scored::decl(&Default::default()),
            scores::Laid::decl(&Default::default()),
            Arrangement::decl(&Default::default()),
            Grid::decl(&Default::default()),
            Pixels::decl(&Default::default()),
            photo::ReadSquare::decl(&Default::default()),
            Reading::decl(&Default::default()),
            SetUp::decl(&Default::default()),
            Checked::decl(&Default::default()),
            search::ActionAnalysis::decl(&Default::default()),
            search::Analysis::decl(&Default::default()),
            search::ActionSums::decl(&Default::default()),
            search::TreeSums::decl(&Default::default()),
            search::PlayoutResult::decl(&Default::default()),
            search::DominoWorth::decl(&Default::default()),
            review::Value::decl(&Default::default()),
            review::Reason::decl(&Default::default()),
            review::Theme::decl(&Default::default()),
            review::Alternative::decl(&Default::default()),
            review::Source::decl(&Default::default()),
            review::CostPart::decl(&Default::default()),
            review::Decision::decl(&Default::default()),
            review::Luck::decl(&Default::default()),
            review::Level::decl(&Default::default()),
            review::Account::decl(&Default::default()),
            review::DecisionCost::decl(&Default::default()),
            review::Estimate::decl(&Default::default()),
            review::ThemeSum::decl(&Default::default()),
            review::Summary::decl(&Default::default()),
            review::SeatReview::decl(&Default::default()),
            review::Review::decl(&Default::default()),
            review::Hint::decl(&Default::default()),
            puzzle::Puzzle::decl(&Default::default()),
            LevelMove::decl(&Default::default()),
            Found::decl(&Default::default()),
            Seed::decl(&Default::default()),
            Game::decl(&Default::default()),
            Failure::decl(&Default::default()),
        ]
        .map(|value| format!("export {value}\n"))
        .into();
        format!(
            "// Written by a test of crates/web from the types of Rust; do not edit.\n\nexport type Terrain = {};\n\n{}\n/** What can be called, by name. */\nexport interface Calls {{\n{}\n}}\n",
            engine::Terrain::ALL.map(|terrain| format!("{:?}", terrain.name())).join(" | "),
            values.join("\n"),
            declarations().join("\n\n"),
        )
    }

    /// Run with `WRITE=1` to write them.
    #[test]
    fn the_declarations_match_the_types() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("js/calls.d.ts");
        if std::env::var_os("WRITE").is_some() {
            std::fs::write(&path, declared()).expect("the file can be written");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), declared());
    }

    #[test]
    fn a_call_that_cannot_be_answered_says_why() {
        for (call, why) in [
            ("", "EOF while parsing"),
            (r#"{"name":"dance","arguments":{}}"#, "there is no call \"dance\""),
            (r#"{"name":"rules","arguments":{}}"#, "the argument rules: invalid type: null"),
            (r#"{"name":"rules","arguments":{"rules":"2.second"}}"#, "the opening is missing"),
            (r#"{"name":"analysis","arguments":{"search":7}}"#, "this search was freed"),
        ] {
            let answered = answer(call.as_bytes());
            assert!(
                answered.starts_with(r#"{"failure":"#) && answered.contains(&why.replace('"', "\\\"")),
                "{answered}"
            );
        }
    }

    /// Calls, and reads the answer.
    fn ask(name: &str, arguments: serde_json::Value) -> serde_json::Value {
        let call = serde_json::json!({ "name": name, "arguments": arguments });
        let answered = answer(call.to_string().as_bytes());
        serde_json::from_str(&answered).expect("JSON")
    }

    #[test]
    fn every_position_of_a_game_can_be_set_up_again() {
        for rules in ["2.second.random.harmony", "4.second.random", "2.first.snake.duel"] {
            let mut game = engine::Game::new(rules.parse().expect("rules"), 5);
            while let Some(action) = game.position().legal_actions().first().copied() {
                let shown = ask("position", serde_json::json!({ "position": game.position().to_string() }));
                let shown = &shown["answer"];
                let is_opening = shown["round"] == 0;
                let kings = |line: &serde_json::Value| -> Vec<serde_json::Value> {
                    let slots = line.as_array().expect("a line").iter();
                    slots
                        .map(|slot| serde_json::json!({ "domino": slot["domino"], "seat": slot["seat"] }))
                        .collect()
                };
                let squares = |kingdom: &serde_json::Value| -> Vec<serde_json::Value> {
                    let all = kingdom["squares"].as_array().expect("squares").iter();
                    let land = all.filter(|square| square["terrain"] != "castle");
                    land.map(|one| {
                        let (x, y) = (&one["at"][0], &one["at"][1]);
                        serde_json::json!({ "x": x, "y": y, "terrain": one["terrain"], "crowns": one["crowns"] })
                    })
                    .collect()
                };
                let kingdoms: Vec<_> =
                    shown["kingdoms"].as_array().expect("kingdoms").iter().map(squares).collect();
                let (line, next_line) = (kings(&shown["line"]), kings(&shown["next_line"]));
                let setup = serde_json::json!({
                    "rules": rules, "round": shown["round"], "finished": if is_opening { &shown["round"] } else { &shown["turn"] },
                    "settled": shown["phase"] == "claim" && !is_opening, "seat": shown["to_move"],
                    "line": if is_opening { &next_line } else { &line },
                    "next_line": if is_opening { &line } else { &next_line },
                    "unseen": shown["unseen"], "kingdoms": kingdoms,
                });
                let checked = ask("check_setup", serde_json::json!({ "setup": setup }));
                assert_eq!(checked["answer"], serde_json::json!({ "position": shown, "faults": [] }));
                let choices = &ask("choices", serde_json::json!({ "position": shown["text"] }))["answer"];
                let listed = choices["placements"].as_array().expect("placements").len()
                    + choices["claims"].as_array().expect("claims").len();
                assert_eq!(listed.max(1), shown["actions"].as_array().expect("actions").len());
                if let Some(domino) = choices["domino"].as_u64() {
                    let kingdom = &kingdoms[choices["seat"].as_u64().expect("a seat") as usize];
                    let table = serde_json::json!({
                        "size": game.position().rules().kingdom_size().squares(), "squares": kingdom, "domino": domino,
                    });
                    let alone = &ask("placements", table)["answer"];
                    for key in ["placements", "refused"] {
                        assert_eq!(alone[key], choices[key]);
                    }
                }
                game.play(action).expect("legal");
            }
        }
    }

    #[test]
    fn all_faults_come_at_once_with_their_facts() {
        let square = |x, y, terrain, crowns| serde_json::json!({ "x": x, "y": y, "terrain": terrain, "crowns": crowns });
        let setup = serde_json::json!({
            "rules": "2.second.random", "round": 1, "finished": 0, "settled": false, "seat": 0, "next_line": [],
            "line": [{ "domino": 9, "seat": 0 }, { "domino": 3, "seat": null }],
            "unseen": [3], "kingdoms": [[square(1, 0, "wheat", 3), square(4, 4, "lake", 0)], []],
        });
        let checked = ask("check_setup", serde_json::json!({ "setup": setup }));
        let faults = checked["answer"]["faults"].as_array().expect("faults").clone();
        let codes: Vec<_> = faults.iter().map(|fault| fault["code"].as_str().expect("a code")).collect();
        assert_eq!(codes[..2], ["no_such_end", "unconnected"]);
        assert!(codes.contains(&"shown_and_unseen") && codes.contains(&"unseen_count"), "{codes:?}");
        assert_eq!(
            (&faults[0]["seat"], &faults[0]["square"], &faults[0]["found"]),
            (&0.into(), &[1, 0].into(), &3.into())
        );
        let parsed =
            ask("position", serde_json::json!({ "position": "kd1 2.second.random 0 claim:7 - - 1-48 C;C" }));
        assert!(!parsed["failure"]["faults"].as_array().expect("faults").is_empty());
    }

    #[test]
    fn kingdoms_of_a_real_table_are_scored_with_doubts() {
        let square = |x, y, terrain, crowns| serde_json::json!({ "x": x, "y": y, "terrain": terrain, "crowns": crowns });
        let kingdom = |squares: &[serde_json::Value]| serde_json::json!({ "squares": squares });
        let first = kingdom(&[
            square(3, 3, "castle", 0),
            square(3, 4, "mine", 3),
            square(4, 4, "wheat", 0),
            square(2, 3, "wheat", 0),
            square(1, 3, "wheat", 0),
        ]);
        let second = kingdom(&[square(0, 0, "castle", 0), square(1, 0, "mine", 3), square(2, 0, "mine", 0)]);
        let arguments = |kingdoms: &[&serde_json::Value], size: i8| {
            serde_json::json!({
                "size": size, "edition": "first", "harmony": true, "middle_kingdom": true, "kingdoms": kingdoms,
            })
        };
        let scored = &ask("score_kingdoms", arguments(&[&first, &second], 5))["answer"];
        let [one, other] = &scored["kingdoms"].as_array().expect("kingdoms")[..] else { panic!("{scored}") };
        assert_eq!(one["text"], "..m3w/wwC.");
        assert_eq!((&one["score"]["total"], &one["can_be_built"]), (&3.into(), &true.into()));
        assert_eq!((&other["score"]["total"], &other["can_be_built"]), (&6.into(), &false.into()));
        let codes: Vec<_> =
            other["doubts"].as_array().expect("doubts").iter().map(|doubt| &doubt["code"]).collect();
        assert_eq!(codes, ["end_count", "no_tiling"]);
        assert_eq!(other["doubts"][0]["squares"], serde_json::json!([[1, 0]]));
        assert_eq!(
            (&scored["outcome"]["places"], &scored["outcome"]["winners"]),
            (&serde_json::json!([2, 1]), &serde_json::json!([1]))
        );
        let alone = &ask("score_kingdoms", arguments(&[&second], 7))["answer"];
        assert_eq!(
            (&alone["outcome"], &alone["kingdoms"][0]["score"]["total"]),
            (&serde_json::Value::Null, &6.into())
        );
        for (size, kingdom) in [
            (6, &first),
            (5, &kingdom(&[square(99, 0, "lake", 0)])),
            (5, &kingdom(&[square(0, 0, "lake", 4)])),
        ] {
            assert!(ask("score_kingdoms", arguments(&[kingdom], size))["failure"]["message"].is_string());
        }
    }

    #[test]
    fn the_best_arrangement_of_a_kingdom_is_legal_and_never_worse() {
        let text = "w1wwff/wwf1fl/ggCll/g1ssl1l/wwwl1f";
        let ask_for = |kingdom: serde_json::Value, dominoes: &[u8]| {
            let arguments = serde_json::json!({
                "kingdom": kingdom, "dominoes": dominoes, "rules": "2.second.random", "steps": 100, "seed": 1,
            });
            ask("best_arrangement", arguments)
        };
        let rules = engine::Rules::default();
        for (kingdom, dominoes) in
            [(serde_json::Value::Null, vec![1, 48]), ("C".into(), vec![]), ("m3w/.C".into(), vec![])]
        {
            let best = &ask_for(kingdom, &dominoes)["answer"];
            let mut again = engine::Kingdom::new(rules.kingdom_size());
            for laid in best["dominoes"].as_array().expect("dominoes") {
                let number = laid["domino"].as_u64().expect("a number");
                let domino = engine::Domino::new(number as u8).expect("a domino");
                let placement =
                    laid["placement"].as_str().and_then(|text| text.parse().ok()).expect("a placement");
                assert_eq!(again.check(domino, placement), Ok(()));
                again.place_unchecked(domino, placement);
            }
            assert_eq!(best["kingdom"]["text"], again.to_string());
        }
        assert!(ask_for(text.replace("w1", "w3").into(), &[])["failure"]["message"].is_string());
        assert!(ask_for(serde_json::Value::Null, &[49])["failure"]["message"].is_string());
    }

    #[test]
    fn a_photograph_is_read_as_it_was_taught() {
        // 25 squares of 20 pixels, each of one colour.
        let castle = 12;
        let rgba = |light: u8| -> String {
            let pixel = |place: usize| {
                let (row, column) = (place / 100 / 20, place % 100 / 20);
                let square = 5 * row + column;
                [light, if square == castle { 0 } else { light }, light / 2, 255]
            };
            let bytes: Vec<u8> = (0..100 * 100).flat_map(pixel).collect();
            base64::prelude::BASE64_STANDARD.encode(bytes)
        };
        let pixels = |light: u8| serde_json::json!({ "width": 100, "height": 100, "rgba": rgba(light) });
        let corners = serde_json::json!([[0, 0], [100, 0], [100, 100], [0, 100]]);
        let squares: Vec<&str> = (0..25).map(|square| if square == castle { "C" } else { "w" }).collect();
        let taught = ask(
            "teach_photo",
            serde_json::json!({ "pixels": pixels(200), "size": 5, "corners": corners, "squares": squares }),
        )["answer"]
            .clone();
        assert_eq!(taught.as_str().map(str::len), Some(4 * 25 * 129 / 3 * 4));
        let read = |pixels: serde_json::Value, taught: &serde_json::Value| {
            ask("read_photo", serde_json::json!({ "pixels": pixels, "size": 5, "taught": taught }))
        };
        let answer = &read(pixels(160), &taught)["answer"];
        assert_eq!(answer["squares"][castle]["content"], "C");
        assert_eq!(answer["problem"], serde_json::Value::Null);
        assert_eq!(read(pixels(2), &"of another version".into())["answer"]["problem"], "too_dark");
        let half = serde_json::json!({ "width": 100, "height": 50, "rgba": rgba(90) });
        assert_eq!(read(half, &taught)["failure"]["is_misuse"], true);
    }

    #[test]
    fn a_pasted_grid_is_read_with_all_its_faults() {
        let read =
            |text: &str| ask("read_grid", serde_json::json!({ "text": text, "size": 5 }))["answer"].clone();
        let squares = read("wheat 1, castle\nocean, .");
        assert_eq!(squares["squares"].as_array().map(Vec::len), Some(3));
        assert_eq!(
            squares["squares"][0],
            serde_json::json!({ "at": [0, 0], "terrain": "lake", "crowns": 0 })
        );
        let faults = read("w4, desert\nC, C");
        let sentences: Vec<_> =
            faults["faults"].as_array().expect("faults").iter().map(|fault| &fault["sentence"]).collect();
        assert_eq!(sentences[0], "row 1, column 1: 4 crowns (a square has 0 to 3)");
        assert_eq!(sentences.len(), 2);
        assert_eq!(faults["faults"][0]["place"], serde_json::json!([1, 1]));
    }

    #[test]
    fn a_kingdom_of_a_real_table_may_not_grow() {
        let placements = |squares: serde_json::Value, domino: u8| {
            ask("placements", serde_json::json!({ "size": 5, "squares": squares, "domino": domino }))
        };
        let square = |x: i8, y: i8| serde_json::json!({ "x": x, "y": y, "terrain": "wheat", "crowns": 0 });
        let too_wide = placements(serde_json::json!([square(-3, 0), square(3, 0)]), 19);
        assert_eq!(too_wide["answer"], serde_json::Value::Null);
        assert!(placements(serde_json::json!([]), 48)["answer"].is_object());
        assert!(placements(serde_json::json!([]), 49)["failure"]["message"].is_string());
    }

    #[test]
    fn a_dynasty_on_a_real_table_has_an_outcome() {
        let games = serde_json::json!([[30, 40], [50, 45], [10, 20]]);
        let outcome = |dynasty: &str| {
            ask("dynasty_outcome", serde_json::json!({ "dynasty": dynasty, "games": games }))["answer"]
                .clone()
        };
        let points =
            |outcome: &serde_json::Value| [0, 1].map(|seat| outcome["scores"][seat]["total"].as_u64());
        assert_eq!(points(&outcome("total")), [Some(90), Some(105)]);
        assert_eq!(
            (points(&outcome("best")), &outcome("best")["winners"]),
            ([Some(50), Some(45)], &serde_json::json!([0]))
        );
        let uneven = serde_json::json!({ "dynasty": "total", "games": [[1, 2], [3]] });
        assert!(ask("dynasty_outcome", uneven)["failure"]["message"].is_string());
    }

    #[test]
    fn a_record_is_read_into_its_decisions() {
        let mut game = engine::Game::new(engine::Rules::default(), 7);
        while let Some(action) = game.position().legal_actions().first().copied() {
            game.play(action).expect("legal");
        }
        let names = vec!["Ida".into(), "Oskar".into()];
        let record =
            engine::Record::new(&game, false, names, BTreeMap::new(), BTreeMap::new()).expect("a record");
        let read = &ask("read_record", serde_json::json!({ "record": record.to_string() }))["answer"];
        let positions = read["positions"].as_array().expect("positions");
        assert_eq!(positions.len(), record.actions().len() + 1);
        assert_eq!(read["players"], serde_json::json!(["Ida", "Oskar"]));
        let labels = serde_json::json!({
            "record": record.to_string(), "players": ["Ann", "Bert"], "tags": { "bot-1": "king", "date": "2026-11-21" },
        });
        let labelled = &ask("label_record", labels)["answer"];
        let again = &ask("read_record", serde_json::json!({ "record": labelled }))["answer"];
        assert_eq!(again["players"], serde_json::json!(["Ann", "Bert"]));
        assert_eq!(again["tags"], serde_json::json!({ "bot-1": "king", "date": "2026-11-21" }));
        assert_eq!(again["actions"], read["actions"]);
        let refused =
            ask("read_record", serde_json::json!({ "record": record.to_string().replace("claim", "place") }));
        assert!(refused["failure"]["number"].is_number() && !refused["failure"]["faults"][0].is_null());
    }

    #[test]
    fn a_due_line_is_sampled_with_its_value() {
        let mut game = engine::Game::new(engine::Rules::default(), 7);
        while game.position().round() < 1 {
            let action = game.position().legal_actions()[0];
            game.play(action).expect("legal");
        }
        let record = engine::Record::new(&game, false, Vec::new(), BTreeMap::new(), BTreeMap::new())
            .expect("a record");
        let mut position = record.positions().pop().expect("a position");
        if position.stage() != engine::Stage::Reveal {
            let before = record.positions();
            position = before[before.len() - 2];
            position.play(record.actions()[before.len() - 2]).expect("legal");
        }
        let arguments = serde_json::json!({ "position": position.to_string(), "seed": 3, "playouts": 20 });
        let line = ask("sample_line", arguments.clone());
        assert_eq!(line, ask("sample_line", arguments), "the same seed gives the same line");
        assert_eq!(line["answer"]["dominoes"].as_array().expect("dominoes").len(), 4);
        assert_eq!(line["answer"]["win_rates"].as_array().expect("rates").len(), 2);
    }
}
