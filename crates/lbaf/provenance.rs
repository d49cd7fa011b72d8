// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf provenance`: export, import, summary and comparison of Chimbuko's provenance databases.

mod arguments;
mod comparison;
mod export;
mod facts;
mod import;
mod report;

use std::path::Path;

pub(crate) use arguments::ProvenanceArgs;
use arguments::ProvenanceCommand;
use lbaf_provenance::{Database, Dump, Read};
use lbaf_run::Messages as _;
use lbaf_text::number::counted;

use crate::directories;
use crate::error::Error;
use crate::inputs;
use crate::progress::Messages;

/// Largest number of complaints to print; further ones are counted.
const MOST_COMPLAINTS: usize = 20;

/// Runs a subcommand. Returns the text to print, and true if it is JSON.
pub(crate) fn provenance(command: &ProvenanceCommand, messages: Messages) -> Result<(String, bool), Error> {
    match command {
        ProvenanceCommand::Export(args) => Ok((export::export(args, messages)?, false)),
        ProvenanceCommand::Import(args) => Ok((import::import(args, messages)?, false)),
        ProvenanceCommand::Report(args) => Ok((report::report(args, messages)?, args.form.json)),
        ProvenanceCommand::Compare(args) => Ok((comparison::compare(args, messages)?, args.form.json)),
    }
}

/// Reads a database. Warns about invalid records, which are left out. A database without any valid record is an error.
fn read(path: &Path, messages: Messages) -> Result<Read, Error> {
    directories::check_whole(if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) })?;
    let read = lbaf_provenance::read(path)?;
    read.files.iter().for_each(|file| inputs::note(file));
    for complaint in read.complaints.iter().take(MOST_COMPLAINTS) {
        messages.warning(&complaint.to_string());
    }
    if let Some(more) = read.complaints.len().checked_sub(MOST_COMPLAINTS).filter(|&more| more > 0) {
        messages.warning(&format!("{} about this database", counted(more, "more complaint")));
    }
    for ignored in &read.ignored {
        messages.note(&format!("skipped {}: {}", ignored.file.display(), ignored.reason));
    }
    if read.database.is_empty() {
        return Err(Error::Input(format!(
            "{}: found no readable record of a provenance database",
            path.display()
        )));
    }
    Ok(read)
}

/// Returns the records of a database without their JSON texts.
fn dump(database: &Database) -> Dump<'_> {
    Dump {
        anomalies: database.anomalies.iter().map(|stored| &stored.record).collect(),
        normalexecs: database.normalexecs.iter().map(|stored| &stored.record).collect(),
        metadata: database.metadata.iter().map(|stored| &stored.record).collect(),
        func_stats: database.func_stats.iter().map(|stored| &stored.record).collect(),
        counter_stats: database.counter_stats.iter().map(|stored| &stored.record).collect(),
        ad_model: database.ad_model.iter().map(|stored| &stored.record).collect(),
    }
}

/// Returns a remark with the numbers of shown and of all rows; empty if all are shown.
fn shown(limit: usize, all: usize) -> String {
    if all > limit { format!(" ({limit} of {all})") } else { String::new() }
}

/// Formats microseconds as seconds.
fn seconds(microseconds: f64) -> String {
    lbaf_text::number::significant_to(microseconds / 1e6, 4)
}

/// Formats microseconds as seconds; empty if unknown.
fn known_seconds(microseconds: Option<f64>) -> String {
    microseconds.map_or_else(String::new, seconds)
}
