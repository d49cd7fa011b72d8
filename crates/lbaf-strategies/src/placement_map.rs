// SPDX-License-Identifier: MIT OR Apache-2.0
//! Prescribed placements that a strategy replays.

mod permutation;

pub use permutation::{Permutation, PermutationFile, PrescribedMigration};

/// Prescribed placements: recorded objects and their ranks.
#[derive(Clone, Copy, Debug)]
pub struct PlacementMap<'a> {
    /// Key of the parameter that contains or names the map.
    pub key: &'static str,
    /// Source of the map.
    pub source: MapSource<'a>,
    /// Content of the map. `None` for a map outside the parameters until the caller has read it and called
    /// [`Strategy::set_map`](crate::Strategy::set_map): strategies access no files.
    pub content: Option<&'a Permutation>,
}

/// Origin of a placement map, with paths as written in the parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapSource<'a> {
    /// The parameters.
    Parameters,
    /// A file.
    File(&'a str),
    /// A file or, if there is no file with this path, the stem of a data set.
    FileOrStem(&'a str),
    /// The stem of a data set, and the suffix of the names of its files.
    DataSet(&'a str, Option<&'a str>),
    /// The phase after the balanced phase, in the same data set.
    NextPhase,
}
