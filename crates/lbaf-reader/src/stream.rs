// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of data sets that need not fit into memory: phases are assembled, visited and dropped one after the other.

use std::borrow::Cow;
use std::sync::Mutex;

use lbaf_model::{DataSet, NodeId, ObjectKey, Objects};
use lbaf_vom::PhaseRows;
use rayon::prelude::*;

use crate::assemble::{self, Assembled};
use crate::coverage::{self, PhaseSources};
use crate::findings::{self, Findings, PhaseFindings};
use crate::load::LoadedFile;
use crate::parking::Parking;
use crate::{Documents, ReadError, Request, load_into, needs_assembly};

/// Data set that was visited phase by phase.
#[derive(Debug)]
pub struct Visited<T> {
    /// Results of the visitor, in ascending order of phases.
    pub results: Vec<T>,
    /// Number of ranks.
    pub n_ranks: usize,
    /// Number of different objects in all phases.
    pub n_objects: usize,
    /// Information about the files that is not part of the model.
    pub findings: Findings,
}

/// Reads the files of all ranks, in the order of ranks, and passes each selected phase to `visit`, as a data set of this
/// phase alone. Phases are visited in parallel, one per thread at a time, and dropped afterwards. Calls `progress` with the
/// number of finished files.
///
/// The rows of files are kept in a temporary file that has no name, if they take more than
/// [`Request::row_memory_bytes`].
///
/// # Errors
/// Returns an error if a file is invalid, files contradict each other, or the temporary file cannot be written.
///
/// # Panics
/// Panics only on a defect of this crate.
pub fn visit<'a, T: Send>(
    files: impl Into<Documents<'a>>,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
    visit: &(dyn Fn(&DataSet, &PhaseFindings) -> T + Sync),
) -> Result<Visited<T>, ReadError> {
    let parking = Parking::new(request.row_memory_bytes);
    let files = load_into(Some(&parking), files.into(), 0, request, progress)?;
    let sources = coverage::sources(&files, request)?;
    let nodes = assemble::nodes(&files, request.nodes);
    let objects = Mutex::new(Vec::new());
    let visited = |source: &PhaseSources| {
        let mut assembled = assembled(source, &files, &nodes, request, &parking)?;
        let keys = std::mem::take(&mut assembled.keys);
        add_all(&mut objects.lock().expect("invariant: merging does not panic"), &keys);
        let mut findings = assembled.findings.clone();
        let phase = assembled.finish(Objects::All(keys.len()))?;
        let result = visit(&DataSet::new(keys, files.len(), vec![phase]), &findings);
        if !needs_assembly(source, &sources) {
            findings = findings.without_warnings();
        }
        Ok((result, findings))
    };
    let (mut results, mut of_phases) = (Vec::new(), Vec::new());
    // Nested parallel work would begin further phases while a phase waits for its parts.
    for batch in sources.chunks(rayon::current_num_threads()) {
        let batch: Vec<Result<_, ReadError>> = batch.par_iter().map(visited).collect();
        for outcome in batch {
            let (result, findings) = outcome?;
            results.push(result);
            of_phases.push(findings);
        }
    }
    let n_objects = objects.into_inner().expect("invariant: merging does not panic").len();
    let findings = findings::combined(&files, &sources, of_phases);
    Ok(Visited { results, n_ranks: files.len(), n_objects, findings })
}

/// Reads the rows of a phase and assembles them.
fn assembled(
    source: &PhaseSources,
    files: &[LoadedFile],
    nodes: &[NodeId],
    request: &Request<'_>,
    parking: &Parking,
) -> Result<Assembled, ReadError> {
    let entries = || files.iter().zip(source.entries.iter().copied());
    let read = |(file, entry): (&LoadedFile, usize)| {
        file.parked.get(entry).map(|&place| parking.get(place).map_err(ReadError::Temporary)).transpose()
    };
    let mut parked: Vec<Option<PhaseRows>> = entries().map(read).collect::<Result<_, ReadError>>()?;
    let taken: Vec<_> =
        parked.iter_mut().map(|rows| Some(std::mem::take(&mut rows.as_mut()?.communications))).collect();
    let rows: Vec<&PhaseRows> = entries()
        .zip(&parked)
        .map(|((file, entry), rows)| rows.as_ref().unwrap_or_else(|| &file.rows.phases[entry]))
        .collect();
    let logged = rows.iter().zip(taken);
    let logged =
        logged.map(|(rows, taken)| taken.map_or((&rows.communications[..]).into(), Cow::Owned)).collect();
    Assembled::new(source.id, &rows, logged, files, nodes, request)
}

/// Adds the objects of a phase to those of other phases. Both are in ascending order.
fn add_all(objects: &mut Vec<ObjectKey>, of_phase: &[ObjectKey]) {
    if objects != of_phase {
        objects.extend_from_slice(of_phase);
        // Both parts are sorted, so a stable sort merges them.
        objects.sort();
        objects.dedup();
    }
}
