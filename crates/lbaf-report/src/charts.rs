// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of a run, or charts that compare several runs, drawn only from summaries and tables.

mod between_ranks;
mod kinds;
mod of_objects;
mod of_ranks;
mod over_iterations;
mod over_phases;
mod work;

use std::collections::BTreeSet;

use lbaf_config::{ALL_CHARTS, CHARTS_OF_SIMULATIONS, MODEL_UNITS, Plots};
use lbaf_plot::{Chart, Format, PlotError, Series, State};
use lbaf_run::summary::saved::Tables;
use lbaf_run::summary::{PhaseResult, Summary};
use lbaf_run::{Messages, Steps, worst_phases};
use rayon::prelude::*;

use self::kinds::{KINDS, Kind, Make};
use crate::ReportError;

/// A chart of any kind, which threads can share.
pub type AnyChart = Box<dyn Chart + Send + Sync>;

/// A run whose charts are drawn.
pub struct Shown<'a> {
    /// Name in legends of comparisons.
    pub name: String,
    /// Summary of the run.
    pub summary: &'a Summary,
    /// Tables whose names [`tables`] returns.
    pub tables: Tables,
}

/// A phase of a run whose charts are drawn.
#[derive(Clone, Copy)]
struct Phase<'a> {
    name: &'a str,
    summary: &'a Summary,
    tables: &'a Tables,
    result: &'a PhaseResult,
}

impl Phase<'_> {
    /// Returns a column of a table in this phase; empty if it is missing or contains text.
    fn column(&self, table: &str, name: &str) -> Vec<f64> {
        self.tables.column(table, self.result.phase, name).unwrap_or_default().to_vec()
    }

    fn n_ranks(&self) -> usize {
        self.result.rank_loads.before.len()
    }
}

/// Charts as files.
#[derive(Default)]
pub struct Drawn {
    /// Names of files and their bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Charts that were requested by name but have no data in these runs.
    pub empty: Vec<&'static str>,
    /// Charts that were requested by name but cannot show several runs.
    pub of_one_run: Vec<&'static str>,
    /// Charts of runs that were requested by name for a simulation.
    pub of_runs: Vec<&'static str>,
    /// Charts of simulations that were requested by name for a run.
    pub of_simulations: Vec<&'static str>,
    /// Sentences on charts that were omitted because an axis cannot show a number.
    pub refused: Vec<String>,
}

impl Drawn {
    /// Returns sentences on the charts that were requested by name but are not drawn.
    pub fn notes(&self) -> Vec<String> {
        let reasons = [
            ("charts that have nothing to show", &self.empty),
            ("charts that cannot show several runs", &self.of_one_run),
            ("charts of runs, which `lbaf run` draws", &self.of_runs),
            ("charts of simulations, which `lbaf simulate` draws", &self.of_simulations),
        ];
        let reasons = reasons.into_iter().filter(|(_, names)| !names.is_empty());
        reasons.map(|(reason, names)| format!("{reason}: {}", names.join(", "))).collect()
    }
}

/// Returns the names of the tables that the selected charts need.
pub fn tables(plots: &Plots) -> BTreeSet<&'static str> {
    asked(plots).flat_map(|kind| kind.tables).copied().collect()
}

fn asked(plots: &Plots) -> impl Iterator<Item = &'static Kind> {
    let is_asked = |kind: &&Kind| match &plots.charts {
        None => kind.is_usual,
        Some(charts) => charts.iter().any(|chart| chart == kind.name || chart == ALL_CHARTS),
    };
    KINDS.iter().filter(is_asked)
}

/// Draws the selected charts in parallel. For several runs, only charts that can compare runs are drawn.
///
/// # Errors
/// If a chart cannot be drawn.
///
/// # Panics
/// If there is no run.
pub fn draw(runs: &[Shown<'_>], plots: &Plots, messages: &dyn Messages) -> Result<Drawn, ReportError> {
    let is_named = |kind: &Kind| is_named(kind.name, plots);
    let mut charts: Vec<(String, AnyChart)> = Vec::new();
    let mut empty: Vec<&str> = Vec::new();
    let phases = phases_of(runs, plots);
    let (drawable, of_one_run): (Vec<&Kind>, Vec<&Kind>) =
        asked(plots).partition(|kind| runs.len() == 1 || kind.compares);
    let of_one_run = of_one_run.into_iter().filter(|kind| is_named(kind)).map(|kind| kind.name).collect();
    for kind in drawable {
        let n_before = charts.len();
        match kind.make {
            Make::Run(make) => {
                // A single phase has charts over phases only if requested by name.
                let is_course = runs[0].summary.phases.len() > 1 || is_named(kind);
                charts.extend(
                    is_course.then(|| make(runs)).flatten().map(|chart| (kind.name.to_owned(), chart)),
                );
            }
            Make::Phase(make) => {
                for phase in &phases {
                    let name = match runs[0].summary.phases.len() {
                        1 => kind.name.to_owned(),
                        _ => format!("{}_phase_{}", kind.name, phase[0].result.phase),
                    };
                    charts.extend(make(phase).map(|chart| (name, chart)));
                }
            }
        }
        if charts.len() == n_before && is_named(kind) {
            empty.push(kind.name);
        }
    }
    let of_simulations = named(CHARTS_OF_SIMULATIONS, plots);
    Ok(Drawn { empty, of_one_run, of_simulations, ..draw_all(&charts, plots, messages)? })
}

/// Returns those of the charts that `plots` selects by name.
pub fn named(charts: impl IntoIterator<Item = &'static str>, plots: &Plots) -> Vec<&'static str> {
    charts.into_iter().filter(|name| is_named(name, plots)).collect()
}

/// True if `plots` selects this chart by name.
pub fn is_named(name: &str, plots: &Plots) -> bool {
    plots.charts.iter().flatten().any(|chart| chart == name)
}

/// Draws named charts in parallel. If an axis cannot show a number, the chart is omitted and [`Drawn::refused`] gets a
/// sentence.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn draw_all(
    charts: &[(String, AnyChart)],
    plots: &Plots,
    messages: &dyn Messages,
) -> Result<Drawn, ReportError> {
    let steps = Steps::new(messages, "drawing charts", charts.len());
    let draw = |chart| {
        let drawn = draw_one(chart, plots);
        steps.advance();
        drawn
    };
    let all: Vec<Result<Vec<_>, ReportError>> = charts.par_iter().map(draw).collect();
    let mut drawn = Drawn::default();
    for one in all {
        match one {
            Ok(files) => drawn.files.extend(files),
            // Such a chart must not prevent the output of the other results.
            Err(ReportError::Plot { chart, source: source @ PlotError::BadValue { .. } }) => {
                drawn.refused.push(format!("the chart `{chart}` is omitted: {source}"));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(drawn)
}

/// Returns the files of a chart: pictures, a CSV table of the numbers, and LaTeX if requested.
fn draw_one(
    (name, chart): &(String, AnyChart),
    plots: &Plots,
) -> Result<Vec<(String, Vec<u8>)>, ReportError> {
    let failed = |source| ReportError::Plot { chart: name.clone(), source };
    let figure = chart.figure(&plots.style).map_err(failed)?;
    let file = |extension: &str| format!("plots/{name}.{extension}");
    let mut files = vec![(file("csv"), figure.csv().into_bytes())];
    if plots.pgfplots {
        files.push((file("tex"), figure.pgfplots(&plots.style).into_bytes()));
    }
    let svg = figure.draw(&plots.style).map_err(failed)?;
    for format in &plots.formats {
        let bytes = svg.to_bytes(*format, plots.style.png_dpi).map_err(failed)?;
        files.push((file(Format::extension(*format)), bytes));
    }
    Ok(files)
}

/// Returns the phases with their own charts, each with its result in every run. Phases that a run lacks are skipped.
fn phases_of<'a>(runs: &'a [Shown<'a>], plots: &Plots) -> Vec<Vec<Phase<'a>>> {
    let of_run = |run: &'a Shown<'a>, phase: u64| {
        let result = run.summary.phases.iter().find(|result| result.phase == phase)?;
        Some(Phase { name: &run.name, summary: run.summary, tables: &run.tables, result })
    };
    let Some(first) = runs.first() else { return Vec::new() };
    let chosen: Vec<u64> = match &plots.phases {
        Some(selection) => {
            let all = first.summary.phases.iter().map(|result| result.phase);
            all.filter(|&phase| selection.contains(phase)).collect()
        }
        None => charted(&first.summary.phases).iter().map(|result| result.phase).collect(),
    };
    let of_all = |phase: u64| runs.iter().map(|run| of_run(run, phase)).collect::<Option<Vec<_>>>();
    chosen.into_iter().filter_map(of_all).collect()
}

/// Returns the phases with their own charts by default.
fn charted(phases: &[PhaseResult]) -> Vec<&PhaseResult> {
    let phases: Vec<&PhaseResult> = phases.iter().collect();
    worst_phases(&phases, |phase| phase.before.load.imbalance, |phase| phase.after.load.imbalance)
}

/// Returns the series of a chart. For one run, these are before and after; for several runs, the result of each run,
/// preceded by the start if it is the same for all runs.
fn series<P, T: PartialEq>(
    runs: &[P],
    name: impl Fn(&P) -> &str,
    before: impl Fn(&P) -> T,
    after: impl Fn(&P) -> T,
) -> Vec<Series<T>> {
    if let [run] = runs {
        return vec![Series::before(before(run)), Series::after(after(run))];
    }
    let mut series: Vec<Series<T>> = common(runs, before).map(Series::before).into_iter().collect();
    let run = |(number, run): (usize, &P)| Series {
        name: name(run).to_owned(),
        state: State::Run(number),
        values: after(run),
    };
    series.extend(runs.iter().enumerate().map(run));
    series
}

/// Returns the series of a chart that shows only results.
fn series_after<P, T>(runs: &[P], name: impl Fn(&P) -> &str, after: impl Fn(&P) -> T) -> Vec<Series<T>> {
    if let [run] = runs {
        return vec![Series::after(after(run))];
    }
    let run = |(number, run): (usize, &P)| Series {
        name: name(run).to_owned(),
        state: State::Run(number),
        values: after(run),
    };
    runs.iter().enumerate().map(run).collect()
}

/// Returns the value that all runs have in common, such as the lower bound after
/// [`share_bounds`](super::problem::share_bounds); `None` if values differ.
fn common<P, T: PartialEq>(runs: &[P], of: impl Fn(&P) -> T) -> Option<T> {
    let mut values = runs.iter().map(of);
    values.next().filter(|first| values.all(|other| other == *first))
}

/// Returns the common unit of work of all runs.
fn work_unit<'a>(summaries: impl IntoIterator<Item = &'a Summary>) -> &'static str {
    let mut models = summaries.into_iter().map(|summary| &summary.work_model.parameters);
    if models.all(|parameters| lbaf_config::work_unit(parameters) == "s") { "s" } else { MODEL_UNITS }
}

/// Returns the condition of a lower bound for legends; empty if the bound holds without a condition. The bound need not
/// hold for infeasible starts and results.
fn bound_holds_for<'a>(results: impl IntoIterator<Item = &'a PhaseResult>) -> &'static str {
    let results: Vec<&PhaseResult> = results.into_iter().collect();
    let keeps = |result: &&&PhaseResult| result.after.n_ranks_over_bounds == 0;
    let n_keep = results.iter().filter(keeps).count();
    let starts_over = results.iter().any(|result| result.before.n_ranks_over_bounds > 0);
    if starts_over || (0 < n_keep && n_keep < results.len()) { "within the upper bounds" } else { "" }
}
