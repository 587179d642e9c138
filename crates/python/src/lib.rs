//! The engine as a Python module: a thin translation without logic.
//!
//! One file for each class. `arguments` reads arguments from Python, `values` builds values for Python, `errors`
//! maps errors, `long` runs long work. Every class is frozen for PyO3; mutable ones (Game, Match, Search) keep
//! their state in a `Shared`.
#![forbid(unsafe_code)]

mod action;
mod actions;
mod arguments;
mod baselines;
mod batch;
mod chance;
mod dynasty;
mod errors;
mod events;
mod game;
mod kingdom;
mod long;
mod photo;
mod playouts;
mod position;
mod puzzles;
mod random;
mod record;
mod review;
mod rules;
mod search;
mod shared;
mod table;
mod values;

/// The engine, written in Rust. Everything here is imported as `kingdomino.…`.
#[pyo3::pymodule(gil_used = false)]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::action::Action;
    #[pymodule_export]
    use crate::actions::Actions;
    #[pymodule_export]
    use crate::baselines::choose_by_playouts;
    #[pymodule_export]
    use crate::batch::{Batch, observation_fields, observe, rewards};
    #[pymodule_export]
    use crate::chance::ChanceOutcomes;
    #[pymodule_export]
    use crate::dynasty::Match;
    #[pymodule_export]
    use crate::events::Events;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::kingdom::{Kingdom, best_arrangement};
    #[pymodule_export]
    use crate::photo::{Taught, photo_read, photo_teach};
    #[pymodule_export]
    use crate::playouts::{choose, level_move, perft, playouts};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::puzzles::{daily_puzzle, read_puzzles};
    #[pymodule_export]
    use crate::random::derive_seed;
    #[pymodule_export]
    use crate::record::Record;
    #[pymodule_export]
    use crate::review::{Judging, Story, reasons, summary, worth};
    #[pymodule_export]
    use crate::rules::Rules;
    #[pymodule_export]
    use crate::search::{RunningSearch, Search};
    #[pymodule_export]
    use crate::table::{table_choices, table_deal, table_play, table_rules, table_score, table_start};

    /// Whether this is a debug build, which is many times slower.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const DEBUG: bool = cfg!(debug_assertions);

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("DOMINOES", crate::values::all_dominoes(module.py())?)?;
        let sequence = module.py().import("collections.abc")?.getattr("Sequence")?;
        for name in ["Actions", "Events"] {
            sequence.call_method1("register", (module.getattr(name)?,))?;
        }
        Ok(())
    }
}
