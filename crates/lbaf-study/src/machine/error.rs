// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of assumed machines.

use lbaf_model::{ModelError, ObjectKey, PhaseId, RankId};
use thiserror::Error;

/// Error of an assumed machine, independent of the data or in combination with them.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MachineError {
    /// The rank does not exist.
    #[error("there is no rank {rank}; the machine has {n_ranks} rank(s), numbered from 0")]
    NoSuchRank {
        /// Position in the machine.
        key: String,
        /// The rank.
        rank: RankId,
        /// Number of ranks.
        n_ranks: usize,
    },
    /// The speed is not a finite number above 0.
    #[error("a finite number above 0, not {factor}: 2 is half as fast")]
    Factor {
        /// Position in the machine.
        key: String,
        /// The number.
        factor: f64,
    },
    /// The change applies to no phase of the data.
    #[error("no phase {}; the data have phases {first} to {last}", span(*.from, *.to))]
    NoPhase {
        /// Position in the machine.
        key: String,
        /// The first phase.
        from: PhaseId,
        /// The last phase, if there is one.
        to: Option<PhaseId>,
        /// The first phase of the data.
        first: PhaseId,
        /// The last phase of the data.
        last: PhaseId,
    },
    /// No ranks, or too many.
    #[error("a machine has 1 up to 2^31 - 1 ranks, not {n_ranks}")]
    NumberOfRanks {
        /// Number given.
        n_ranks: usize,
    },
    /// Nodes without ranks.
    #[error("a node has 1 rank or more, not 0")]
    EmptyNodes,
    /// The same rank is lost twice.
    #[error("rank {rank} is already lost; a rank can be lost once")]
    LostTwice {
        /// Position in the list.
        position: usize,
        /// The rank.
        rank: RankId,
    },
    /// No rank is left.
    #[error("all {n_ranks} ranks are lost from phase {phase} on; at least one must remain")]
    AllLost {
        /// Number of ranks.
        n_ranks: usize,
        /// Phase in which the last of them is lost.
        phase: PhaseId,
    },
    /// The number of pieces is 0 or too large.
    #[error("the number of pieces must be 1 to 65535, not {n}")]
    NumberOfPieces {
        /// `split` or `merge`.
        key: &'static str,
        /// Number given.
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
        /// The dimension.
        along: usize,
    },
    /// The index of a piece overflows.
    #[error("the index of {object} is too large to be split into {n}")]
    IndexTooLarge {
        /// The object.
        object: ObjectKey,
        /// Number of pieces.
        n: u32,
    },
    /// Too many objects after splitting.
    #[error("{n_objects} objects are more than 2^31 - 1; split them into fewer")]
    TooManyObjects {
        /// Number of objects.
        n_objects: usize,
    },
    /// Objects to merge use different blocks in some phase.
    #[error(
        "phase {phase}: {one} and {other} work on different memory blocks, but on the same block in an earlier phase; \
         objects on different blocks cannot be merged"
    )]
    BlocksDiffer {
        /// Phase of the difference.
        phase: PhaseId,
        /// One object.
        one: ObjectKey,
        /// Another.
        other: ObjectKey,
    },
    /// A resulting phase is invalid.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl MachineError {
    /// Returns the path of the faulty part of the machine: keys and positions in lists, from the outermost to
    /// the innermost, separated by dots. Empty for the whole machine.
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
