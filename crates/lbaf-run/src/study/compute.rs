// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parallel computation of cells. Cells with the same data share one copy.

use std::collections::{HashMap, HashSet};

use lbaf_config::StudyConfig;
use lbaf_strategies::Cancel;
use rayon::prelude::*;

use super::cell_result::CellResult;
use super::plan::{CellState, PlannedCell, configuration};
use super::single_cell::{compute_cell, guarded};
use super::store::CellStore;
use crate::{Messages, RunError, Silent, Source, Steps};

/// Cells with the same data.
pub(super) type Group<'a> = Vec<&'a PlannedCell>;

/// Computes and stores missing cells with valid configurations; failed cells with their errors.
///
/// # Errors
/// If a cell cannot be stored, or the study was cancelled.
pub(super) fn compute(
    study: &StudyConfig,
    planned: &[PlannedCell],
    store: &CellStore,
    messages: &dyn Messages,
    cancel: &Cancel,
) -> Result<(), RunError> {
    let groups = groups(planned);
    let steps = Steps::new(messages, "cells", groups.iter().map(Vec::len).sum());
    let finished = || steps.advance();
    // Few groups at a time have their data in memory, but enough for all threads.
    for some in groups.chunks(2 * rayon::current_num_threads()) {
        some.par_iter().try_for_each(|group| compute_group(study, group, store, &finished, cancel))?;
    }
    Ok(())
}

/// Returns the missing cells grouped by data, in the order of their numbers. Of cells with the same identity, only the
/// first counts.
pub(super) fn groups(planned: &[PlannedCell]) -> Vec<Group<'_>> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut known: HashSet<&str> = HashSet::new();
    let mut groups: Vec<Group<'_>> = Vec::new();
    for cell in planned {
        let CellState::Missing { data } = &cell.state else { continue };
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
    group: &[&PlannedCell],
    store: &CellStore,
    finished: &(impl Fn() + Sync),
    cancel: &Cancel,
) -> Result<(), RunError> {
    cancel.check()?;
    let read = || {
        let (layers, run) = configuration(study, group[0].number)?;
        Source::read(&run, &layers, &Silent)
    };
    let source = guarded(read, CellResult::failed_for_now)?;
    group.par_iter().try_for_each(|cell| {
        let PlannedCell { number, may_fail_for_now, identity, .. } = cell;
        let computed = compute_cell(study, *number, *may_fail_for_now, source.as_ref(), cancel)?;
        store.keep(identity, computed.result(), computed.timing())?;
        finished();
        Ok(())
    })
}
