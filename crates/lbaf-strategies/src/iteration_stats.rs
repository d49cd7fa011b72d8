// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statistics of the iterations of a strategy.

use lbaf_model::{Assignment, RankTotals, Statistics, Work, rank_totals, works};

use crate::Problem;

/// Statistics of an iteration and of the placement after it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationStats {
    /// Number of the iteration, from 1.
    pub iteration: usize,
    /// Imbalance of rank loads.
    pub load_imbalance: f64,
    /// Maximum work over ranks, without excess over bounds.
    pub max_work: f64,
    /// Largest excess of a rank: the sum of the relative excesses over its upper bounds and those of its node; 0 if all
    /// bounds are kept.
    pub largest_excess: f64,
    /// Number of transferred objects. Repeated transfers of an object count each time.
    pub n_transfers: usize,
    /// Number of transfers that were considered and rejected; with work stealing, of refused requests.
    pub n_rejections: usize,
    /// Number of messages that ranks would send each other, without the transport of migrating objects. 0 unless the
    /// strategy uses [`Protocol::Peers`](crate::Protocol::Peers).
    pub n_messages: u64,
    /// Fraction of the other ranks that a rank has heard of, averaged over ranks. `None` for strategies without
    /// gossip.
    pub knowledge: Option<f64>,
    /// Statistics of locks. `None` for strategies in which ranks do not lock each other.
    pub locks: Option<Locks>,
}

impl IterationStats {
    /// Computes the statistics of a placement reached in a single iteration. O(objects + edges).
    pub fn of(problem: &Problem<'_>, assignment: &Assignment) -> Self {
        let totals = rank_totals(problem.phase, assignment);
        let works = works(problem.model, problem.phase, &totals);
        IterationStats::with_totals(problem, assignment, &totals, &works)
    }

    /// Computes the statistics from known totals and works.
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

/// Returns the imbalance of rank loads.
pub(crate) fn load_imbalance(totals: &[RankTotals]) -> f64 {
    Statistics::of(totals.iter().map(|rank| rank.load)).imbalance()
}

/// Returns the largest cost of a rank.
pub(crate) fn max_work(works: &[Work]) -> f64 {
    works.iter().map(|work| work.cost()).fold(0.0, f64::max)
}

/// Returns the largest excess of a rank, see [`IterationStats::largest_excess`].
pub(crate) fn largest_excess(works: &[Work]) -> f64 {
    works.iter().map(|work| work.excess()).fold(0.0, f64::max)
}

/// Statistics of locks in an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Locks {
    /// Number of rounds of lock requests. If ranks act one after the other, every request is a round.
    pub n_rounds: u64,
    /// Number of requests for a lock, including repeated ones.
    pub n_requests: u64,
    /// Number of requests refused because one of the two ranks was engaged in another exchange.
    pub n_conflicts: u64,
    /// Number of requests that repeated a refused request to the same rank.
    pub n_retries: u64,
}

impl Locks {
    /// Returns the number of messages: two for a refused request (request, refusal), three for a granted one
    /// (request, the peer's objects, the exchange).
    pub(crate) fn n_messages(self) -> u64 {
        let granted = self.n_requests - self.n_conflicts;
        self.n_conflicts.saturating_mul(2).saturating_add(granted.saturating_mul(3))
    }
}
