// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of a run in time.

use std::collections::BTreeMap;

use lbaf_config::{ALL_CHARTS, CHARTS_OF_SIMULATIONS, Plots};
use lbaf_plot::{Series, StackedBars, State, TimeSeries};
use lbaf_study::{PhaseTime, Simulated};

use crate::error::Error;
use lbaf_report::charts::{AnyChart, Drawn, draw_all, is_named};
use lbaf_run::simulate::Scenario;

/// A value for each number, ascending.
type Points = Vec<(u64, f64)>;

/// Draws what the configuration asks for: all charts of simulations, unless it names some.
pub(super) fn draw(ways: &[(Scenario, Simulated)], plots: &Plots) -> Result<Drawn, Error> {
    let is_asked =
        |name: &str| plots.charts.is_none() || is_named(ALL_CHARTS, plots) || is_named(name, plots);
    let n_phases = ways.first().map_or(0, |(_, run)| run.phases.len());
    let mut charts: Vec<(String, AnyChart)> = Vec::new();
    for name in CHARTS_OF_SIMULATIONS.into_iter().filter(|name| is_asked(name)) {
        let chart: AnyChart = match name {
            "simulation_times" => Box::new(times(ways)),
            "simulation_elapsed" => Box::new(elapsed(ways)),
            "simulation_imbalance" => Box::new(imbalance(ways, "load", |phase| phase.load_imbalance)),
            "simulation_work_imbalance" if is_of_load_alone(ways) && !is_named(name, plots) => continue,
            "simulation_work_imbalance" => Box::new(imbalance(ways, "work", |phase| phase.work_imbalance)),
            _ => Box::new(parts(ways)),
        };
        // A single phase has no course over phases; it is drawn if somebody insists.
        if n_phases > 1 || (n_phases == 1 && is_named(name, plots)) {
            charts.push((name.to_owned(), chart));
        }
    }
    Ok(draw_all(&charts, plots)?)
}

/// How long each phase takes.
fn times(ways: &[(Scenario, Simulated)]) -> TimeSeries {
    TimeSeries {
        steps: "phase".to_owned(),
        series: series(ways, |run| by_phase(run, |phase| phase.seconds)),
        bound: bounds(ways).into_iter().collect(),
        bound_remark: String::new(),
        quantity: "time of a phase".to_owned(),
        unit: "s".to_owned(),
        title: "time of each phase".to_owned(),
    }
}

/// How long the run takes until the end of each phase, what balancing costs among it. It begins at no phases and no time.
fn elapsed(ways: &[(Scenario, Simulated)]) -> TimeSeries {
    let summed =
        |seconds: &mut dyn Iterator<Item = f64>| (0..).zip([0.0].into_iter().chain(seconds)).collect();
    let mut sum = 0.0;
    let mut bounds = bounds(ways).into_values().map(|bound| {
        sum += bound;
        sum
    });
    TimeSeries {
        steps: "phases done".to_owned(),
        series: series(ways, |run| summed(&mut run.elapsed())),
        bound: summed(&mut bounds),
        bound_remark: String::new(),
        quantity: "time from the beginning".to_owned(),
        unit: "s".to_owned(),
        title: "time from the beginning of the run".to_owned(),
    }
}

/// Imbalance of load or of work.
fn imbalance(ways: &[(Scenario, Simulated)], what: &str, value: impl Fn(&PhaseTime) -> f64) -> TimeSeries {
    TimeSeries {
        steps: "phase".to_owned(),
        series: series(ways, |run| by_phase(run, &value)),
        bound: Vec::new(),
        bound_remark: String::new(),
        quantity: format!("{what} imbalance (max/mean \u{2212} 1)"),
        unit: String::new(),
        title: format!("{what} imbalance of each phase"),
    }
}

/// True if imbalance of work is that of load, but for rounding.
fn is_of_load_alone(ways: &[(Scenario, Simulated)]) -> bool {
    const ROUNDING: f64 = 1e-9;
    let mut phases = ways.iter().flat_map(|(_, run)| &run.phases);
    phases.all(|phase| (phase.work_imbalance - phase.load_imbalance).abs() <= ROUNDING)
}

/// Where the time went, as far as any went there.
fn parts(ways: &[(Scenario, Simulated)]) -> StackedBars {
    let part = |at: usize| ways.iter().map(|(_, run)| run.parts()[at]).collect::<Vec<f64>>();
    let parts = ["phases", "strategy", "migration"].into_iter().enumerate();
    let mut parts: Vec<(String, Vec<f64>)> = parts.map(|(at, name)| (name.to_owned(), part(at))).collect();
    parts.retain(|(name, seconds)| name == "phases" || seconds.iter().any(|&seconds| seconds > 0.0));
    StackedBars {
        names: ways.iter().map(|(way, _)| way.short_name().to_owned()).collect(),
        parts,
        bound: Some(bounds(ways).into_values().sum()),
        bound_remark: String::new(),
        quantity: "time".to_owned(),
        unit: "s".to_owned(),
        title: "where the time went".to_owned(),
    }
}

fn by_phase(run: &Simulated, value: impl Fn(&PhaseTime) -> f64) -> Points {
    run.phases.iter().map(|phase| (phase.phase.0, value(phase))).collect()
}

/// All ways. What was configured lies on those that it is compared with.
fn series(ways: &[(Scenario, Simulated)], points: impl Fn(&Simulated) -> Points) -> Vec<Series<Points>> {
    let mut series: Vec<(Scenario, Series<Points>)> = (ways.iter())
        .map(|(way, run)| {
            let state = match way {
                Scenario::Recorded => State::Before,
                Scenario::Never => State::Run(1),
                Scenario::Configured => State::After,
                Scenario::Perfect => State::Run(2),
                Scenario::Denoised => State::Run(3),
            };
            (*way, Series { name: way.short_name().to_owned(), state, values: points(run) })
        })
        .collect();
    series.sort_by_key(|(way, _)| *way == Scenario::Configured);
    series.into_iter().map(|(_, series)| series).collect()
}

/// What no placement of a phase can beat: the least of what holds for the ways, of which some may be over bounds of the work
/// model.
fn bounds(ways: &[(Scenario, Simulated)]) -> BTreeMap<u64, f64> {
    let mut bounds = BTreeMap::new();
    for phase in ways.iter().flat_map(|(_, run)| &run.phases) {
        let least = bounds.entry(phase.phase.0).or_insert(phase.bound);
        *least = phase.bound.min(*least);
    }
    bounds
}
