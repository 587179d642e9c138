//! Reviews: the cost of each decision of a game, the reason, and the luck.
//!
//! - `story`: a record as decisions and the chance events before them.
//! - `judge`: one decision against the best actions.
//! - `parts`: the parts of a cost in points.
//! - `reasons`: why one action is worse than another, as facts.
//! - `hint`: a good action, and why a tempting one is worse.
//! - `assemble`: the luck between decisions, and the sums of each seat.
//! - `level`: the level whose decisions cost as much.
//! - `summary`: where a player's points go over many games.
//!
//! The work comes in steps of playouts: a caller can spread it over threads, put it aside, or look at a clock in between.
//! The result follows from the record, the playouts and the seed, whatever the steps and their order.
//!
//! ```
//! use kingdomino_rules::{Game, Record, Rules};
//! use kingdomino_search::review::Story;
//!
//! let mut game = Game::new(Rules::default(), 7);
//! for _ in 0..2 {
//!     game.play(game.position().legal_actions()[0])?;
//! }
//! let story = Story::new(&Record::new(&game, false, vec![], Default::default(), Default::default())?);
//!
//! let mut starting = story.starting(100, 1);
//! while !starting.step(50) {}
//! let mut decisions = Vec::new();
//! for ply in 0..story.plies() {
//!     let mut judging = story.judging(ply, 100, 1);
//!     while !judging.step(50) {}
//!     decisions.extend(judging.decision().cloned());
//! }
//! let review = story.assemble(&starting.value().expect("it is over"), &decisions);
//! assert_eq!(review.decisions.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod growing;
mod hint;
mod judge;
mod level;
mod parts;
mod reasons;
mod story;
mod summary;
mod values;

pub use hint::{Hint, hint};
pub use judge::Judging;
pub use level::Level;
pub use parts::{CostPart, Source};
pub use reasons::{Reason, Theme, reasons, why};
pub use story::{Starting, Story};
pub use summary::{DecisionCost, Estimate, Summary, ThemeSum};
pub use values::{Account, Alternative, Decision, Luck, Review, SeatReview, Value};
