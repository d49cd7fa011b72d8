// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells at work: those that need the same data share them, and all run in parallel.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use lbaf_config::{RunConfig, StudyCommand, StudyConfig, ranges};
use lbaf_run::Messages as _;
use lbaf_run::summary::PhaseResult;
use lbaf_run::summary::sentences;
use lbaf_run::{Evaluation, Source};
use lbaf_strategies::Strategy;
use lbaf_study::Simulated;
use lbaf_text::number::counted;
use rayon::prelude::*;

use super::cell::{Cell, Row, Timing};
use super::plan::{Planned, State, configuration};
use super::quantity::{row_of_phase, row_of_run};
use super::store::Store;
use crate::error::Error;
use crate::progress::{Messages, Verbosity};
use lbaf_run::simulate::{Scenario, simulate_cell};

/// Cells that need the same data.
type Group<'a> = Vec<&'a Planned>;

/// Computes and keeps what is missing. What fails is kept with its error; an error here means that nothing can be kept.
pub(super) fn compute(
    study: &StudyConfig,
    planned: &[Planned],
    store: &Store,
    messages: Messages,
) -> Result<(), Error> {
    for cell in planned {
        if let Some(failed) = cell.failed() {
            store.keep(&cell.identity, &failed, &Timing::default())?;
        }
    }
    study.base.processes.listen(Arc::new(move |line: &str| messages.note(line)));
    let groups = groups(planned);
    let bar = messages.progress("cells", groups.iter().map(Vec::len).sum());
    let done = AtomicUsize::new(0);
    let finished = || bar.set(done.fetch_add(1, Ordering::Relaxed) + 1);
    // Data of some groups at a time are in memory: enough of them to keep every thread busy.
    for some in groups.chunks(2 * rayon::current_num_threads()) {
        some.par_iter().try_for_each(|group| compute_group(study, group, store, &finished))?;
    }
    Ok(())
}

/// Cells that are missing, by their data, in the order of their numbers. Cells that are the same are computed once.
fn groups(planned: &[Planned]) -> Vec<Group<'_>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut known: HashSet<&str> = HashSet::new();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for cell in planned {
        let State::Missing { data } = &cell.state else { continue };
        if !known.insert(&cell.identity) {
            continue;
        }
        let place = *places.entry(data).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(cell);
    }
    groups
}

fn compute_group(
    study: &StudyConfig,
    group: &[&Planned],
    store: &Store,
    finished: &(impl Fn() + Sync),
) -> Result<(), Error> {
    // What a cell has to say is in its results.
    let quiet = Messages { verbosity: Verbosity::Quiet };
    let read = || {
        let (layers, run) = configuration(study, group[0].number)?;
        Ok(Source::read(&run, &layers, &quiet)?)
    };
    let source = guarded(read, Cell::failed_for_now);
    group.par_iter().try_for_each(|cell| {
        let began = Instant::now();
        let computed = match &source {
            Ok(source) => guarded(|| computed(study, cell.number, source, quiet), Cell::failed),
            Err(failed) => Err(failed.clone()),
        };
        let (result, mut timing) = computed.unwrap_or_else(|failed| (failed, Timing::default()));
        timing.cell_seconds = began.elapsed().as_secs_f64();
        store.keep(&cell.identity, &result, &timing)?;
        finished();
        Ok(())
    })
}

/// What comes of a piece of work, or the cell that failed by it. Whatever becomes of a cell, the others have their results.
fn guarded<T>(work: impl FnOnce() -> Result<T, Error>, failed: fn(String) -> Cell) -> Result<T, Cell> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(done) => done.map_err(|error| failed(error.to_string())),
        Err(panic) => Err(Cell::broken(&*panic)),
    }
}

fn computed(
    study: &StudyConfig,
    number: usize,
    source: &Source,
    messages: Messages,
) -> Result<(Cell, Timing), Error> {
    let (layers, mut run) = configuration(study, number)?;
    let mut warnings = std::mem::take(&mut run.warnings);
    warnings.extend(source.fit(&mut run, &layers, &messages)?);
    warnings.extend(by_the_clock(&run));
    match study.command {
        StudyCommand::Run => {
            let Evaluation { phases, seconds, warnings: more } =
                source.balance(&run, &layers, &lbaf_strategies::Cancel::new())?;
            warnings.extend(more);
            warnings.extend(infeasible(&phases));
            warnings.extend(sentences::unproven(&phases));
            let ran =
                |phase: &PhaseResult| run.strategies.at(phase.phase).filter(|_| phase.strategy.is_some());
            let row = |phase| row_of_phase(phase, ran(phase).map(Strategy::label));
            let rows: Vec<Row> = phases.iter().map(row).collect();
            check_finite(&rows)?;
            let timing = Timing { strategy_seconds: seconds, cell_seconds: 0.0 };
            let work_model = format!("{} {}", run.model.name(), run.model_parameters);
            Ok((Cell { work_model, ..Cell::of(rows, warnings) }, timing))
        }
        StudyCommand::Simulate => {
            let (ways, sentences) = simulate_cell(
                &run,
                (&source.recorded, source.noise.as_ref()),
                &layers,
                &lbaf_strategies::Cancel::new(),
            )?;
            warnings.extend(sentences);
            let rows: Vec<Row> = row_of_run(&ways, strategies_of(&run, &ways)).into_iter().collect();
            check_finite(&rows)?;
            Ok((Cell::of(rows, warnings), Timing::default()))
        }
    }
}

/// The strategies that balanced a run in time, in the order in which they began; nothing if nobody did.
fn strategies_of(run: &RunConfig, ways: &[(Scenario, Simulated)]) -> Option<String> {
    let (_, simulated) = ways.iter().find(|(way, _)| *way == Scenario::Configured)?;
    let balanced = simulated.phases.iter().filter(|phase| phase.balancing.is_some());
    let mut names: Vec<String> = Vec::new();
    for name in balanced.filter_map(|phase| Some(run.strategy_at(phase.phase)?.label())) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| names.join(", "))
}

/// Sums beyond all numbers have no place in a table.
fn check_finite(rows: &[Row]) -> Result<(), Error> {
    fn values(row: &Row) -> impl Iterator<Item = (&str, f64)> {
        let of_steps = row.steps.iter().map(|step| &step.values);
        let values = [&row.values, &row.start].into_iter().chain(of_steps).flatten();
        let bounds = row.bounds.iter().flat_map(|bounds| bounds.named());
        values.map(|(name, value)| (&**name, *value)).chain(bounds)
    }
    let mut values = rows.iter().flat_map(values);
    match values.find(|(_, value)| !value.is_finite()) {
        None => Ok(()),
        Some((name, value)) => Err(Error::Configuration(format!(
            "`{name}` comes to {value}; look at the costs and coefficients of the configuration"
        ))),
    }
}

/// A limit in seconds makes a result depend on the machine, and on what else it does.
fn by_the_clock(run: &RunConfig) -> Option<String> {
    let strategy = run.strategies.all().into_iter().find(|strategy| strategy.time_limit().is_some())?;
    Some(format!(
        "{} has a `time_limit`; if it is reached, the result is another one on another day",
        strategy.name()
    ))
}

/// Bounds that a strategy looks after and could not keep.
fn infeasible(phases: &[PhaseResult]) -> Option<String> {
    let broken: Vec<u64> = phases.iter().filter(|phase| phase.infeasible).map(|phase| phase.phase).collect();
    (!broken.is_empty()).then(|| {
        format!(
            "no placement within the bounds of the work model was found for {} ({})",
            counted(broken.len(), "phase"),
            ranges(&broken)
        )
    })
}
