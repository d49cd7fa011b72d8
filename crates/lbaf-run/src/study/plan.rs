// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plan of a study: cells and their states before the computation.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use crate::Source;
use lbaf_config::{AxisRole, Layers, Overrides, RunConfig, StudyConfig, resolve};
use lbaf_strategies::StrategyName;
use lbaf_text::number::counted;
use rayon::prelude::*;

use super::cell_result::CellResult;
use super::identity::{Digests, Identity, identity, identity_of_failed};
use super::store::CellStore;
use crate::RunError;

/// A cell of the study.
pub(super) struct PlannedCell {
    /// Number of the cell in the study, from 0.
    pub(super) number: usize,
    /// Hash of all inputs of the result, which names the stored result.
    pub(super) identity: String,
    /// Hash of the data, on which lower bounds depend; `None` if configuration or data are invalid.
    pub(super) problem: Option<String>,
    /// Key of the data, as returned by [`Source::key`]; `None` if the configuration is invalid.
    pub(super) data: Option<String>,
    /// True if errors of the computation may be temporary: see [`depends_on_program`].
    pub(super) may_fail_for_now: bool,
    pub(super) state: CellState,
}

/// State of a cell before the computation.
pub(super) enum CellState {
    /// Its result is stored.
    Kept,
    /// It must be computed.
    Missing,
    /// Its configuration or data are invalid.
    Wrong(String),
}

/// Plans the cells whose identities `is_ours` accepts, in parallel. Returns them, and the input files of all cells.
pub(super) fn plan(
    study: &StudyConfig,
    store: &CellStore,
    is_ours: impl Fn(&str) -> bool + Sync,
) -> (Vec<PlannedCell>, Vec<PathBuf>) {
    let digests = Digests::default();
    let numbers = (0..study.cells.len()).into_par_iter();
    let cells = numbers.filter_map(|number| planned(study, number, store, &digests, &is_ours)).collect();
    (cells, digests.files())
}

fn planned(
    study: &StudyConfig,
    number: usize,
    store: &CellStore,
    digests: &Digests,
    is_ours: &impl Fn(&str) -> bool,
) -> Option<PlannedCell> {
    let identified = configuration(study, number).and_then(|(layers, run)| {
        digests.note(&run.other_inputs);
        let identity = identity(study.command, &run, &layers, digests)?;
        Ok((identity, depends_on_program(&run), Source::key(&run)))
    });
    match identified {
        Ok((Identity { cell: identity, problem }, may_fail_for_now, data)) => is_ours(&identity).then(|| {
            let is_kept = store.cell(&identity).is_some_and(|cell| !cell.may_be_gone);
            let state = if is_kept { CellState::Kept } else { CellState::Missing };
            let (problem, data) = (Some(problem), Some(data));
            PlannedCell { number, identity, problem, data, may_fail_for_now, state }
        }),
        Err(error) => {
            let error = error.to_string();
            let cell = &study.cells[number];
            let layers = study.layers(cell);
            let layers = layers.as_ref().unwrap_or(&study.base);
            let identity = identity_of_failed(study.command, layers, &study.labels(cell));
            is_ours(&identity).then(|| {
                let is_kept = store.cell(&identity).is_some_and(|cell| cell.error.as_ref() == Some(&error));
                let state = if is_kept { CellState::Kept } else { CellState::Wrong(error) };
                PlannedCell { number, identity, problem: None, data: None, may_fail_for_now: false, state }
            })
        }
    }
}

/// Returns the configuration of a cell, in layers and resolved.
pub(super) fn configuration(study: &StudyConfig, number: usize) -> Result<(Layers, RunConfig), RunError> {
    let layers = study.layers(&study.cells[number])?;
    let run = resolve(&layers, &Overrides::default())?;
    if run.strategies.all().iter().any(|strategy| strategy.randomizes_seed()) {
        let message = "cells of a study must be reproducible; use an axis `seed` to vary random numbers";
        let path = "algorithm.parameters.randomize_seed";
        return Err(layers.error(&layers.tree.error_at(path, message)).into());
    }
    Ok((layers, run))
}

/// True if errors of the computation may be temporary, because it uses an external command or an own strategy. The
/// identity of the cell may not cover all code of these programs.
pub(super) fn depends_on_program(run: &RunConfig) -> bool {
    let is_known = |name: &str| name.parse::<StrategyName>().is_ok();
    run.strategies.all().iter().any(|strategy| strategy.external().is_some() || !is_known(strategy.name()))
}

impl PlannedCell {
    /// Returns the result of a cell whose configuration or data are invalid; `None` for other cells.
    pub(super) fn failed(&self) -> Option<CellResult> {
        match &self.state {
            CellState::Wrong(error) => Some(CellResult::failed(error.clone())),
            CellState::Kept | CellState::Missing => None,
        }
    }
}

/// Returns the number of distinct cells.
pub(super) fn n_different<'p>(planned: impl Iterator<Item = &'p PlannedCell>) -> usize {
    planned.map(|cell| &cell.identity).collect::<BTreeSet<_>>().len()
}

/// Returns the name of the work of writing the results of these cells.
pub(super) fn name_of_results(planned: &[PlannedCell]) -> String {
    let identities: String = planned.iter().map(|cell| &*cell.identity).collect();
    let mut digest = lbaf_writer::sha256(identities.as_bytes());
    digest.truncate(16);
    format!("results{digest}")
}

/// Returns a warning about cells that cannot be computed, if any.
pub(super) fn wrong(planned: &[PlannedCell]) -> Option<String> {
    let mut wrong = planned.iter().filter_map(|cell| match &cell.state {
        CellState::Wrong(error) => Some((cell.number, error)),
        _ => None,
    });
    let (number, error) = wrong.next()?;
    let n = 1 + wrong.count();
    // `study.json` has the whole error.
    let error = error.lines().next().unwrap_or_default();
    Some(format!("{} cannot be computed, the first is cell {number}: {error}", counted(n, "cell")))
}

/// Returns a warning for each axis without effect: all choices result in the same cells. An axis is not judged if the
/// study is a sample with a cell that differs from all others in more than this axis.
pub(super) fn without_effect(study: &StudyConfig, planned: &[PlannedCell]) -> Vec<String> {
    let has_none = |axis: usize| {
        // Cells that differ only in this axis.
        let mut groups: HashMap<Vec<usize>, Vec<&PlannedCell>> = HashMap::new();
        for cell in planned {
            let mut choices = study.cells[cell.number].clone();
            choices.remove(axis);
            groups.entry(choices).or_default().push(cell);
        }
        let is_same = |cells: &Vec<&PlannedCell>| {
            cells.len() > 1 && cells.iter().all(|cell| cell.identity == cells[0].identity)
        };
        !groups.is_empty() && groups.values().all(is_same)
    };
    let axes = study.axes.iter().enumerate().filter(|(axis, _)| has_none(*axis));
    axes.map(|(_, axis)| {
        let why = match axis.role {
            AxisRole::Repetition => "no random numbers are drawn",
            AxisRole::Competitor | AxisRole::Problem => {
                "a later axis may select another strategy, which drops the parameters of the first"
            }
        };
        format!("the axis `{}` has no effect: all its choices result in the same cells ({why})", axis.name)
    })
    .collect()
}
