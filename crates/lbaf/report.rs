// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run leaves behind, all of it derived from the [`summary`].

pub(crate) mod bounds;
pub(crate) mod charts;
pub(crate) mod console;
pub(crate) mod descriptive;
pub(crate) mod doubt;
pub(crate) mod illustration;
#[cfg(test)]
mod made;
pub(crate) mod overall;
pub(crate) mod paper_tables;
mod pictures;
pub(crate) mod problem;
pub(crate) mod rounding;
pub(crate) mod saved;
pub(crate) mod sentences;
pub(crate) mod statistics_file;
pub(crate) mod subphases;
pub(crate) mod summary;
pub(crate) mod tables;
