//! The events of a game.

use kingdomino_rules as engine;
use serde::Serialize;

use crate::values::{KingdomScore, LineEntry, Xy, numbers, xy};

/// Something that happened in a game.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Event {
    /// A line was revealed.
    Revealed {
        /// The round: 0 for the line of the opening.
        round: usize,
        /// Its dominoes, lowest first.
        line: Vec<u8>,
        /// The unseen dominoes.
        unseen: Vec<u8>,
        /// How many of them are in the deck.
        in_deck: usize,
    },
    /// A king was drawn in the opening, which claims next.
    KingDrawn {
        /// Whose.
        seat: usize,
    },
    /// A round began: the next line became the line.
    RoundBegan {
        /// Its number, from 1.
        round: usize,
        /// The line.
        line: Vec<LineEntry>,
    },
    /// A domino was claimed.
    Claimed {
        /// The number of the decision.
        ply: usize,
        /// By whom.
        seat: usize,
        /// Its number.
        domino: u8,
    },
    /// A domino was placed.
    Placed {
        /// The number of the decision.
        ply: usize,
        /// By whom.
        seat: usize,
        /// Its number.
        domino: u8,
        /// The square of its left end.
        left: Xy,
        /// The square of its right end.
        right: Xy,
        /// The points that it added.
        points: u16,
        /// The kingdom's score after it.
        score: KingdomScore,
    },
    /// A player discarded a domino that fits nowhere.
    Discarded {
        /// The number of the decision.
        ply: usize,
        /// By whom.
        seat: usize,
        /// Its number.
        domino: u8,
        /// The kingdom's score.
        score: KingdomScore,
    },
    /// The game ended. Lists have one entry per seat unless noted.
    Finished {
        /// The points.
        scores: Vec<KingdomScore>,
        /// The seats from first to last.
        ranking: Vec<usize>,
        /// The places, from 1; tied seats share one.
        places: Vec<usize>,
        /// The seats that won.
        winners: Vec<usize>,
        /// The rule that decided between first and second place.
        #[cfg_attr(feature = "ts", ts(type = "\"score\" | \"largest_territory\" | \"crowns\" | \"shared\""))]
        decided_by: &'static str,
        /// The rule that puts a seat behind the previous one in the ranking; null for the first.
        #[cfg_attr(
            feature = "ts",
            ts(type = "(\"score\" | \"largest_territory\" | \"crowns\" | \"shared\" | null)[]")
        )]
        behind_by: Vec<Option<&'static str>>,
        /// The squares of the largest territories.
        largest_territories: Vec<u32>,
        /// The crowns; empty under rules where they break no tie.
        crowns: Vec<u32>,
    },
    /// The facts hidden until the game ended.
    DeckRevealed {
        /// The dominoes that the game began with in its deck, line by line.
        deck: Vec<u8>,
        /// The seats in the order in which their kings were drawn.
        opening: Vec<usize>,
    },
}

/// The next decision.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Turn {
    /// Its number.
    pub ply: usize,
    /// Whose it is.
    pub seat: usize,
    /// `claim` or `place`.
    #[cfg_attr(feature = "ts", ts(type = "\"claim\" | \"place\""))]
    pub phase: &'static str,
    /// The domino to be placed.
    pub domino: Option<u8>,
    /// Whether it fits somewhere; true for a claim.
    pub fits: bool,
    /// The round.
    pub round: usize,
}

impl Turn {
    fn of(position: &engine::Position, ply: usize) -> Option<Turn> {
        let (seat, domino) = (position.to_move()?, position.domino());
        Some(Turn {
            ply,
            seat,
            phase: if domino.is_some() { "place" } else { "claim" },
            domino: domino.map(engine::Domino::number),
            fits: domino.is_none_or(|domino| position.kingdoms()[seat].has_placement(domino)),
            round: position.round(),
        })
    }
}

/// The events of a deal or of one decision, and the decision after them.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Step {
    /// The events.
    pub events: Vec<Event>,
    /// The next decision; null at the end of the game.
    pub turn: Option<Turn>,
}

impl Step {
    /// Play an action, which is decision `ply` of the table.
    pub fn play(
        game: &mut engine::Game,
        action: engine::Action,
        ply: usize,
    ) -> Result<Step, engine::Refusal> {
        let before = *game.position();
        let events = game.play(action)?;
        Ok(Step::between(game, &before, game.position(), &events, ply + 1))
    }

    /// Every step of a game: its deal, up to the first decision, and each decision. They are numbered from `ply`.
    ///
    /// A deal has the first line and the first king, unless the game began later.
    pub fn all(game: &engine::Game, ply: usize) -> Vec<Step> {
        let (mut begins, mut events) = (vec![*game.start()], vec![Vec::new()]);
        game.for_each_event(|before, event| {
            if event.action().is_some() {
                begins.push(*before);
                events.push(Vec::new());
            }
            events.last_mut().expect("there is a deal").push(event);
        });
        let ends = begins[1..].iter().chain([game.position()]);
        let steps = begins.iter().zip(ends).zip(&events).zip(ply..);
        steps.map(|(((before, now), events), next)| Step::between(game, before, now, events, next)).collect()
    }

    /// The step from one position of a game to another, before decision `next`.
    fn between(
        game: &engine::Game,
        before: &engine::Position,
        now: &engine::Position,
        events: &[engine::Event],
        next: usize,
    ) -> Step {
        let ply = next.saturating_sub(1); // of the action, if there is one
        let score = |seat: usize| KingdomScore::of(now, seat, false);
        let event = |event: &engine::Event| match *event {
            engine::Event::LineRevealed(line) => Event::Revealed {
                round: now.round(),
                line: numbers(line),
                unseen: numbers(now.unseen()),
                in_deck: now.dominoes_to_come(),
            },
            engine::Event::KingDrawn(seat) => Event::KingDrawn { seat },
            engine::Event::RoundBegan(round) => Event::RoundBegan { round, line: line_of(before, now) },
            engine::Event::Claimed(seat, domino) => Event::Claimed { ply, seat, domino: domino.number() },
            engine::Event::Placed(seat, domino, placement) => Event::Placed {
                ply,
                seat,
                domino: domino.number(),
                left: xy(placement.left),
                right: xy(placement.right),
                points: now.kingdoms()[seat].territory_score() - before.kingdoms()[seat].territory_score(),
                score: score(seat),
            },
            engine::Event::Discarded(seat, domino) => {
                Event::Discarded { ply, seat, domino: domino.number(), score: score(seat) }
            }
            engine::Event::Finished => finished(now),
        };
        let mut events: Vec<Event> = events.iter().map(event).collect();
        if now.is_over() {
            let (deck, opening) = (numbers(game.deck().iter().copied()), game.kings().to_vec());
            events.push(Event::DeckRevealed { deck, opening });
        }
        Step { events, turn: Turn::of(now, next) }
    }
}

/// The line of the round that began with the last claim. An unclaimed domino stays in its line.
fn line_of(before: &engine::Position, now: &engine::Position) -> Vec<LineEntry> {
    let claimed = now.slots();
    let entry = |domino: engine::Domino| {
        let slot = claimed.iter().find(|slot| slot.domino == domino);
        slot.map_or(LineEntry { domino: domino.number(), seat: None, done: true }, |slot| (*slot).into())
    };
    before.offered().dominoes().map(entry).collect()
}

fn finished(now: &engine::Position) -> Event {
    let outcome = now.outcome().expect("the game is over");
    Event::Finished {
        scores: (0..now.rules().players()).map(|seat| KingdomScore::of(now, seat, true)).collect(),
        ranking: outcome.ranking.to_vec(),
        places: outcome.places.to_vec(),
        winners: outcome.winners.to_vec(),
        decided_by: outcome.decided_by.name(),
        behind_by: outcome.behind_by.iter().map(|rule| rule.map(engine::DecidedBy::name)).collect(),
        largest_territories: outcome.largest_territories.to_vec(),
        crowns: outcome.crowns.to_vec(),
    }
}

/// The result of a Dynasty, one entry per seat unless noted.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct MatchResult {
    /// The points.
    pub scores: Vec<u32>,
    /// The seats from first to last.
    pub ranking: Vec<usize>,
    /// The places, from 1; tied seats share one.
    pub places: Vec<usize>,
    /// The seats that won.
    pub winners: Vec<usize>,
    /// The rule that decided between first and second place.
    #[cfg_attr(feature = "ts", ts(type = "\"score\" | \"shared\""))]
    pub decided_by: &'static str,
}

/// The points of a table's finished games so far.
#[derive(Serialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Totals {
    /// The points by seat.
    pub totals: Vec<u32>,
    /// The result, after the last game of a Dynasty.
    pub r#match: Option<MatchResult>,
}

impl Totals {
    /// The points of these games, which have the same rules. A Dynasty has `length` games.
    pub fn of(
        rules: &engine::Rules,
        games: &[engine::Game],
        dynasty: Option<(engine::Dynasty, usize)>,
    ) -> Totals {
        let outcomes: Vec<_> = games.iter().filter_map(|game| game.position().outcome()).collect();
        let scores = dynasty.map_or_else(Default::default, |(kind, _)| kind).scores(rules, &outcomes);
        let is_over = dynasty.is_some_and(|(_, length)| outcomes.len() == length);
        let points = || scores.iter().map(engine::Score::total).collect();
        let result = is_over.then(|| {
            let outcome = engine::Outcome::of_totals(&scores);
            MatchResult {
                scores: points(),
                ranking: outcome.ranking.to_vec(),
                places: outcome.places.to_vec(),
                winners: outcome.winners.to_vec(),
                decided_by: outcome.decided_by.name(),
            }
        });
        Totals { totals: points(), r#match: result }
    }
}
