// SPDX-License-Identifier: MIT OR Apache-2.0
//! The best arrangement that there is.

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

/// Finds an arrangement of the objects that may migrate whose maximum work no other one beats, and proves it.
/// If none keeps the bounds of the work model, finds one that exceeds them least; then only the work of ranks over
/// a bound is minimal, and others may cost more.
///
/// **When to use it.** On small cases: to know how far another strategy is from the best possible, and what a
/// bound costs. Up to about 22 objects of unlike loads on few ranks, also with a little communication; more where
/// loads are multiples of a unit, or where a start reaches the lower bound.
///
/// **How.** Branch and bound, depth first. A beginning (the first objects on their ranks) is given up when what
/// is certain cannot be better than the best known arrangement: the work of each rank with what it has,
/// communication between and on ranks and blocks away from home included; the load that is to come, poured into the
/// ranks; the memory and the numbers that are to come, in the mean of the ranks. Ranks between which nothing to
/// come can tell are tried once, and so are orders of objects that nothing tells apart. It starts from the
/// better of the initial placement and `Greedy`'s, after exchanges that help the rank of most work; so it
/// never ends above either, unless clusters have to be gathered first.
///
/// **Of equally good arrangements** it returns the initial placement if that is among them, else where the
/// exchanges ended, else the first that the search found; from the latter two, objects then go back to where they
/// were as far as the maximum work stays the same. Which are equal is decided to a relative 1e-12, so that sums
/// that differ by rounding are.
///
/// **Bounds.** All of them, of ranks and nodes.
///
/// **Cost.** Exponential: up to P^n arrangements of n objects on P ranks. The search ends after `max_nodes` tries of an
/// object on a rank, with the best that it found until then. With more than 2000 objects, or 262144 pairs of an object and
/// a rank, there is none, and the result is the better of the initial placement and Greedy's (with
/// `whole_clusters`, after clusters are gathered). Such a result is not proven to be the best, unless it reaches the lower bound; the summary
/// (`proven`), the console and a note say so. `require_proof` refuses it. The search uses all threads and no clock: neither
/// the result nor the number of tries depends on the machine.
///
/// **Reference.** A. H. Land, A. G. Doig, An automatic method of solving discrete programming problems,
/// Econometrica 28 (1960), doi:10.2307/1910129.
///
/// **Other implementations.** LBAF's goes through all P^n arrangements, ignores communication, fails with
/// `AffineCombination`, and does not write its result. vt has no such strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BruteForce {
    /// Find the best arrangement and say so, but leave every object where it is (false).
    pub skip_transfer: bool,
    /// Objects of one block that may migrate stay together (false).
    pub whole_clusters: bool,
    /// Nodes of the search tree, not of the machine: the search ends after so many tries of an object on a rank, a
    /// little more at most (200000000, about a minute on two cores).
    pub max_nodes: u64,
    /// Refuse cases in which no proof is found within `max_nodes`, instead of giving the best arrangement known (false).
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

    /// If objects stay where they are, bounds are not its doing.
    fn honours_bounds(&self) -> bool {
        !self.skip_transfer
    }

    fn repairs_bounds(&self) -> bool {
        true
    }

    fn keeps_blocks_whole(&self) -> bool {
        self.whole_clusters
    }

    fn draws(&self) -> bool {
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
                "the best arrangement that {} found has {}, which is {}",
                self.name(),
                value(work),
                unproven(problem, &self.size(problem, n_units, n_tries))
            )
        };
        let (assignment, is_proven) = if self.skip_transfer {
            // The proof is about what was found, which is the initial placement wherever that is as good.
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
            if self.skip_transfer { "; objects stay where they are because of `skip_transfer`" } else { "" };
        format!("phase {}: {said}{stay}", problem.phase.id())
    }

    /// Note on a proof.
    fn proof(&self, work: Work, n_tries: u64) -> String {
        let among = if self.whole_clusters { " that keeps clusters whole" } else { "" };
        let optimum = if work.is_over_bound() {
            format!(
                "keeps the bounds of the work model, or exceeds them by less than {} of a bound",
                work.excess()
            )
        } else {
            format!("has a smaller maximum work than {work}")
        };
        format!("no arrangement{among} {optimum}, as {} proved in {n_tries} tries", self.name())
    }

    /// The best arrangement after a search, and the number of tries.
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
            // What the search found may reach the bound with nothing left to prove.
            known.is_proven |= end.is_complete;
        } else {
            known.is_proven = true;
        }
        let (work, assignment) =
            start::near_initial(&instance, (known.work, known.assignment), context.cancel());
        Ok((Known { work, assignment, is_proven: known.is_proven }, n_tries))
    }

    /// Size of the case, and tries of the search.
    fn size(&self, problem: &Problem<'_>, n_units: usize, n_tries: u64) -> String {
        let n_ranks = problem.phase.n_ranks();
        let units = if self.whole_clusters { "clusters and objects" } else { "objects that may migrate" };
        let power = (n_units as f64 * (n_ranks as f64).log10()).floor();
        let searched = if n_tries > 0 {
            format!("{n_tries} tries (`max_nodes` {}) did not settle which is best", self.max_nodes)
        } else {
            "that is more than any search goes through".to_owned()
        };
        format!(
            "the {n_units} {units} of phase {} have about 10^{power} arrangements on {n_ranks} ranks, and {searched}",
            problem.phase.id()
        )
    }

    fn too_large(&self, problem: &Problem<'_>, n_units: usize, n_tries: u64, best: Work) -> StrategyError {
        let least = best_lower_bound(problem.phase, problem.model).work;
        let more = if n_tries > 0 { "raise `max_nodes`, " } else { "" };
        StrategyError::Parameters {
            strategy: self.name(),
            message: format!(
                "{}; the best known has {}, and none has less maximum work than {least}; {more}take fewer objects or phases, \
                 or another strategy, for example Greedy, or the best known without `require_proof`",
                self.size(problem, n_units, n_tries),
                value(best)
            ),
        }
    }
}
