// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where searches for the best arrangement start, and how their results come near the initial placement.

use std::collections::BTreeSet;

use lbaf_model::{Assignment, Work, best_lower_bound, rank_totals, works};

use super::case::Case;
use super::descent::descent;
use super::homeward::homeward;
use super::prospect::{beats, largest};
use crate::{Context, Greedy, Problem, Strategy, StrategyError};

/// Cases beyond this many objects (or clusters), or this many pairs of one and a rank, are hopeless.
const MOST_UNITS: usize = 2000;
const MOST_PAIRS: usize = 1 << 18;

/// An arrangement and its maximum work.
pub(crate) type Candidate = (Work, Assignment);

/// A good arrangement, before any search.
pub(crate) struct Start<'a> {
    pub(super) case: Case<'a>,
    pub(crate) best: Candidate,
}

impl<'a> Start<'a> {
    /// The better of the initial placement and Greedy's, after exchanges that help the rank of most work.
    pub(crate) fn new(
        problem: &Problem<'a>,
        context: &mut Context<'_>,
        whole_clusters: bool,
    ) -> Result<Self, StrategyError> {
        let case = Case::new(*problem, whole_clusters);
        if case.units.is_empty() {
            let best = (case.max_work(problem.initial), problem.initial.clone());
            return Ok(Start { case, best });
        }
        let [initial, greedy] = candidates(problem, context)?.map(|(_, start)| {
            let whole = case.gathered(start);
            (case.max_work(&whole), whole)
        });
        let mut best = better(initial, greedy);
        if may_be_beaten(problem, best.0) {
            let improved = descent(&case, best.1.clone());
            // Unlike the descent this knows all ranks of a node.
            best = better(best, (case.max_work(&improved), improved));
        }
        Ok(Start { case, best })
    }

    /// The maximum work under another arrangement.
    pub(crate) fn max_work(&self, assignment: &Assignment) -> Work {
        self.case.max_work(assignment)
    }

    /// The same arrangement as near the initial placement as it can be without more work.
    pub(crate) fn near_initial(&self, found: Candidate) -> Candidate {
        near_initial(&self.case, found)
    }
}

/// The best arrangement that is known without a search, however large the case: the better of the initial placement and Greedy's,
/// after exchanges unless the case is hopeless. Then clusters are only whole in the initial one.
pub(crate) fn best_known(
    problem: &Problem<'_>,
    context: &mut Context<'_>,
    whole_clusters: bool,
) -> Result<Candidate, StrategyError> {
    if is_hopeless(problem, n_units(problem, whole_clusters)) {
        let [initial, greedy] = candidates(problem, context)?;
        return Ok(if whole_clusters { initial } else { better(initial, greedy) });
    }
    let start = Start::new(problem, context, whole_clusters)?;
    Ok(start.near_initial(start.best.clone()))
}

/// How many objects or clusters there are to be placed.
pub(super) fn n_units(problem: &Problem<'_>, whole_clusters: bool) -> usize {
    let phase = problem.phase;
    let mut blocks = BTreeSet::new();
    let units = phase.slots().filter(|&slot| {
        let cluster = phase.memory(slot).block.filter(|_| whole_clusters);
        phase.is_migratable(slot) && cluster.is_none_or(|block| blocks.insert(block))
    });
    units.count()
}

/// Whether there are too many of them for any search.
pub(super) fn is_hopeless(problem: &Problem<'_>, n_units: usize) -> bool {
    n_units > MOST_UNITS || n_units * problem.phase.n_ranks() > MOST_PAIRS
}

pub(super) fn near_initial(case: &Case<'_>, (work, found): Candidate) -> Candidate {
    if found == *case.problem.initial {
        return (work, found);
    }
    let found = homeward(case, found);
    (case.max_work(&found), found)
}

/// The initial placement and that of Greedy.
pub(super) fn candidates(
    problem: &Problem<'_>,
    context: &mut Context<'_>,
) -> Result<[Candidate; 2], StrategyError> {
    let greedy = Greedy::default().rebalance(problem, context)?.assignment;
    Ok([problem.initial.clone(), greedy].map(|assignment| {
        let totals = rank_totals(problem.phase, &assignment);
        (largest(works(problem.model, problem.phase, &totals).into_iter()), assignment)
    }))
}

/// The better of two candidates, the first of equal ones.
pub(crate) fn better(first: Candidate, second: Candidate) -> Candidate {
    if beats(second.0, first.0) { second } else { first }
}

/// Whether load alone leaves room for anything better.
pub(crate) fn may_be_beaten(problem: &Problem<'_>, work: Work) -> bool {
    // Bounds are rounded down.
    let rounding = 1.0 + f64::EPSILON * problem.phase.n_objects() as f64;
    beats(Work::within(best_lower_bound(problem.phase, problem.model).work * rounding), work)
}
