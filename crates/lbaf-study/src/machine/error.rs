// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of assumed machines.

use lbaf_model::{ModelError, ObjectKey, PhaseId, RankId};
use thiserror::Error;

/// Error of an assumed machine: an assumption that is invalid or does not apply to the data.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MachineError {
    /// The rank does not exist.
    #[error("there is no rank {rank}; the last rank of the machine is {}", n_ranks.saturating_sub(1))]
    NoSuchRank {
        /// Path of the assumption, as returned by [`MachineError::key`].
        key: String,
        /// The rank.
        rank: RankId,
        /// Number of ranks.
        n_ranks: usize,
    },
    /// An alpha, or a factor on an alpha, is not a finite number above 0.
    #[error("must be a finite number above 0, not {factor}; 2 means half as fast")]
    Factor {
        /// Path of the assumption, as returned by [`MachineError::key`].
        key: String,
        /// The factor or alpha.
        factor: f64,
    },
    /// The change applies to no phase of the data.
    #[error("no phase {}; the data have phases {first} to {last}", span(*.from, *.to))]
    NoPhase {
        /// Path of the assumption, as returned by [`MachineError::key`].
        key: String,
        /// First phase of the change.
        from: PhaseId,
        /// Last phase of the change; `None` if it lasts to the end.
        to: Option<PhaseId>,
        /// The first phase of the data.
        first: PhaseId,
        /// The last phase of the data.
        last: PhaseId,
    },
    /// The number of ranks is 0 or too large.
    #[error("a machine has 1 up to 2^31 - 1 ranks, not {n_ranks}")]
    NumberOfRanks {
        /// The given number.
        n_ranks: usize,
    },
    /// The number of ranks per node is 0.
    #[error("a node has 1 rank or more, not 0")]
    EmptyNodes,
    /// The same rank is lost twice.
    #[error("rank {rank} is already lost; a rank can be lost only once")]
    LostTwice {
        /// Position of the second loss in the list, from 0.
        position: usize,
        /// The rank.
        rank: RankId,
    },
    /// No rank is left.
    #[error("all {n_ranks} ranks are lost from phase {phase} on; at least one must remain")]
    AllLost {
        /// Number of ranks.
        n_ranks: usize,
        /// First phase without ranks.
        phase: PhaseId,
    },
    /// The number of pieces, or of objects to merge, is 0 or too large.
    #[error("the number must be 1 to 65535, not {n}")]
    NumberOfPieces {
        /// `split` or `merge`.
        key: &'static str,
        /// The given number.
        n: u32,
    },
    /// No object can be split or merged.
    #[error(
        "no migratable object has an `index` with dimension {along} (counted from 0), so no object can be {}",
        if *.key == "split" { "split" } else { "merged" }
    )]
    NoIndex {
        /// `split` or `merge`.
        key: &'static str,
        /// The required dimension of the index, from 0.
        along: usize,
    },
    /// The index of a piece would overflow.
    #[error("the index of {object} is too large to split the object into {n} pieces")]
    IndexTooLarge {
        /// The object.
        object: ObjectKey,
        /// Number of pieces.
        n: u32,
    },
    /// Splitting yields too many objects.
    #[error("splitting yields {n_objects} objects, more than 2^31 - 1; split objects into fewer pieces")]
    TooManyObjects {
        /// Number of objects.
        n_objects: usize,
    },
    /// Objects to merge use different blocks in a phase, although each used the same block in the first phase in
    /// which it is migratable.
    #[error(
        "phase {phase}: {one} and {other} work on different memory blocks, but first on the same block; \
         objects on different blocks cannot be merged"
    )]
    BlocksDiffer {
        /// Phase in which the blocks differ.
        phase: PhaseId,
        /// First of the two objects.
        one: ObjectKey,
        /// Second of the two objects.
        other: ObjectKey,
    },
    /// A resulting phase is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl MachineError {
    /// Returns the path of the invalid assumption in the machine: keys and positions in lists, from the
    /// outermost to the innermost, separated by dots. Empty for the whole machine.
    pub fn key(&self) -> String {
        match self {
            MachineError::NoSuchRank { key, .. }
            | MachineError::Factor { key, .. }
            | MachineError::NoPhase { key, .. } => key.clone(),
            MachineError::NumberOfRanks { .. } => "n_ranks".to_owned(),
            MachineError::EmptyNodes => "ranks_per_node".to_owned(),
            MachineError::LostTwice { position, .. } => format!("lost.{position}.rank"),
            MachineError::AllLost { .. } => "lost".to_owned(),
            MachineError::NumberOfPieces { key, .. } | MachineError::NoIndex { key, .. } => {
                format!("objects.{key}")
            }
            MachineError::IndexTooLarge { .. } | MachineError::TooManyObjects { .. } => {
                "objects.split".to_owned()
            }
            MachineError::BlocksDiffer { .. } => "objects.merge".to_owned(),
            MachineError::Model(_) => String::new(),
        }
    }
}

fn span(from: PhaseId, to: Option<PhaseId>) -> String {
    match to {
        Some(to) => format!("from {from} to {to} is in the data"),
        None => format!("from {from} on is in the data"),
    }
}
