// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be wrong with a specification.

use std::fmt::Display;

use thiserror::Error;

use crate::Owner;

/// Why a specification describes no data set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SynthError {
    /// A setting has a value that makes no sense, by itself or next to another one.
    #[error("{key} is {found}, but {rule}")]
    Setting {
        /// The setting, with dots between nested keys.
        key: String,
        /// Its value.
        found: String,
        /// What it has to be.
        rule: &'static str,
    },
    /// There are communications, and nothing that says how large they are.
    #[error(
        "communication_degree is {degree}, but nothing says how many bytes a communication carries; \
         add a volume_sampler"
    )]
    MissingVolumeSampler {
        /// The mean number of receivers of an object.
        degree: u32,
    },
    /// More objects in more phases than there is memory for.
    #[error(
        "{n_objects} objects in {n_phases} phases take {bytes} B of memory or more, which the system refuses; make a smaller \
         data set, or raise the limit (`ulimit -v`)"
    )]
    NoMemory {
        /// Number of objects, sentinels too.
        n_objects: u64,
        /// Number of phases.
        n_phases: u32,
        /// Memory in bytes, as far as it is known beforehand.
        bytes: u64,
    },
    /// Nothing says where the objects are.
    #[error(
        "there are no ranks; `ranks` says which tasks each has, as in \
         `ranks: {{0: {{tasks: [0, 1]}}, 1: {{tasks: [2]}}}}`"
    )]
    NoRanks,
    /// Ranks are listed with a gap.
    #[error(
        "there is a rank {found} and no rank {missing}; ranks are numbered from 0, and those without tasks have \
         `tasks: []`"
    )]
    MissingRank {
        /// The first rank that is not listed.
        missing: u64,
        /// The rank that is listed in its place.
        found: u64,
    },
    /// More ranks than packed ids can tell apart.
    #[error("there are {n_ranks} ranks, but object ids hold the home rank in 16 bits, so 65536 is the most")]
    TooManyRanks {
        /// Number of ranks listed.
        n_ranks: usize,
    },
    /// An entry names an object that is not listed.
    #[error("{entry} names task {task}, which is not among `tasks`")]
    UnknownTask {
        /// Where it is named, with dots between nested keys.
        key: String,
        /// The entry that names it.
        entry: String,
        /// The id that it names.
        task: u64,
    },
    /// An object is named by two ranks or by two blocks, or twice by one.
    #[error("task {task} is {}", twice(*.first, *.second))]
    TaskTwice {
        /// Where it is named again, with dots between nested keys.
        key: String,
        /// The object.
        task: u64,
        /// Who named it first.
        first: Owner,
        /// Who names it again.
        second: Owner,
    },
    /// An object is on no rank.
    #[error("task {task} is on no rank; name it under `tasks` of one of the `ranks`")]
    TaskOnNoRank {
        /// The object.
        task: u64,
    },
    /// An object says that it is on another rank than the one that names it.
    #[error("task {task} has node {node}, but rank {rank} names it; leave `node` out or name the task there")]
    TaskElsewhere {
        /// The object.
        task: u64,
        /// The rank that names it.
        rank: u32,
        /// What it says.
        node: i64,
    },
    /// A sequence number does not fit into an id.
    #[error("task {task} has the sequence number {sequence}, but object ids have 46 bits for it")]
    SequenceTooLarge {
        /// The object.
        task: u64,
        /// Its sequence number.
        sequence: u64,
    },
    /// Two objects would have the same id.
    #[error("tasks {first} and {second} have the same sequence number and home, and so the same object id")]
    SameObject {
        /// The one.
        first: u64,
        /// The other.
        second: u64,
    },
}

impl SynthError {
    /// What in the specification is to blame: keys from the outermost to the innermost with dots between, ids
    /// of entries and positions in lists among them. Empty if it is what is not there.
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
        format!("{preposition} {first} twice, but a task is named once")
    } else {
        format!(
            "{preposition} {first} and {preposition} {second}, but a task is {preposition} one {kind} only"
        )
    }
}

/// Passes if `holds`, else blames the value `found` of setting `key`.
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

/// Passes if the value of setting `key` is a load, a volume or a size.
pub(crate) fn require_magnitude(key: &str, value: f64) -> Result<(), SynthError> {
    require(value.is_finite() && value >= 0.0, key, value, "it must be finite and not negative")
}
