// SPDX-License-Identifier: MIT OR Apache-2.0
//! Computation of one cell from its data.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::summary::PhaseResult;
use crate::summary::sentences;
use lbaf_config::{RunConfig, StudyCommand, StudyConfig, ranges};
use lbaf_strategies::{Cancel, Cancelled, Strategy};
use lbaf_study::Simulated;
use lbaf_text::number::counted;

use super::cell_result::{CellResult, CellTiming, ResultRow};
use super::computed_cell::ComputedCell;
use super::plan::configuration;
use super::quantity::{row_of_phase, row_of_run};
use super::time_limit::TimeLimit;
use crate::simulate::{Scenario, simulate_cell};
use crate::{Evaluation, RunError, Silent, Source};

/// Computes a cell. `source` is its data or, if they cannot be read, the result of the failed cell. With
/// `may_fail_for_now`, an error of the computation may be temporary, so a continued study computes the cell again.
///
/// # Errors
/// If the computation was cancelled.
pub(super) fn compute_cell(
    study: &StudyConfig,
    number: usize,
    may_fail_for_now: bool,
    source: Result<&Source, &CellResult>,
    cancel: &Cancel,
) -> Result<ComputedCell, Cancelled> {
    cancel.check()?;
    let began = Instant::now();
    let computed = match source {
        Ok(source) => {
            // An external command can fail because of the machine, and the user can correct an own strategy.
            let failed = if may_fail_for_now { CellResult::failed_for_now } else { CellResult::failed };
            match TimeLimit::start(study.time_limit, cancel) {
                Err(error) => Err(CellResult::failed_for_now(format!("cannot start a thread: {error}"))),
                Ok(limit) => match guarded(|| computed(study, number, source, &limit.cancel), failed) {
                    // Only the limit of the cell was reached: the study continues.
                    Err(_) if !cancel.is_cancelled() => Err(CellResult::failed_for_now(limit.reached())),
                    done => done?,
                },
            }
        }
        Err(failed) => Err(failed.clone()),
    };
    let (result, mut timing) = computed.unwrap_or_else(|failed| (failed, CellTiming::default()));
    timing.cell_seconds = began.elapsed().as_secs_f64();
    Ok(ComputedCell::new(number, result, timing))
}

/// Returns the result of `work`. An error or a panic becomes the result of a failed cell, without effect on other
/// cells. Returns an error only if `work` was cancelled.
pub(super) fn guarded<T>(
    work: impl FnOnce() -> Result<T, RunError>,
    failed: fn(String) -> CellResult,
) -> Result<Result<T, CellResult>, Cancelled> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Err(RunError::Cancelled(cancelled))) => Err(cancelled),
        Ok(done) => Ok(done.map_err(|error| failed(error.to_string()))),
        Err(panic) => Ok(Err(CellResult::broken(&*panic))),
    }
}

fn computed(
    study: &StudyConfig,
    number: usize,
    source: &Source,
    cancel: &Cancel,
) -> Result<(CellResult, CellTiming), RunError> {
    let (layers, mut run) = configuration(study, number)?;
    let mut warnings = std::mem::take(&mut run.warnings);
    warnings.extend(source.fit(&mut run, &layers, &Silent)?);
    warnings.extend(by_the_clock(&run));
    match study.command {
        StudyCommand::Run => {
            let Evaluation { phases, seconds, warnings: more } = source.balance(&run, &layers, cancel)?;
            warnings.extend(more);
            warnings.extend(infeasible(&phases));
            warnings.extend(sentences::unproven(&phases));
            let ran =
                |phase: &PhaseResult| run.strategies.at(phase.phase).filter(|_| phase.strategy.is_some());
            let row = |phase| row_of_phase(phase, ran(phase).map(Strategy::label));
            let rows: Vec<ResultRow> = phases.iter().map(row).collect();
            check_finite(&rows)?;
            let timing = CellTiming { strategy_seconds: seconds, cell_seconds: 0.0 };
            let work_model = format!("{} {}", run.model.name(), run.model_parameters);
            Ok((CellResult { work_model, ..CellResult::of(rows, warnings) }, timing))
        }
        StudyCommand::Simulate => {
            let (scenarios, sentences) =
                simulate_cell(&run, (&source.recorded, source.noise.as_ref()), &layers, cancel)?;
            warnings.extend(sentences);
            let rows: Vec<ResultRow> =
                row_of_run(&scenarios, strategies_of(&run, &scenarios)).into_iter().collect();
            check_finite(&rows)?;
            Ok((CellResult::of(rows, warnings), CellTiming::default()))
        }
    }
}

/// Returns the labels of the strategies that balanced a simulated run, by first use; `None` if it was never balanced.
fn strategies_of(run: &RunConfig, scenarios: &[(Scenario, Simulated)]) -> Option<String> {
    let (_, simulated) = scenarios.iter().find(|(scenario, _)| *scenario == Scenario::Configured)?;
    // The strategy before a phase is that of the previous phase.
    let pairs = simulated.phases.iter().zip(simulated.phases.iter().skip(1));
    let balanced = pairs.filter(|(_, next)| next.balancing.is_some());
    let mut names: Vec<String> = Vec::new();
    for name in balanced.filter_map(|(ended, _)| Some(run.strategy_at(ended.phase)?.label())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// Rejects non-finite results, such as overflowing sums.
fn check_finite(rows: &[ResultRow]) -> Result<(), RunError> {
    fn values(row: &ResultRow) -> impl Iterator<Item = (&str, f64)> {
        let of_steps = row.steps.iter().map(|step| &step.values);
        let values = [&row.values, &row.start].into_iter().chain(of_steps).flatten();
        let bounds = row.bounds.iter().flat_map(|bounds| bounds.named());
        values.map(|(name, value)| (&**name, *value)).chain(bounds)
    }
    let mut values = rows.iter().flat_map(values);
    match values.find(|(_, value)| !value.is_finite()) {
        None => Ok(()),
        Some((name, value)) => Err(RunError::configuration(format!(
            "`{name}` is {value}; check the costs and coefficients of the configuration"
        ))),
    }
}

/// Returns a warning about the first strategy with a time limit, if any. Its results may depend on the machine.
fn by_the_clock(run: &RunConfig) -> Option<String> {
    let strategy = run.strategies.all().into_iter().find(|strategy| strategy.time_limit().is_some())?;
    Some(format!("{} has a `time_limit`; if it is reached, the result is not reproducible", strategy.name()))
}

/// Returns a warning about phases in which the strategy enforces upper bounds but could not satisfy them, if any.
fn infeasible(phases: &[PhaseResult]) -> Option<String> {
    let broken: Vec<u64> = phases.iter().filter(|phase| phase.infeasible).map(|phase| phase.phase).collect();
    (!broken.is_empty()).then(|| {
        format!(
            "no placement within the upper bounds of the work model was found for {} ({})",
            counted(broken.len(), "phase"),
            ranges(&broken)
        )
    })
}
