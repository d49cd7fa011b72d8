// SPDX-License-Identifier: MIT OR Apache-2.0
//! View of a phase of a run.

use serde::Serialize;

use super::length::length;
use super::quantity::finite;
use super::{OverRanks, RankDetails, RankPairs};
use crate::error::PageError;

/// View of a phase, balanced or not.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PhaseView {
    /// Number of the phase.
    pub number: u64,
    /// Name of the strategy, also if the phase was already balanced; `None` without a strategy.
    pub strategy: Option<String>,
    /// Clock time of the strategy, in seconds, if the run recorded it.
    pub strategy_seconds: Option<f64>,
    /// True if balancing was skipped because the imbalance of work was small enough.
    pub already_balanced: bool,
    /// Phase whose result is the start of this phase; `None` if the start is the recorded placement.
    pub carried_from: Option<u64>,
    /// Number of objects.
    pub n_objects: usize,
    /// Number of migratable objects.
    pub n_migratable: usize,
    /// Number of edges of the communication graph.
    pub n_edges: usize,
    /// Sentences on upper bounds that are exceeded or proven infeasible.
    pub statements: Vec<String>,
    /// Counts of ranks that exceed upper bounds of the work model.
    pub over_bounds: OverBounds,
    /// Quantities, in the order of the run.
    pub quantities: Vec<OverRanks>,
    /// Lower bound.
    pub bound: BoundView,
    /// Lower bound under the restriction of the strategy, if it is higher.
    pub restricted: Option<RestrictedBoundView>,
    /// All known lower bounds.
    pub bounds: Vec<KnownBoundView>,
    /// Migrations.
    pub migrations: MigrationTotals,
    /// Number of the iteration that found the result; 0 if the result is the start.
    pub best_iteration: usize,
    /// Number of iterations of the strategy.
    pub n_iterations: usize,
    /// All iterations; empty if they do not fit into the page.
    pub iterations: Vec<IterationView>,
    /// Pareto front of maximum work and migrations: placements with at most as many migrations as the result, ascending
    /// by migrations. Empty if they do not fit into the page.
    pub front: Vec<FrontPointView>,
    /// Communication and migrations between ranks; `None` if unknown or too large for the page.
    pub pairs: Option<RankPairs>,
    /// Objects and neighbours of ranks; `None` if unknown or too large for the page.
    pub detail: Option<RankDetails>,
}

impl PhaseView {
    /// Returns the size of the iterations and the front in the page, in bytes.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn size_of_iterations(&self) -> Result<usize, PageError> {
        length(&(&self.iterations, &self.front))
    }
}

/// Counts of ranks that exceed upper bounds of the work model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OverBounds {
    /// Ranks over bounds at the start.
    pub before: usize,
    /// Ranks over bounds in the result.
    pub after: usize,
}

/// A proven lower bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BoundView {
    /// Lower bound on the maximum work.
    #[serde(serialize_with = "finite")]
    pub work: f64,
    /// Limiting factor, in words.
    pub limit: String,
    /// Lower bound on the maximum load, in seconds.
    #[serde(serialize_with = "finite")]
    pub max_load: f64,
    /// Limiting factor of the bound on load, in words.
    pub load_limit: String,
    /// Lower bound on the load imbalance.
    #[serde(serialize_with = "finite")]
    pub load_imbalance: f64,
}

/// A lower bound on maximum work under a restriction of the strategy.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RestrictedBoundView {
    /// Restriction as a verb, for example `keeps blocks whole`.
    pub keeps: String,
    /// Restriction as a condition, for example `with blocks kept whole`.
    pub condition: String,
    /// Lower bound on the maximum work.
    #[serde(serialize_with = "finite")]
    pub work: f64,
    /// Limiting factor, in words.
    pub limit: String,
}

/// One of the known lower bounds on maximum work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnownBoundView {
    /// Limiting factor, in words.
    pub limit: String,
    /// Lower bound on the maximum work.
    #[serde(serialize_with = "finite")]
    pub work: f64,
    /// Placements for which the bound holds, in words.
    pub holds_for: String,
}

/// Migrations of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MigrationTotals {
    /// Number of objects.
    pub count: usize,
    /// Load of the objects, in seconds.
    #[serde(serialize_with = "finite")]
    pub load: f64,
    /// Bytes on the wire.
    #[serde(serialize_with = "finite")]
    pub bytes: f64,
}

/// Statistics after an iteration of the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IterationView {
    /// Number of the iteration, from 1.
    pub number: usize,
    /// Maximum work.
    #[serde(serialize_with = "finite")]
    pub max_work: f64,
    /// Load imbalance.
    #[serde(serialize_with = "finite")]
    pub load_imbalance: f64,
    /// Largest excess of a rank: sum of its excesses relative to the upper bounds.
    #[serde(serialize_with = "finite")]
    pub largest_excess: f64,
    /// Number of objects that changed rank.
    pub transfers: usize,
    /// Number of transfers that were considered and rejected.
    pub rejections: usize,
    /// Number of messages that ranks would exchange.
    pub messages: u64,
    /// Mean fraction of the other ranks that a rank has heard of; `None` for strategies without gossip.
    pub knowledge: Option<f64>,
}

/// A placement on the Pareto front of maximum work and migrations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrontPointView {
    /// Number of objects that changed rank.
    pub migrations: usize,
    /// Maximum work.
    #[serde(serialize_with = "finite")]
    pub max_work: f64,
}
