// SPDX-License-Identifier: MIT OR Apache-2.0
//! Assembly of phases from the rows of all files, which are in memory or in a temporary file.

use std::borrow::{Borrow, Cow};

use lbaf_model::NodeId;
use lbaf_vom::{CommunicationRow, PhaseRows};
use rayon::prelude::*;

use crate::assemble::{self, Assembled};
use crate::communications::{self, Logged};
use crate::coverage::PhaseSources;
use crate::load::LoadedFile;
use crate::parked_records::park;
use crate::parking::Parking;
use crate::{ReadError, Request};

/// The files of a data set, from which phases are assembled.
pub(crate) struct Assembly<'a> {
    files: &'a [LoadedFile],
    nodes: Vec<NodeId>,
    request: &'a Request<'a>,
    parking: &'a Parking,
}

/// Assembles the phases of `sources`. Each shares equal columns with the previous phase. The communications are moved
/// out of the files, unless several phases share them. With `parks_records`, the objects to which the records belong
/// are stored in the temporary file, and their places there replace the records.
pub(crate) fn assemble_all(
    files: &mut [LoadedFile],
    sources: &[&PhaseSources],
    request: &Request<'_>,
    parking: &Parking,
    parks_records: bool,
) -> Result<Vec<Assembled>, ReadError> {
    let mut taken = communications::take(files, sources).into_iter();
    let assembly = Assembly::new(files, request, parking);
    let mut phases: Vec<Assembled> = Vec::with_capacity(sources.len());
    for batch in batches(sources, files, request) {
        let batch: Vec<_> = batch.iter().zip(taken.by_ref()).collect();
        let assemble = |(source, taken): (&&PhaseSources, _)| {
            let mut phase = assembly.phase(source, taken)?;
            if parks_records {
                phase.owners = park(parking, std::mem::take(&mut phase.records))?;
            }
            Ok(phase)
        };
        let assembled: Vec<Result<Assembled, ReadError>> = batch.into_par_iter().map(assemble).collect();
        for phase in assembled {
            let phase = phase?;
            phases.push(match phases.last() {
                Some(earlier) => phase.sharing(earlier),
                None => phase,
            });
        }
    }
    Ok(phases)
}

/// Bytes of memory that the assembly of a phase takes for each byte of its rows, including the rows.
const ASSEMBLY_BYTES_PER_BYTE: u64 = 4;

/// Splits phases into batches of one phase per thread, or of fewer phases if these would need more than half of the
/// memory. If all phases were started at once, threads that wait for parts of a phase would begin further phases.
pub(crate) fn batches<'s, T: Borrow<PhaseSources>>(
    sources: &'s [T],
    files: &[LoadedFile],
    request: &Request<'_>,
) -> impl Iterator<Item = &'s [T]> + use<'s, T> {
    let row_bytes = |source: &T| -> u64 {
        let entries = files.iter().zip(&source.borrow().entries);
        // The text form gets empty phases, which have no size.
        entries.filter_map(|(file, &entry)| file.row_bytes.get(entry)).sum()
    };
    let largest = sources.iter().map(row_bytes).max().unwrap_or(0);
    sources.chunks(batch_size(largest, request.memory_bytes, rayon::current_num_threads()))
}

/// Returns the number of phases in a batch, if the rows of the largest phase take `row_bytes`.
fn batch_size(row_bytes: u64, memory_bytes: u64, n_threads: usize) -> usize {
    let n = memory_bytes / 2 / (ASSEMBLY_BYTES_PER_BYTE * row_bytes).max(1);
    usize::try_from(n).unwrap_or(usize::MAX).clamp(1, n_threads)
}

impl<'a> Assembly<'a> {
    pub(crate) fn new(files: &'a [LoadedFile], request: &'a Request<'a>, parking: &'a Parking) -> Self {
        Assembly { files, nodes: assemble::nodes(files, request.nodes), request, parking }
    }

    /// Assembles a phase. `taken` has the communications moved out of the files, by rank.
    pub(crate) fn phase(
        &self,
        source: &PhaseSources,
        mut taken: Vec<Option<Vec<CommunicationRow>>>,
    ) -> Result<Assembled, ReadError> {
        let entries = self.files.iter().zip(source.entries.iter().copied());
        let read = |(file, entry): (&'a LoadedFile, usize)| {
            self.parking.phase(&file.rows.phases, &file.parked, entry)
        };
        let mut rows: Vec<Cow<'_, PhaseRows>> = entries.map(read).collect::<Result<_, ReadError>>()?;
        taken.resize_with(rows.len(), || None);
        for (rows, taken) in rows.iter_mut().zip(&mut taken) {
            if let Cow::Owned(rows) = rows {
                *taken = Some(std::mem::take(&mut rows.communications));
            }
        }
        let rows: Vec<&PhaseRows> = rows.iter().map(Cow::as_ref).collect();
        let logged: Vec<Logged<'_>> = rows
            .iter()
            .zip(taken)
            .map(|(rows, taken)| taken.map_or_else(|| Cow::Borrowed(&rows.communications[..]), Cow::Owned))
            .collect();
        Assembled::new(source.id, &rows, logged, self.files, &self.nodes, self.request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_have_a_phase_per_thread_if_memory_permits() {
        assert_eq!(batch_size(100, 1 << 30, 4), 4);
        assert_eq!(batch_size(100, 800 * 3, 4), 3);
        assert_eq!(batch_size(100, 800 * 3 - 1, 4), 2);
        assert_eq!(batch_size(100, 10, 4), 1);
        assert_eq!(batch_size(0, 0, 4), 1);
    }
}
