// SPDX-License-Identifier: MIT OR Apache-2.0
//! Starts of exact searches, and migration reduction of their results.

use std::collections::BTreeSet;

use lbaf_model::{Assignment, Phase, Work, best_lower_bound, lower_bounds, rank_totals, works};

use super::comparison::{beats, largest};
use super::descent::descent;
use super::instance::Instance;
use super::partial::Partial;
use crate::primitives::migration_reduction::whole_units::WholeUnits;
use crate::{Cancel, Context, Greedy, Problem, Strategy, StrategyError};

/// Cases with more units, or with more pairs of a unit and a rank, are too large for a search and for exchanges. `Milp`
/// applies this limit only to programs that it does not solve.
const MOST_UNITS: usize = 2000;
const MOST_PAIRS: usize = 1 << 18;

/// Placement with its maximum work.
pub(crate) type Candidate = (Work, Assignment);

/// Problem prepared for a search, and a good known placement.
pub(crate) struct Start<'a> {
    pub(super) instance: Instance<'a>,
    pub(crate) best: Known,
}

impl<'a> Start<'a> {
    /// Computes the better of the initial placement and the placement of Greedy. Exchanges improve it unless it reaches
    /// a lower bound.
    pub(crate) fn new(
        problem: &Problem<'a>,
        context: &mut Context<'_>,
        whole_clusters: bool,
    ) -> Result<Self, StrategyError> {
        let instance = Instance::new(*problem, whole_clusters);
        if instance.units.is_empty() {
            let best = (instance.max_work(problem.initial), problem.initial.clone());
            return Ok(Start { instance, best: Known::new(problem, best) });
        }
        let [initial, greedy] = candidates(problem, context, whole_clusters)?;
        let mut best = Known::new(problem, better(initial, greedy));
        if !best.is_proven {
            let improved = descent(&instance, best.assignment.clone(), context.cancel());
            context.check()?;
            // The descent compares only the two ranks of an exchange. With bounds on nodes, other ranks may have more
            // work, so the maximum is recomputed.
            let improved = (instance.max_work(&improved), improved);
            best = Known::new(problem, better((best.work, best.assignment), improved));
        }
        Ok(Start { instance, best })
    }

    /// Returns the maximum work of a placement.
    pub(crate) fn max_work(&self, assignment: &Assignment) -> Work {
        self.instance.max_work(assignment)
    }

    /// Returns objects to their initial ranks as far as the maximum work does not rise, also by swaps of
    /// interchangeable ranks or units.
    pub(crate) fn near_initial(&self, found: Candidate, cancel: &Cancel) -> Candidate {
        near_initial(&self.instance, found, cancel)
    }
}

/// Placement, with or without a proof.
pub(crate) struct Known {
    pub(crate) work: Work,
    pub(crate) assignment: Assignment,
    /// True if the placement is proven to be optimal.
    pub(crate) is_proven: bool,
}

impl Known {
    /// Wraps a placement, which is proven only if it reaches a lower bound.
    pub(crate) fn new(problem: &Problem<'_>, (work, assignment): Candidate) -> Self {
        Known { work, assignment, is_proven: !may_be_beaten(problem, work) }
    }

    /// Returns the better of the initial placement and the placement of Greedy. Unless the case is hopeless, exchanges
    /// improve it, and objects then return to their initial ranks.
    pub(crate) fn without_search(
        problem: &Problem<'_>,
        context: &mut Context<'_>,
        whole_clusters: bool,
    ) -> Result<Self, StrategyError> {
        let best = if is_hopeless(problem, n_units(problem, whole_clusters)) {
            let [initial, greedy] = candidates(problem, context, whole_clusters)?;
            better(initial, greedy)
        } else {
            let start = Start::new(problem, context, whole_clusters)?;
            start.near_initial((start.best.work, start.best.assignment.clone()), context.cancel())
        };
        Ok(Known::new(problem, best))
    }
}

/// Describes a placement by its maximum work or, if it exceeds bounds, by its largest excess. `decisive` is the maximum
/// work or, if the placement exceeds bounds, the work of the rank with this excess, which need not be the maximum.
pub(crate) fn value(decisive: Work) -> String {
    if decisive.is_over_bound() {
        format!("a relative excess of {} over the bounds of the work model", decisive.excess())
    } else {
        format!("maximum work {decisive}")
    }
}

/// Returns a note on a result without a proof, with the reason.
pub(crate) fn unproven(problem: &Problem<'_>, reason: &str) -> String {
    let least = best_lower_bound(problem.phase, problem.model).work;
    format!("not proven to be optimal: {reason}; the lower bound of the maximum work is {least}")
}

/// Returns the number of units: migratable objects, or clusters and objects without a block.
pub(super) fn n_units(problem: &Problem<'_>, whole_clusters: bool) -> usize {
    let phase = problem.phase;
    let mut blocks = BTreeSet::new();
    let units = phase.slots().filter(|&slot| {
        let cluster = phase.memory(slot).block.filter(|_| whole_clusters);
        phase.is_migratable(slot) && cluster.is_none_or(|block| blocks.insert(block))
    });
    units.count()
}

/// True if there are too many units, or pairs of a unit and a rank, for any search.
pub(super) fn is_hopeless(problem: &Problem<'_>, n_units: usize) -> bool {
    n_units > MOST_UNITS || n_units * problem.phase.n_ranks() > MOST_PAIRS
}

pub(super) fn near_initial(instance: &Instance<'_>, (work, found): Candidate, cancel: &Cancel) -> Candidate {
    if found == *instance.problem.initial {
        return (work, found);
    }
    let most = instance.max_work(&found);
    let is_as_good = |placement: &Assignment| !beats(most, instance.max_work(placement));
    let found = whole_units(instance).brought_home(found, is_as_good, cancel);
    (instance.max_work(&found), found)
}

/// Returns the units, with interchangeable units and kinds of ranks.
fn whole_units<'a>(instance: &'a Instance<'_>) -> WholeUnits<'a> {
    let mut eldest: Vec<usize> = Vec::with_capacity(instance.units.len());
    for (at, unit) in instance.units.iter().enumerate() {
        eldest.push(unit.twin.map_or(at, |twin| eldest[twin]));
    }
    let bare = Partial::new(instance);
    let first_alike = |rank: usize| (0..rank).find(|&other| bare.may_exchange(instance, other, rank));
    WholeUnits {
        initial: instance.problem.initial,
        units: instance.units.iter().map(|unit| unit.slots.as_slice()).collect(),
        eldest,
        kinds: (0..instance.n_ranks()).map(|rank| first_alike(rank).unwrap_or(rank)).collect(),
    }
}

/// Returns the initial placement and the placement of Greedy, with clusters gathered on request. O(objects + edges +
/// ranks), plus Greedy.
fn candidates(
    problem: &Problem<'_>,
    context: &mut Context<'_>,
    whole_clusters: bool,
) -> Result<[Candidate; 2], StrategyError> {
    let greedy = Greedy::default().rebalance(problem, context)?.assignment;
    Ok([problem.initial.clone(), greedy].map(|assignment| {
        let assignment = if whole_clusters { gathered(problem.phase, assignment) } else { assignment };
        let totals = rank_totals(problem.phase, &assignment);
        (largest(works(problem.model, problem.phase, &totals).into_iter()), assignment)
    }))
}

/// Moves the migratable objects of each block to the rank of the first of them.
fn gathered(phase: &Phase, mut assignment: Assignment) -> Assignment {
    let mut rank_of = vec![None; phase.blocks().len()];
    for slot in phase.slots().filter(|&slot| phase.is_migratable(slot)) {
        if let Some(block) = phase.memory(slot).block {
            let rank = *rank_of[block.index()].get_or_insert(assignment.rank_of(slot));
            assignment.set(slot, rank);
        }
    }
    assignment
}

/// Returns the better of two candidates; in a tie, the first.
pub(crate) fn better(first: Candidate, second: Candidate) -> Candidate {
    if beats(second.0, first.0) { second } else { first }
}

/// True if lower bounds do not exclude a better placement. The bounds are used before they are rounded down by
/// possible rounding errors, because the comparison tolerates these errors itself.
fn may_be_beaten(problem: &Problem<'_>, work: Work) -> bool {
    let bounds = lower_bounds(problem.phase, problem.model);
    let least = bounds.iter().map(|bound| bound.unrounded).fold(0.0, f64::max);
    beats(Work::within(least), work)
}
