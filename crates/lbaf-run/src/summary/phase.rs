// SPDX-License-Identifier: MIT OR Apache-2.0
//! Result of a phase in the summary.

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
    /// Digest of the data of the phase, 16 hexadecimal digits. Phases with equal digests and work models are the
    /// same problem.
    pub digest: String,
    /// Name of the strategy, also if the phase was already balanced; `None` if the phase has no strategy and all
    /// objects stayed in place.
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
    /// True if balancing was skipped because work was even enough.
    #[serde(default, alias = "left_alone")]
    pub already_balanced: bool,
    /// Quantities of ranks before balancing.
    pub before: Snapshot,
    /// Quantities of ranks after balancing.
    pub after: Snapshot,
    /// Highest lower bound for all placements; if the result is within the upper bounds of the work model, for all
    /// placements within them.
    pub lower_bound: Bound,
    /// Highest lower bound under a restriction of the strategy; `None` unless it is above `lower_bound`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restricted_bound: Option<RestrictedBound>,
    /// All lower bounds; the first is the mean.
    #[serde(default)]
    pub lower_bounds: Vec<KnownBound>,
    /// Proof that no placement satisfies the upper bounds of the work model, if found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub infeasibility: Option<Infeasibility>,
    /// Maximum work if load were divisible and spread evenly over ranks.
    pub ideal_work: f64,
    /// Objects that changed rank.
    pub migrations: Migrations,
    /// Iterations of the strategy, in order; empty if the phase has no strategy. A strategy without iterations counts
    /// as one iteration.
    pub iterations: Vec<Iteration>,
    /// Number of the iteration that found the result; 0 if the result is the start before the first iteration.
    #[serde(default)]
    pub best_iteration: usize,
    /// True if the strategy proved that no placement under its restriction is better by more than the requested gap,
    /// false if it could not; `None` for strategies without proofs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proven: Option<bool>,
    /// Pareto front of maximum work and migrations: placements that the strategy found with at most as many migrations
    /// as the result, ascending by migrations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub front: Vec<FrontPoint>,
    /// True if the strategy enforces upper bounds of the work model but its result exceeds one.
    pub infeasible: bool,
    /// Upper bounds of the work model that the result exceeds.
    pub violations: Vec<Violation>,
    /// Loads of all ranks.
    pub rank_loads: BeforeAfter,
    /// Times with a barrier after every subphase; `None` if subphases were not read or not recorded.
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

/// Statistics of an iteration of the strategy, and of the placement after it.
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
    /// Number of rejected transfers.
    pub rejections: usize,
    /// Largest excess of a rank: sum of its excesses relative to the upper bounds; 0 within them.
    #[serde(default)]
    pub largest_excess: f64,
    /// Number of messages between ranks, without the migrating objects.
    #[serde(default)]
    pub messages: u64,
    /// Mean fraction of the other ranks that a rank has heard of; `None` without gossip.
    #[serde(default)]
    pub knowledge: Option<f64>,
    /// Counts of locks; `None` if ranks do not lock each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locks: Option<Locks>,
}

/// Counts of locks in an iteration in which ranks lock each other.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Locks {
    /// Number of rounds of lock requests.
    pub rounds: u64,
    /// Number of requests for a lock, with repeated ones.
    pub requests: u64,
    /// Number of requests rejected because one of the two ranks was in another exchange.
    pub conflicts: u64,
    /// Number of requests to a rank that had rejected the same request before.
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

/// Loads in seconds, ascending by rank.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BeforeAfter {
    /// Loads before balancing.
    pub before: Vec<f64>,
    /// Loads after balancing.
    pub after: Vec<f64>,
}

/// Objects that changed rank.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Migrations {
    /// Number of objects.
    pub count: usize,
    /// Load of the objects, in seconds.
    pub load: f64,
    /// Bytes on the wire: serialized sizes of the objects, or footprints where those are not recorded.
    pub bytes: f64,
}
