// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in specifications.

use std::fmt::Display;

use thiserror::Error;

use crate::Owner;

/// Error in a specification.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SynthError {
    /// A setting has an invalid value, or one that contradicts another setting.
    #[error("`{key}` is {found}, but {rule}")]
    Setting {
        /// The setting, with dots between nested keys.
        key: String,
        /// Its value.
        found: String,
        /// Rule that the value violates.
        rule: &'static str,
    },
    /// The bytes of communications are missing.
    #[error(
        "`communication_degree` is {degree}, but the bytes of a communication are missing; \
         add a `volume_sampler`"
    )]
    MissingVolumeSampler {
        /// Mean number of receivers of an object, as specified.
        degree: u32,
    },
    /// The data set needs more memory than available.
    #[error(
        "{n_objects} objects in {n_phases} phases need at least {bytes} B of memory, which the system refuses; make a smaller \
         data set, or raise the limit (`ulimit -v`)"
    )]
    NoMemory {
        /// Number of objects, including sentinels.
        n_objects: u64,
        /// Number of phases.
        n_phases: u32,
        /// Minimum memory in bytes.
        bytes: u64,
    },
    /// No ranks are listed.
    #[error(
        "there are no ranks; list the tasks of each rank under `ranks`, as in \
         `ranks: {{0: {{tasks: [0, 1]}}, 1: {{tasks: [2]}}}}`"
    )]
    NoRanks,
    /// A rank before a listed rank is missing.
    #[error(
        "rank {missing} is missing before rank {found}; ranks are numbered from 0, and a rank without tasks has \
         `tasks: []`"
    )]
    MissingRank {
        /// The first missing rank.
        missing: u64,
        /// The rank that is listed in its place.
        found: u64,
    },
    /// There are more ranks than packed ids can distinguish.
    #[error(
        "there are {n_ranks} ranks, but object ids hold the home rank in 16 bits, so 65536 is the maximum"
    )]
    TooManyRanks {
        /// Number of ranks listed.
        n_ranks: usize,
    },
    /// An entry names an unlisted object.
    #[error("{entry} names task {task}, which is not listed under `tasks`")]
    UnknownTask {
        /// Position of the reference, with dots between nested keys.
        key: String,
        /// The entry with the reference.
        entry: String,
        /// The unknown id.
        task: u64,
    },
    /// An object is listed by two ranks or two blocks, or twice by one.
    #[error("task {task} is {}", twice(*.first, *.second))]
    TaskTwice {
        /// Position of the second listing, with dots between nested keys.
        key: String,
        /// The object.
        task: u64,
        /// Owner with the first listing.
        first: Owner,
        /// Owner with the second listing.
        second: Owner,
    },
    /// An object is on no rank.
    #[error("task {task} is on no rank; list it under `tasks` of one of the `ranks`")]
    TaskOnNoRank {
        /// The object.
        task: u64,
    },
    /// An object gives another rank than the one that lists it.
    #[error(
        "task {task} has `node` {node}, but is listed under rank {rank}; omit `node`, or list the task \
         under rank {node}"
    )]
    TaskElsewhere {
        /// The object.
        task: u64,
        /// The rank that lists it.
        rank: u32,
        /// The rank given by the object.
        node: i64,
    },
    /// A sequence number is too large for an id.
    #[error("task {task} has the sequence number {sequence}, but object ids have 46 bits for it")]
    SequenceTooLarge {
        /// The object.
        task: u64,
        /// Its sequence number.
        sequence: u64,
    },
    /// Two objects would have the same id.
    #[error("tasks {first} and {second} have the same sequence number and home, hence the same object id")]
    SameObject {
        /// One of the two.
        first: u64,
        /// The other one.
        second: u64,
    },
}

impl SynthError {
    /// Returns the path of the faulty part of the specification: keys, ids and positions in lists, outermost first,
    /// with dots between them. Empty if there are no ranks.
    pub fn key(&self) -> String {
        match self {
            SynthError::Setting { key, .. }
            | SynthError::UnknownTask { key, .. }
            | SynthError::TaskTwice { key, .. } => key.clone(),
            SynthError::MissingVolumeSampler { .. } => "communication_degree".to_owned(),
            SynthError::NoMemory { .. } => "n_objects".to_owned(),
            SynthError::NoRanks => String::new(),
            SynthError::MissingRank { found, .. } => format!("ranks.{found}"),
            SynthError::TooManyRanks { .. } => "ranks".to_owned(),
            SynthError::TaskOnNoRank { task } => format!("tasks.{task}"),
            SynthError::TaskElsewhere { task, .. } => format!("tasks.{task}.node"),
            SynthError::SequenceTooLarge { task, .. } => format!("tasks.{task}.seq_id"),
            SynthError::SameObject { second, .. } => format!("tasks.{second}"),
        }
    }
}

fn twice(first: Owner, second: Owner) -> String {
    let (preposition, kind) = match second {
        Owner::Rank(_) => ("on", "rank"),
        Owner::Block(_) => ("in", "block"),
    };
    if first == second {
        format!("{preposition} {first} twice, but must be listed once")
    } else {
        format!(
            "{preposition} {first} and {preposition} {second}, but a task can only be {preposition} one {kind}"
        )
    }
}

/// Returns an error about the value `found` of setting `key`, unless `holds`.
pub(crate) fn require(
    holds: bool,
    key: &str,
    found: impl Display,
    rule: &'static str,
) -> Result<(), SynthError> {
    if holds {
        Ok(())
    } else {
        Err(SynthError::Setting { key: key.to_owned(), found: found.to_string(), rule })
    }
}

/// Returns an error unless setting `key` is a valid load, volume or size.
pub(crate) fn require_magnitude(key: &str, value: f64) -> Result<(), SynthError> {
    require(value.is_finite() && value >= 0.0, key, value, "it must be finite and non-negative")
}
