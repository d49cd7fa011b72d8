// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reader of a tape: simd-json's list of all values of a document.

use rustc_hash::FxHashSet;
use simd_json::{Buffers, Node, Tape};

use crate::entity::walk_entity;
use crate::error::Step;
use crate::memory_facts::{Interned, MemoryFacts};
use crate::metadata::{self, refuse_statistics};
use crate::rows::{
    CommunicationKind, CommunicationRow, EndpointKind, FileRows, LAST_PHASE, PhaseRows, TaskPlace,
};
use crate::walker::{Walked, Walker};
use crate::{DocumentBuffer, Field, FileParts, Metadata, Span};

/// Memory of a tape.
#[derive(Default)]
pub(crate) struct TapeBuffer {
    buffers: Buffers,
    nodes: Vec<Node<'static>>,
}

impl TapeBuffer {
    /// Parses a document into a tape, and passes it to `walk`. Strings are unescaped in place.
    pub(crate) fn fill<T>(
        &mut self,
        document: &mut DocumentBuffer,
        walk: impl FnOnce(&[Node<'_>], &[u32]) -> T,
    ) -> Result<T, simd_json::Error> {
        let TapeBuffer { buffers, nodes } = self;
        let (padded, length) = document.padded();
        let mut tape = Tape(std::mem::take(nodes)).reset();
        let parsed = simd_json::fill_tape_padded(padded, length, buffers, &mut tape)
            .map(|()| walk(&tape.0, buffers.structural_indexes()));
        *nodes = tape.reset().0;
        parsed
    }
}

/// Reads the file, with spans only if they are requested or needed to locate an error.
pub(crate) fn walk_tape(
    nodes: &[Node<'_>],
    structurals: &[u32],
    selection: FileParts<'_>,
) -> Walked<FileRows> {
    if !selection.records
        && let Ok(file) = walk_file(Walker::<false>::new(nodes, structurals), selection)
    {
        return Ok(file);
    }
    walk_file(Walker::<true>::new(nodes, structurals), selection)
}

fn walk_file<const PLACED: bool>(
    mut walker: Walker<'_, PLACED>,
    selection: FileParts<'_>,
) -> Walked<FileRows> {
    let mut file = FileRows::default();
    let (mut metadata, mut phases, mut has_type) = (None, None, false);
    let here = walker;
    walker.object(|walker, key| {
        match key {
            "metadata" => metadata = Some(*walker),
            "phases" => phases = Some(*walker),
            "type" => {
                has_type = true;
                refuse_statistics(*walker)?;
            }
            _ => {}
        }
        if selection.records {
            file.fields.push(Field { key: key.to_owned(), value: walker.skip_spanned() });
        } else {
            walker.skip();
        }
        Ok(())
    })?;
    // Metadata are read first, because they list the phases that repeat others.
    if let Some(mut walker) = metadata {
        let fields = selection.records.then_some(&mut file.metadata_fields);
        file.metadata = Metadata::walk(&mut walker, fields)
            .map_err(|error| error.inside(Step::Key("metadata".to_owned())))?;
    }
    let Some(phases) = phases else {
        return Err(here.complain("there is no `phases` array; is it an LB data file?".to_owned()));
    };
    walk_phases(phases, selection, &mut file)
        .map_err(|error| error.inside(Step::Key("phases".to_owned())))?;
    file.state_rank_bytes();
    file.generation = file.generation(has_type || metadata.is_some_and(metadata::says_what_it_is));
    Ok(file)
}

fn walk_phases<const PLACED: bool>(
    phases: Walker<'_, PLACED>,
    selection: FileParts<'_>,
    file: &mut FileRows,
) -> Walked<()> {
    let mut seen = FxHashSet::default();
    { phases }.array(|walker, index| {
        let id = find_phase_id(*walker)?.unwrap_or_else(|| {
            file.warnings.push(format!("phase entry {index} has no `id`; assuming phase {index}"));
            index as u64
        });
        if !seen.insert(id) {
            return Err(walker.complain(format!("phase {id} has two entries in this file")));
        }
        file.phase_ids.push(id);
        walker.skip();
        Ok(())
    })?;
    let repeated = repeated_entries(file, selection);
    { phases }.array(|walker, index| {
        let id = file.phase_ids[index];
        if (selection.phases)(id) || repeated.contains(&id) {
            file.phases.push(walk_phase(walker, id, selection)?);
        } else {
            walker.skip();
        }
        Ok(())
    })?;
    Ok(())
}

/// Returns the ids of the entries that selected phases repeat.
fn repeated_entries(file: &FileRows, selection: FileParts<'_>) -> FxHashSet<u64> {
    let identical = &file.metadata.identical_to_previous;
    let mut ids = if identical.is_empty() { Vec::new() } else { file.phase_ids.clone() };
    ids.sort_unstable();
    let ranges = identical.ranges.iter().flat_map(|&(first, last)| first..=last);
    ranges
        .filter(|&phase| (selection.phases)(phase))
        .filter_map(|phase| ids[..ids.partition_point(|&id| id <= phase)].last().copied())
        .collect()
}

/// Returns the number of a phase, or `None` if it is missing. The number is searched before the phase is read, because
/// vt writes it after the communications. If the key is repeated, the last value counts. Offsets are tracked only to
/// locate an error.
fn find_phase_id<const PLACED: bool>(walker: Walker<'_, PLACED>) -> Walked<Option<u64>> {
    find_last_id(walker.unplaced()).or_else(|_| find_last_id(walker))
}

fn find_last_id<const PLACED: bool>(walker: Walker<'_, PLACED>) -> Walked<Option<u64>> {
    let mut id = None;
    walker.find(|mut walker, key| {
        if key == "id" {
            let here = walker;
            id = Some(walker.unsigned()?);
            if id > Some(LAST_PHASE) {
                return Err(here.mismatch("a phase of at most 2^62"));
            }
        }
        Ok(false)
    })?;
    Ok(id)
}

fn walk_phase<const PLACED: bool>(
    walker: &mut Walker<'_, PLACED>,
    id: u64,
    selection: FileParts<'_>,
) -> Walked<PhaseRows> {
    let mut phase = PhaseRows { id, ..PhaseRows::default() };
    let mut interned = Interned::default();
    let (mut has_tasks, mut has_communications) = (false, false);
    walker.object(|walker, key| {
        if selection.records {
            phase.fields.push(Field { key: key.to_owned(), value: { *walker }.skip_spanned() });
        }
        match key {
            "tasks" if std::mem::replace(&mut has_tasks, true) => {
                return Err(walker.complain("the phase has `tasks` twice".to_owned()));
            }
            "communications" if std::mem::replace(&mut has_communications, true) => {
                return Err(walker.complain("the phase has `communications` twice".to_owned()));
            }
            "tasks" => {
                phase.tasks.reserve_exact(walker.len());
                phase.task_places.reserve_exact(if PLACED { walker.len() } else { 0 });
                walker.array(|walker, _| walk_task(walker, selection, &mut phase, &mut interned))?;
            }
            "communications" => {
                phase.communications.reserve_exact(walker.len());
                walker.array(|walker, _| {
                    let row = walk_communication(walker)?;
                    phase.largest_home =
                        phase.largest_home.max(row.from.stated_home()).max(row.to.stated_home());
                    phase.communications.push(row);
                    Ok(())
                })?;
            }
            "lb_iterations" => {
                phase.n_iterations = walker.len();
                walker.skip();
            }
            _ => walker.skip(),
        }
        Ok(())
    })?;
    Ok(phase)
}

fn walk_task<const PLACED: bool>(
    walker: &mut Walker<'_, PLACED>,
    selection: FileParts<'_>,
    phase: &mut PhaseRows,
    interned: &mut Interned,
) -> Walked<()> {
    let here = *walker;
    let (mut entity, mut load, mut node) = (None, None, Span::default());
    let mut memory = MemoryFacts::default();
    let record = walker.object(|walker, key| {
        match key {
            "entity" => {
                if selection.indices {
                    phase.indices.walk(phase.tasks.len(), *walker)?;
                }
                entity = Some(walk_entity(walker)?);
            }
            "node" => node = walker.skip_spanned(),
            "subphases" if selection.subphases => phase.subphases.walk(phase.tasks.len(), walker)?,
            "time" => load = Some(walker.magnitude()?),
            "user_defined" => memory.walk(walker)?,
            _ => walker.skip(),
        }
        Ok(())
    })?;
    let entity = entity.ok_or_else(|| here.complain("the task has no `entity`".to_owned()))?;
    let load = load.ok_or_else(|| here.complain("the task has no `time`".to_owned()))?;
    if entity.kind != EndpointKind::Object {
        return Err(here.complain("the entity of a task must be of type \"object\"".to_owned()));
    }
    if PLACED {
        phase.task_places.push(TaskPlace { record, node });
    }
    let row = interned.memory(&memory, phase);
    phase.add_task(&entity, load, row, memory.rank_working_bytes);
    Ok(())
}

fn walk_communication<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<CommunicationRow> {
    let here = *walker;
    let (mut from, mut to, mut bytes, mut kind, mut messages) = (None, None, None, None, 1);
    let record = walker.object(|walker, key| {
        match key {
            "bytes" => bytes = Some(walker.magnitude()?),
            "from" => from = Some(walk_entity(walker)?),
            "messages" => messages = walker.unsigned()?,
            "to" => to = Some(walk_entity(walker)?),
            "type" => kind = Some(CommunicationKind::from_name(walker.string()?)),
            _ => walker.skip(),
        }
        Ok(())
    })?;
    let missing = |key: &str| here.complain(format!("the communication has no `{key}`"));
    Ok(CommunicationRow {
        bytes: bytes.ok_or_else(|| missing("bytes"))?,
        messages,
        from: from.ok_or_else(|| missing("from"))?,
        to: to.ok_or_else(|| missing("to"))?,
        record,
        kind: kind.ok_or_else(|| missing("type"))?,
    })
}
