// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of data sets that need not fit into memory: each phase is assembled, visited and dropped.

use std::sync::{Arc, Mutex};

use lbaf_model::{DataSet, ObjectKey, Objects};
use rayon::prelude::*;

use crate::assembly::{Assembly, batches};
use crate::coverage::{self, PhaseSources};
use crate::findings::{self, Findings, PhaseFindings};
use crate::parking::Parking;
use crate::{Documents, ReadError, Request, add_objects, load_into, needed_memory, needs_assembly};

/// Data set that was visited phase by phase.
#[derive(Debug)]
pub struct Visited<T> {
    /// Results of the visitor, in ascending order of phases.
    pub results: Vec<T>,
    /// Number of ranks.
    pub n_ranks: usize,
    /// Number of distinct objects in all phases.
    pub n_objects: usize,
    /// Information about the files that is not part of the model.
    pub findings: Findings,
}

/// Reads the files of all ranks, in the order of ranks, and passes each selected phase to `visit`, as a data set of
/// this phase alone. Phases are visited in parallel, at most one per thread, and then dropped. Calls `progress` with
/// the number of finished files.
///
/// Rows of files beyond [`Request::row_memory_bytes`] are kept in a temporary file without a name.
///
/// # Errors
/// If the data need more memory than allowed, a file is invalid, files contradict each other, or the temporary file
/// cannot be written or read.
///
/// # Panics
/// Only on a defect of this crate.
pub fn visit<'a, T: Send>(
    files: impl Into<Documents<'a>>,
    request: &Request<'_>,
    progress: &(dyn Fn(usize) + Sync),
    visit: &(dyn Fn(&DataSet, &PhaseFindings) -> T + Sync),
) -> Result<Visited<T>, ReadError> {
    let files = files.into();
    needed_memory::check(files, request, false)?;
    let parking = Parking::new(request.row_memory_bytes);
    let files = load_into(Some(&parking), files, 0, request, progress)?;
    let sources = coverage::sources(&files, request)?;
    let assembly = Assembly::new(&files, request, &parking);
    let objects = Mutex::new(Vec::new());
    let visited = |source: &PhaseSources| {
        let mut assembled = assembly.phase(source, Vec::new())?;
        let keys = Arc::unwrap_or_clone(std::mem::take(&mut assembled.keys));
        let mut findings = assembled.findings.clone();
        let phase = assembled.finish(Objects::All(keys.len()))?;
        let data = DataSet::new(keys, files.len(), vec![phase]);
        let result = visit(&data, &findings);
        merge(&objects, data.into_keys());
        if !needs_assembly(source, &sources) {
            findings = findings.without_warnings();
        }
        Ok((result, findings))
    };
    let (mut results, mut of_phases) = (Vec::new(), Vec::new());
    for batch in batches(&sources, &files, request) {
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

/// Adds the objects of a phase to those of other phases.
fn merge(objects: &Mutex<Vec<ObjectKey>>, of_phase: Vec<ObjectKey>) {
    let mut objects = objects.lock().expect("invariant: merging does not panic");
    if objects.is_empty() {
        *objects = of_phase;
    } else {
        add_objects(&mut objects, &of_phase);
    }
}
