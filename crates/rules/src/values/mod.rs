//! The values that everything else is made of.

pub(crate) mod action;
pub(crate) mod domino;
pub(crate) mod line;
pub(crate) mod rules;
pub(crate) mod size;
pub(crate) mod square;
