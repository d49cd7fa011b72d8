// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of a phase in the summary.

use lbaf_strategies::IterationStats;
use serde::{Deserialize, Serialize};

use super::Snapshot;
use super::bounds::{Bound, Infeasibility, KnownBound, RestrictedBound};
use super::subphases::Subphases;
use super::violation::Violation;

/// Result of a phase.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PhaseResult {
    /// Number of the phase.
    pub phase: u64,
    /// Digest of its data, 16 hexadecimal digits. Phases with equal digests and work models are the same problem.
    pub digest: String,
    /// Name of the strategy that ran; `None` if none did, so that every object stayed.
    #[serde(default)]
    pub strategy: Option<String>,
    /// Number of objects.
    pub n_objects: usize,
    /// Number of migratable objects.
    pub n_migratable: usize,
    /// Number of edges of the communication graph.
    pub n_edges: usize,
    /// Placement before balancing.
    #[serde(default)]
    pub start: Start,
    /// True if work was even enough to skip balancing.
    #[serde(default)]
    pub left_alone: bool,
    /// Quantities of ranks before balancing.
    pub before: Snapshot,
    /// Quantities of ranks after balancing.
    pub after: Snapshot,
    /// Best lower bound for all placements; if the result keeps the upper bounds of the work model, for all that do.
    pub lower_bound: Bound,
    /// Best lower bound for placements under a restriction of the strategy; `None` unless it is above `lower_bound`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restricted_bound: Option<RestrictedBound>,
    /// All lower bounds; the first is the mean.
    #[serde(default)]
    pub lower_bounds: Vec<KnownBound>,
    /// Proof that no placement keeps the upper bounds of the work model; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infeasibility: Option<Infeasibility>,
    /// Maximum work if load were spread evenly over the ranks in parts of any size.
    pub ideal_work: f64,
    /// Objects that changed rank.
    pub migrations: Migrations,
    /// Iterations of the strategy, in order; empty if no strategy ran.
    pub iterations: Vec<Iteration>,
    /// Number of the iteration that found the result; 0 if none is better than the start.
    #[serde(default)]
    pub best_iteration: usize,
    /// True if the strategy proved that no placement is better, false if it could not; `None` for strategies without proofs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<bool>,
    /// Placements with fewer migrations that the strategy found on its way, ascending by migrations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub front: Vec<FrontPoint>,
    /// True if the strategy promises to keep upper bounds of the work model, and its result exceeds one.
    pub infeasible: bool,
    /// Upper bounds of the work model that the result exceeds.
    pub violations: Vec<Violation>,
    /// Loads of all ranks.
    pub rank_loads: BeforeAfter,
    /// Times with a barrier after every subphase; `None` unless subphases were read (`from_data.subphases`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subphases: Option<Subphases>,
}

/// Best placement that the strategy found with at most this number of migrations.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct FrontPoint {
    /// Number of objects that changed rank.
    pub migrations: usize,
    /// Maximum work over ranks.
    pub max_work: f64,
    /// Load imbalance over ranks.
    pub load_imbalance: f64,
}

impl From<&lbaf_strategies::FrontPoint> for FrontPoint {
    fn from(point: &lbaf_strategies::FrontPoint) -> Self {
        FrontPoint {
            migrations: point.n_migrations,
            max_work: point.max_work,
            load_imbalance: point.load_imbalance,
        }
    }
}

impl PhaseResult {
    /// Returns the number of messages in all iterations, at most [`u64::MAX`].
    pub fn messages(&self) -> u64 {
        self.iterations.iter().map(|iteration| iteration.messages).fold(0, u64::saturating_add)
    }
}

/// Placement of a phase before balancing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "placement", rename_all = "snake_case")]
pub enum Start {
    /// The recorded placement.
    #[default]
    Recorded,
    /// The result of an earlier phase.
    Carried {
        /// Number of that phase.
        from: u64,
    },
}

/// Statistics of an iteration of the strategy, and of the placement that it ended with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Iteration {
    /// Number of the iteration, from 1.
    pub number: usize,
    /// Load imbalance over ranks.
    pub load_imbalance: f64,
    /// Maximum work over ranks.
    pub max_work: f64,
    /// Number of objects that changed rank in the iteration.
    pub transfers: usize,
    /// Number of transfers that were considered and rejected.
    pub rejections: usize,
    /// Largest excess of a rank over the upper bounds of the work model, relative to them and summed; 0 within them.
    #[serde(default)]
    pub largest_excess: f64,
    /// Number of messages that ranks would send each other, without the objects.
    #[serde(default)]
    pub messages: u64,
    /// Fraction of the other ranks that a rank knows of, on average; `None` where no knowledge is spread.
    #[serde(default)]
    pub knowledge: Option<f64>,
    /// Counts of locks; `None` for strategies whose ranks do not lock each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<Locks>,
}

/// Counts of locks in an iteration in which ranks lock each other.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Locks {
    /// Number of rounds.
    pub rounds: u64,
    /// Number of requests for a lock.
    pub requests: u64,
    /// Number of requests that were refused because one of the two ranks was in another exchange.
    pub conflicts: u64,
    /// Number of requests to a rank that had refused the same before.
    pub retries: u64,
}

impl From<&IterationStats> for Iteration {
    fn from(stats: &IterationStats) -> Self {
        Iteration {
            number: stats.iteration,
            load_imbalance: stats.load_imbalance,
            max_work: stats.max_work,
            transfers: stats.n_transfers,
            rejections: stats.n_rejections,
            largest_excess: stats.largest_excess,
            messages: stats.n_messages,
            knowledge: stats.knowledge,
            locks: stats.locks.map(|locks| Locks {
                rounds: locks.n_rounds,
                requests: locks.n_requests,
                conflicts: locks.n_conflicts,
                retries: locks.n_retries,
            }),
        }
    }
}

/// Loads of ranks in seconds, one for each rank, ascending by rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BeforeAfter {
    /// Before balancing.
    pub before: Vec<f64>,
    /// After balancing.
    pub after: Vec<f64>,
}

/// Objects that changed rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Migrations {
    /// Their number.
    pub count: usize,
    /// Their load in seconds.
    pub load: f64,
    /// Bytes on the wire: serialized sizes of the objects, or footprints where those are not recorded.
    pub bytes: f64,
}
