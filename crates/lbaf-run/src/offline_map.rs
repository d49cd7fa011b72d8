// SPDX-License-Identifier: MIT OR Apache-2.0
//! Maps of OfflineLB: placements that it replays, from the balanced data set or another.

use std::collections::BTreeMap;
use std::sync::Arc;

use lbaf_config::{ConfigError, Layers, RunConfig};
use lbaf_model::{DataSet, Phase, PhaseId};
use lbaf_reader::{Located, Recorded, Request};
use lbaf_strategies::{MapSource, Permutation, PrescribedMigration, Strategy};

use crate::Messages;
use crate::RunError;
use crate::data;

/// Finds the files of the map; `None` unless it is another data set.
pub(crate) fn locate(run: &RunConfig, layers: &Layers) -> Result<Option<Located>, RunError> {
    let Some(stem) = &run.map else { return Ok(None) };
    let located = data::locate(&stem.path, stem.suffix.as_deref()).map_err(|error| {
        let neither = if stem_may_be_a_file(run) { "no such file or" } else { "no such" };
        let message = format!("{neither} data set: {error}");
        layers.error(&layers.tree.error_at("algorithm.parameters.map", message))
    })?;
    Ok(Some(located))
}

fn stem_may_be_a_file(run: &RunConfig) -> bool {
    let may_be = |strategy: &dyn Strategy| {
        strategy.placement_map().is_some_and(|map| matches!(map.source, MapSource::FileOrStem(_)))
    };
    run.strategies.all().into_iter().any(may_be)
}

/// Sets the map of all strategies that lack one.
pub(crate) fn complete(
    run: &mut RunConfig,
    located: Option<&Located>,
    recorded: &Recorded,
    layers: &Layers,
    messages: &dyn Messages,
) -> Result<(), RunError> {
    if !run.strategies.all().into_iter().any(lacks_map) {
        return Ok(());
    }
    let map = match located {
        Some(located) => of_other_data(run, located, messages),
        None => of_next_phases(run, recorded),
    };
    let map = map.map_err(|error| match error {
        RunError::Config(ConfigError::Invalid(message)) => {
            let path = match layers.tree.get("algorithm.lb_config") {
                Some(_) => "algorithm.lb_config",
                None => "algorithm.parameters.map",
            };
            layers.error(&layers.tree.error_at(path, message.to_string())).into()
        }
        error => error,
    })?;
    let map = Arc::new(Permutation::Migrations(map));
    for strategy in run.strategies.all_mut() {
        if lacks_map(strategy) {
            strategy.set_map(Arc::clone(&map));
        }
    }
    Ok(())
}

fn lacks_map(strategy: &dyn Strategy) -> bool {
    strategy.placement_map().is_some_and(|map| map.content.is_none())
}

/// True if a phase is balanced by a strategy that lacks a map.
fn follows(run: &RunConfig, phase: u64) -> bool {
    run.balancing.contains(phase) && run.strategy_at(PhaseId(phase)).is_some_and(lacks_map)
}

/// Placement of each phase: ranks of its migratable objects.
type Map = BTreeMap<u64, Vec<PrescribedMigration>>;

/// Returns the placements that another data set has for the balanced phases. The caller adds positions to errors of
/// the configuration.
fn of_other_data(run: &RunConfig, located: &Located, messages: &dyn Messages) -> Result<Map, RunError> {
    let is_wanted = |phase: u64| run.phases.contains(phase) && follows(run, phase);
    let request = Request { phases: &is_wanted, ..Request::default().within(run.memory_bytes) };
    let other = data::read(located, &request, messages)?;
    let map: Map =
        other.data.phases().iter().map(|phase| (phase.id().0, placement(phase, &other.data))).collect();
    if map.is_empty() {
        return Err(RunError::configuration(format!(
            "the map contains none of the balanced phases; it has {}",
            lbaf_config::named_phases(&other.findings.phases_recorded)
        )));
    }
    Ok(map)
}

/// Returns for each balanced phase the placement of the next, to which vt moved the objects.
fn of_next_phases(run: &RunConfig, recorded: &Recorded) -> Result<Map, RunError> {
    let Recorded { data, findings, .. } = recorded;
    let mut map = Map::new();
    for phase in data.phases().iter().filter(|phase| follows(run, phase.id().0)) {
        let PhaseId(id) = phase.id();
        match data.phase(PhaseId(id + 1)) {
            Some(next) => {
                map.insert(id, placement(next, data));
            }
            None if findings.phases_recorded.binary_search(&(id + 1)).is_ok() => {
                let next = id + 1;
                return Err(RunError::configuration(format!(
                    "the map of phase {id} is the placement of phase {next}, which was not read: read it too \
                     (`from_data.phase_ids`), or exclude phase {id} (`algorithm.phase_id`)"
                )));
            }
            // The data have no next phase: no placement is known, and objects stay.
            None => {}
        }
    }
    if map.is_empty() {
        let phases = lbaf_config::named_phases(&findings.phases_recorded);
        return Err(RunError::configuration(format!(
            "the map of a phase is the placement of the next phase, but no balanced phase has a next phase (the data \
             hold {phases}); balance an earlier phase, or name another map: a file such as migrations.csv, or the \
             stem of another data set"
        )));
    }
    Ok(map)
}

/// Returns the recorded placement of a phase as migrations.
fn placement(phase: &Phase, data: &DataSet) -> Vec<PrescribedMigration> {
    let entry = |slot| {
        let key = data.key(phase.object(slot));
        let to = phase.recorded_assignment().rank_of(slot);
        PrescribedMigration {
            number: key.number,
            is_sequence: Some(key.is_sequence),
            from: None,
            to,
            line: 0,
        }
    };
    phase.slots().filter(|&slot| phase.is_migratable(slot)).map(entry).collect()
}
