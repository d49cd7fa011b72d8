// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks that files can hold a model and that readers do not change it.

use lbaf_model::{DataSet, ObjectKey, Phase, RankId, Vertex};
use lbaf_vom::home_of_packed_id;
use rustc_hash::FxHashSet;

use super::ModelFilesError;

/// Largest number of a phase that readers accept.
const LAST_PHASE: u64 = 1 << 62;

/// Checks the ranks, the keys of all objects, all phases, and that every object has a task, in this order. Returns the
/// first error.
pub(super) fn check(data: &DataSet) -> Result<(), ModelFilesError> {
    if data.n_ranks() == 0 {
        return Err(ModelFilesError::NoRanks);
    }
    for phase in data.phases() {
        check_ranks(phase, data)?;
    }
    for &key in data.keys() {
        check_key(key, data.n_ranks())?;
    }
    let mut has_task = vec![false; data.n_objects()];
    for phase in data.phases() {
        phase.slots().for_each(|slot| has_task[phase.object(slot).index()] = true);
        check_objects(phase, data)?;
        check_blocks(phase)?;
        check_communication(phase)?;
        check_subphases(phase, data)?;
    }
    match has_task.iter().position(|has_task| !has_task) {
        Some(object) => Err(ModelFilesError::NoTask { object: data.keys()[object] }),
        None => Ok(()),
    }
}

/// Checks the number of a phase, and that its ranks equal those of the first phase apart from their memory.
fn check_ranks(phase: &Phase, data: &DataSet) -> Result<(), ModelFilesError> {
    let id = phase.id();
    let (n_ranks, n_all) = (phase.n_ranks(), data.n_ranks());
    if id.0 > LAST_PHASE {
        return Err(ModelFilesError::PhaseNumber { phase: id });
    }
    if n_ranks != n_all {
        return Err(ModelFilesError::Ranks { phase: id, n_ranks, n_all });
    }
    let first = data.phases()[0].ranks();
    for ((rank, first), other) in phase.rank_ids().zip(first).zip(phase.ranks()) {
        if first.alpha != other.alpha {
            return Err(ModelFilesError::Alpha { rank, phase: id, first: first.alpha, other: other.alpha });
        }
        if first.node != other.node {
            return Err(ModelFilesError::Node { rank, phase: id });
        }
    }
    Ok(())
}

fn check_key(object: ObjectKey, n_ranks: usize) -> Result<(), ModelFilesError> {
    if object.piece(0) != object {
        return Err(ModelFilesError::Piece { object });
    }
    if object.is_sequence {
        return Ok(());
    }
    if (object.number & 3 == 3) != object.rank().is_none() {
        return Err(ModelFilesError::PackedMigratable { object });
    }
    match home_of_packed_id(object.number).filter(|&home| home as usize >= n_ranks) {
        Some(home) => Err(ModelFilesError::PackedHome { object, home, n_ranks }),
        None => Ok(()),
    }
}

/// Checks that the key of every object fits its rank and migratability, and that it has a collection if needed.
fn check_objects(phase: &Phase, data: &DataSet) -> Result<(), ModelFilesError> {
    let id = phase.id();
    for slot in phase.slots() {
        let object = data.key(phase.object(slot));
        let rank = phase.recorded_assignment().rank_of(slot);
        let is_migratable = phase.is_migratable(slot);
        match object.rank() {
            None if !is_migratable => {
                return Err(ModelFilesError::SentinelWithoutRank { phase: id, object, rank });
            }
            Some(_) if is_migratable => {
                return Err(ModelFilesError::MigratableWithRank { phase: id, object });
            }
            Some(stated) if stated != rank => {
                return Err(ModelFilesError::SentinelElsewhere { phase: id, object, rank });
            }
            _ => {}
        }
        let needs_collection = is_migratable && object.is_sequence;
        if needs_collection && phase.coordinates().is_some_and(|all| all.collection(slot).is_none()) {
            return Err(ModelFilesError::NoCollection { phase: id, object });
        }
    }
    Ok(())
}

fn check_blocks(phase: &Phase) -> Result<(), ModelFilesError> {
    let blocks = phase.blocks();
    let mut is_used = vec![false; blocks.len()];
    for block in phase.slots().filter_map(|slot| phase.memory(slot).block) {
        is_used[block.index()] = true;
    }
    let mut numbers = FxHashSet::default();
    for (block, is_used) in blocks.iter().zip(is_used) {
        if !is_used {
            return Err(ModelFilesError::UnusedBlock { phase: phase.id(), block: block.id });
        }
        if !numbers.insert(block.id) {
            return Err(ModelFilesError::SameBlock { phase: phase.id(), block: block.id });
        }
    }
    Ok(())
}

fn check_communication(phase: &Phase) -> Result<(), ModelFilesError> {
    let between_ranks = |(from, to, _)| -> Option<(RankId, RankId)> {
        match (from, to) {
            (Vertex::Rank(from), Vertex::Rank(to)) => Some((from, to)),
            _ => None,
        }
    };
    match phase.communication().edges().find_map(between_ranks) {
        Some((from, to)) => Err(ModelFilesError::RankToRank { phase: phase.id(), from, to }),
        None => Ok(()),
    }
}

fn check_subphases(phase: &Phase, data: &DataSet) -> Result<(), ModelFilesError> {
    let Some(subphases) = phase.subphases() else { return Ok(()) };
    let mut numbers = Vec::new();
    for slot in phase.slots() {
        numbers.clear();
        numbers.extend(subphases.numbered(slot).map(|(number, _)| number));
        numbers.sort_unstable();
        if let Some(pair) = numbers.windows(2).find(|pair| pair[0] == pair[1]) {
            let object = data.key(phase.object(slot));
            return Err(ModelFilesError::SubphaseTwice { phase: phase.id(), object, subphase: pair[0] });
        }
    }
    Ok(())
}
