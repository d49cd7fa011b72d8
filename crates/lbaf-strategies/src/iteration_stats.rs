// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statistics of the iterations of a strategy.

use lbaf_model::{Assignment, RankTotals, Statistics, Work, rank_totals, works};

use crate::Problem;

/// Statistics of the placement after an iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationStats {
    /// Number of the iteration, from 1.
    pub iteration: usize,
    /// Imbalance of rank loads.
    pub load_imbalance: f64,
    /// Maximum work over ranks; only the cost, without excess over bounds.
    pub max_work: f64,
    /// The largest relative excess of a rank over the bounds of the work model.
    pub largest_excess: f64,
    /// Objects that changed rank.
    pub n_transfers: usize,
    /// Transfers that were considered and rejected.
    pub n_rejections: usize,
    /// Messages that ranks would have sent each other in a real run, objects on their way not among them.
    pub n_messages: u64,
    /// The part of the other ranks that a rank knew of, in the mean; `None` where nothing is told.
    pub knowledge: Option<f64>,
    /// Locks that it took, where ranks lock each other.
    pub locks: Option<Locks>,
}

impl IterationStats {
    /// Statistics of a placement that one iteration, the first, made of the initial one. O(objects + edges).
    pub fn of(problem: &Problem<'_>, assignment: &Assignment) -> Self {
        let totals = rank_totals(problem.phase, assignment);
        let works = works(problem.model, problem.phase, &totals);
        IterationStats::with_totals(problem, assignment, &totals, &works)
    }

    /// The same where totals and works of the placement are known.
    pub(crate) fn with_totals(
        problem: &Problem<'_>,
        assignment: &Assignment,
        totals: &[RankTotals],
        works: &[Work],
    ) -> Self {
        IterationStats {
            iteration: 1,
            load_imbalance: load_imbalance(totals),
            max_work: max_work(works),
            largest_excess: largest_excess(works),
            n_transfers: assignment.migrations_from(problem.initial).count(),
            n_rejections: 0,
            n_messages: 0,
            knowledge: None,
            locks: None,
        }
    }
}

/// Imbalance of rank loads.
pub(crate) fn load_imbalance(totals: &[RankTotals]) -> f64 {
    Statistics::of(totals.iter().map(|rank| rank.load)).imbalance()
}

/// Largest cost of a rank.
pub(crate) fn max_work(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}

/// Largest relative excess of a rank over bounds.
pub(crate) fn largest_excess(works: &[Work]) -> f64 {
    works.iter().map(|work| work.excess()).fold(0.0, f64::max)
}

/// Locks of an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Rounds until no rank asked any more.
    pub n_rounds: u64,
    /// Requests for a lock, those that were made again among them.
    pub n_requests: u64,
    /// Requests that were refused because one of the two ranks was in another exchange.
    pub n_conflicts: u64,
    /// Of all requests those to a rank that had refused the same before.
    pub n_retries: u64,
}

impl Locks {
    /// Messages: a request and its refusal; or a request, what the peer has, and what is exchanged.
    pub(crate) fn n_messages(self) -> u64 {
        let granted = self.n_requests - self.n_conflicts;
        self.n_conflicts.saturating_mul(2).saturating_add(granted.saturating_mul(3))
    }
}
