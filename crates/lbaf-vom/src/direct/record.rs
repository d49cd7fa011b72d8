// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a phase: tasks, communications and their entities. Each function reads what the function of the same name
//! for tapes reads.

use super::cursor::Cursor;
use crate::memory_facts::{Interned, MemoryFacts};
use crate::rows::{CommunicationKind, CommunicationRow, Endpoint, EndpointKind, LAST_PHASE, NONE, PhaseRows};
use crate::{Span, SubphaseTimes};

/// Reads a phase with its number and all its records.
pub(super) fn walk_phase(cursor: &mut Cursor<'_>, with_subphases: bool) -> Option<PhaseRows> {
    let mut phase = PhaseRows::default();
    let mut id = None;
    let mut interned = Interned::default();
    let (mut has_tasks, mut has_communications) = (false, false);
    cursor.object(|cursor, key| {
        match key {
            b"tasks" if std::mem::replace(&mut has_tasks, true) => return None,
            b"communications" if std::mem::replace(&mut has_communications, true) => return None,
            b"tasks" => {
                cursor.array(|cursor| walk_task(cursor, with_subphases, &mut phase, &mut interned))?;
                phase.tasks.shrink_to_fit();
            }
            b"communications" => {
                cursor.array(|cursor| {
                    let row = walk_communication(cursor)?;
                    let homes = row.from.stated_home().max(row.to.stated_home());
                    phase.largest_home = phase.largest_home.max(homes);
                    phase.communications.push(row);
                    Some(())
                })?;
                phase.communications.shrink_to_fit();
            }
            b"id" if id.is_some() => return None,
            b"id" => id = Some(cursor.unsigned()?),
            b"lb_iterations" => phase.n_iterations = cursor.skip()?,
            _ => drop(cursor.skip()?),
        }
        Some(())
    })?;
    phase.id = id.filter(|&id| id <= LAST_PHASE)?;
    Some(phase)
}

#[inline]
fn walk_task(
    cursor: &mut Cursor<'_>,
    with_subphases: bool,
    phase: &mut PhaseRows,
    interned: &mut Interned,
) -> Option<()> {
    let (mut entity, mut load) = (None, None);
    let mut memory = MemoryFacts::default();
    cursor.object(|cursor, key| {
        match key {
            b"entity" => entity = Some(walk_entity(cursor)?),
            b"subphases" if with_subphases => {
                walk_subphases(cursor, phase.tasks.len(), &mut phase.subphases)?;
            }
            b"time" => load = Some(cursor.magnitude()?),
            b"user_defined" => walk_memory(cursor, &mut memory)?,
            _ => drop(cursor.skip()?),
        }
        Some(())
    })?;
    let (entity, load) = (entity?, load?);
    if entity.kind != EndpointKind::Object {
        return None;
    }
    let row = interned.memory(&memory, phase);
    phase.add_task(&entity, load, row, memory.rank_working_bytes);
    Some(())
}

fn walk_subphases(cursor: &mut Cursor<'_>, task: usize, subphases: &mut SubphaseTimes) -> Option<()> {
    let mut times = Vec::new();
    cursor.array(|cursor| {
        let (mut number, mut seconds) = (None, None);
        cursor.object(|cursor, key| {
            match key {
                b"id" => number = Some(u32::try_from(cursor.unsigned()?).ok()?),
                b"time" => seconds = Some(cursor.magnitude()?),
                _ => drop(cursor.skip()?),
            }
            Some(())
        })?;
        times.push((number?, seconds?));
        Some(())
    })?;
    times.sort_by_key(|&(number, _)| number);
    let is_distinct = times.windows(2).all(|pair| pair[0].0 != pair[1].0);
    is_distinct.then(|| subphases.put(task, times.into_iter()))
}

fn walk_memory(cursor: &mut Cursor<'_>, memory: &mut MemoryFacts) -> Option<()> {
    cursor.object(|cursor, key| {
        match key {
            b"rank_working_bytes" => memory.rank_working_bytes = cursor.magnitude()?,
            b"shared_bytes" => memory.block_bytes = cursor.magnitude()?,
            b"shared_id" | b"shared_block_id" => memory.block = u64::try_from(cursor.integer()?).ok(),
            b"task_footprint_bytes" => memory.footprint_bytes = cursor.magnitude()?,
            b"task_serialized_bytes" => memory.serialized_bytes = cursor.magnitude()?,
            b"task_working_bytes" => memory.working_bytes = cursor.magnitude()?,
            b"home_rank" => memory.home = Some(walk_rank(cursor)?),
            _ => drop(cursor.skip()?),
        }
        Some(())
    })
}

#[inline]
fn walk_communication(cursor: &mut Cursor<'_>) -> Option<CommunicationRow> {
    let (mut from, mut to, mut bytes, mut kind, mut messages) = (None, None, None, None, 1);
    cursor.object(|cursor, key| {
        match key {
            b"bytes" => bytes = Some(cursor.magnitude()?),
            b"from" => from = Some(walk_entity(cursor)?),
            b"messages" => messages = cursor.unsigned()?,
            b"to" => to = Some(walk_entity(cursor)?),
            b"type" => kind = Some(CommunicationKind::from_name(std::str::from_utf8(cursor.string()?).ok()?)),
            _ => drop(cursor.skip()?),
        }
        Some(())
    })?;
    let record = Span::default();
    Some(CommunicationRow { bytes: bytes?, messages, from: from?, to: to?, record, kind: kind? })
}

#[inline]
fn walk_entity(cursor: &mut Cursor<'_>) -> Option<Endpoint> {
    let (mut id, mut seq_id, mut migratable) = (None, None, None);
    let (mut home, mut in_collection, mut kind) = (NONE, false, EndpointKind::Object);
    cursor.object(|cursor, key| {
        match key {
            b"home" => home = walk_rank(cursor)?,
            b"id" => id = Some(cursor.unsigned()?),
            b"collection_id" | b"index" => {
                in_collection = true;
                cursor.skip()?;
            }
            b"migratable" => migratable = Some(cursor.boolean()?),
            b"seq_id" => seq_id = Some(cursor.unsigned()?),
            b"type" => {
                kind = match cursor.string()? {
                    b"object" => EndpointKind::Object,
                    b"node" => EndpointKind::Node,
                    b"shared_id" => EndpointKind::SharedBlock,
                    _ => EndpointKind::Other,
                };
            }
            _ => drop(cursor.skip()?),
        }
        Some(())
    })?;
    Some(Endpoint {
        id: id.or(seq_id)?,
        home,
        kind,
        is_sequence: id.is_none(),
        migratable: migratable.unwrap_or(in_collection),
        states_migratable: migratable.is_some(),
    })
}

/// Reads a rank; negative numbers mean "none".
fn walk_rank(cursor: &mut Cursor<'_>) -> Option<u32> {
    match cursor.integer()? {
        negative if negative < 0 => Some(NONE),
        rank => u32::try_from(rank).ok().filter(|&rank| rank != NONE),
    }
}
