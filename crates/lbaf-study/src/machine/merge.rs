// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merging of objects: see [`Regrouping::Merge`](super::Regrouping).

use std::collections::BTreeMap;

use lbaf_model::{
    Assignment, BlockIdx, CommGraph, Communication, Coordinates, DataSet, ObjectIdx, ObjectMemory, Objects,
    Phase, PhaseColumns, RankId, Slot, Subphases, Vertex,
};

use super::places::{Place, Places};
use super::{MachineError, Regrouped, each_phase};

/// Objects merged into groups.
struct Groups<'a> {
    data: &'a DataSet,
    /// Group of each object. An object that is not merged is a group of its own.
    group_of: Vec<ObjectIdx>,
    /// Number of objects after merging.
    n_after: usize,
    /// Collection and index of each group; `None` for objects that cannot be merged.
    places: Vec<Option<(Option<u64>, Vec<i64>)>>,
}

/// Returns the data with up to `n` consecutive objects merged into one.
///
/// # Errors
/// If no object can be merged, or objects to merge use different blocks.
pub(super) fn merge(data: &DataSet, n: u32, along: usize) -> Result<(DataSet, Regrouped), MachineError> {
    const KEY: &str = "merge";
    let places = Places::of(data, along);
    let lowest = lowest(data, &places, i64::from(n), along);
    let n_taken = lowest.iter().flatten().count();
    if n_taken == 0 {
        return Err(MachineError::NoIndex { key: KEY, along });
    }
    let mut groups = Groups { data, group_of: Vec::new(), n_after: 0, places: Vec::new() };
    let (mut keys, mut n_made) = (Vec::new(), 0);
    for object in (0..data.n_objects()).map(ObjectIdx::from) {
        let group = match lowest[object.index()] {
            // The lowest member is visited first.
            Some(lowest) if lowest != object => groups.group_of[lowest.index()],
            lowest => {
                n_made += usize::from(lowest.is_some());
                keys.push(data.key(object));
                let place = places.of_object(object).filter(|_| lowest.is_some());
                groups.places.push(place.map(|place| reduced(place, i64::from(n), along)));
                ObjectIdx::from(keys.len() - 1)
            }
        };
        groups.group_of.push(group);
    }
    groups.n_after = keys.len();
    let mut bytes_within: f64 = 0.0;
    let phases = each_phase(data, |phase| {
        let (merged, within) = groups.of_phase(phase)?;
        bytes_within = bytes_within.max(within);
        Ok(merged)
    })?;
    let regrouped = Regrouped { bytes_within, ..places.regrouped(n_taken, n_made) };
    Ok((DataSet::new(keys, data.n_ranks(), phases), regrouped))
}

/// Returns collection and index of the merged object.
fn reduced((collection, index): Place<'_>, n: i64, along: usize) -> (Option<u64>, Vec<i64>) {
    let mut index = index.to_vec();
    index[along] = index[along].div_euclid(n);
    (collection, index)
}

/// Returns, for each object, the lowest object of its group; `None` for an object without a place.
fn lowest(data: &DataSet, places: &Places<'_>, n: i64, along: usize) -> Vec<Option<ObjectIdx>> {
    let all = (0..data.n_objects()).map(ObjectIdx::from);
    let placed = all.filter_map(|object| Some((object, places.of_object(object)?)));
    let mut placed: Vec<_> =
        placed.map(|(object, place)| ((reduced(place, n, along), places.block_of(object)), object)).collect();
    placed.sort_unstable();
    let mut lowest = vec![None; data.n_objects()];
    for group in placed.chunk_by(|one, other| one.0 == other.0) {
        for (_, object) in group {
            lowest[object.index()] = Some(group[0].1);
        }
    }
    lowest
}

impl Groups<'_> {
    /// Returns a phase whose objects are the groups, and the bytes between different members of a group.
    fn of_phase(&self, phase: &Phase) -> Result<(Phase, f64), MachineError> {
        let columns = phase.columns();
        let mut members: Vec<(ObjectIdx, Slot)> =
            phase.slots().map(|slot| (self.group_of[phase.object(slot).index()], slot)).collect();
        members.sort_unstable();
        let groups: Vec<&[(ObjectIdx, Slot)]> = members.chunk_by(|one, other| one.0 == other.0).collect();
        let mut slot_of = vec![Slot(0); phase.n_objects()];
        for (at, group) in groups.iter().enumerate() {
            group.iter().for_each(|(_, slot)| slot_of[slot.index()] = Slot::from(at));
        }
        let sum =
            |group: &&[(ObjectIdx, Slot)]| group.iter().map(|&(_, slot)| phase.load(slot)).fold(0.0, add);
        let end = |vertex: Vertex| match vertex {
            Vertex::Object(slot) => Vertex::Object(slot_of[slot.index()]),
            Vertex::Rank(_) => vertex,
        };
        let edges = || columns.communication.edges().map(|(from, to, volume)| (end(from), end(to), volume));
        // Messages of an object to itself were internal before merging and do not count.
        let is_within = |from: Vertex, to: Vertex| {
            matches!((from, to), (Vertex::Object(_), Vertex::Object(_))) && from != to && end(from) == end(to)
        };
        let between = columns.communication.edges().filter(|&(from, to, _)| is_within(from, to));
        let within = between.map(|(_, _, volume)| volume.bytes).fold(0.0, add);
        let edges = edges().map(|(from, to, volume)| Communication { from, to, volume }).collect();
        let merged = PhaseColumns {
            objects: if groups.len() == self.n_after {
                Objects::All(self.n_after)
            } else {
                groups.iter().map(|group| group[0].0).collect()
            },
            load: groups.iter().map(sum).collect(),
            memory: groups.iter().map(|group| self.memory(phase, group)).collect::<Result<_, _>>()?,
            migratable: groups.iter().map(|group| phase.is_migratable(group[0].1)).collect(),
            recorded: Assignment::new(groups.iter().map(|group| home(phase, group)).collect()).into(),
            ranks: columns.ranks.clone(),
            blocks: columns.blocks.clone(),
            communication: CommGraph::from_vec(groups.len(), phase.n_ranks(), edges),
        };
        let merged = Phase::new(phase.id(), merged)?;
        let merged = match phase.subphases() {
            Some(subphases) => {
                merged.with_subphases(groups.iter().map(|group| times(subphases, group)).collect())?
            }
            None => merged,
        };
        let merged = match phase.coordinates() {
            Some(coordinates) => merged.with_coordinates(self.coordinates(coordinates, &groups))?,
            None => merged,
        };
        Ok((merged, within))
    }

    fn memory(&self, phase: &Phase, group: &[(ObjectIdx, Slot)]) -> Result<ObjectMemory, MachineError> {
        let (_, first) = group[0];
        let block =
            |slot: Slot| phase.memory(slot).block.map(|BlockIdx(block)| phase.blocks()[block as usize].id);
        if let Some(&(_, other)) = group.iter().find(|&&(_, slot)| block(slot) != block(first)) {
            let key = |slot: Slot| self.data.key(phase.object(slot));
            return Err(MachineError::BlocksDiffer { phase: phase.id(), one: key(first), other: key(other) });
        }
        let each = || group.iter().map(|&(_, slot)| phase.memory(slot));
        // Without serialized sizes, the size stays 0, and migration moves the footprint.
        let is_stated = each().any(|memory| memory.serialized_bytes > 0.0);
        let on_the_wire = || each().map(ObjectMemory::migration_bytes).fold(0.0, add);
        Ok(ObjectMemory {
            footprint_bytes: each().map(|memory| memory.footprint_bytes).fold(0.0, add),
            working_bytes: each().map(|memory| memory.working_bytes).fold(0.0, f64::max),
            serialized_bytes: if is_stated { on_the_wire() } else { 0.0 },
            block: phase.memory(first).block,
        })
    }

    fn coordinates(&self, recorded: &Coordinates, groups: &[&[(ObjectIdx, Slot)]]) -> Coordinates {
        let place = |group: &&[(ObjectIdx, Slot)]| {
            let (group, slot) = group[0];
            if let Some((collection, index)) = &self.places[group.index()] {
                return Some((*collection, &index[..]));
            }
            let (space, index) = recorded.of(slot)?;
            Some((recorded.spaces()[space].collection, index))
        };
        groups.iter().map(place).collect()
    }
}

/// Returns the rank on which most of the load of a group was recorded; the lowest of several such ranks.
fn home(phase: &Phase, group: &[(ObjectIdx, Slot)]) -> RankId {
    let rank_of = |slot: Slot| phase.recorded_assignment().rank_of(slot);
    let mut parts: Vec<(RankId, Slot)> = group.iter().map(|&(_, slot)| (rank_of(slot), slot)).collect();
    parts.sort_unstable();
    let mut most: Option<(f64, RankId)> = None;
    for parts in parts.chunk_by(|one, other| one.0 == other.0) {
        let load = parts.iter().map(|&(_, slot)| phase.load(slot)).fold(0.0, add);
        if most.is_none_or(|(most, _)| load > most) {
            most = Some((load, parts[0].0));
        }
    }
    most.map_or(RankId(0), |(_, rank)| rank)
}

fn add(sum: f64, number: f64) -> f64 {
    sum + number
}

/// Returns the load of a group in each subphase, by number.
fn times(subphases: &Subphases, group: &[(ObjectIdx, Slot)]) -> BTreeMap<u32, f64> {
    let mut times = BTreeMap::new();
    for (number, seconds) in group.iter().flat_map(|&(_, slot)| subphases.numbered(slot)) {
        *times.entry(number).or_insert(0.0) += seconds;
    }
    times
}
