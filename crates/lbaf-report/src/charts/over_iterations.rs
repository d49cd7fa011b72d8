// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts over the iterations of strategies.

use lbaf_plot::{Series, TimeSeries};
use lbaf_run::summary::{Iteration, PhaseResult};

use super::{AnyChart, Phase, bound_holds_for, common, series_after, work_unit};

pub(super) fn iteration_imbalance(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let start = |result: &PhaseResult| Some(result.before.load.imbalance);
    let bound = |result: &PhaseResult| Some(result.lower_bound.load_imbalance);
    let value = |iteration: &Iteration| Some(iteration.load_imbalance);
    course(runs, ("load imbalance (max/mean \u{2212} 1)", ""), start, value, bound)
}

pub(super) fn iteration_work(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let start = |result: &PhaseResult| Some(result.before.work.max);
    let bound = |result: &PhaseResult| Some(result.lower_bound.work);
    let unit = work_unit(runs.iter().map(|run| run.summary));
    course(runs, ("maximum work", unit), start, |iteration| Some(iteration.max_work), bound)
}

pub(super) fn iteration_transfers(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let value = |iteration: &Iteration| Some(iteration.transfers as f64);
    course(runs, ("objects transferred", ""), |_| None, value, |_| None)
}

pub(super) fn iteration_rejections(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let value = |iteration: &Iteration| Some(iteration.rejections as f64);
    course(runs, ("rejections", ""), |_| None, value, |_| None)
}

/// Mean fraction of the other ranks that a rank has heard of, in percent.
pub(super) fn iteration_knowledge(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let value = |iteration: &Iteration| iteration.knowledge.map(|part| 100.0 * part);
    course(runs, ("knowledge (%)", ""), |_| None, value, |_| None)
}

/// Returns a chart of a value at the start, as iteration 0, and after each iteration.
///
/// Omits runs without values after an iteration. A value for which `start` returns `None` is a count; runs in which a
/// count is always 0 are omitted, too. Returns `None` if no run remains, or if every run has fewer than two iterations.
fn course(
    runs: &[Phase<'_>],
    (quantity, unit): (&str, &str),
    start: impl Fn(&PhaseResult) -> Option<f64>,
    value: impl Fn(&Iteration) -> Option<f64>,
    bound: impl Fn(&PhaseResult) -> Option<f64>,
) -> Option<AnyChart> {
    let points = |run: &Phase<'_>| -> Vec<(u64, f64)> {
        let iterations = run.result.iterations.iter();
        let of = iterations.filter_map(|iteration| Some((iteration.number as u64, value(iteration)?)));
        start(run.result).map(|value| (0, value)).into_iter().chain(of).collect()
    };
    let mut series: Vec<Series<Vec<(u64, f64)>>> = series_after(runs, |run| run.name, points);
    // Other charts show the values before and after a single iteration.
    if runs.iter().all(|run| run.result.iterations.len() < 2) {
        return None;
    }
    let is_count = start(runs[0].result).is_none();
    series.retain(|series| {
        series.values.iter().any(|(number, value)| *number > 0 && !(is_count && *value == 0.0))
    });
    let last = series.iter().filter_map(|series| series.values.last()).map(|(number, _)| *number).max()?;
    let bound = common(runs, |run| bound(run.result)).flatten();
    if runs.len() == 1 {
        let when = if is_count { "in the iteration" } else { "after the iteration" };
        for only in &mut series {
            only.name = String::from(when);
        }
    }
    Some(Box::new(TimeSeries {
        steps: "iteration".to_owned(),
        series,
        bound: bound.map(|bound| (0..=last).map(|number| (number, bound)).collect()).unwrap_or_default(),
        bound_remark: bound_holds_for(runs.iter().map(|run| run.result)).to_owned(),
        quantity: quantity.to_owned(),
        unit: unit.to_owned(),
        title: format!("{quantity}, phase {}", runs[0].result.phase),
    }))
}
