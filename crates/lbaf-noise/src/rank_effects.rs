// SPDX-License-Identifier: MIT OR Apache-2.0
//! Effects of ranks: slowdown of the same work on a rank.
//!
//! The logarithm of a time is modelled as the typical value of the object, plus the effect of the rank, plus the effect
//! of the phase on all objects, plus noise. Effects of phases are subtracted first. Only objects that ran on several
//! ranks separate the first two terms. Such an object gives one comparison for each of its ranks: the median of its
//! logarithms on this rank, minus the mean of its medians on its other ranks. The mean is weighted by the number of
//! times on each rank, after subtraction of the known effects of these ranks. The effect of a rank is a robust mean of
//! its comparisons; its standard error follows from their spread. Comparisons contain the effects of other ranks, so
//! all effects are estimated iteratively until they converge.
//!
//! An effect that chance explains counts as 0 in the comparisons of other ranks. So errors do not add up along a chain
//! of ranks between which objects migrated step by step.

mod center;
mod comparisons;

use lbaf_model::{DataSet, Phase, RankId, Slot};

pub(crate) use center::{Center, Weighted};
use comparisons::Comparisons;

use crate::repetitions::Bases;

/// Probability that chance alone gives any rank of a healthy run a reported effect.
const ERROR_OF_CLAIM: f64 = 0.01;

/// Probability that chance alone gives any rank of a healthy run an effect that is subtracted in comparisons of other
/// ranks.
const ERROR_OF_DOUBT: f64 = 0.1;

/// Minimum number of objects of a rank that also ran on another rank, for the rank to be judged.
pub(crate) const MIN_OBJECTS: usize = 5;

/// Convergence limit: largest change of a logarithm in an iteration.
const AGREEMENT: f64 = 1e-9;

/// Maximum number of iterations.
const MOST_ROUNDS: usize = 300;

/// Effects of the ranks of a run.
#[derive(Clone, Debug)]
pub(crate) struct RankEffects {
    /// Effect of each rank.
    pub(crate) ranks: Vec<RankEffect>,
    /// Number of tasks with a time above 0, without skipped ones; 0 if effects are unknown.
    pub(crate) n_tasks: usize,
    /// True if the effects are removed from times before these are judged.
    pub(crate) are_taken_out: bool,
}

/// Effect of a rank: slowdown of work there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankEffect {
    /// Natural logarithm of the time relative to the median rank of the group, with its standard error; `None` if no
    /// object ran on this rank and another one.
    pub(crate) estimate: Option<Center>,
    /// Factor by which times are divided before they are judged. It is 1 if too few objects give an estimate, if chance
    /// explains the estimate, or if the rank is slow in only a part of the run.
    pub(crate) factor: f64,
    /// Number of the group of the rank. Ranks of a group can be compared, because objects ran on several of them.
    pub(crate) group: usize,
    /// Number of tasks on this rank of objects that ran on several ranks.
    pub(crate) n_migrated_tasks: usize,
}

impl RankEffects {
    /// Returns unknown effects, with the factor 1 for every rank.
    pub(crate) fn unknown(n_ranks: usize) -> Self {
        let unknown = |group| RankEffect { estimate: None, factor: 1.0, group, n_migrated_tasks: 0 };
        RankEffects { ranks: (0..n_ranks).map(unknown).collect(), n_tasks: 0, are_taken_out: false }
    }

    /// Estimates the effects of all ranks, without the first `n_skipped` times of each object. O(tasks), plus O(pairs
    /// of objects and ranks) for each iteration.
    pub(crate) fn of(data: &DataSet, bases: &Bases, n_skipped: usize) -> Self {
        let comparisons = Comparisons::of(data, bases, n_skipped);
        let n_judged = comparisons.n_judged(MIN_OBJECTS).max(1) as f64;
        // The test is two-sided.
        let differs = |center: &Center, error: f64| {
            center.n >= MIN_OBJECTS && 2.0 * n_judged * center.chance(center.value.abs()) <= error
        };
        let n_ranks = data.n_ranks();
        let (mut known, mut are_known) = (vec![0.0; n_ranks], vec![false; n_ranks]);
        let mut estimates = comparisons.estimates(&known);
        for _ in 0..MOST_ROUNDS {
            let mut largest_step = 0.0_f64;
            for (rank, estimate) in estimates.iter().enumerate().filter(|(rank, _)| are_known[*rank]) {
                // Half of the step: of two ranks compared with each other, each takes half of their difference.
                let step = estimate.map_or(0.0, |center| (center.value - known[rank]) / 2.0);
                known[rank] += step;
                largest_step = largest_step.max(step.abs());
            }
            if largest_step <= AGREEMENT {
                let new = |rank: &usize| !are_known[*rank];
                let evidence = |rank: usize| {
                    let center = estimates[rank].filter(|center| differs(center, ERROR_OF_DOUBT))?;
                    Some((rank, center.value.abs() / center.error))
                };
                let found: Vec<(usize, f64)> = (0..n_ranks).filter(new).filter_map(evidence).collect();
                if found.is_empty() {
                    break;
                }
                // Only the most significant effects are accepted now: ranks that exchange objects with a slow rank seem
                // fast until its effect is known.
                let most = found.iter().map(|(_, evidence)| *evidence).fold(0.0, f64::max);
                for (rank, _) in found.iter().filter(|(_, evidence)| *evidence >= most / 2.0) {
                    are_known[*rank] = true;
                }
            }
            estimates = comparisons.estimates(&known);
        }
        let references = comparisons.references(&known);
        let effect = |rank: usize| {
            let group = comparisons.groups[rank];
            let estimate = estimates[rank].map(|center| center.less(references[group]));
            let certain = estimate.filter(|center| differs(center, ERROR_OF_CLAIM));
            RankEffect {
                estimate,
                factor: certain.map_or(1.0, |center| libm::exp(center.value)),
                group,
                n_migrated_tasks: comparisons.n_migrated_tasks[rank],
            }
        };
        let ranks = (0..n_ranks).map(effect).collect();
        RankEffects { ranks, n_tasks: comparisons.n_tasks, are_taken_out: true }
    }

    /// Sets the factors of some ranks to 1, because ranks that are slow in only a part of the run have no effect in the
    /// whole run.
    pub(crate) fn without(mut self, ranks: impl IntoIterator<Item = RankId>) -> Self {
        for rank in ranks {
            self.ranks[rank.index()].factor = 1.0;
        }
        self
    }

    /// True if any rank has an effect.
    pub(crate) fn are_any(&self) -> bool {
        self.ranks.iter().any(|rank| rank.factor.to_bits() != 1.0_f64.to_bits())
    }

    /// Factor by which a task takes longer because of its rank; 1 if effects are not removed.
    pub(crate) fn factor(&self, phase: &Phase, slot: Slot) -> f64 {
        let rank = phase.recorded_assignment().rank_of(slot).index();
        if self.are_taken_out { self.ranks[rank].factor } else { 1.0 }
    }

    /// Returns the seconds of a task on the median rank; the measured seconds if effects are not removed.
    pub(crate) fn time(&self, phase: &Phase, slot: Slot) -> f64 {
        phase.load(slot) / self.factor(phase, slot)
    }
}
