// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of quantities of ranks: sorted or by rank, as a histogram, and as a cumulative distribution.

use lbaf_model::Limit;
use lbaf_plot::{Distribution, Histogram, Level, LevelKind, RankOrder, RankValues, Series};
use lbaf_run::summary::PhaseResult;
use lbaf_run::summary::bounds::Bound;
use lbaf_run::summary::saved::RANKS;

use super::{AnyChart, Phase, bound_holds_for, common, series, work_unit};

/// A quantity of ranks.
struct Quantity {
    name: &'static str,
    unit: &'static str,
    series: Vec<Series<Vec<f64>>>,
    levels: Vec<Level>,
    phase: u64,
}

pub(super) fn rank_loads(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(load(runs)?.in_order(RankOrder::Descending))
}

pub(super) fn rank_loads_by_rank(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(load(runs)?.in_order(RankOrder::ByNumber))
}

pub(super) fn load_histogram(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(load(runs)?.histogram())
}

pub(super) fn load_distribution(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(load(runs)?.distribution())
}

pub(super) fn rank_works(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(work(runs)?.in_order(RankOrder::Descending))
}

pub(super) fn rank_works_by_rank(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(work(runs)?.in_order(RankOrder::ByNumber))
}

pub(super) fn work_histogram(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(work(runs)?.histogram())
}

pub(super) fn work_distribution(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(work(runs)?.distribution())
}

/// Memory of ranks, with its upper bound.
pub(super) fn rank_memory(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let memory = column(runs, "memory", "B", "memory_bytes")?;
    Some(Quantity { levels: memory_bound(runs), ..memory }.in_order(RankOrder::Descending))
}

/// Volumes that ranks send to other ranks.
pub(super) fn rank_volumes(runs: &[Phase<'_>]) -> Option<AnyChart> {
    Some(column(runs, "volume sent to other ranks", "B", "sent_bytes")?.in_order(RankOrder::Descending))
}

fn load(runs: &[Phase<'_>]) -> Option<Quantity> {
    let result = runs.first()?.result;
    let mean = common(runs, |run| run.result.after.load.mean).map(|mean| level(LevelKind::Mean, mean, ""));
    let source = match result.lower_bound.load_limit {
        Limit::Mean => String::new(),
        limit => limit.to_string(),
    };
    let bound = common(runs, |run| run.result.lower_bound.max_load);
    let bound = bound.map(|load| level(LevelKind::LowerBound, load, &source));
    Some(Quantity {
        name: "load",
        unit: "s",
        series: series(
            runs,
            |run| run.name,
            |run| run.result.rank_loads.before.clone(),
            |run| run.result.rank_loads.after.clone(),
        ),
        levels: mean.into_iter().chain(bound).chain(restricted(runs, |bound| bound.max_load)).collect(),
        phase: result.phase,
    })
}

/// Returns the work of ranks; `None` if it is unknown, or equals load in all runs.
fn work(runs: &[Phase<'_>]) -> Option<Quantity> {
    let is_load = |run: &Phase<'_>| {
        let of = |name: &str| run.column(RANKS, name);
        of("work_before") == of("load_s_before") && of("work_after") == of("load_s_after")
    };
    if runs.iter().all(is_load) {
        return None;
    }
    let unit = work_unit(runs.iter().map(|run| run.summary));
    let work = column(runs, "work", unit, "work")?;
    let remark = bound_holds_for(runs.iter().map(|run| run.result));
    let bound = common(runs, |run| run.result.lower_bound.work);
    let bound = bound.map(|work| level(LevelKind::LowerBound, work, remark));
    Some(Quantity { levels: bound.into_iter().chain(restricted(runs, |bound| bound.work)).collect(), ..work })
}

/// Returns a column of `ranks.csv`; `None` if it is missing or 0 everywhere.
fn column(runs: &[Phase<'_>], name: &'static str, unit: &'static str, column: &str) -> Option<Quantity> {
    let of = |run: &Phase<'_>, when: &str| run.column(RANKS, &format!("{column}_{when}"));
    let series = series(runs, |run| run.name, |run| of(run, "before"), |run| of(run, "after"));
    let is_there = series.iter().all(|series| !series.values.is_empty());
    let is_zero = series.iter().all(|series| series.values.iter().all(|value| *value == 0.0));
    (is_there && !is_zero).then_some(Quantity {
        name,
        unit,
        series,
        levels: Vec::new(),
        phase: runs[0].result.phase,
    })
}

/// Returns the lower bound under the restriction of the strategy, if it is higher than the bound without a
/// restriction.
/// For several runs, the caption of the comparison table states these bounds instead.
fn restricted(runs: &[Phase<'_>], of: fn(&Bound) -> f64) -> Option<Level> {
    let [Phase { result: PhaseResult { lower_bound, restricted_bound, .. }, .. }] = runs else { return None };
    let restricted = restricted_bound.as_ref()?;
    let bound = of(&restricted.bound);
    (bound > of(lower_bound)).then(|| level(LevelKind::RestrictedBound, bound, &restricted.condition()))
}

fn level(kind: LevelKind, value: f64, remark: &str) -> Level {
    Level { kind, value, remark: remark.to_owned() }
}

/// Returns the upper bound of the work model on memory, if it applies to each rank and is the same in all runs.
fn memory_bound(runs: &[Phase<'_>]) -> Vec<Level> {
    let limit = |run: &Phase<'_>| {
        let parameters = &run.summary.work_model.parameters;
        let holds_for_ranks =
            parameters["bounds_hold_for"].as_str().is_none_or(|scope| scope.contains("rank"));
        parameters["upper_bounds"]["max_memory_usage"].as_f64().filter(|_| holds_for_ranks)
    };
    let first = limit(&runs[0]).filter(|_| runs.iter().all(|run| limit(run) == limit(&runs[0])));
    first.map(|limit| level(LevelKind::UpperBound, limit, "")).into_iter().collect()
}

impl Quantity {
    fn title(&self) -> String {
        format!("{}, phase {}", self.name, self.phase)
    }

    fn in_order(self, order: RankOrder) -> AnyChart {
        Box::new(RankValues {
            order,
            title: self.title(),
            series: self.series,
            levels: self.levels,
            quantity: self.name.to_owned(),
            unit: self.unit.to_owned(),
        })
    }

    fn histogram(self) -> AnyChart {
        Box::new(Histogram {
            title: self.title(),
            series: self.series,
            quantity: self.name.to_owned(),
            unit: self.unit.to_owned(),
        })
    }

    fn distribution(self) -> AnyChart {
        let once = |series: Series<Vec<f64>>| Series {
            name: series.name,
            state: series.state,
            values: series.values.into_iter().map(|value| (value, 1.0)).collect(),
        };
        Box::new(Distribution {
            title: self.title(),
            series: self.series.into_iter().map(once).collect(),
            of: "ranks".to_owned(),
            quantity: self.name.to_owned(),
            unit: self.unit.to_owned(),
        })
    }
}
