//! Texts from outside, and what can be wrong with them.

pub(crate) mod fault;
pub(crate) mod parse_error;
pub mod pasted;
#[cfg(feature = "serde")]
mod serde_text;
