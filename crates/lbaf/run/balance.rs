// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every selected phase through the strategy, from its recorded placement.

use lbaf_model::{Assignment, DataSet, Limit, LowerBound, Phase, RankTotals, Statistics, Violation, Work};
use lbaf_model::{best_lower_bound, load_bound, lower_bounds, rank_totals, violations, works};
use lbaf_strategies::{Checked, Context, IterationStats, Observer, Problem, StrategyConfig};
use rayon::prelude::*;

use crate::config::Run;
use crate::error::Error;

/// A phase before and after.
pub(super) struct Balanced<'a> {
    pub(super) phase: &'a Phase,
    pub(super) initial: &'a Assignment,
    pub(super) totals: Vec<RankTotals>,
    pub(super) works: Vec<Work>,
    pub(super) after: Checked,
    /// Bounds that the final placement exceeds.
    pub(super) violations: Vec<Violation>,
    /// Placements after each iteration, where files are to hold them.
    pub(super) iterations: Vec<Assignment>,
    pub(super) bound: LowerBound,
    /// Maximum work if load were spread evenly.
    pub(super) ideal_work: f64,
    /// A lower bound on the maximum load, whatever the work model.
    pub(super) load_bound: LowerBound,
}

/// Balances the phases in parallel: none depends on another. `strategy` is that of the run with all that it needs.
pub(super) fn balance<'a>(
    run: &Run,
    strategy: &StrategyConfig,
    data: &'a DataSet,
) -> Result<Vec<Balanced<'a>>, Error> {
    let selected: Vec<&Phase> =
        data.phases().iter().filter(|phase| run.balanced.contains(phase.id().0)).collect();
    let balanced: Vec<Result<Balanced<'a>, Error>> =
        selected.into_par_iter().map(|phase| balance_one(run, strategy, data, phase)).collect();
    balanced.into_iter().collect()
}

fn balance_one<'a>(
    run: &Run,
    strategy: &StrategyConfig,
    data: &DataSet,
    phase: &'a Phase,
) -> Result<Balanced<'a>, Error> {
    let model = &*run.model;
    let initial = phase.recorded_assignment();
    let totals = rank_totals(phase, initial);
    let works = works(model, phase, &totals);
    let problem = Problem { phase, initial, model, keys: data.keys() };
    let wanted = run.files.as_ref().is_some_and(|files| files.lb_iterations);
    let mut iterations = Iterations { wanted, assignments: Vec::new() };
    let mut context = Context::new(run.seed, phase.id().0, &mut iterations);
    let after = lbaf_strategies::run(&*strategy.build(), &problem, &mut context)?;
    let ideal = lower_bounds(phase, model).into_iter().find(|bound| bound.limit == Limit::Mean);
    let known = best_lower_bound(phase, model);
    let proven = after.outcome.proven_bound.filter(|&proven| proven > known.work * (1.0 + 1e-12));
    Ok(Balanced {
        bound: proven.map_or(known, |work| LowerBound { limit: Limit::Search, work }),
        ideal_work: ideal.map_or(0.0, |bound| bound.work),
        load_bound: load_bound(phase),
        violations: violations(model, phase, &after.totals),
        iterations: iterations.assignments,
        phase,
        initial,
        totals,
        works,
        after,
    })
}

/// The imbalance that a maximum load means.
pub(super) fn imbalance_at(max_load: f64, loads: &Statistics) -> f64 {
    // Bound and mean are sums in different orders: rounding must not make their difference negative.
    if loads.mean() > 0.0 { (max_load / loads.mean() - 1.0).max(0.0) } else { 0.0 }
}

/// Keeps the placements of iterations.
struct Iterations {
    wanted: bool,
    assignments: Vec<Assignment>,
}

impl Observer for Iterations {
    fn iteration(&mut self, _: &IterationStats, assignment: &Assignment) {
        if self.wanted {
            self.assignments.push(assignment.clone());
        }
    }
}
