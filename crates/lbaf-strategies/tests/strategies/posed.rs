// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random phases with work models, and checks of strategies.

use lbaf_model::{Affine, AffineParameters, Assignment, Statistics, WorkModel, rank_totals, works};
use lbaf_strategies::{Checked, Context, IterationStats, Observer, Problem, Strategy, run};
use proptest::collection::vec;
use proptest::prelude::{Just, TestCaseError, prop_assert, prop_assert_eq, prop_oneof};
use proptest::strategy::Strategy as _;

use crate::bounds;
use crate::made_phase::Made;

/// Records all observed iterations.
#[derive(Default)]
struct Told(Vec<(IterationStats, Assignment)>);

impl Observer for Told {
    fn iteration(&mut self, stats: &IterationStats, assignment: &Assignment) {
        self.0.push((*stats, assignment.clone()));
    }
}

/// Runs a strategy and returns its result with all reported iterations.
pub(crate) fn observed(
    made: &Made,
    strategy: &dyn Strategy,
    model: &dyn WorkModel,
    seed: u64,
) -> (Checked, Vec<(IterationStats, Assignment)>) {
    let (phase, keys) = (made.phase(), made.keys());
    let problem = Problem { phase: &phase, initial: phase.recorded_assignment(), model, keys: &keys };
    let mut told = Told::default();
    let checked = run(strategy, &problem, &mut Context::new(seed, phase.id().0, &mut told)).unwrap();
    (checked, told.0)
}

/// Draws a phase with a work model of load, communication and homing. The start may violate bounds.
pub(crate) fn posed() -> impl proptest::strategy::Strategy<Value = (Made, Affine)> {
    let coefficient = || prop_oneof![Just(0.0), Just(1.0), 0.0..2.0_f64];
    let coefficients = (coefficient(), coefficient(), coefficient());
    let limits = vec((bounds::draw(), prop_oneof![3 => Just(1.0), 1 => 0.2..1.0_f64]), 0..3);
    (bounds::made(f64::from), coefficients, limits).prop_map(|(made, (alpha, beta, delta), limits)| {
        let bounds = limits.into_iter().map(|((quantity, scope, slack), tighter)| {
            bounds::tight(&made, quantity, scope, slack * tighter)
        });
        let bounds = bounds.collect();
        let parameters = AffineParameters { alpha, beta, delta, bounds, ..AffineParameters::default() };
        let model = Affine::new(parameters).unwrap();
        (made, model)
    })
}

/// Returns the largest cost and the largest excess of any rank.
pub(crate) fn worst(made: &Made, model: &dyn WorkModel, assignment: &Assignment) -> (f64, f64) {
    let phase = made.phase();
    let works = works(model, &phase, &rank_totals(&phase, assignment));
    let most = |of: fn(&lbaf_model::Work) -> f64| works.iter().map(of).fold(0.0, f64::max);
    (most(|work| work.cost()), most(|work| work.excess()))
}

pub(crate) fn is_at_most(a: f64, b: f64) -> bool {
    a <= b + 1e-9 * b.abs().max(1.0)
}

/// True if the excess is smaller, or neither excess nor largest cost is larger.
pub(crate) fn is_no_worse(now: (f64, f64), before: (f64, f64)) -> bool {
    let relieved = now.1 < before.1 * (1.0 - 1e-10);
    relieved || (is_at_most(now.1, before.1) && is_at_most(now.0, before.0))
}

/// Asserts that the result is within all bounds if the start is.
pub(crate) fn assert_stays_within_bounds(
    strategy: &dyn Strategy,
    made: &Made,
    model: &dyn WorkModel,
) -> Result<(), TestCaseError> {
    let checked = made.run(strategy, model, 0).unwrap();
    let start = worst(made, model, made.phase().recorded_assignment());
    let end = worst(made, model, &checked.outcome.assignment);
    prop_assert!(start.1 > 0.0 || end.1 == 0.0, "{end:?} after {start:?}");
    Ok(())
}

/// Asserts that statistics describe the placement of their iteration, and that sentinels stay.
pub(crate) fn assert_true(
    made: &Made,
    model: &dyn WorkModel,
    (checked, told): &(Checked, Vec<(IterationStats, Assignment)>),
) -> Result<(), TestCaseError> {
    let near = |said: f64, truth: f64| (said - truth).abs() <= 1e-9 * truth.max(1.0);
    prop_assert_eq!(checked.outcome.iterations.len(), told.len());
    for (stats, assignment) in told {
        let (cost, excess) = worst(made, model, assignment);
        let totals = rank_totals(&made.phase(), assignment);
        let imbalance = Statistics::of(totals.iter().map(|rank| rank.load)).imbalance();
        prop_assert!(near(stats.max_work, cost), "{} and {cost}", stats.max_work);
        prop_assert!(near(stats.largest_excess, excess), "{} and {excess}", stats.largest_excess);
        prop_assert!(near(stats.load_imbalance, imbalance), "{} and {imbalance}", stats.load_imbalance);
        for (object, rank) in made.objects.iter().zip(assignment.as_slice()) {
            prop_assert!(object.migratable || object.rank == rank.0);
        }
    }
    Ok(())
}

/// Asserts that one, two and four threads give the same result.
pub(crate) fn assert_same_on_any_number_of_threads(
    made: &Made,
    strategy: &dyn Strategy,
    model: &dyn WorkModel,
    seed: u64,
) -> Result<(), TestCaseError> {
    let pools = [1, 2, 4].map(|n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let [one, two, four] = pools.map(|pool| pool.install(|| observed(made, strategy, model, seed)));
    for more in [two, four] {
        prop_assert_eq!(&one.0.outcome, &more.0.outcome);
        prop_assert_eq!(&one.1, &more.1);
    }
    Ok(())
}
