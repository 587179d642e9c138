//! Playouts, and what the first bots choose.
//!
//! Everything here works on a `Position`, which is what everyone can see. What is hidden is sampled
//! from the unseen dominoes, afresh in every playout; the real deck never comes here.
//!
//! Unsafe code is denied but for one small module, `cpu`, which says why.
#![deny(unsafe_code)]

mod cpu;
mod greedy;
mod playout;
mod playouts;
mod policy;
mod survey;
mod tally;

pub use cpu::{Cpu, Task, run_on_best};
pub use playouts::{Policy, choose, playouts};
pub use tally::PlayoutResult;
