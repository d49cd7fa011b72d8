// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of assumed machines.

use lbaf_model::{ModelError, ObjectKey, PhaseId, RankId};
use thiserror::Error;

/// Error of an assumed machine, by itself or with the data.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MachineError {
    /// A rank that is not there.
    #[error("there is no rank {rank}; the machine has {n_ranks} rank(s), from 0 on")]
    NoSuchRank {
        /// Position in the machine.
        key: String,
        /// The rank.
        rank: RankId,
        /// Number of ranks.
        n_ranks: usize,
    },
    /// A speed that none can have.
    #[error("a finite number above 0, not {factor}: 2 is half as fast")]
    Factor {
        /// Position in the machine.
        key: String,
        /// The number.
        factor: f64,
    },
    /// Something that is to happen in no phase.
    #[error("no phase {}, so that nothing would change; the data go from phase {first} to {last}", span(*.from, *.to))]
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
    /// No ranks, or more than can be numbered.
    #[error("a machine has 1 up to 2^31 - 1 ranks, not {n_ranks}")]
    NumberOfRanks {
        /// Number given.
        n_ranks: usize,
    },
    /// Nodes without ranks.
    #[error("a node has 1 rank or more, not 0")]
    EmptyNodes,
    /// A rank that is lost again.
    #[error("rank {rank} is lost already; a rank is lost once")]
    LostTwice {
        /// Position in the list.
        position: usize,
        /// The rank.
        rank: RankId,
    },
    /// No rank is left.
    #[error("all {n_ranks} ranks are lost from phase {phase} on; one at least has to be left")]
    AllLost {
        /// Number of ranks.
        n_ranks: usize,
        /// Phase in which the last of them is lost.
        phase: PhaseId,
    },
    /// Objects cannot be split into none, or merged from none.
    #[error("objects are split into, or merged from, 1 up to 65535, not {n}")]
    NumberOfPieces {
        /// `split` or `merge`.
        key: &'static str,
        /// Number given.
        n: u32,
    },
    /// Nothing could be split or merged.
    #[error(
        "no object that may migrate has an `index` with a dimension {along} (they count from 0), so that nothing can be {}",
        if *.key == "split" { "split" } else { "merged" }
    )]
    NoIndex {
        /// `split` or `merge`.
        key: &'static str,
        /// The dimension.
        along: usize,
    },
    /// The index of a piece does not fit.
    #[error("the index of {object} is too large to be split into {n}")]
    IndexTooLarge {
        /// The object.
        object: ObjectKey,
        /// Number of pieces.
        n: u32,
    },
    /// More objects than can be numbered.
    #[error("{n_objects} objects are more than 2^31 - 1; split them into fewer")]
    TooManyObjects {
        /// Number of objects.
        n_objects: usize,
    },
    /// Objects that are to be one and cannot.
    #[error(
        "phase {phase}: {one} and {other} work on different memory blocks, and on the same in an earlier phase; \
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
    /// A phase that would come of it is none.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl MachineError {
    /// The faulty part of the machine: keys and positions in lists, from the outermost to the innermost, with dots
    /// between. Empty for the whole machine.
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
