//! The engine for JavaScript: a thin translation of the rules and the search.
//!
//! JavaScript calls a function by its name with JSON, and gets JSON: positions, games and actions as their text,
//! everything else as plain values. The declarations in `js/calls.d.ts` are written from the types; a test
//! keeps them current.
//!
//! No clock and no thread is used here. A caller who wants to think for a time runs a search in slices and looks at its
//! own clock; two workers with two seeds are two instances of this module.
//!
//! The functions that WebAssembly exports are in `wasm/`.

pub mod calls;
#[cfg(feature = "study")]
pub mod photo;
#[cfg(feature = "study")]
pub mod scores;
#[cfg(feature = "study")]
pub mod setup;
pub mod values;
