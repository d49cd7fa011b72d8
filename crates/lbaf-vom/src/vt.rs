// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks for values that satisfy the schema, but that vt misreads or that crash vt. The checks cover vt's reader,
//! `TemperedLB`, and OfflineLB, which replays the placement in files.
//!
//! Malformed values are skipped, because the schema check reports them.

mod communication;
mod empty;
mod entity;
mod phase_numbers;
mod takes;
mod task;
mod value;

pub(crate) use takes::{passes_over, takes};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use self::value::{each_element, each_member, negative, whole};
use crate::PhaseRanges;
use crate::collector::{Collector, Segment};
use crate::metadata::walk_ranges;
use crate::walker::Walker;

/// Information for the checks from outside of the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct VtChecks {
    /// Rank in the file name.
    pub rank: Option<u64>,
    /// Number of ranks, if known.
    pub n_ranks: Option<u64>,
    /// True if a rank without a migratable object is a warning instead of an error. OfflineLB cannot handle such a
    /// rank.
    pub allows_empty_ranks: bool,
}

/// Data of a file for comparison with the other files of its data set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VtFile {
    /// Phases with an entry, in the order of the file.
    pub phases: Vec<VtPhase>,
    /// Phases without data.
    pub skipped: PhaseRanges,
    /// Phases that repeat the last entry before them.
    pub identical_to_previous: PhaseRanges,
}

impl VtFile {
    /// Returns the last phase of the file, including skipped phases and those identical to the previous one.
    pub fn last_phase(&self) -> Option<u64> {
        let declared = [&self.skipped, &self.identical_to_previous];
        let declared = declared.into_iter().flat_map(|ranges| &ranges.ranges).map(|&(_, last)| last);
        self.phases.iter().map(|phase| phase.id).chain(declared).max()
    }
}

/// Phase of a file as vt reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VtPhase {
    /// Number of the phase, or the position of its entry if the number is missing or invalid.
    pub id: u64,
    /// Tasks that vt can read.
    pub tasks: Vec<VtTask>,
    /// Number of tasks that vt cannot read.
    pub n_unread: usize,
    /// Endpoints in the communications of the phase, as far as they are identified by `seq_id`.
    pub sequence_ends: Vec<VtEnd>,
}

/// Task as vt reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VtTask {
    /// Packed id, derived from `seq_id`, `home` and `migratable` if there is no `id`.
    pub id: u64,
    /// True if the id was derived.
    pub is_sequence: bool,
    /// True if vt treats the object as migratable.
    pub is_migratable: bool,
    /// Number of subphases that vt stores for the task.
    pub n_subphases: u64,
    /// Position among the tasks of the phase.
    pub index: usize,
}

/// Endpoint of a communication that is identified by `seq_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VtEnd {
    /// Packed id that vt derives.
    pub id: u64,
    /// True for the sender, false for the receiver.
    pub is_sender: bool,
    /// Position among the communications of the phase.
    pub index: usize,
}

type Placed<'a> = Walker<'a, true>;

/// Reports everything in a document that vt cannot handle, except for conflicts between its phases. `fits_schema` is
/// true if the document satisfies its schema.
pub(crate) fn walk<'a>(
    document: Placed<'a>,
    checks: VtChecks,
    raw: &[u8],
    fits_schema: bool,
    collector: &mut Collector<'a, '_>,
) -> VtFile {
    check_beginning(raw, collector);
    let mut file = VtFile::default();
    if let Some(walker) = document.member("metadata") {
        collector.inside(Segment::Key("metadata"), |collector| {
            check_rank(walker, checks, collector);
            walk_phase_lists(walker, fits_schema, &mut file, collector);
        });
    }
    if let Some(walker) = document.member("phases") {
        collector.inside(Segment::Key("phases"), |collector| {
            walk_phases(walker, checks, &mut file, collector);
        });
    }
    file
}

/// Reports missing phases, and phases without a migratable object.
pub(crate) fn check_phases<'a>(
    document: Placed<'a>,
    file: &VtFile,
    checks: VtChecks,
    collector: &mut Collector<'a, '_>,
) {
    if let Some(walker) = document.member("phases") {
        collector.inside(Segment::Key("phases"), |collector| {
            phase_numbers::check(walker, file, collector);
            empty::check(walker, file, checks, collector);
        });
    }
}

/// True if [`check_phases`] has nothing to report.
pub(crate) fn phases_fit(file: &VtFile) -> bool {
    phase_numbers::gaps(file).is_empty() && empty::found(file).is_empty()
}

/// Reports bytes at the beginning that vt misinterprets. vt takes a file for compressed unless the first byte after
/// blanks, tabs and newlines is a brace.
fn check_beginning(raw: &[u8], collector: &mut Collector<'_, '_>) {
    if raw.starts_with(b"\xef\xbb\xbf") {
        let message = "the file begins with a byte order mark, which vt's reader cannot handle; remove it";
        return collector.error(0, || message.to_owned());
    }
    let is_plain = raw.trim_ascii_start().starts_with(b"{");
    let first = raw.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n'));
    if is_plain && first != Some(&b'{') {
        let message = "a carriage return precedes the first brace, so vt assumes that the file is compressed and cannot \
                       read it; remove the bytes before the brace";
        collector.error(0, || message.to_owned());
    }
}

/// Reports a rank that differs from the file name. vt never reads the rank in the metadata.
fn check_rank<'a>(metadata: Placed<'a>, checks: VtChecks, collector: &mut Collector<'a, '_>) {
    let Some(stated) = metadata.member("rank") else { return };
    if let (Some(rank), Some(other)) = (checks.rank, whole(stated.ahead()))
        && rank != other
    {
        collector.inside(Segment::Key("rank"), |collector| {
            collector.warning(stated.offset(), || {
                format!("the metadata state rank {other}, but the file name states {rank}, which vt uses")
            });
        });
    }
}

/// Reads the lists of phases without entries.
fn walk_phase_lists<'a>(
    metadata: Placed<'a>,
    fits_schema: bool,
    file: &mut VtFile,
    collector: &mut Collector<'a, '_>,
) {
    let Some(phases) = metadata.member("phases") else { return };
    collector.inside(Segment::Key("phases"), |collector| {
        let lists =
            [("skipped", &mut file.skipped), ("identical_to_previous", &mut file.identical_to_previous)];
        for (key, ranges) in lists {
            let Some(mut walker) = phases.member(key) else { continue };
            match walk_ranges(&mut walker) {
                Ok(walked) => *ranges = walked,
                Err(mismatch) if fits_schema => {
                    collector.inside(Segment::Key(key), |collector| collector.mismatch(&mismatch));
                }
                Err(_) => {}
            }
        }
    });
}

fn walk_phases<'a>(
    walker: Placed<'a>,
    checks: VtChecks,
    file: &mut VtFile,
    collector: &mut Collector<'a, '_>,
) {
    let mut entries: FxHashMap<u64, usize> = FxHashMap::default();
    each_element(walker, |walker, entry| {
        collector.inside(Segment::Index(entry), |collector| {
            let phase = walk_phase(walker, entry, checks, collector);
            let first = *entries.entry(phase.id).or_insert(entry);
            if first != entry {
                collector.error(walker.offset(), || {
                    format!(
                        "phase {} already has an entry at index {first}, and vt merges the two entries",
                        phase.id
                    )
                });
            }
            file.phases.push(phase);
        });
    });
}

fn walk_phase<'a>(
    walker: Placed<'a>,
    entry: usize,
    checks: VtChecks,
    collector: &mut Collector<'a, '_>,
) -> VtPhase {
    let mut phase = VtPhase { id: entry as u64, ..VtPhase::default() };
    let mut communications = communication::Entries::default();
    each_member(walker, |walker, key| {
        collector.inside(Segment::Key(key), |collector| match key {
            "id" => {
                if let Some(number) = negative(walker.ahead()) {
                    collector.error(walker.offset(), || format!("vt aborts on phase {number}"));
                }
                phase.id = whole(walker.ahead()).unwrap_or(phase.id);
            }
            "tasks" => each_element(walker, |walker, index| {
                collector.inside(Segment::Index(index), |collector| {
                    match task::walk(walker, index, checks, collector) {
                        Some(task) => phase.tasks.push(task),
                        None => phase.n_unread += 1,
                    }
                });
            }),
            "communications" => each_element(walker, |walker, index| {
                collector.inside(Segment::Index(index), |collector| {
                    communications.walk(walker, index, checks, collector);
                });
            }),
            "user_defined" => {
                let message = "`user_defined` of a phase always crashes vt's reader; remove it";
                collector.error(walker.offset(), || message.to_owned());
            }
            _ => {}
        });
    });
    phase.sequence_ends = communications.sequence_ends;
    phase
}
