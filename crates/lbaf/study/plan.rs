// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which cells there are, and which of them are still to be computed.

use std::collections::{BTreeSet, HashMap};

use lbaf_config::{Layers, Overrides, Role, RunConfig, StudyConfig, resolve};
use lbaf_run::Source;
use lbaf_text::number::counted;
use rayon::prelude::*;

use super::cell::Cell;
use super::identity::{Digests, Identity, identity, identity_of_failed};
use super::store::Store;
use crate::error::Error;
use crate::inputs;

/// A cell of the study.
pub(super) struct Planned {
    /// Its number in the study, from 0.
    pub(super) number: usize,
    /// The digest of all that decides it.
    pub(super) identity: String,
    /// The digest of what its lower bounds depend on; nothing if its configuration or its data are wrong.
    pub(super) problem: Option<String>,
    pub(super) state: State,
}

/// What is to be done for a cell.
pub(super) enum State {
    /// Nothing: it is kept already.
    Kept,
    /// It is to be computed, from the data with this key.
    Missing { data: String },
    /// Its configuration or its data are wrong.
    Wrong(String),
}

/// Looks at every cell whose identity is one of `is_ours`, in parallel.
pub(super) fn plan(
    study: &StudyConfig,
    store: &Store,
    is_ours: impl Fn(&str) -> bool + Sync,
) -> Vec<Planned> {
    let digests = Digests::default();
    let numbers = (0..study.cells.len()).into_par_iter();
    numbers.filter_map(|number| planned(study, number, store, &digests, &is_ours)).collect()
}

fn planned(
    study: &StudyConfig,
    number: usize,
    store: &Store,
    digests: &Digests,
    is_ours: &impl Fn(&str) -> bool,
) -> Option<Planned> {
    let looked_at = configuration(study, number).and_then(|(layers, run)| {
        let identity = identity(study.command, &run, &layers, digests)?;
        Ok((identity, Source::key(&run)))
    });
    match looked_at {
        Ok((Identity { cell: identity, problem }, data)) => is_ours(&identity).then(|| {
            let is_kept = store.cell(&identity).is_some_and(|cell| !cell.may_be_gone);
            let state = if is_kept { State::Kept } else { State::Missing { data } };
            Planned { number, identity, problem: Some(problem), state }
        }),
        Err(error) => {
            let error = error.to_string();
            let cell = &study.cells[number];
            let layers = study.layers(cell);
            let layers = layers.as_ref().unwrap_or(&study.base);
            let identity = identity_of_failed(study.command, layers, &study.labels(cell));
            is_ours(&identity).then(|| {
                let is_kept = store.cell(&identity).is_some_and(|cell| cell.error.as_ref() == Some(&error));
                let state = if is_kept { State::Kept } else { State::Wrong(error) };
                Planned { number, identity, problem: None, state }
            })
        }
    }
}

/// The configuration of a cell, and what it means.
pub(super) fn configuration(study: &StudyConfig, number: usize) -> Result<(Layers, RunConfig), Error> {
    let layers = study.layers(&study.cells[number])?;
    let run = resolve(&layers, &Overrides::default())?;
    inputs::note_all(&run.other_inputs);
    if run.strategies.all().iter().any(|strategy| strategy.randomizes_seed()) {
        let message = "cells of a study repeat; an axis `seed` has other random numbers in each cell";
        let path = "algorithm.parameters.randomize_seed";
        return Err(layers.error(&layers.tree.error_at(path, message)).into());
    }
    Ok((layers, run))
}

impl Planned {
    /// What is known of it without computing.
    pub(super) fn failed(&self) -> Option<Cell> {
        match &self.state {
            State::Wrong(error) => Some(Cell::failed(error.clone())),
            State::Kept | State::Missing { .. } => None,
        }
    }
}

/// The number of different cells among these.
pub(super) fn n_different<'p>(planned: impl Iterator<Item = &'p Planned>) -> usize {
    planned.map(|cell| &cell.identity).collect::<BTreeSet<_>>().len()
}

/// What is to be said before the work of cells that cannot be computed; nothing if all can.
pub(super) fn wrong(planned: &[Planned]) -> Option<String> {
    let mut wrong = planned.iter().filter_map(|cell| match &cell.state {
        State::Wrong(error) => Some((cell.number, error)),
        _ => None,
    });
    let (number, error) = wrong.next()?;
    let n = 1 + wrong.count();
    // The lines of the file are shown where cells that failed are listed.
    let error = error.lines().next().unwrap_or_default();
    Some(format!("{} cannot be computed, the first of them cell {number}: {error}", counted(n, "cell")))
}

/// A sentence for each axis on which all choices make the same cells.
pub(super) fn without_effect(study: &StudyConfig, planned: &[Planned]) -> Vec<String> {
    let has_none = |axis: usize| {
        let mut others: HashMap<Vec<usize>, (&str, usize)> = HashMap::new();
        planned.iter().all(|cell| {
            let mut choices = study.cells[cell.number].clone();
            choices.remove(axis);
            let (identity, n) = others.entry(choices).or_insert((&cell.identity, 0));
            *n += 1;
            *identity == cell.identity
        }) && others.values().any(|(_, n)| *n > 1)
    };
    let axes = study.axes.iter().enumerate().filter(|(axis, _)| has_none(*axis));
    axes.map(|(_, axis)| {
        let why = match axis.role {
            Role::Repetition => "nothing is drawn at random",
            Role::Competitor | Role::Problem => {
                "a later axis may name another strategy, which drops parameters that are not its own"
            }
        };
        format!("the axis `{}` changes nothing: all its choices make the same cells ({why})", axis.name)
    })
    .collect()
}
