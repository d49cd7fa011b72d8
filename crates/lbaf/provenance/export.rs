// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf provenance export`: a database from a data set.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use lbaf_model::DataSet;
use lbaf_noise::Labelling;
use lbaf_provenance::{
    CarriedRecords, Database, DatabaseLayout, Export, carried, flat, is_of_database, tree,
};
use lbaf_reader::{Located, NodeRule, Recorded, Request, TaskRecord};
use lbaf_run::Messages as _;
use lbaf_text::Shown as _;
use lbaf_text::number::counted;
use lbaf_vom::{CommunicationKind, value_of};
use lbaf_writer::Staging;
use serde_json::Value;

use super::arguments::ExportArgs;
use super::facts;
use crate::data;
use crate::directories;
use crate::error::Error;
use crate::inputs;
use crate::memory;
use crate::progress::Messages;

/// Writes a database. Returns the text to print.
pub(super) fn export(args: &ExportArgs, messages: Messages) -> Result<String, Error> {
    let selection = data::selection(&args.data.phases)?;
    // Before the data are located: they may be in this directory, and an interrupted command may have set them aside.
    directories::restore(&args.directory)?;
    let located = data::locate(&args.data_set.stem, args.data.files.suffix.as_deref())?;
    let present = present(&args.directory);
    if let Some(first) = present.first().filter(|_| !args.force) {
        return Err(Error::Present(args.directory.join(first)));
    }
    // An unwritable directory is reported before the work.
    let staging = Staging::new(&args.directory)?;
    let wanted = |phase: u64| selection.contains(phase);
    let recorded = data::read(&located, &request(&wanted, &[CommunicationKind::SendRecv], true), messages)?;
    data::check_selection(&selection, &recorded.findings)?;
    let (counts, notes) = match records_carried(&recorded)? {
        Some(CarriedRecords { database, refused }) => {
            let note = "these data came from a provenance database; its records are written unchanged, and no time is \
                        judged again";
            (put(&staging, &database, args.flat)?, [vec![note.to_owned()], refused].concat())
        }
        None => write_recorded(args, &located, &wanted, recorded, &staging, messages)?,
    };
    staging.publish(None, &inputs::all(), &present)?;
    let mut lines = vec![format!(
        "{} and {} for comparison, {}, in {}: {}",
        counted(counts.anomalies, "anomalous execution"),
        counted(counts.normalexecs, "normal execution"),
        counted(counts.functions, "function"),
        counted(counts.files, "file"),
        args.directory.shown()
    )];
    lines.extend(notes);
    Ok(lines.join("\n") + "\n")
}

/// Numbers of written records and files.
struct Counts {
    anomalies: usize,
    normalexecs: usize,
    functions: usize,
    files: usize,
}

/// Limit on documents that are kept in memory. Further documents are read again when their records are inspected; each
/// record is inspected only once, so a small limit is enough.
const DOCUMENT_MEMORY_BYTES: u64 = 256 << 20;

/// Size of a piece when files are written.
const PIECE_BYTES: usize = 1 << 20;

fn request<'a>(selection: &'a Wanted<'a>, kinds: &'a [CommunicationKind], records: bool) -> Request<'a> {
    let limits = memory::request();
    Request {
        phases: selection,
        communication_kinds: kinds,
        nodes: NodeRule::FromFiles,
        coordinates: true,
        records,
        record_memory_bytes: limits.record_memory_bytes.min(DOCUMENT_MEMORY_BYTES),
        ..limits
    }
}

/// Filter of phases: true for those to read.
type Wanted<'a> = dyn Fn(u64) -> bool + Sync + 'a;

/// Writes the database contained in a data set.
fn put(staging: &Staging, database: &Database, is_flat: bool) -> Result<Counts, Error> {
    let files = if is_flat { flat(database) } else { tree(database) };
    for (path, bytes) in &files {
        staging.put(&path.to_string_lossy(), bytes)?;
    }
    Ok(Counts {
        anomalies: database.anomalies.len(),
        normalexecs: database.normalexecs.len(),
        functions: database.func_stats.len(),
        files: files.len(),
    })
}

/// Writes the database of a recorded data set, record by record because it may exceed memory. Returns the numbers of
/// written records and files, and notes.
fn write_recorded(
    args: &ExportArgs,
    located: &Located,
    wanted: &Wanted<'_>,
    mut recorded: Recorded,
    staging: &Staging,
    messages: Messages,
) -> Result<(Counts, Vec<String>), Error> {
    // Chimbuko judges times as measured.
    let labelling = Labelling { as_measured: true, ..args.labelling.labelling()? };
    let (mut ranks, counters) = facts::of_ranks(&recorded)?;
    // Frees spans and documents, which are as large as the data.
    recorded.records = None;
    let labels = labelling.label(&recorded.data, &recorded.findings.repeats);
    facts::add_origin(&mut ranks, &labelling);
    // Records distinguish kinds of communication, but `recorded` has only one.
    let mut others: Vec<(i64, DataSet)> = Vec::new();
    for kind in other_kinds(&recorded) {
        let kinds = [kind];
        others.push((kind as i64, data::read(located, &request(wanted, &kinds, false), messages)?.data));
    }
    let first = (CommunicationKind::SendRecv as i64, &recorded.data);
    let others = others.iter().map(|(kind, data)| (*kind, data));
    let communication: Vec<(i64, &DataSet)> = [first].into_iter().chain(others).collect();
    let export = Export {
        labels: &labels,
        ranks: &ranks,
        counters: &counters,
        communication: &communication,
        window: args.window,
    };
    let exported = export.exported();
    let files = exported.files(if args.flat { DatabaseLayout::Flat } else { DatabaseLayout::Tree });
    let counts = Counts {
        anomalies: exported.n_anomalies(),
        normalexecs: exported.n_normalexecs(),
        functions: exported.n_functions(),
        files: files.len(),
    };
    let bar = messages.progress("writing", counts.files);
    for (number, file) in files.into_iter().enumerate() {
        let mut stream = staging.stream(&file.path().to_string_lossy())?;
        let mut pieces = BufWriter::with_capacity(PIECE_BYTES, &mut stream);
        let written = file.write(&mut pieces).and_then(|()| pieces.flush());
        drop(pieces);
        written.map_err(|source| stream.failed(source))?;
        stream.finish();
        bar.set(number + 1);
    }
    let mut notes = recorded.findings.warnings.clone();
    let absent: u64 =
        recorded.findings.communications.values().flat_map(|counts| counts.absent.values()).sum();
    let other = |counts: &lbaf_reader::CommunicationCounts| {
        counts.other_kinds.get(&CommunicationKind::Other).copied()
    };
    let unknown: u64 = recorded.findings.communications.values().filter_map(other).sum();
    for (n, why) in [
        (absent, "name an object without a task in their phase, or an unknown rank or block"),
        (unknown, "are of an unknown type"),
    ] {
        if n > 0 {
            notes.push(format!("{n} communication entries are left out, because they {why}"));
        }
    }
    if exported.n_rounded() > 0 {
        notes.push(format!(
            "{} of counters had to be rounded to whole numbers",
            counted(exported.n_rounded() as usize, "value")
        ));
    }
    Ok((counts, notes))
}

/// Returns the kinds of communication in the data, except `SendRecv`, that have a number in vt.
fn other_kinds(recorded: &Recorded) -> BTreeSet<CommunicationKind> {
    let counts = recorded.findings.communications.values();
    let kinds = counts.flat_map(|counts| counts.other_kinds.keys().copied());
    kinds.filter(|kind| *kind != CommunicationKind::Other).collect()
}

/// Returns the database that an imported data set contains; `None` for other data sets.
fn records_carried(recorded: &Recorded) -> Result<Option<CarriedRecords>, Error> {
    // Files without phases have no records.
    let Some(records) = &recorded.records else { return Ok(None) };
    let mut files = Vec::new();
    for (rank, file) in (0..).zip(&records.files) {
        let document = file.document.bytes()?;
        let of_file = file.metadata_fields.iter().rfind(|field| field.key == "attributes");
        let of_file = of_file.map_or(Value::Null, |field| value_of(field.value.of(&document)));
        // Without records in the attributes of the first file, no task has records.
        if rank == 0 && of_file.get("provenance").is_none() {
            return Ok(None);
        }
        let attributes = |task: &TaskRecord| value_of(task.record.of(&document))["attributes"].take();
        let tasks = file.phases.iter().flat_map(|phase| &phase.tasks);
        let of_tasks: Vec<Value> = tasks.map(attributes).collect();
        files.push((rank, of_file, of_tasks));
    }
    Ok(Some(carried(files)))
}

/// Returns the existing files of a database in a directory and up to two levels below, relative to the directory.
fn present(directory: &Path) -> Vec<String> {
    fn walk(directory: &Path, below: &Path, depth: usize, found: &mut Vec<PathBuf>) {
        for entry in directory.join(below).read_dir().into_iter().flatten().flatten() {
            let path = below.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && depth > 0 => walk(directory, &path, depth - 1, found),
                Ok(kind) if kind.is_file() && is_of_database(&path) => found.push(path),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(directory, Path::new(""), 2, &mut found);
    let mut found: Vec<String> = found.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    found.sort();
    found
}
