// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parser from the bytes of a file to rows.

use rustc_hash::FxHashSet;
use serde::de::IgnoredAny;
use simd_json::{Buffers, Tape};

use crate::direct::{DirectReader, DirectlyRead, Passage};
use crate::entity::walk_entity;
use crate::error::{Position, Step};
use crate::memory_facts::{Interned, MemoryFacts};
use crate::metadata::refuse_statistics;
use crate::rows::{
    CommunicationKind, CommunicationRow, EndpointKind, FileRows, Generation, LAST_PHASE, PhaseRows, TaskPlace,
};
use crate::text;
use crate::walker::{Walked, Walker};
use crate::{DocumentBuffer, Encoding, Field, FileParts, Metadata, Span, VomError, metadata};

/// Memory that is reused from file to file, one instance per thread.
#[derive(Default)]
pub struct Scratch {
    pub(crate) document: DocumentBuffer,
    buffers: Buffers,
    nodes: Vec<simd_json::Node<'static>>,
    direct: DirectReader,
}

/// Result of parsing a file.
#[derive(Debug)]
pub struct ParsedFile {
    /// Content of the file.
    pub rows: FileRows,
    /// Decompressed document to which the spans of the rows refer; empty if records were not requested.
    pub document: Vec<u8>,
    /// Size of the document in bytes, or of its decompressed part if the rest was not read.
    pub document_bytes: usize,
    /// Encoding of the document.
    pub encoding: Encoding,
}

impl ParsedFile {
    /// Returns the content of an empty file, as in data sets of the text form.
    pub fn empty() -> Self {
        let rows = FileRows { generation: Generation::Text, ..FileRows::default() };
        ParsedFile { rows, document: Vec::new(), document_bytes: 0, encoding: Encoding::Plain }
    }
}

/// Reads an LB data file of any generation, plain or brotli.
///
/// In a text file, the span of a record is that of its line; [`text_as_json`](crate::text_as_json) converts lines to
/// JSON records. Unselected phases may be checked only for brackets, strings and the phase number. Phases after the
/// last selected one may remain unread. If a selected phase is listed as identical to the previous one, the entry that
/// it repeats is read too.
///
/// # Errors
/// If the file cannot be decoded or the document is invalid. An error in a document states line and column. If the
/// document is valid JSON but does not conform to the format, the error also states a JSON pointer.
pub fn parse(raw: &[u8], selection: FileParts<'_>, scratch: &mut Scratch) -> Result<ParsedFile, VomError> {
    if let Some(parsed) = parse_stream(raw, selection, scratch) {
        return Ok(parsed);
    }
    let encoding = scratch.document.decode(raw)?;
    let document_bytes = scratch.document.text().len();
    let rows = if scratch.document.is_text() {
        text::read(scratch.document.text(), selection)?
    } else if let Some(read) = scratch.direct.read(Passage::whole(scratch.document.text()), selection) {
        read.rows
    } else {
        walk_document(raw, selection, scratch)?
    };
    let document = if selection.records { scratch.document.text().to_vec() } else { Vec::new() };
    Ok(ParsedFile { rows, document, document_bytes, encoding })
}

/// Reads a large brotli file of the usual form phase by phase, without the whole document in memory. Returns `None` for
/// all other files, and if records or indices are selected.
fn parse_stream(raw: &[u8], selection: FileParts<'_>, scratch: &mut Scratch) -> Option<ParsedFile> {
    if selection.records || selection.indices {
        return None;
    }
    let passage = scratch.document.passage(raw)?;
    let DirectlyRead { rows, document_bytes } = scratch.direct.read(passage, selection)?;
    Some(ParsedFile { rows, document: Vec::new(), document_bytes, encoding: Encoding::Brotli })
}

fn walk_document(raw: &[u8], selection: FileParts<'_>, scratch: &mut Scratch) -> Result<FileRows, VomError> {
    let walk = |nodes: &[simd_json::Node<'_>], structurals: &[u32]| walk_tape(nodes, structurals, selection);
    on_tape(raw, selection.records, scratch, walk)
}

/// Parses the document decoded from `raw` into a tape and passes the tape to `walk`. With `keep_text`, the document
/// is unchanged afterwards.
pub(crate) fn on_tape<T>(
    raw: &[u8],
    keep_text: bool,
    scratch: &mut Scratch,
    walk: impl FnOnce(&[simd_json::Node<'_>], &[u32]) -> Walked<T>,
) -> Result<T, VomError> {
    let Scratch { document, buffers, nodes, .. } = scratch;
    // Unescaping happens in place, so a document with a backslash is saved if records will be copied from it.
    let escapes = keep_text && memchr::memchr(b'\\', document.text()).is_some();
    let original = escapes.then(|| document.text().to_vec());
    let (padded, length) = document.padded();
    let mut tape = Tape(std::mem::take(nodes)).reset();
    let parsed = simd_json::fill_tape_padded(padded, length, buffers, &mut tape)
        .map_err(|error| (error.index(), in_words(&error)))
        .map(|()| walk(&tape.0, buffers.structural_indexes()));
    *nodes = tape.reset().0;
    if let Some(original) = original {
        document.put(&original);
    }
    if !matches!(parsed, Ok(Ok(_))) {
        // The position of an error refers to the unmodified text.
        document.decode(raw)?;
    }
    match parsed {
        Ok(walked) => walked.map_err(|mismatch| mismatch.into_error(document.text())),
        Err((offset, message)) => Err(diagnose(document.text(), offset, message)),
    }
}

/// Returns the message of simd-json, except for excessive nesting, where its message addresses developers.
fn in_words(error: &simd_json::Error) -> String {
    match error.error() {
        simd_json::ErrorType::DepthLimitExceeded => "values are nested more than 1024 levels deep".to_owned(),
        _ => error.to_string(),
    }
}

/// Reads the file, with spans only if they are requested or needed to locate an error.
pub(crate) fn walk_tape(
    nodes: &[simd_json::Node<'_>],
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

/// Parses a rejected document again with `serde_json`, which locates errors more precisely than simd-json.
#[cold]
fn diagnose(document: &[u8], offset: usize, message: String) -> VomError {
    if let Err(error) = std::str::from_utf8(document) {
        return VomError::NotUtf8(Position::at(document, error.valid_up_to()));
    }
    if let Err(error) = serde_json::from_slice::<IgnoredAny>(document) {
        return VomError::Syntax {
            position: Position::of_byte_column(document, error.line(), error.column()),
            message: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
        };
    }
    // serde_json accepts the document, because it skips numbers without conversion to 64 bits and allows any depth.
    let (start, number) = number_around(document, offset);
    VomError::Syntax {
        position: Position::at(document, start),
        message: if number.is_empty() {
            message
        } else {
            format!("the number {number} does not fit into 64 bits")
        },
    }
}

/// Returns the start of the number that contains `offset` or ends there, and the number; empty if there is none.
fn number_around(document: &[u8], offset: usize) -> (usize, String) {
    let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    let (before, behind) = document.split_at(offset.min(document.len()));
    let start = before.len() - before.iter().rev().take_while(|byte| is_part(byte)).count();
    let end = before.len() + behind.iter().take_while(|byte| is_part(byte)).count();
    (start, String::from_utf8_lossy(&document[start..end]).into_owned())
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
    for phase in &mut file.phases {
        let stated = file.metadata.rank_working_bytes.get(&phase.id);
        phase.rank_working_bytes = stated.copied().unwrap_or(phase.rank_working_bytes);
    }
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
pub(crate) fn find_phase_id<const PLACED: bool>(walker: Walker<'_, PLACED>) -> Walked<Option<u64>> {
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
