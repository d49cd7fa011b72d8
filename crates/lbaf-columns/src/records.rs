// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records in the order of rows: by phase, then by rank, then as in the file.

use std::collections::BTreeMap;

use std::borrow::Cow;

use lbaf_model::{Phase, PhaseId};
use lbaf_reader::{FileRecords, PhaseRecords, Recorded};
use lbaf_vom::Span;
use rayon::prelude::*;

use crate::ColumnsError;

/// Records of a data set, and the documents that contain them.
pub(crate) struct OrderedRecords<'a> {
    pub(crate) phases: &'a [Phase],
    files: &'a [FileRecords],
    documents: Vec<Cow<'a, [u8]>>,
    /// Position of the records of each phase in the list of phases of every file. A phase that repeats another has the
    /// position of the original.
    positions: Vec<usize>,
}

/// One phase of one file.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'s> {
    pub(crate) phase: PhaseId,
    pub(crate) rank: u32,
    pub(crate) file: &'s FileRecords,
    pub(crate) records: &'s PhaseRecords,
    document: &'s [u8],
}

/// Some records of one phase of one file.
pub(crate) struct Part<'s, T> {
    pub(crate) entry: Entry<'s>,
    pub(crate) records: &'s [T],
}

impl<'a> OrderedRecords<'a> {
    /// Collects the records of a data set. Documents that are not in memory are read again.
    pub(crate) fn new(recorded: &'a Recorded) -> Result<Self, ColumnsError> {
        let phases = recorded.data.phases();
        let files = match &recorded.records {
            Some(records) => &records.files[..],
            // Without phases, there are no records.
            None if phases.is_empty() => &[],
            None => return Err(ColumnsError::NoRecords),
        };
        let documents: Vec<_> = files.par_iter().map(|file| file.document.bytes()).collect();
        let documents = documents.into_iter().collect::<Result<Vec<_>, _>>()?;
        let entries = files.first().map_or(&[][..], |file| &file.phases);
        let by_id: BTreeMap<PhaseId, usize> =
            entries.iter().enumerate().map(|(position, entry)| (entry.id, position)).collect();
        let position = |id: PhaseId| by_id.get(&id).copied();
        let repeats = &recorded.findings.repeats;
        let positions = phases.iter().map(|phase| {
            let found = position(phase.id()).or_else(|| position(*repeats.get(&phase.id())?));
            found.expect("invariant: every phase of the model has records or repeats a phase with records")
        });
        Ok(OrderedRecords { phases, files, documents, positions: positions.collect() })
    }

    /// Returns the entries of a phase, given by position, in ascending order of ranks.
    pub(crate) fn entries(&self, phase: usize) -> impl Iterator<Item = Entry<'_>> {
        let (id, position) = (self.phases[phase].id(), self.positions[phase]);
        let files = (0..).zip(self.files).zip(&self.documents);
        files.map(move |((rank, file), document)| Entry {
            phase: id,
            rank,
            file,
            records: &file.phases[position],
            document,
        })
    }

    /// Returns all records of one kind in parts of at most `most` records.
    pub(crate) fn parts<'s, T: 's>(
        &'s self,
        most: usize,
        records: impl Fn(&'s PhaseRecords) -> &'s [T],
    ) -> impl Iterator<Item = Part<'s, T>> {
        let entries = (0..self.phases.len()).flat_map(|phase| self.entries(phase));
        entries.flat_map(move |entry| {
            records(entry.records).chunks(most).map(move |records| Part { entry, records })
        })
    }
}

impl<'s> Entry<'s> {
    /// Returns the text of a span.
    pub(crate) fn text(self, span: Span) -> Result<&'s str, ColumnsError> {
        std::str::from_utf8(span.of(self.document)).map_err(|error| self.complain(&error))
    }

    /// Parses a record into a row.
    pub(crate) fn row<R>(
        self,
        record: Span,
        parse: impl FnOnce(&'s str) -> Result<R, serde_json::Error>,
    ) -> Result<R, ColumnsError> {
        parse(self.text(record)?).map_err(|error| self.complain(&error))
    }

    fn complain(self, problem: &dyn std::error::Error) -> ColumnsError {
        ColumnsError::Record { rank: self.rank, phase: self.phase.0, message: problem.to_string() }
    }
}

/// Groups parts into batches of at most `most` records. A batch of a single part may have more.
pub(crate) fn batches<'s, T: 's>(
    parts: impl Iterator<Item = Part<'s, T>>,
    most: usize,
) -> impl Iterator<Item = Vec<Part<'s, T>>> {
    let mut parts = parts.peekable();
    std::iter::from_fn(move || {
        let mut batch = Vec::from_iter(parts.next());
        let mut n = batch.first().map_or(0, |part| part.records.len());
        while let Some(part) = parts.next_if(|part| n + part.records.len() <= most) {
            n += part.records.len();
            batch.push(part);
        }
        (!batch.is_empty()).then_some(batch)
    })
}
