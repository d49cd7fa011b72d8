// SPDX-License-Identifier: MIT OR Apache-2.0
//! A phase of a run as the page shows it.

use serde::Serialize;

use super::length::length;
use super::quantity::finite;
use super::{OverRanks, RankDetails};
use crate::error::PageError;

/// A phase that was balanced, or left as it was.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PhaseView {
    /// Its number in the run.
    pub number: u64,
    /// The strategy that ran; nothing if none did.
    pub strategy: Option<String>,
    /// True if it was balanced enough to be left alone.
    pub left_alone: bool,
    /// The phase in whose final placement it started; nothing if it started as it was recorded.
    pub carried_from: Option<u64>,
    /// Objects, those of them that may migrate, and pairs that communicate.
    pub n_objects: usize,
    /// Objects that may migrate.
    pub n_migratable: usize,
    /// Pairs that communicate.
    pub n_edges: usize,
    /// Sentences on bounds that are exceeded, or that no placement keeps.
    pub statements: Vec<String>,
    /// Ranks that exceed bounds of the work model.
    pub over_bounds: OverBounds,
    /// The quantities of the run, in its order.
    pub quantities: Vec<OverRanks>,
    /// Lower bound.
    pub bound: BoundView,
    /// Lower bound under the restriction of the strategy, where it is higher.
    pub restricted: Option<RestrictedBoundView>,
    /// All known lower bounds.
    pub bounds: Vec<KnownBoundView>,
    /// Migrations.
    pub migrations: MigrationTotals,
    /// The iteration that the result is from; 0 if none was better than the start.
    pub best_iteration: usize,
    /// Iterations that the strategy made.
    pub n_iterations: usize,
    /// All iterations, or none where they do not fit.
    pub iterations: Vec<IterationView>,
    /// Placements with fewer migrations.
    pub front: Vec<FrontPointView>,
    /// Objects and neighbours of ranks, where they are known.
    pub detail: Option<RankDetails>,
}

impl PhaseView {
    /// Returns the bytes of its iterations and its front in the page.
    ///
    /// # Errors
    /// If a number is not finite.
    pub fn size_of_iterations(&self) -> Result<usize, PageError> {
        length(&(&self.iterations, &self.front))
    }
}

/// Ranks that exceed bounds of the work model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OverBounds {
    /// As the phase started.
    pub before: usize,
    /// As the strategy left it.
    pub after: usize,
}

/// A proven lower bound.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct BoundView {
    /// The least maximum work.
    #[serde(serialize_with = "finite")]
    pub work: f64,
    /// Its limiting factor, in words.
    pub limit: String,
    /// The least maximum load in seconds.
    #[serde(serialize_with = "finite")]
    pub max_load: f64,
    /// Its limiting factor, in words.
    pub load_limit: String,
    /// The least imbalance of load.
    #[serde(serialize_with = "finite")]
    pub load_imbalance: f64,
}

/// A lower bound on maximum work under a restriction of the strategy.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RestrictedBoundView {
    /// The restriction, as in `keeps blocks whole`.
    pub keeps: String,
    /// The same as a condition, as in `with blocks kept whole`.
    pub condition: String,
    /// The least maximum work.
    #[serde(serialize_with = "finite")]
    pub work: f64,
    /// Its limiting factor, in words.
    pub limit: String,
}

/// One of the bounds on maximum work that are known.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KnownBoundView {
    /// Its limiting factor, in words.
    pub limit: String,
    /// The least maximum work.
    #[serde(serialize_with = "finite")]
    pub work: f64,
    /// The placements that it holds for, in words.
    pub holds_for: String,
}

/// Migrations of a phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MigrationTotals {
    /// Objects.
    pub count: usize,
    /// Their load in seconds.
    #[serde(serialize_with = "finite")]
    pub load: f64,
    /// Their bytes on the wire.
    #[serde(serialize_with = "finite")]
    pub bytes: f64,
}

/// State after an iteration of the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IterationView {
    /// From 1.
    pub number: usize,
    /// The largest work of a rank.
    #[serde(serialize_with = "finite")]
    pub max_work: f64,
    /// Imbalance of load.
    #[serde(serialize_with = "finite")]
    pub load_imbalance: f64,
    /// The largest relative excess of a rank over a bound.
    #[serde(serialize_with = "finite")]
    pub largest_excess: f64,
    /// Objects that changed rank.
    pub transfers: usize,
    /// Transfers that were considered and not made.
    pub rejections: usize,
    /// Messages that ranks would send each other.
    pub messages: u64,
    /// The part of the other ranks that a rank knows of, in the mean.
    pub knowledge: Option<f64>,
}

/// A placement with fewer migrations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrontPointView {
    /// Objects that changed rank.
    pub migrations: usize,
    /// The largest work of a rank.
    #[serde(serialize_with = "finite")]
    pub max_work: f64,
}
