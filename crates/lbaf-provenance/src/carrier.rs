// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of provenance databases from files, in all text forms that Chimbuko provides.
//!
//! A database is the directory tree that Chimbuko writes if it runs without a database, a directory with a file for
//! each collection, or a single file. A file contains an array, one record per line, an object whose members are
//! arrays, or an array of such objects. Lines that a tool printed to the same stream may precede the records. A faulty
//! record is reported and skipped; reading continues at the next record if its position can be found.

mod complaint;
mod document;
mod names;
mod places;
mod recovery;
mod scan;
mod shape;

use std::fs;
use std::path::{Path, PathBuf};

use lbaf_reader::read_file;
use rayon::prelude::*;

pub use complaint::{Complaint, Ignored, IgnoredReason};
use document::Contents;
use names::{Candidate, is_binary, name_collection, walk};

use crate::{Database, ProvenanceError};

/// Result of reading a database.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// All valid records, file by file in the order of their paths.
    pub database: Database,
    /// Faults of the files in `files` and of their records, in the same order.
    pub complaints: Vec<Complaint>,
    /// Skipped files and directories, in the order of their paths.
    pub ignored: Vec<Ignored>,
    /// Files that were not skipped, in the order of their paths.
    pub files: Vec<PathBuf>,
}

/// Reads a database from a file or a directory.
///
/// A file may contain records of several collections. The collection of a record is named by the key of its array,
/// otherwise by the name of the file. If the file name does not contain the name of exactly one collection, the fields
/// of the record determine it.
///
/// # Errors
/// If the path cannot be read, is the binary database, or has neither records nor a file named after a
/// collection. Faults of single files and records are returned as complaints.
pub fn read(path: &Path) -> Result<Read, ProvenanceError> {
    let unreadable = |source| ProvenanceError::Unreadable { path: path.to_owned(), source };
    if fs::metadata(path).map_err(unreadable)?.is_dir() {
        return read_directory(path);
    }
    let text = read_file(path).map_err(unreadable)?;
    if is_binary(path, &text) {
        return Err(ProvenanceError::BinaryDatabase { path: path.to_owned() });
    }
    let collection = name_collection(path);
    let Contents { database, complaints } = document::contents(path, &text, collection);
    if database.is_empty() && collection.is_none() {
        let reason = complaints.first().map_or_else(
            || "it has no records".to_owned(),
            |first| format!("line {}, column {}: {}", first.line, first.column, first.message),
        );
        return Err(ProvenanceError::NoRecord { path: path.to_owned(), reason });
    }
    Ok(Read { database, complaints, ignored: Vec::new(), files: vec![path.to_owned()] })
}

fn read_directory(path: &Path) -> Result<Read, ProvenanceError> {
    let (candidates, ignored) =
        walk(path).map_err(|source| ProvenanceError::Unreadable { path: path.to_owned(), source })?;
    let mut read = Read { ignored, ..Read::default() };
    let contents: Vec<Contents> = candidates.par_iter().map(read_candidate).collect();
    for (candidate, mut contents) in candidates.into_iter().zip(contents) {
        if candidate.collection.is_none() && contents.database.is_empty() {
            read.ignored.push(Ignored { file: candidate.path, reason: IgnoredReason::Content });
            continue;
        }
        read.files.push(candidate.path);
        read.complaints.append(&mut contents.complaints);
        read.database.append(contents.database);
    }
    read.ignored.sort_by(|a, b| a.file.cmp(&b.file));
    if read.files.is_empty() {
        let is_binary = |ignored: &&Ignored| ignored.reason == IgnoredReason::BinaryDatabase;
        if let Some(Ignored { file, .. }) = read.ignored.iter().find(is_binary) {
            return Err(ProvenanceError::BinaryDatabase { path: file.clone() });
        }
        return Err(ProvenanceError::NoDatabase { path: path.to_owned(), n_ignored: read.ignored.len() });
    }
    Ok(read)
}

fn read_candidate(candidate: &Candidate) -> Contents {
    match read_file(&candidate.path) {
        Ok(text) => document::contents(&candidate.path, &text, candidate.collection),
        Err(error) => {
            let complaint = Complaint {
                file: candidate.path.clone(),
                line: 0,
                column: 0,
                record: None,
                collection: candidate.collection,
                message: format!("cannot be read: {error}"),
            };
            Contents { complaints: vec![complaint], ..Contents::default() }
        }
    }
}
