// SPDX-License-Identifier: MIT OR Apache-2.0
//! Cells at work: those that need the same data share them, and all run in parallel.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use rayon::prelude::*;

use super::cell::{Cell, Timing};
use super::plan::{Planned, State, configuration};
use super::quantity::{row_of_phase, row_of_run};
use super::store::Store;
use crate::config::{Study, StudyCommand};
use crate::error::Error;
use crate::progress::{Messages, Verbosity};
use crate::run::{Judged, Source};
use crate::simulate;

/// Cells that need the same data.
type Group<'a> = Vec<&'a Planned>;

/// Computes and keeps what is missing. What fails is kept with its error; an error here means that nothing can be kept.
pub(super) fn compute(
    study: &Study,
    planned: &[Planned],
    store: &Store,
    messages: Messages,
) -> Result<(), Error> {
    for cell in planned {
        if let Some(failed) = cell.failed() {
            store.keep(&cell.identity, &failed, &Timing::default())?;
        }
    }
    let groups = groups(planned);
    let bar = messages.bar("cells", groups.iter().map(Vec::len).sum());
    let done = AtomicUsize::new(0);
    let finished = || bar.set(done.fetch_add(1, Ordering::Relaxed) + 1);
    // Data of some groups at a time are in memory: enough of them to keep every thread busy to the end.
    let at_a_time = 4 * rayon::current_num_threads();
    for some in batches(&groups, at_a_time) {
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

/// Groups one after the other until they have so many cells.
fn batches<'g, 'a>(groups: &'g [Group<'a>], n_cells: usize) -> Vec<&'g [Group<'a>]> {
    let mut batches = Vec::new();
    let mut rest = groups;
    while !rest.is_empty() {
        let mut sum = 0;
        let is_short = |group: &&Group<'_>| {
            let was_short = sum < n_cells;
            sum += group.len();
            was_short
        };
        let n_groups = rest.iter().take_while(is_short).count();
        let (batch, others) = rest.split_at(n_groups);
        batches.push(batch);
        rest = others;
    }
    batches
}

fn compute_group(
    study: &Study,
    group: &[&Planned],
    store: &Store,
    finished: &(impl Fn() + Sync),
) -> Result<(), Error> {
    // What a cell has to say is in its results.
    let quiet = Messages { verbosity: Verbosity::Quiet };
    let source = configuration(study, group[0].number)
        .and_then(|(layers, run)| Source::read(&run, &layers, quiet))
        .map_err(|error| error.to_string());
    group.par_iter().try_for_each(|cell| {
        let began = Instant::now();
        let computed = || match &source {
            Ok(source) => computed(study, cell.number, source, quiet).map_err(|error| error.to_string()),
            Err(error) => Err(error.clone()),
        };
        let failed = |cell| (cell, Timing::default());
        // Whatever becomes of a cell, the others have their results.
        let (result, mut timing) = match catch_unwind(AssertUnwindSafe(computed)) {
            Ok(computed) => computed.unwrap_or_else(|error| failed(Cell::failed(error))),
            Err(panic) => failed(Cell::broken(&*panic)),
        };
        timing.cell_seconds = began.elapsed().as_secs_f64();
        store.keep(&cell.identity, &result, &timing)?;
        finished();
        Ok(())
    })
}

fn computed(
    study: &Study,
    number: usize,
    source: &Source,
    messages: Messages,
) -> Result<(Cell, Timing), Error> {
    let (layers, mut run) = configuration(study, number)?;
    let mut warnings = std::mem::take(&mut run.warnings);
    warnings.extend(source.fit(&mut run, &layers, messages)?);
    match study.command {
        StudyCommand::Run => {
            let Judged { phases, seconds, warnings: more } = source.balance(&run, &layers)?;
            warnings.extend(more);
            let rows = phases.iter().map(row_of_phase).collect();
            let timing = Timing { strategy_seconds: seconds, cell_seconds: 0.0 };
            Ok((Cell::of(rows, warnings), timing))
        }
        StudyCommand::Simulate => {
            let ways = simulate::for_study(&run, &source.recorded, &layers)?;
            let strategy = run.strategies.all().first().map(|strategy| strategy.name().to_string());
            Ok((Cell::of(row_of_run(&ways, strategy).into_iter().collect(), warnings), Timing::default()))
        }
    }
}
