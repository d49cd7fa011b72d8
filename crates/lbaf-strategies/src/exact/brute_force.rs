// SPDX-License-Identifier: MIT OR Apache-2.0
//! `BruteForce`: an optimal placement by branch and bound.

use lbaf_model::{Work, best_lower_bound};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::parameters::parameters;
use crate::{Context, Outcome, Problem, Strategy, StrategyError};

mod bound;
mod comparison;
mod descent;
mod instance;
mod parallel_search;
mod partial;
mod remaining_load;
mod search;
mod start;
mod symmetry;
mod unit;

pub(crate) use start::{Candidate, Known, Start, better, unproven, value};

/// Finds a placement of the migratable objects with the least maximum work, and proves that it is optimal.
///
/// If no placement is within the bounds of the work model, the strategy minimizes the largest excess of a rank
/// over them, and then the work of the rank with this excess. Other ranks may then have more work than
/// necessary.
///
/// **When to use it.** On small cases: to measure how far another strategy is from the optimum, and to measure
/// the cost of a bound. It solves up to about 22 objects of different loads on few ranks, also with a little
/// communication. It solves larger cases if all loads are multiples of a unit, or if a start reaches the lower
/// bound.
///
/// **Algorithm.** Depth-first branch and bound. A partial placement is pruned if none of its completions can be
/// better than the best known placement. The lower bound on the completions uses:
///
/// * the work of each rank with the objects placed so far, including communication and homing;
/// * the remaining load, which must fit into the free capacity of the ranks (if all remaining loads are multiples of
///   a unit, free capacity is rounded down to whole units);
/// * the remaining memory and numbers of objects, averaged over the ranks.
///
/// Symmetry breaking excludes placements that only swap interchangeable ranks or objects. The search starts from
/// the better of the initial placement and the placement of `Greedy`, after exchanges that reduce the work of
/// the critical rank. The result is therefore never worse than these two placements, unless clusters must be
/// gathered first (`whole_clusters`).
///
/// **Equally good placements.** The result is the initial placement if that is optimal. Otherwise it is the
/// placement after the exchanges if that is optimal, or else the first optimal placement that the search finds. In
/// the last two cases, objects then return to their initial ranks as far as the maximum work stays the same. Works
/// that differ by less than a relative 1e-12 count as equal, so that rounding does not matter.
///
/// **Bounds.** The search respects all bounds of ranks and nodes.
///
/// **Cost.** Exponential: up to P^n placements of n objects on P ranks. The search stops after `max_nodes`
/// tries of an object on a rank and returns the best placement found so far. Cases with more than 2000 objects,
/// or more than 262144 pairs of an object and a rank, are not searched. Their result is the better of the
/// initial placement and the placement of `Greedy` (with `whole_clusters`, after clusters are gathered). A
/// result without a complete search is not proven to be optimal, unless it reaches the lower bound. The summary
/// (`proven`), the console and a note report whether there is a proof; `require_proof` makes a missing proof an
/// error. The search uses all threads but no clock: neither the result nor the number of tries depends on the
/// machine.
///
/// **Reference.** A. H. Land, A. G. Doig, An automatic method of solving discrete programming problems,
/// Econometrica 28 (1960), doi:10.2307/1910129.
///
/// **Other implementations.** LBAF enumerates all P^n placements, ignores communication, fails with
/// `AffineCombination`, and does not write its result. vt has no such strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BruteForce {
    /// Finds an optimal placement and reports it, but leaves every object on its rank (false).
    pub skip_transfer: bool,
    /// Keeps the migratable objects of a block together on one rank (false).
    pub whole_clusters: bool,
    /// Maximum number of nodes of the search tree. The search stops shortly after this number of tries of an
    /// object on a rank (200000000, about a minute on two cores).
    pub max_nodes: u64,
    /// Refuses cases without a proof after `max_nodes`, instead of returning the best known placement (false).
    pub require_proof: bool,
}

impl Default for BruteForce {
    fn default() -> Self {
        BruteForce {
            skip_transfer: false,
            whole_clusters: false,
            max_nodes: 200_000_000,
            require_proof: false,
        }
    }
}

impl Strategy for BruteForce {
    fn name(&self) -> &'static str {
        "BruteForce"
    }

    fn parameters(&self) -> Value {
        parameters(self)
    }

    /// With `skip_transfer`, the result does not depend on the bounds.
    fn honours_bounds(&self) -> bool {
        !self.skip_transfer
    }

    fn repairs_bounds(&self) -> bool {
        true
    }

    fn keeps_blocks_whole(&self) -> bool {
        self.whole_clusters
    }

    fn uses_random_numbers(&self) -> bool {
        false
    }

    fn rebalance(&self, problem: &Problem<'_>, context: &mut Context<'_>) -> Result<Outcome, StrategyError> {
        let n_units = start::n_units(problem, self.whole_clusters);
        let (Known { work, assignment, is_proven }, n_tries) = if start::is_hopeless(problem, n_units) {
            (Known::without_search(problem, context, self.whole_clusters)?, 0)
        } else {
            self.with_search(problem, context)?
        };
        context.check()?;
        if !is_proven && self.require_proof {
            return Err(self.too_large(problem, n_units, n_tries, work));
        }
        let is_bound = is_proven && !work.is_over_bound();
        let said = if is_proven {
            self.proof(work, n_tries)
        } else {
            format!(
                "the best placement that {} found has {}, which is {}",
                self.name(),
                value(work),
                unproven(problem, &self.size(problem, n_units, n_tries))
            )
        };
        let (assignment, is_proven) = if self.skip_transfer {
            // The proof covers the placement found, which is the initial placement if that is equally good.
            let is_best = is_proven && assignment == *problem.initial;
            (problem.initial.clone(), is_best.then_some(true))
        } else {
            (assignment, Some(is_proven))
        };
        Ok(Outcome {
            proven_bound: is_bound.then_some(work.cost()),
            is_proven,
            notes: vec![self.note(problem, &said)],
            ..Outcome::at_once(assignment)
        })
    }
}

impl BruteForce {
    fn note(&self, problem: &Problem<'_>, said: &str) -> String {
        let stay =
            if self.skip_transfer { "; objects stay on their ranks because of `skip_transfer`" } else { "" };
        format!("phase {}: {said}{stay}", problem.phase.id())
    }

    /// Describes a proof for a note.
    fn proof(&self, work: Work, n_tries: u64) -> String {
        let among = if self.whole_clusters { " that keeps clusters whole" } else { "" };
        let optimum = if work.is_over_bound() {
            format!(
                "is within the bounds of the work model or exceeds them by a relative excess below {}",
                work.excess()
            )
        } else {
            format!("has less maximum work than {work}")
        };
        let how = match n_tries {
            0 => "without a search".to_owned(),
            1 => "in 1 try".to_owned(),
            n => format!("in {n} tries"),
        };
        format!("{} proved {how} that no placement{among} {optimum}", self.name())
    }

    /// Returns the best placement, after the return of objects to their initial ranks, and the number of tries.
    /// Searches unless the start is proven to be optimal.
    fn with_search(
        &self,
        problem: &Problem<'_>,
        context: &mut Context<'_>,
    ) -> Result<(Known, u64), StrategyError> {
        let Start { instance, best } = Start::new(problem, context, self.whole_clusters)?;
        let (mut known, mut n_tries) = (best, 0);
        if !instance.units.is_empty() && !known.is_proven {
            let end = parallel_search::search(&instance, known.work, self.max_nodes, context.cancel())?;
            n_tries = end.n_steps;
            if let (work, Some(found)) = end.best {
                known = Known::new(problem, (work, found));
            }
            // The placement of an incomplete search may still reach the lower bound.
            known.is_proven |= end.is_complete;
        } else {
            known.is_proven = true;
        }
        let (work, assignment) =
            start::near_initial(&instance, (known.work, known.assignment), context.cancel());
        Ok((Known { work, assignment, is_proven: known.is_proven }, n_tries))
    }

    /// Describes the size of the case and the tries of the search.
    fn size(&self, problem: &Problem<'_>, n_units: usize, n_tries: u64) -> String {
        let n_ranks = problem.phase.n_ranks();
        let units = if self.whole_clusters { "clusters and objects" } else { "migratable objects" };
        let power = (n_units as f64 * libm::log10(n_ranks as f64)).floor();
        let searched = if n_tries > 0 {
            format!("{n_tries} tries (`max_nodes` {}) did not complete the search", self.max_nodes)
        } else {
            "this is too many for a search".to_owned()
        };
        format!(
            "the {n_units} {units} of phase {} have about 10^{power} placements on {n_ranks} ranks, and {searched}",
            problem.phase.id()
        )
    }

    fn too_large(&self, problem: &Problem<'_>, n_units: usize, n_tries: u64, best: Work) -> StrategyError {
        let least = best_lower_bound(problem.phase, problem.model).work;
        let more = if n_tries > 0 { "raise `max_nodes`, " } else { "" };
        StrategyError::Parameters {
            strategy: self.name(),
            message: format!(
                "{}; the best known placement has {}, and the lower bound of the maximum work is {least}; \
                 {more}use fewer objects or phases or another strategy, for example Greedy, or accept the best known \
                 placement by `require_proof: false`",
                self.size(problem, n_units, n_tries),
                value(best)
            ),
        }
    }
}
