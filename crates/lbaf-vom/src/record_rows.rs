// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of synthetic records, without parsing.

use rustc_hash::FxHashSet;

use crate::memory_facts::{Interned, MemoryFacts};
use crate::print::printed_bytes;
use crate::record::{Communication, DataFile, Entity, EntityKind, PhaseRecord, Task, UserDefined};
use crate::rows::{
    CommunicationRow, Endpoint, EndpointKind, FileRows, Generation, LAST_PHASE, NONE, PhaseRows,
};
use crate::{Encoding, FileParts, ParsedFile, Scratch, Span, VomError, parse, print};

/// Returns the result of [`parse()`] for the [printed](print()) file. The file is parsed only if records or indices are
/// selected, or if it has values that need the checks of the parser. Otherwise, its printed bytes are only counted, and
/// may be more than a document in memory can have.
///
/// # Errors
/// Those of [`parse()`] for the printed file.
pub fn parse_records(
    file: &DataFile,
    selection: FileParts<'_>,
    scratch: &mut Scratch,
) -> Result<ParsedFile, VomError> {
    let Some(rows) = unprinted(file, selection, scratch) else {
        return parse(&print(file), selection, scratch);
    };
    Ok(ParsedFile {
        rows,
        document: Vec::new(),
        document_bytes: printed_bytes(file),
        encoding: Encoding::Plain,
    })
}

/// Returns the rows of a usual file; `None` if it must be printed and parsed.
fn unprinted(file: &DataFile, selection: FileParts<'_>, scratch: &mut Scratch) -> Option<FileRows> {
    if selection.records || selection.indices {
        return None;
    }
    let head = DataFile { metadata: file.metadata.clone(), phases: Vec::new() };
    let mut rows = parse(&print(&head), selection, scratch).ok()?.rows;
    // A selected phase may repeat one that is not selected.
    let reads_all = !rows.metadata.identical_to_previous.is_empty();
    let mut seen = FxHashSet::default();
    for phase in &file.phases {
        (phase.id <= LAST_PHASE && seen.insert(phase.id)).then_some(())?;
        rows.phase_ids.push(phase.id);
        if (selection.phases)(phase.id) {
            rows.phases.push(phase_rows(phase, selection)?);
        } else if reads_all {
            return None;
        }
    }
    rows.state_rank_bytes();
    rows.generation = rows.generation(rows.generation >= Generation::LbData);
    Some(rows)
}

fn phase_rows(record: &PhaseRecord, selection: FileParts<'_>) -> Option<PhaseRows> {
    let mut phase = PhaseRows { id: record.id, ..PhaseRows::default() };
    phase.tasks.reserve_exact(record.tasks.len());
    phase.communications.reserve_exact(record.communications.len());
    let mut interned = Interned::default();
    for task in &record.tasks {
        put_task(task, selection, &mut phase, &mut interned)?;
    }
    for communication in &record.communications {
        put_communication(communication, &mut phase)?;
    }
    Some(phase)
}

fn put_task(
    task: &Task,
    selection: FileParts<'_>,
    phase: &mut PhaseRows,
    interned: &mut Interned,
) -> Option<()> {
    let (object, load) = (endpoint(&task.entity)?, magnitude(task.time)?);
    (object.kind == EndpointKind::Object && task.attributes.is_none()).then_some(())?;
    if selection.subphases && !task.subphases.is_empty() {
        let times = task.subphases.iter();
        let times = times.map(|subphase| Some((u32::try_from(subphase.id).ok()?, magnitude(subphase.time)?)));
        let times: Vec<(u32, f64)> = times.collect::<Option<_>>()?;
        times.is_sorted_by(|one, next| one.0 < next.0).then_some(())?;
        phase.subphases.put(phase.tasks.len(), times.into_iter());
    }
    let facts = task.user_defined.as_ref().map_or(Some(MemoryFacts::default()), memory_facts)?;
    let memory = interned.memory(&facts, phase);
    phase.add_task(&object, load, memory, facts.rank_working_bytes);
    Some(())
}

fn memory_facts(stated: &UserDefined) -> Option<MemoryFacts> {
    stated.other.is_empty().then_some(())?;
    let bytes = |stated: Option<f64>| magnitude(stated.unwrap_or(0.0));
    let home = stated.home_rank;
    (home != Some(NONE)).then_some(MemoryFacts {
        footprint_bytes: bytes(stated.task_footprint_bytes)?,
        working_bytes: bytes(stated.task_working_bytes)?,
        serialized_bytes: bytes(stated.task_serialized_bytes)?,
        rank_working_bytes: bytes(stated.rank_working_bytes)?,
        block: stated.shared_id,
        block_bytes: bytes(stated.shared_bytes)?,
        home,
    })
}

fn put_communication(communication: &Communication, phase: &mut PhaseRows) -> Option<()> {
    let &Communication { bytes, ref from, messages, ref to, kind } = communication;
    let (from, to) = (endpoint(from)?, endpoint(to)?);
    phase.largest_home = phase.largest_home.max(from.stated_home()).max(to.stated_home());
    let (bytes, record) = (magnitude(bytes)?, Span::default());
    phase.communications.push(CommunicationRow { bytes, messages, from, to, record, kind });
    Some(())
}

fn endpoint(entity: &Entity) -> Option<Endpoint> {
    let in_collection = entity.collection_id.is_some() || entity.index.is_some();
    (entity.home != Some(NONE)).then_some(Endpoint {
        id: entity.id.or(entity.seq_id)?,
        home: entity.home.unwrap_or(NONE),
        kind: match entity.kind {
            EntityKind::Object => EndpointKind::Object,
            EntityKind::Node => EndpointKind::Node,
            EntityKind::SharedId => EndpointKind::SharedBlock,
        },
        is_sequence: entity.id.is_none(),
        migratable: entity.migratable.unwrap_or(in_collection),
        states_migratable: entity.migratable.is_some(),
    })
}

/// Returns a number without a sign; `None` for others, which the parser checks.
fn magnitude(number: f64) -> Option<f64> {
    (number.is_finite() && number.is_sign_positive()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{EntityKind, Metadata, Subphase};

    fn file() -> DataFile {
        let object = Entity { id: Some(3), home: Some(0), migratable: Some(true), ..Entity::default() };
        let task = Task {
            entity: object.clone(),
            subphases: vec![Subphase { id: 0, time: 0.5 }, Subphase { id: 1, time: 1.0 }],
            time: 1.5,
            user_defined: Some(UserDefined { shared_id: Some(2), ..UserDefined::default() }),
            ..Task::default()
        };
        let sent = Communication {
            bytes: 8.0,
            from: object.clone(),
            messages: 1,
            to: object,
            kind: crate::CommunicationKind::SendRecv,
        };
        let phase = PhaseRecord { communications: vec![sent], id: 0, tasks: vec![task] };
        DataFile { metadata: Metadata::default(), phases: vec![phase] }
    }

    fn is_printed(change: impl FnOnce(&mut DataFile, &mut FileParts<'_>)) -> bool {
        let mut file = file();
        let mut selection =
            FileParts { phases: &|_| true, last: None, records: false, indices: false, subphases: true };
        change(&mut file, &mut selection);
        unprinted(&file, selection, &mut Scratch::default()).is_none()
    }

    /// Integration tests compare the rows.
    #[test]
    fn only_unusual_files_are_printed() {
        assert!(!is_printed(|_, _| ()));
        assert!(is_printed(|_, selection| selection.records = true));
        assert!(is_printed(|_, selection| selection.indices = true));
        assert!(is_printed(|file, _| file.phases.push(file.phases[0].clone())), "phase 0 twice");
        let changes: [fn(&mut PhaseRecord); 9] = [
            |phase| phase.id = LAST_PHASE + 1,
            |phase| phase.tasks[0].time = f64::NAN,
            |phase| phase.tasks[0].entity.id = None,
            |phase| phase.tasks[0].entity.kind = EntityKind::Node,
            |phase| phase.tasks[0].subphases[1].id = 0,
            |phase| phase.tasks[0].user_defined.as_mut().unwrap().shared_bytes = Some(-1.0),
            |phase| phase.tasks[0].attributes = Some(serde_json::Map::new()),
            |phase| phase.communications[0].bytes = f64::INFINITY,
            |phase| phase.communications[0].to.home = Some(NONE),
        ];
        for (number, change) in changes.into_iter().enumerate() {
            assert!(is_printed(|file, _| change(&mut file.phases[0])), "change {number}");
        }
    }
}
