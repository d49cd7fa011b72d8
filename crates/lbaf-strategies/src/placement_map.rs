// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements that a strategy replays.

mod permutation;

pub use permutation::{Permutation, PermutationFile, PrescribedMigration};

/// Placements that a strategy replays instead of finding them: recorded objects on recorded ranks.
#[derive(Clone, Copy, Debug)]
pub struct PlacementMap<'a> {
    /// Key of the parameter that names it.
    pub key: &'static str,
    /// Source of the map.
    pub source: MapSource<'a>,
    /// Its content; `None` until it was read ([`Strategy::set_map`](crate::Strategy::set_map)): strategies touch no file.
    pub content: Option<&'a Permutation>,
}

/// Origin of placements, with paths as they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapSource<'a> {
    /// The parameters themselves.
    Parameters,
    /// A file.
    File(&'a str),
    /// A file, or the stem of a data set where there is no such file.
    FileOrStem(&'a str),
    /// The stem of a data set, and what the names of its files end in.
    DataSet(&'a str, Option<&'a str>),
    /// The next phase of the data set that is balanced.
    NextPhase,
}
