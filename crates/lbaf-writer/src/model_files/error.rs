// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reasons why files cannot hold a model.

use lbaf_model::{ObjectKey, PhaseId, RankId};
use thiserror::Error;

/// Part of a model that VOM files cannot hold, or that readers would change.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ModelFilesError {
    /// There is no rank, and therefore no file.
    #[error("the model has no rank; there is one file for each rank")]
    NoRanks,
    /// A phase has another number of ranks than the model, as in simulations of lost ranks.
    #[error("phase {phase} has {n_ranks} of {n_all} ranks; files have all ranks in every phase")]
    Ranks {
        /// The phase.
        phase: PhaseId,
        /// Number of ranks in the phase.
        n_ranks: usize,
        /// Number of ranks of the model.
        n_all: usize,
    },
    /// Readers do not accept the number of a phase.
    #[error("phase {phase}: the number must not exceed 2^62")]
    PhaseNumber {
        /// The phase.
        phase: PhaseId,
    },
    /// A rank has a different alpha in a later phase.
    #[error(
        "rank {rank} has alpha {first} in the first phase and {other} in phase {phase}; files hold one alpha for all phases"
    )]
    Alpha {
        /// The rank.
        rank: RankId,
        /// The later phase.
        phase: PhaseId,
        /// Alpha in the first phase.
        first: f64,
        /// Alpha in the later phase.
        other: f64,
    },
    /// A rank is on a different node in a later phase.
    #[error(
        "rank {rank} is on another node in phase {phase} than in the first phase; files hold one node for all phases"
    )]
    Node {
        /// The rank.
        rank: RankId,
        /// The later phase.
        phase: PhaseId,
    },
    /// An object is a piece of a split object, whose key has no form in files.
    #[error("the object with {object} is part of a split object; give it a number of its own")]
    Piece {
        /// The object.
        object: ObjectKey,
    },
    /// An object has no task in any phase, so no file would contain it.
    #[error("the object with {object} has no task in any phase; remove its key")]
    NoTask {
        /// The object.
        object: ObjectKey,
    },
    /// A non-migratable object has a key without a rank. Readers identify it by number and rank.
    #[error(
        "phase {phase}: the object with {object} is non-migratable, but its key has no rank; add rank {rank}"
    )]
    SentinelWithoutRank {
        /// The phase.
        phase: PhaseId,
        /// The object.
        object: ObjectKey,
        /// Rank that owns it.
        rank: RankId,
    },
    /// A non-migratable object is on another rank than its key states.
    #[error(
        "phase {phase}: the non-migratable object with {object} is on rank {rank}, not on the rank in its key"
    )]
    SentinelElsewhere {
        /// The phase.
        phase: PhaseId,
        /// The object.
        object: ObjectKey,
        /// Rank that owns it.
        rank: RankId,
    },
    /// A migratable object has a key with a rank. Readers identify it by its number alone.
    #[error("phase {phase}: the object with {object} is migratable, so its key must not have a rank")]
    MigratableWithRank {
        /// The phase.
        phase: PhaseId,
        /// The object.
        object: ObjectKey,
    },
    /// The lowest bits of a packed id contradict the migratability of the object.
    #[error(
        "the two lowest bits of {object} must be 3 for a migratable object, and not 3 for a non-migratable object; use \
         sequence numbers, or ids as vt packs them"
    )]
    PackedMigratable {
        /// The object.
        object: ObjectKey,
    },
    /// The home in a packed id is not a rank.
    #[error(
        "the home packed into {object} is rank {home}, but the last rank is {}; use sequence numbers, or ids as vt \
         packs them",
        n_ranks.saturating_sub(1)
    )]
    PackedHome {
        /// The object.
        object: ObjectKey,
        /// Home in the id.
        home: u32,
        /// Number of ranks.
        n_ranks: usize,
    },
    /// A migratable object with a sequence number has no collection, but its phase has coordinates.
    #[error(
        "phase {phase}: the coordinates of the object with {object} state no collection, which a migratable object \
         with a sequence number needs"
    )]
    NoCollection {
        /// The phase.
        phase: PhaseId,
        /// The object.
        object: ObjectKey,
    },
    /// No object of its phase uses a block. Files describe blocks with the objects that use them.
    #[error("phase {phase}: no object uses block {block}; remove it from this phase")]
    UnusedBlock {
        /// The phase.
        phase: PhaseId,
        /// Number of the block.
        block: u64,
    },
    /// Two blocks of a phase have the same number.
    #[error("phase {phase}: two blocks have number {block}")]
    SameBlock {
        /// The phase.
        phase: PhaseId,
        /// Number of the blocks.
        block: u64,
    },
    /// A rank sends to a rank. Files hold only communication of objects.
    #[error("phase {phase}: rank {from} sends to rank {to}; at least one endpoint must be an object")]
    RankToRank {
        /// The phase.
        phase: PhaseId,
        /// Sender.
        from: RankId,
        /// Receiver.
        to: RankId,
    },
    /// An object has two times in a subphase.
    #[error("phase {phase}: the object with {object} has two times in subphase {subphase}; add them up")]
    SubphaseTwice {
        /// The phase.
        phase: PhaseId,
        /// The object.
        object: ObjectKey,
        /// Number of the subphase.
        subphase: u32,
    },
}
