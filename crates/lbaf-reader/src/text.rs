// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completion of text files with information from other files.

use std::collections::BTreeSet;

use lbaf_vom::{EndpointKind, Generation, PhaseRows, UNKNOWN, VomError, text_as_json};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::load::LoadedFile;
use crate::records::Document;
use crate::{ReadError, Request};

/// Returns an error if a file is empty and no other file has the text form, in which ranks without objects write
/// empty files.
pub(crate) fn check_empty(files: &[LoadedFile]) -> Result<(), ReadError> {
    let is_text = |file: &LoadedFile| file.rows.generation == Generation::Text && !file.rows.is_nothing();
    let empty = files.iter().find(|file| file.rows.is_nothing());
    match empty {
        Some(file) if !files.iter().any(is_text) => {
            Err(ReadError::Content { path: file.path.clone(), source: VomError::Empty })
        }
        _ => Ok(()),
    }
}

/// Adds homes and empty phases to files of the text form, and converts records to JSON. A rank without objects in a
/// phase writes no line for the phase.
///
/// # Errors
/// Returns the error of the first file whose JSON would be too large.
pub(crate) fn settle(
    files: &mut [LoadedFile],
    first_rank: u32,
    request: &Request<'_>,
) -> Result<(), ReadError> {
    let is_text = |file: &LoadedFile| file.rows.generation == Generation::Text;
    if !files.iter().any(is_text) {
        return Ok(());
    }
    let homes = homes(files, first_rank);
    let phases: BTreeSet<u64> = files.iter().flat_map(|file| &file.rows.phase_ids).copied().collect();
    let settle = |(rank, file): (usize, &mut LoadedFile)| {
        add_empty_phases(file, &phases, request);
        for row in file.rows.phases.iter_mut().flat_map(|phase| &mut phase.communications) {
            for end in [&mut row.from, &mut row.to] {
                if end.kind == EndpointKind::Object {
                    end.home = homes.get(&end.id).copied().unwrap_or(UNKNOWN);
                }
            }
        }
        if let Some(Document::Memory(document)) = &mut file.document {
            let home = |id: u64| homes.get(&id).copied();
            *document = text_as_json(&mut file.rows, document, first_rank + rank as u32, &home)
                .map_err(|source| ReadError::Content { path: file.path.clone(), source })?;
        }
        Ok(())
    };
    let texts = files.par_iter_mut().enumerate().filter(|(_, file)| is_text(file));
    let outcomes: Vec<Result<(), ReadError>> = texts.map(settle).collect();
    outcomes.into_iter().collect()
}

/// Returns the home of each object: the lowest rank that has the object in the lowest of the object's phases.
fn homes(files: &[LoadedFile], first_rank: u32) -> FxHashMap<u64, u32> {
    let mut first: FxHashMap<u64, (u64, u32)> = FxHashMap::default();
    for (rank, file) in (first_rank..).zip(files) {
        for &(object, phase) in &file.rows.first_phases {
            let known = first.entry(object).or_insert((phase, rank));
            *known = (phase, rank).min(*known);
        }
    }
    let mut homes = FxHashMap::default();
    #[expect(clippy::iter_over_hash_type, reason = "copied from one table into another")]
    for (object, (_, rank)) in first {
        homes.insert(object, rank);
    }
    homes
}

fn add_empty_phases(file: &mut LoadedFile, phases: &BTreeSet<u64>, request: &Request<'_>) {
    let own: BTreeSet<u64> = file.rows.phase_ids.iter().copied().collect();
    for &id in phases.difference(&own) {
        file.rows.phase_ids.push(id);
        if (request.phases)(id) {
            file.rows.phases.push(PhaseRows { id, ..PhaseRows::default() });
        }
    }
}
