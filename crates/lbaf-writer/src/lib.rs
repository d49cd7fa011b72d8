// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writer of reassigned VOM files from input records and assignments, and the staging directory that holds all
//! outputs of a run until they are published.
//!
//! Records are copied, not rebuilt, so every key, number notation and key order is preserved. Without further
//! options, two kinds of members change: `node` of migrated objects, and in `user_defined` the homes of blocks and
//! the working memory of ranks, if readers would otherwise derive other values than those of the model.
//! [`Reassigned::annotations`] sets further members of `user_defined`, and [`Options::offline_lb_compatible`]
//! corrects records for vt. Models without records, such as those built from arrays, are written by [`write_model`].
//! This crate does not use strategies.
//!
//! ```
//! use lbaf_model::{Assignment, PhaseId, RankId};
//! use lbaf_reader::{Request, locate, read};
//! use lbaf_writer::{Inputs, Options, Placement, Reassigned, Staging, write};
//!
//! # let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
//! # let temporary = tempfile::tempdir()?;
//! # let output_dir = temporary.path();
//! let located = locate(&examples.join("quartet/data"), None)?;
//! let recorded = read(&located.files, &Request { records: true, ..Request::default() }, &|_| {})?;
//!
//! // All objects of phase 0 go to rank 3.
//! let n_objects = recorded.data.phases()[0].n_objects();
//! let placements = [Placement::new(PhaseId(0), Assignment::new(vec![RankId(3); n_objects]))];
//! let reassigned = Reassigned::new(&recorded, &placements).expect("records were asked for");
//! let options = Options { stem: "moved".to_owned(), ..Options::default() };
//! // The files appear together when they are published, or not at all.
//! let staging = Staging::new(output_dir)?;
//! write(&reassigned, &options, &staging, &|| ())?;
//! staging.publish(None, &Inputs::none(), &[])?;
//!
//! let moved = read(&locate(&output_dir.join("moved"), None)?.files, &Request::default(), &|_| {})?;
//! let ranks = moved.data.phases()[0].recorded_assignment();
//! assert!(ranks.as_slice().iter().all(|&rank| rank == RankId(3)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod compact;
mod convert;
mod error;
mod facts;
mod file;
mod for_vt;
mod layout;
mod members;
mod metadata;
mod model_files;
mod object_text;
mod offline;
mod options;
mod plan;
mod scatter;
mod spelled;
mod staging;
mod unfinished;
mod write_model;

use std::borrow::Cow;
use std::collections::BTreeMap;

use lbaf_model::{DataSet, PhaseId};
use lbaf_reader::{PhaseRecords, Recorded, Records};
use lbaf_vom::Output;
use rayon::prelude::*;

pub use convert::{Conversion, ConvertError, Converted, Ids, Known, Losses, convert};
pub use error::WriteError;
pub use members::{Annotations, Member};
pub use model_files::{ModelFiles, ModelFilesError};
pub use options::{EmptyRanks, Options};
pub use plan::Placement;
pub use staging::{
    Change, Disk, IdentifiedInputs, Inputs, Staging, Stream, Touched, Watcher, Written, check_targets,
    remove_unpublished, restore, set_aside, sha256, sha256_of_file, touched, unfinished,
};
pub use unfinished::{State, Unfinished};
pub use write_model::write_model;

use crate::compact::Copier;
use crate::facts::Facts;
use crate::file::{PreparedPhase, Printer};
use crate::for_vt::ForVt;
use crate::plan::Plan;
use crate::scatter::Scatter;

/// Data set to be written with new placements.
pub struct Reassigned<'a> {
    /// Model to which the placements belong.
    pub data: &'a DataSet,
    /// Records that were read with the model.
    pub records: &'a Records,
    /// Phases that were recorded as repetitions, with the phase that each repeats.
    pub repeats: &'a BTreeMap<PhaseId, PhaseId>,
    /// New placements, one for each balanced phase.
    pub placements: &'a [Placement],
    /// True if each balanced phase started from the placement of the previous phase. Phases that were not balanced
    /// then get that placement too; those before the first balanced phase keep their own.
    pub carried: bool,
    /// Returns additional members of `user_defined` for a task; `None` for no members.
    pub annotations: Option<&'a Annotations<'a>>,
}

impl<'a> Reassigned<'a> {
    /// Returns a data set with new placements of some of its phases, each computed from the recorded placement.
    /// Returns `None` if there are no records ([`Recorded::records`]).
    pub fn new(recorded: &'a Recorded, placements: &'a [Placement]) -> Option<Self> {
        Some(Reassigned {
            data: &recorded.data,
            records: recorded.records.as_ref()?,
            repeats: &recorded.findings.repeats,
            placements,
            carried: false,
            annotations: None,
        })
    }
}

/// Writes the files of all ranks into `staging`, in parallel, and calls `written` after each file. Returns warnings.
///
/// # Errors
/// If a document cannot be read again or a file cannot be written. For files that vt will read, also if a rank has no
/// migratable object ([`EmptyRanks::Refuse`]) or too many subphases must be added.
pub fn write(
    reassigned: &Reassigned<'_>,
    options: &Options,
    staging: &Staging,
    written: &(dyn Fn() + Sync),
) -> Result<Vec<String>, WriteError> {
    let Reassigned { data, records, repeats, placements, carried, annotations } = *reassigned;
    let plan = if options.offline_lb_compatible {
        plan::offline(data, placements)
    } else {
        plan::as_read(data, placements, repeats, carried)
    };
    let documents: Vec<Cow<'_, [u8]>> =
        records.files.par_iter().map(|file| file.document.bytes()).collect::<Result<_, _>>()?;
    let mut warnings = Vec::new();
    let dummies = if options.offline_lb_compatible {
        warnings.extend(dropped_user_defined(records));
        dummies(&plan, reassigned, &documents, options, &mut warnings)?
    } else {
        vec![None; data.n_ranks()]
    };
    // For each written phase, the position of its records in the files, and the records, which the scatters borrow.
    let sources: Vec<(usize, Vec<&PhaseRecords>)> =
        plan.phases.iter().map(|phase| source(phase.source.id(), repeats, records)).collect();
    let phases = plan
        .phases
        .par_iter()
        .zip(&sources)
        .map(|(phase, (source, files))| PreparedPhase {
            id: phase.id,
            source: *source,
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
    let for_vt = options.offline_lb_compatible.then(|| ForVt::new(records, &documents, &sources));
    let copiers = documents.par_iter().map(|document| Copier::new(document)).collect();
    let printer = Printer {
        files: &records.files,
        documents: &documents,
        copiers,
        plan: &plan,
        phases,
        dummies,
        options,
        annotations,
        for_vt,
    };
    let put = |rank: usize| {
        let print = |out: &mut Output<Stream<'_>>| printer.print(out, rank);
        let outcome = staging.print(&options.file_name(rank), options.brotli_quality, print);
        written();
        outcome
    };
    // Of several errors, the one of the lowest rank is returned.
    let outcomes: Vec<_> = (0..data.n_ranks()).into_par_iter().map(put).collect();
    outcomes.into_iter().collect::<Result<(), _>>()?;
    if let Some(for_vt) = &printer.for_vt {
        for_vt.check()?;
        warnings.extend(for_vt.warnings());
    }
    Ok(warnings)
}

/// Returns the position of a phase's records in the files, and the records.
fn source<'a>(
    phase: PhaseId,
    repeats: &BTreeMap<PhaseId, PhaseId>,
    records: &'a Records,
) -> (usize, Vec<&'a PhaseRecords>) {
    let entries = records.files.first().map_or(&[][..], |file| &file.phases);
    let position = |id: PhaseId| entries.iter().position(|entry| entry.id == id);
    let position = position(phase).or_else(|| position(*repeats.get(&phase)?));
    let position =
        position.expect("invariant: every phase of the model has records or repeats a phase with records");
    (position, records.files.iter().map(|file| &file.phases[position]).collect())
}

fn dummies(
    plan: &Plan<'_>,
    reassigned: &Reassigned<'_>,
    documents: &[Cow<'_, [u8]>],
    options: &Options,
    warnings: &mut Vec<String>,
) -> Result<Vec<Option<Vec<u8>>>, WriteError> {
    let n_ranks = reassigned.data.n_ranks();
    let mut dummies = vec![None; n_ranks];
    let Some((phase, ranks)) = offline::empty_ranks(plan, n_ranks) else {
        return Ok(dummies);
    };
    let list = ranks.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    match options.empty_ranks {
        EmptyRanks::Refuse => return Err(WriteError::EmptyRanks { ranks: list, phase }),
        EmptyRanks::Warn => warnings.push(format!(
            "rank(s) {list} own no migratable object in some written phase; OfflineLB will abort, or ignore these ranks"
        )),
        EmptyRanks::Insert => {
            let records = offline::dummies(&ranks, reassigned.data, reassigned.records, documents);
            for (rank, record) in ranks.into_iter().zip(records) {
                dummies[rank] = Some(record);
            }
            warnings.push(format!(
                "rank(s) {list} own no migratable object in some written phase, which OfflineLB cannot handle; \
                 an object of load 0 was added on each"
            ));
        }
    }
    Ok(dummies)
}

fn dropped_user_defined(records: &Records) -> Option<String> {
    let phases = || records.files.iter().flat_map(|file| &file.phases);
    let n = phases().filter(|phase| phase.fields.iter().any(|field| field.key == "user_defined")).count();
    (n > 0).then(|| format!("`user_defined` of {n} phase entries was left out: vt's reader crashes on it"))
}
