//! The calls of a page that plays: rules, games, bots and searches.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kingdomino_rules as engine;
use kingdomino_search as search;
use kingdomino_table::{Choices, Rules, Start, Step, Totals};
use serde::Serialize;
#[cfg(test)]
use ts_rs::TS;

use super::{Arguments, Failure, Held, Result, Seed, argument, parsed, positioned, to_json};
use crate::values::{Domino, Kingdom, Position, RecordPositions, Refusal};

/// A game between two calls: its record with the hidden part, and the last events.
#[derive(Serialize)]
#[cfg_attr(test, derive(TS))]
pub(crate) struct Game {
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
pub(crate) struct LevelMove {
    /// The action; null if it takes the best of a search.
    pub action: Option<String>,
    /// The playouts of that search; null: no limit.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub playouts: Option<u64>,
}

thread_local! {
    static SEARCHES: RefCell<Held<search::Search>> = const { RefCell::new(Held::new()) };
}

pub(super) fn number_from(first: u32) {
    SEARCHES.with_borrow_mut(|searches| searches.last = first);
}

fn keep(search: search::Search) -> u32 {
    SEARCHES.with_borrow_mut(|searches| searches.keep(search))
}

fn with_search<T>(number: u32, work: impl FnOnce(&mut search::Search) -> Result<T>) -> Result<T> {
    SEARCHES.with_borrow_mut(|searches| match searches.all.get_mut(&number) {
        Some(search) => work(search),
        None => Err(Failure::new("this search was freed")),
    })
}

/// The games of a Dynasty.
const DYNASTY_GAMES: usize = 3;

pub(super) fn dynasty_of(name: &str) -> Result<engine::Dynasty> {
    let named = engine::Dynasty::ALL.into_iter().find(|kind| kind.name() == name);
    named.ok_or_else(|| Failure::new(format!("there is no Dynasty {name:?}")))
}

/// Makes playouts, even where an ending is not solved yet: its solver stops after one more step.
pub(super) fn grow_on(
    search: &mut search::Search,
    playouts: u32,
    nodes: Option<usize>,
) -> Option<search::Stop> {
    let mut is_due = search.is_solving();
    let limit = search::Limit { time: None, playouts: Some(playouts.into()), nodes };
    search.run(&limit, 1, &mut || !std::mem::take(&mut is_due))
}

/// The default limit for the nodes of a search: some 60 MB.
const MOST_NODES: usize = 1 << 18;

calls! {
    /// Return the facts of a rules set.
    rules { rules: String } -> Rules { Ok(parsed::<engine::Rules>(&rules)?.into()) }

    /// Return every rules set.
    all_rules {} -> Vec<Rules> { Ok(engine::Rules::all().map(Rules::from).collect()) }

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

    /// Return the options of the seat to move: placements with their gains, the reasons against the others, claims.
    choices { position: String } -> Option<Choices> { Ok(Choices::of(&positioned(&position)?)) }

    /// Sample everything hidden that is due, and return that continuation.
    sample { position: String, seed: Seed } -> Position { Ok((&positioned(&position)?.sample(seed.0)).into()) }

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

    /// Return how a level of the bot king, 1 to 8, decides.
    level_move { position: String, level: usize, seed: Seed } -> LevelMove {
        let decided = search::level_move(&positioned(&position)?, level, seed.0);
        Ok(match decided.ok_or_else(|| Failure::new("no seat is to move"))? {
            search::LevelMove::Chosen(action) => LevelMove { action: Some(action.to_string()), playouts: None },
            search::LevelMove::Search(playouts) => LevelMove { action: None, playouts },
        })
    }

    /// Return the file of the network that a search of this position lacks; null if the search can begin.
    lacking_network { position: String } -> Option<String> {
        Ok(search::lacking_network(positioned(&position)?.rules()).map(String::from))
    }

    /// Load a network from the content of its file.
    load_network { file: String, content: Vec<u8> } -> () {
        search::load_network(&file, &content).then_some(()).ok_or_else(|| Failure::misuse(format!("{file} is no network")))
    }

    /// Begin a search, of these actions alone if some are named, and return its number. It stays in memory until free.
    /// Workers that share a search each grow the tree of another number; merge combines their results.
    search { position: String, seed: Seed, actions: Option<Vec<String>>, tree: Option<u32> } -> u32 {
        let position = positioned(&position)?;
        position.to_move().ok_or_else(|| Failure::new("no seat is to move"))?;
        if let Some(network) = search::lacking_network(position.rules()) {
            return Err(Failure::misuse(format!("the search lacks {network}")));
        }
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
        Ok(keep(search))
    }

    /// Search on until the playouts are made (an ending that takes long counts as several) or the tree has this many
    /// nodes, and return why it stopped: limit, full, solved or stopped. Stopped means that an ending is not solved yet; the
    /// next run goes on. With a number of steps, each a few milliseconds, the solver gets those, and the playouts follow
    /// whether it is done or not.
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
        Ok(keep(branch))
    }

    /// Forget a search.
    free { search: u32 } -> () {
        SEARCHES.with_borrow_mut(|searches| searches.all.remove(&search));
        Ok(())
    }
}
