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

mod changes;
mod compact;
mod convert;
mod error;
mod excerpt;
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
mod part_output;
mod parts;
mod plan;
mod record_source;
mod scatter;
mod spelled;
mod staging;
mod targets;
mod unfinished;
mod write_model;

use std::borrow::Cow;
use std::collections::BTreeMap;

use lbaf_model::{DataSet, PhaseId};
use lbaf_reader::{FileRecords, Recorded, Records};
use rayon::prelude::*;

pub use convert::{Conversion, ConvertError, Converted, Ids, Known, Losses, convert};
pub use error::WriteError;
pub use members::{Annotations, Member};
pub use model_files::{ModelFiles, ModelFilesError};
pub use options::{EmptyRanks, Options};
pub use plan::Placement;
pub use record_source::RecordSource;
pub use staging::{
    Change, Disk, IdentifiedInputs, Inputs, Staging, Stream, Touched, Watcher, Written, check_targets,
    remove_unpublished, restore, set_aside, sha256, sha256_of_file, touched, unfinished,
};
pub use unfinished::{State, Unfinished};
pub use write_model::write_model;

use crate::changes::{Changes, Offline};
use crate::for_vt::FileFacts;
use crate::part_output::PartOutput;
use crate::parts::Parts;
use crate::targets::Targets;

/// Data set to be written with new placements.
pub struct Reassigned<'a> {
    /// Model to which the placements belong.
    pub data: &'a DataSet,
    /// Records that were read with the model.
    pub records: RecordSource<'a>,
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
    /// Returns `None` if there are no records ([`RecordSource::of`]).
    pub fn new(recorded: &'a Recorded, placements: &'a [Placement]) -> Option<Self> {
        Some(Reassigned {
            data: &recorded.data,
            records: RecordSource::of(recorded)?,
            repeats: &recorded.findings.repeats,
            placements,
            carried: false,
            annotations: None,
        })
    }
}

/// Writes the files of all ranks into `staging`, in parallel, and calls `written` after each file. Returns warnings.
///
/// Records that left memory are read again once, and split by the group of ranks into whose files they are written. The
/// files of one group after the other are then written.
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
    let recorded = records.phases();
    let sources: Vec<usize> =
        plan.phases.iter().map(|phase| source(phase.source.id(), repeats, &recorded)).collect();
    let offline = Offline::new(&plan, data, options)?;
    let output = PartOutput { plan: &plan, sources: &sources, options, annotations, staging, written };
    let see = |file: &FileRecords, document: &[u8]| {
        offline.as_ref().map(|offline| offline.see(file, document, &sources))
    };
    let changes = |facts: Vec<Option<FileFacts>>| match &offline {
        Some(offline) => offline.changes(facts.into_iter().flatten().collect(), data, &sources),
        None => Changes { dummies: vec![None; data.n_ranks()], for_vt: None },
    };
    let changes = match records {
        RecordSource::Kept(Records { files }) => {
            let documents: Vec<Cow<'_, [u8]>> =
                files.par_iter().map(|file| file.document.bytes()).collect::<Result<_, _>>()?;
            let facts = files.par_iter().zip(&documents).map(|(file, document)| see(file, document));
            let changes = changes(facts.collect());
            output.put(0..data.n_ranks(), files, &documents, &changes)?;
            changes
        }
        RecordSource::Parked(records) => {
            let targets = Targets::new(&plan, &sources, options.lb_iterations);
            let (parts, facts) = Parts::new(records, &targets, see)?;
            let changes = changes(facts);
            for group in 0..parts.len() {
                let (ranks, files) = parts.part(group)?;
                let documents: Vec<Cow<'_, [u8]>> =
                    files.iter().map(|file| file.document.bytes()).collect::<Result<_, _>>()?;
                output.put(ranks, &files, &documents, &changes)?;
            }
            changes
        }
    };
    let Some(for_vt) = &changes.for_vt else { return Ok(Vec::new()) };
    for_vt.check()?;
    let warnings = for_vt.left_out().into_iter();
    Ok(warnings.chain(offline.and_then(Offline::into_warning)).chain(for_vt.warnings()).collect())
}

/// Returns the position of a phase's records among the phases with records.
fn source(phase: PhaseId, repeats: &BTreeMap<PhaseId, PhaseId>, recorded: &[PhaseId]) -> usize {
    let position = |id: PhaseId| recorded.iter().position(|entry| *entry == id);
    let position = position(phase).or_else(|| position(*repeats.get(&phase)?));
    position.expect("invariant: every phase of the model has records or repeats a phase with records")
}
