// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output of the files of a group of ranks.

use std::borrow::Cow;
use std::ops::Range;

use lbaf_reader::{FileRecords, PhaseRecords};
use lbaf_vom::Output;
use rayon::prelude::*;

use crate::changes::Changes;
use crate::compact::Copier;
use crate::facts::Facts;
use crate::file::{PreparedPhase, Printer};
use crate::members::Annotations;
use crate::plan::Plan;
use crate::scatter::Scatter;
use crate::{Options, Staging, Stream, WriteError};

/// Output of all files, group by group.
pub(crate) struct PartOutput<'a> {
    pub(crate) plan: &'a Plan<'a>,
    /// Position of the records of each planned phase in the files.
    pub(crate) sources: &'a [usize],
    pub(crate) options: &'a Options,
    pub(crate) annotations: Option<&'a Annotations<'a>>,
    pub(crate) staging: &'a Staging,
    /// Called after each file.
    pub(crate) written: &'a (dyn Fn() + Sync),
}

impl PartOutput<'_> {
    /// Writes the files of `ranks`. `files` and `documents` have at least the records for these files, by rank.
    ///
    /// # Errors
    /// The error of the lowest rank whose file cannot be written.
    pub(crate) fn put(
        &self,
        ranks: Range<usize>,
        files: &[FileRecords],
        documents: &[Cow<'_, [u8]>],
        changes: &Changes,
    ) -> Result<(), WriteError> {
        let options = self.options;
        // The records of each written phase, by rank, which the scatters borrow.
        let of_source = |&source: &usize| files.iter().map(|file| &file.phases[source]).collect();
        let records: Vec<Vec<&PhaseRecords>> = self.sources.iter().map(of_source).collect();
        let phases = self
            .plan
            .phases
            .par_iter()
            .zip(self.sources.par_iter().zip(&records))
            .map(|(phase, (&source, files))| PreparedPhase {
                id: phase.id,
                source,
                recorded_as: phase.source.id(),
                placement: Scatter::new(files, &phase.assignment),
                facts: Facts::new(phase.source, files),
                is_as_recorded: phase.id == phase.source.id()
                    && *phase.assignment == *phase.source.recorded_assignment(),
                iterations: if options.lb_iterations {
                    phase.iterations.iter().map(|iteration| Scatter::new(files, iteration)).collect()
                } else {
                    Vec::new()
                },
            })
            .collect();
        let printer = Printer {
            files,
            documents,
            copiers: documents.par_iter().map(|document| Copier::new(document)).collect(),
            plan: self.plan,
            phases,
            changes,
            options,
            annotations: self.annotations,
        };
        let put = |rank: usize| {
            let print = |out: &mut Output<Stream<'_>>| printer.print(out, rank);
            let outcome = self.staging.print(&options.file_name(rank), options.brotli_quality, print);
            (self.written)();
            outcome
        };
        let outcomes: Vec<_> = ranks.into_par_iter().map(put).collect();
        outcomes.into_iter().collect()
    }
}
