// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of a simulation: times, imbalance and costs of its scenarios over the phases.
//!
//! [`illustrate`] adds the charts to the outputs of a simulation; [`draw`] only returns them.
//!
//! ```
//! use lbaf_config::{Layers, Overrides, resolve};
//! use lbaf_report::simulation::draw;
//! use lbaf_run::simulate::Simulations;
//! use lbaf_run::{Prepared, Silent};
//! use lbaf_strategies::Cancel;
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("run.yaml");
//! std::fs::write(&file, "
//! from_samplers:
//!   n_ranks: 4
//!   n_objects: 100
//!   n_mapped_ranks: 2
//!   n_phases: 3
//!   load_sampler: {name: uniform, parameters: [0.5, 1.5]}
//! algorithm: {name: Greedy}
//! plots: {formats: [svg], charts: [simulation_times]}
//! ")?;
//! let overrides = Overrides::default();
//! let layers = Layers::read(&[file], &overrides.set)?;
//! let config = resolve(&layers, &overrides)?;
//! let prepared = Prepared::new(config, layers, &overrides, false, &Silent)?;
//!
//! let simulated = Simulations::new(&prepared)?.run(&Silent, &Cancel::new())?;
//! let plots = prepared.run.plots.as_ref().expect("the configuration has `plots`");
//! let drawn = draw(&simulated.scenarios, plots, &Silent)?;
//! let names: Vec<&str> = drawn.files.iter().map(|(name, _)| &**name).collect();
//! assert_eq!(names, ["plots/simulation_times.csv", "plots/simulation_times.svg"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeMap;

use lbaf_config::{ALL_CHARTS, CHARTS_OF_RUNS, CHARTS_OF_SIMULATIONS, Plots};
use lbaf_plot::{Series, StackedBars, State, TimeSeries};
use lbaf_run::Messages;
use lbaf_run::simulate::{Scenario, SimulationOutputs};
use lbaf_study::{PhaseTime, Simulated};

use crate::ReportError;
use crate::charts::{AnyChart, Drawn, draw_all, is_named, named};

/// Values by number of a phase or by count of completed phases, ascending.
type Points = Vec<(u64, f64)>;

/// Adds the charts that [`draw`] returns to the outputs of a simulation.
///
/// # Errors
/// If a chart cannot be drawn or written.
pub fn illustrate(
    outputs: &mut SimulationOutputs,
    plots: &Plots,
    messages: &dyn Messages,
) -> Result<(), ReportError> {
    let drawn = draw(&outputs.scenarios, plots, messages)?;
    for (name, bytes) in &drawn.files {
        outputs.staging.put(name, bytes)?;
    }
    outputs.summary.notes.extend(drawn.notes());
    outputs.summary.notes.extend(drawn.refused);
    Ok(())
}

/// Draws the selected charts of a simulation, by default all charts of simulations. The imbalance of work is omitted if
/// it equals that of load, and all charts if there is only one phase, unless they are requested by name.
///
/// # Errors
/// If a chart cannot be drawn.
pub fn draw(
    scenarios: &[(Scenario, Simulated)],
    plots: &Plots,
    messages: &dyn Messages,
) -> Result<Drawn, ReportError> {
    let is_asked =
        |name: &str| plots.charts.is_none() || is_named(ALL_CHARTS, plots) || is_named(name, plots);
    let n_phases = scenarios.first().map_or(0, |(_, run)| run.phases.len());
    let mut charts: Vec<(String, AnyChart)> = Vec::new();
    for name in CHARTS_OF_SIMULATIONS.into_iter().filter(|name| is_asked(name)) {
        let chart: AnyChart = match name {
            "simulation_times" => Box::new(times(scenarios)),
            "simulation_elapsed" => Box::new(elapsed(scenarios)),
            "simulation_imbalance" => Box::new(imbalance(scenarios, "load", |phase| phase.load_imbalance)),
            "simulation_work_imbalance" if is_of_load_alone(scenarios) && !is_named(name, plots) => continue,
            "simulation_work_imbalance" => {
                Box::new(imbalance(scenarios, "work", |phase| phase.work_imbalance))
            }
            _ => Box::new(parts(scenarios)),
        };
        // A single phase has charts over phases only if requested by name.
        if n_phases > 1 || (n_phases == 1 && is_named(name, plots)) {
            charts.push((name.to_owned(), chart));
        }
    }
    let of_runs = named(CHARTS_OF_RUNS, plots);
    Ok(Drawn { of_runs, ..draw_all(&charts, plots, messages)? })
}

/// Chart of the time of each phase.
fn times(scenarios: &[(Scenario, Simulated)]) -> TimeSeries {
    TimeSeries {
        steps: "phase".to_owned(),
        series: series(scenarios, |run| by_phase(run, |phase| phase.seconds)),
        bound: bounds(scenarios).into_iter().collect(),
        bound_remark: String::new(),
        quantity: "time of a phase".to_owned(),
        unit: "s".to_owned(),
        title: "time of each phase".to_owned(),
    }
}

/// Chart of the elapsed time at the end of each phase, including the costs of balancing. The first point is 0 s after 0
/// phases.
fn elapsed(scenarios: &[(Scenario, Simulated)]) -> TimeSeries {
    let summed =
        |seconds: &mut dyn Iterator<Item = f64>| (0..).zip([0.0].into_iter().chain(seconds)).collect();
    let mut sum = 0.0;
    let mut bounds = bounds(scenarios).into_values().map(|bound| {
        sum += bound;
        sum
    });
    TimeSeries {
        steps: "phases done".to_owned(),
        series: series(scenarios, |run| summed(&mut run.elapsed())),
        bound: summed(&mut bounds),
        bound_remark: String::new(),
        quantity: "time from the beginning".to_owned(),
        unit: "s".to_owned(),
        title: "time from the beginning of the run".to_owned(),
    }
}

/// Chart of the imbalance of load or work.
fn imbalance(
    scenarios: &[(Scenario, Simulated)],
    quantity: &str,
    value: impl Fn(&PhaseTime) -> f64,
) -> TimeSeries {
    TimeSeries {
        steps: "phase".to_owned(),
        series: series(scenarios, |run| by_phase(run, &value)),
        bound: Vec::new(),
        bound_remark: String::new(),
        quantity: format!("{quantity} imbalance (max/mean \u{2212} 1)"),
        unit: String::new(),
        title: format!("{quantity} imbalance of each phase"),
    }
}

/// True if the imbalance of work equals that of load, up to rounding.
fn is_of_load_alone(scenarios: &[(Scenario, Simulated)]) -> bool {
    const ROUNDING: f64 = 1e-9;
    let mut phases = scenarios.iter().flat_map(|(_, run)| &run.phases);
    phases.all(|phase| (phase.work_imbalance - phase.load_imbalance).abs() <= ROUNDING)
}

/// Stacked bar chart of the total time by part: phases, strategy, migration. Strategy and migration are omitted if
/// always 0.
fn parts(scenarios: &[(Scenario, Simulated)]) -> StackedBars {
    let part = |at: usize| scenarios.iter().map(|(_, run)| run.parts()[at]).collect::<Vec<f64>>();
    let parts = ["phases", "strategy", "migration"].into_iter().enumerate();
    let mut parts: Vec<(String, Vec<f64>)> = parts.map(|(at, name)| (name.to_owned(), part(at))).collect();
    parts.retain(|(name, seconds)| name == "phases" || seconds.iter().any(|&seconds| seconds > 0.0));
    StackedBars {
        names: scenarios.iter().map(|(scenario, _)| scenario.short_name().to_owned()).collect(),
        parts,
        bound: Some(bounds(scenarios).into_values().sum()),
        bound_remark: String::new(),
        quantity: "time".to_owned(),
        unit: "s".to_owned(),
        title: "total time by part".to_owned(),
    }
}

fn by_phase(run: &Simulated, value: impl Fn(&PhaseTime) -> f64) -> Points {
    run.phases.iter().map(|phase| (phase.phase.0, value(phase))).collect()
}

/// Returns one series per scenario. The configured scenario comes last, so it is drawn on top.
fn series(scenarios: &[(Scenario, Simulated)], points: impl Fn(&Simulated) -> Points) -> Vec<Series<Points>> {
    let mut series: Vec<(Scenario, Series<Points>)> = (scenarios.iter())
        .map(|(scenario, run)| {
            let state = match scenario {
                Scenario::Recorded => State::Before,
                Scenario::Never => State::Run(1),
                Scenario::Configured => State::After,
                Scenario::Perfect => State::Run(2),
                Scenario::Denoised => State::Run(3),
            };
            (*scenario, Series { name: scenario.short_name().to_owned(), state, values: points(run) })
        })
        .collect();
    series.sort_by_key(|(scenario, _)| *scenario == Scenario::Configured);
    series.into_iter().map(|(_, series)| series).collect()
}

/// Returns a lower bound on the time of each phase: the minimum over the scenarios. A higher bound of a feasible
/// scenario need not hold for a scenario that exceeds upper bounds of the work model.
fn bounds(scenarios: &[(Scenario, Simulated)]) -> BTreeMap<u64, f64> {
    let mut bounds = BTreeMap::new();
    for phase in scenarios.iter().flat_map(|(_, run)| &run.phases) {
        let least = bounds.entry(phase.phase.0).or_insert(phase.bound);
        *least = phase.bound.min(*least);
    }
    bounds
}
