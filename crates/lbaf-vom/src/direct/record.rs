// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of a phase: tasks, communications and their entities. Each function reads the same members as the function
//! of the same name that reads a tape.

use super::cursor::Cursor;
use super::facts::{CommunicationFacts, End, EntityFacts, Field, OfEntity, OfMemory, Record, TaskFacts};
use super::form::Form;
use super::span;
use crate::memory_facts::Interned;
use crate::rows::{CommunicationKind, CommunicationRow, EndpointKind, LAST_PHASE, PhaseRows, TaskPlace};
use crate::{FileParts, Span};

/// Reads a phase with its number and all its records.
pub(super) fn walk_phase(cursor: &mut Cursor<'_>, selection: FileParts<'_>) -> Option<PhaseRows> {
    let mut phase = PhaseRows::default();
    let places = selection.records;
    let mut id = None;
    let mut interned = Interned::default();
    let (mut has_tasks, mut has_communications) = (false, false);
    cursor.object(|cursor, key| {
        let start = cursor.start();
        match key {
            b"tasks" if std::mem::replace(&mut has_tasks, true) => return None,
            b"communications" if std::mem::replace(&mut has_communications, true) => return None,
            b"tasks" => {
                walk_records(
                    cursor,
                    |cursor, task| walk_task(cursor, selection, task),
                    |task, form| {
                        if places {
                            let node = form.number(Field::Node).map_or(Some(Span::default()), span)?;
                            phase.task_places.push(TaskPlace { record: span(form.record())?, node });
                        }
                        put_task(task, &mut phase, &mut interned)
                    },
                )?;
                phase.tasks.shrink_to_fit();
                phase.task_places.shrink_to_fit();
            }
            b"communications" => {
                walk_records(cursor, walk_communication, |communication, form| {
                    let record = if places { span(form.record())? } else { Span::default() };
                    put_communication(communication, record, &mut phase)
                })?;
                phase.communications.shrink_to_fit();
            }
            b"id" if id.is_some() => return None,
            b"id" => id = Some(cursor.unsigned()?),
            b"lb_iterations" => phase.n_iterations = cursor.skip()?,
            _ => drop(cursor.skip()?),
        }
        if places {
            let key = str::from_utf8(key).ok()?.to_owned();
            phase.fields.push(crate::Field { key, value: span(start..cursor.offset())? });
        }
        Some(())
    })?;
    phase.id = id.filter(|&id| id <= LAST_PHASE)?;
    Some(phase)
}

/// Reads an array of records. `walk` reads a record along the structural index; the following records of the same form
/// are compared with it instead. `put` stores each record, given its form.
fn walk_records<'t, R: Record + Default>(
    cursor: &mut Cursor<'t>,
    mut walk: impl FnMut(&mut Cursor<'t>, &mut R) -> Option<()>,
    mut put: impl FnMut(&R, &Form) -> Option<()>,
) -> Option<usize> {
    cursor.array(|cursor| {
        let mut record = R::default();
        cursor.record(|cursor| walk(cursor, &mut record))?;
        put(&record, cursor.form())?;
        while cursor.repeat(&mut record) {
            put(&record, cursor.form())?;
        }
        Some(())
    })
}

fn walk_task(cursor: &mut Cursor<'_>, selection: FileParts<'_>, task: &mut TaskFacts) -> Option<()> {
    cursor.object(|cursor, key| {
        match key {
            // Repeated keys are left to the tape. The last value counts, but a record that is read by comparison with
            // this one would also get the numbers of earlier values.
            b"entity" if task.entity.is_some() => return None,
            b"subphases" if task.subphases.is_some() => return None,
            b"entity" => task.entity = Some(walk_entity(cursor, End::From)?),
            b"node" if selection.records => cursor.number(Field::Node, task)?,
            b"subphases" if selection.subphases => walk_subphases(cursor, task)?,
            b"time" => cursor.number(Field::Load, task)?,
            b"user_defined" => walk_memory(cursor, task)?,
            _ => drop(cursor.skip()?),
        }
        Some(())
    })
}

fn put_task(task: &TaskFacts, phase: &mut PhaseRows, interned: &mut Interned) -> Option<()> {
    let (entity, load) = (task.entity.as_ref()?.endpoint()?, task.load?);
    if entity.kind != EndpointKind::Object {
        return None;
    }
    if let Some(subphases) = &task.subphases {
        let times = subphases.iter().map(|&(number, seconds)| Some((number?, seconds?)));
        let mut times: Vec<(u32, f64)> = times.collect::<Option<_>>()?;
        times.sort_by_key(|&(number, _)| number);
        times.windows(2).all(|pair| pair[0].0 != pair[1].0).then_some(())?;
        phase.subphases.put(phase.tasks.len(), times.into_iter());
    }
    let row = interned.memory(&task.memory, phase);
    phase.add_task(&entity, load, row, task.memory.rank_working_bytes);
    Some(())
}

fn walk_subphases(cursor: &mut Cursor<'_>, task: &mut TaskFacts) -> Option<()> {
    task.subphases = Some(Vec::new());
    let mut n = 0;
    cursor.array(|cursor| {
        task.subphases.as_mut()?.push((None, None));
        cursor.object(|cursor, key| {
            match key {
                b"id" => cursor.number(Field::Subphase(n), task)?,
                b"time" => cursor.number(Field::SubphaseSeconds(n), task)?,
                _ => drop(cursor.skip()?),
            }
            Some(())
        })?;
        n += 1;
        Some(())
    })?;
    Some(())
}

fn walk_memory(cursor: &mut Cursor<'_>, task: &mut TaskFacts) -> Option<()> {
    cursor.object(|cursor, key| {
        let quantity = match key {
            b"rank_working_bytes" => OfMemory::RankWorking,
            b"shared_bytes" => OfMemory::BlockBytes,
            b"shared_id" | b"shared_block_id" => OfMemory::Block,
            b"task_footprint_bytes" => OfMemory::Footprint,
            b"task_serialized_bytes" => OfMemory::Serialized,
            b"task_working_bytes" => OfMemory::Working,
            b"home_rank" => OfMemory::Home,
            _ => return cursor.skip().map(|_| ()),
        };
        cursor.number(Field::Memory(quantity), task)
    })
}

fn walk_communication(cursor: &mut Cursor<'_>, communication: &mut CommunicationFacts) -> Option<()> {
    cursor.object(|cursor, key| {
        match key {
            b"bytes" => cursor.number(Field::Bytes, communication)?,
            b"from" if communication.from.is_some() => return None,
            b"to" if communication.to.is_some() => return None,
            b"from" => communication.from = Some(walk_entity(cursor, End::From)?),
            b"messages" => cursor.number(Field::Messages, communication)?,
            b"to" => communication.to = Some(walk_entity(cursor, End::To)?),
            b"type" => {
                let kind = CommunicationKind::from_name(std::str::from_utf8(cursor.string()?).ok()?);
                communication.kind = Some(kind);
            }
            _ => drop(cursor.skip()?),
        }
        Some(())
    })
}

fn put_communication(communication: &CommunicationFacts, record: Span, phase: &mut PhaseRows) -> Option<()> {
    let CommunicationFacts { from, to, bytes, messages, kind } = communication;
    let (from, to) = (from.as_ref()?.endpoint()?, to.as_ref()?.endpoint()?);
    phase.largest_home = phase.largest_home.max(from.stated_home().max(to.stated_home()));
    let (bytes, kind) = ((*bytes)?, (*kind)?);
    phase.communications.push(CommunicationRow { bytes, messages: *messages, from, to, record, kind });
    Some(())
}

fn walk_entity(cursor: &mut Cursor<'_>, end: End) -> Option<EntityFacts> {
    let mut entity = EntityFacts::default();
    cursor.object(|cursor, key| {
        let number = match key {
            b"home" => OfEntity::Home,
            b"id" => OfEntity::Id,
            b"seq_id" => OfEntity::Sequence,
            b"collection_id" | b"index" => {
                entity.in_collection = true;
                return cursor.skip().map(|_| ());
            }
            b"migratable" => {
                entity.migratable = Some(cursor.boolean()?);
                return Some(());
            }
            b"type" => {
                entity.kind = match cursor.string()? {
                    b"object" => EndpointKind::Object,
                    b"node" => EndpointKind::Node,
                    b"shared_id" => EndpointKind::SharedBlock,
                    _ => EndpointKind::Other,
                };
                return Some(());
            }
            _ => return cursor.skip().map(|_| ()),
        };
        let text = cursor.number_text(Field::Entity(end, number))?;
        entity.set(number, text)
    })?;
    Some(entity)
}
