// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts over phases.

use lbaf_plot::{HeatMap, Side, TimeSeries};
use lbaf_run::summary::PhaseResult;
use lbaf_run::summary::tables::ranks_per_group;

use super::{AnyChart, Shown, bound_holds_for, common, series, series_after, work_unit};

type Points = Vec<(u64, f64)>;

pub(super) fn imbalance_per_phase(runs: &[Shown<'_>]) -> Option<AnyChart> {
    let bound = |result: &PhaseResult| result.lower_bound.load_imbalance;
    let what = ("load imbalance (max/mean \u{2212} 1)", "");
    both(
        runs,
        what,
        |result| result.before.load.imbalance,
        |result| result.after.load.imbalance,
        Some(&bound),
    )
}

/// Maximum work of each phase. If work is in seconds, the maximum is the time of the phase.
pub(super) fn work_per_phase(runs: &[Shown<'_>]) -> Option<AnyChart> {
    let bound = |result: &PhaseResult| result.lower_bound.work;
    let what = ("maximum work", work_unit(runs.iter().map(|run| run.summary)));
    both(runs, what, |result| result.before.work.max, |result| result.after.work.max, Some(&bound))
}

/// Off-rank volume of each phase; `None` if it is always 0.
pub(super) fn volume_per_phase(runs: &[Shown<'_>]) -> Option<AnyChart> {
    let volume = |result: &PhaseResult| [result.before.sent_volume.sum, result.after.sent_volume.sum];
    let mut all = runs.iter().flat_map(|run| &run.summary.phases).flat_map(volume);
    let is_there = all.any(|bytes| bytes > 0.0);
    let what = ("volume between ranks", "B");
    is_there.then(|| both(runs, what, |result| volume(result)[0], |result| volume(result)[1], None)).flatten()
}

pub(super) fn migrations_per_phase(runs: &[Shown<'_>]) -> Option<AnyChart> {
    after(runs, ("objects migrated", ""), |result| result.migrations.count as f64)
}

pub(super) fn migrated_bytes_per_phase(runs: &[Shown<'_>]) -> Option<AnyChart> {
    after(runs, ("migrated volume", "B"), |result| result.migrations.bytes)
}

fn points(run: &Shown<'_>, value: &dyn Fn(&PhaseResult) -> f64) -> Points {
    run.summary.phases.iter().map(|result| (result.phase, value(result))).collect()
}

/// Returns a chart of a quantity before and after balancing.
fn both(
    runs: &[Shown<'_>],
    (quantity, unit): (&str, &str),
    before: impl Fn(&PhaseResult) -> f64,
    after: impl Fn(&PhaseResult) -> f64,
    bound: Option<&dyn Fn(&PhaseResult) -> f64>,
) -> Option<AnyChart> {
    let bounds = bound.and_then(|bound| common(runs, |run| points(run, bound)));
    if runs[0].summary.phases.is_empty() {
        return None;
    }
    Some(Box::new(TimeSeries {
        steps: "phase".to_owned(),
        series: series(runs, |run| &run.name, |run| points(run, &before), |run| points(run, &after)),
        bound: bounds.unwrap_or_default(),
        bound_remark: bound_holds_for(runs.iter().flat_map(|run| &run.summary.phases)).to_owned(),
        quantity: quantity.to_owned(),
        unit: unit.to_owned(),
        title: format!("{quantity} per phase"),
    }))
}

/// Returns a chart of a cost of balancing; `None` if it is always 0.
fn after(
    runs: &[Shown<'_>],
    (quantity, unit): (&str, &str),
    value: impl Fn(&PhaseResult) -> f64,
) -> Option<AnyChart> {
    let mut series = series_after(runs, |run| &run.name, |run| points(run, &value));
    if let [only] = &mut series[..] {
        only.name = String::from("migrated");
    }
    let is_zero = series.iter().flat_map(|series| &series.values).all(|(_, value)| *value == 0.0);
    (!is_zero).then(|| -> AnyChart {
        Box::new(TimeSeries {
            steps: "phase".to_owned(),
            series,
            bound: Vec::new(),
            bound_remark: String::new(),
            quantity: quantity.to_owned(),
            unit: unit.to_owned(),
            title: format!("{quantity} per phase"),
        })
    })
}

pub(super) fn load_heat_map_before(runs: &[Shown<'_>]) -> Option<AnyChart> {
    heat_map(runs, "before", |result| &result.rank_loads.before)
}

pub(super) fn load_heat_map_after(runs: &[Shown<'_>]) -> Option<AnyChart> {
    heat_map(runs, "after", |result| &result.rank_loads.after)
}

/// Heat map of rank loads over phases, with the same colour scale before and after. A group of ranks has the maximum
/// load of its ranks.
fn heat_map(runs: &[Shown<'_>], when: &str, loads: fn(&PhaseResult) -> &Vec<f64>) -> Option<AnyChart> {
    let phases = &runs[0].summary.phases;
    let n_ranks = loads(phases.first()?).len();
    let size = ranks_per_group(n_ranks);
    let groups = n_ranks.div_ceil(size);
    let grouped = |loads: &[f64]| -> Vec<f64> {
        loads.chunks(size).map(|group| group.iter().copied().fold(0.0, f64::max)).collect()
    };
    let mut values = vec![None; groups * phases.len()];
    for (column, phase) in phases.iter().enumerate() {
        for (row, largest) in grouped(loads(phase)).into_iter().enumerate() {
            values[row * phases.len() + column] = Some(largest);
        }
    }
    // Both maps share a colour scale, which may be logarithmic.
    let both = |result: &PhaseResult| {
        [grouped(&result.rank_loads.before), grouped(&result.rank_loads.after)].concat()
    };
    Some(Box::new(HeatMap {
        x: Side::listed("phase", phases.iter().map(|phase| phase.phase).collect()),
        y: Side::groups("rank", n_ranks, size),
        values,
        also: phases.iter().flat_map(both).collect(),
        quantity: "load".to_owned(),
        unit: "s".to_owned(),
        remark: if size > 1 { format!("maximum of {size} ranks each") } else { String::new() },
        title: format!("rank loads {when}"),
    }))
}
