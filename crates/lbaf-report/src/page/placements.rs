// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placements before and after balancing, from the files that the run wrote or, if these do not fit, the files it read.
//!
//! Files may have changed since the run, so placements must reproduce the loads and the off-rank volume of the results.

use std::path::{Path, PathBuf};

use lbaf_model::{Assignment, DataSet, ObjectKey, Phase, PhaseId, RankId, carry};
use lbaf_reader::{AbsentEndpoints, FileName, Request};
use lbaf_run::summary::{self, PhaseResult, Start, Summary};
use lbaf_run::{Messages, RunError};
use lbaf_vom::CommunicationKind;
use lbaf_writer::Inputs;

use super::detail::crossing;
use super::migration_table::{Migrated, Migrations};
use crate::{SavedRun, saved_run};

/// Data of a run, with the placements of each of its phases.
pub(super) struct Placements {
    data: DataSet,
    /// Placements before and after, in the order of the phases of the run.
    by_phase: Vec<(Assignment, Assignment)>,
}

/// Kind of the recorded placements of a data set: before or after balancing.
#[derive(Clone, Copy, PartialEq)]
enum Holds {
    Before,
    After,
}

impl Placements {
    /// Returns the placements of a run with these migrations.
    ///
    /// # Errors
    /// If no files fit the run: a sentence with the reason and the remedy. The sentence names no path, because the page
    /// is the same on every machine. Errors with paths are added to `unread`.
    pub(super) fn of(
        SavedRun { directory, summary }: &SavedRun,
        migrations: &Migrations,
        unread: &mut Vec<RunError>,
        inputs: &mut Inputs,
        messages: &dyn Messages,
    ) -> Result<Self, String> {
        let mut why = "the files that the run wrote or read are missing or cannot be read";
        let mut errors = Vec::new();
        for (holds, source) in [
            (Holds::After, written(summary, directory)),
            (Holds::Before, recorded(summary, directory, inputs)),
        ] {
            let Some((stem, suffix)) = source else { continue };
            for absent in absent_endpoints(summary) {
                let data = match Self::read((&stem, &suffix), absent, summary, inputs, messages) {
                    Ok(data) => data,
                    Err(error) => {
                        errors.push(error);
                        continue;
                    }
                };
                if let Some(placements) = Self::fitting(data, holds, summary, migrations) {
                    return Ok(placements);
                }
                why = "the files that the run wrote or read have changed";
            }
        }
        unread.extend(errors);
        Err(format!(
            "Objects and neighbours of ranks are not on this page: {why}. Run again with `write_JSON` in the configuration, \
             then run `lbaf report`."
        ))
    }

    fn read(
        (stem, suffix): (&Path, &str),
        absent_endpoints: AbsentEndpoints,
        summary: &Summary,
        inputs: &mut Inputs,
        messages: &dyn Messages,
    ) -> Result<DataSet, RunError> {
        let located = lbaf_run::locate(stem, Some(suffix))?;
        located.files.iter().for_each(|file| inputs.add(file));
        let kinds: Vec<CommunicationKind> = summary
            .input
            .communications
            .counted
            .keys()
            .map(|name| CommunicationKind::from_name(name))
            .collect();
        let is_wanted =
            |phase: u64| summary.phases.binary_search_by_key(&phase, |result| result.phase).is_ok();
        let request = Request {
            phases: &is_wanted,
            communication_kinds: &kinds,
            absent_endpoints,
            ..Request::default()
        };
        Ok(lbaf_run::read(&located, &request, messages)?.data)
    }

    /// Returns the placements if they reproduce the rank loads and the off-rank volume of the results.
    fn fitting(data: DataSet, holds: Holds, summary: &Summary, migrations: &Migrations) -> Option<Self> {
        if data.n_ranks() != summary.input.n_ranks {
            return None;
        }
        let mut by_phase: Vec<(Assignment, Assignment)> = Vec::with_capacity(summary.phases.len());
        for result in &summary.phases {
            let phase = data.phase(PhaseId(result.phase))?;
            let moved = migrations.get(&result.phase).map_or(&[][..], Vec::as_slice);
            let recorded = phase.recorded_assignment();
            let pair = match (holds, result.start) {
                (Holds::After, _) => {
                    (changed(&data, phase, recorded, moved, |one| one.from)?, recorded.clone())
                }
                (Holds::Before, Start::Recorded) => {
                    (recorded.clone(), changed(&data, phase, recorded, moved, |one| one.to)?)
                }
                (Holds::Before, Start::Carried { from }) => {
                    let at = summary.phases.binary_search_by_key(&from, |result| result.phase).ok()?;
                    let (_, assignment) = by_phase.get(at)?;
                    let last = data.phase(PhaseId(from))?;
                    let before = carry(last, assignment, phase, data.keys()).assignment;
                    let after = changed(&data, phase, &before, moved, |one| one.to)?;
                    (before, after)
                }
            };
            let fits = has_loads(phase, &pair.0, &result.rank_loads.before)
                && has_loads(phase, &pair.1, &result.rank_loads.after)
                && has_volume(phase, &pair.1, result.after.sent_volume.sum);
            if !fits {
                return None;
            }
            by_phase.push(pair);
        }
        Some(Placements { data, by_phase })
    }

    /// Returns the phase of a result with its placements before and after; `None` if it is missing. `at` is the index
    /// of the result.
    pub(super) fn phase(
        &self,
        at: usize,
        result: &PhaseResult,
    ) -> Option<(&Phase, &Assignment, &Assignment)> {
        let (before, after) = self.by_phase.get(at)?;
        Some((self.data.phase(PhaseId(result.phase))?, before, after))
    }

    /// Returns the keys of objects.
    pub(super) fn keys(&self) -> &[ObjectKey] {
        self.data.keys()
    }
}

/// Returns stem and suffix of the data files that the run wrote; `None` if it wrote none.
fn written(summary: &Summary, run_dir: &Path) -> Option<(PathBuf, String)> {
    let of_rank_0 = |name: &String| {
        let parts = FileName::parse(name.as_bytes()).filter(|parts| parts.number == "0")?;
        let text = |part| str::from_utf8(part).ok();
        Some((run_dir.join(text(parts.stem)?), text(parts.suffix)?.to_owned()))
    };
    summary.files.keys().find_map(of_rank_0)
}

/// Returns stem and suffix of the files that the run read; `None` for synthetic data or without `timings.json`.
fn recorded(summary: &Summary, run_dir: &Path, inputs: &mut Inputs) -> Option<(PathBuf, String)> {
    let timings = saved_run::file(&run_dir.join(summary::TIMINGS), inputs).ok()??;
    let timings: serde_json::Value = serde_json::from_slice(&timings).ok()?;
    let stem = timings.get("stem")?.as_str()?;
    Some((PathBuf::from(stem), summary.input.suffix.clone()?))
}

/// Returns the possible treatments of communication with absent objects, because the summary does not contain the
/// choice of the run.
fn absent_endpoints(summary: &Summary) -> Vec<AbsentEndpoints> {
    let any = !summary.input.communications.absent_endpoints.is_empty();
    if any { vec![AbsentEndpoints::Drop, AbsentEndpoints::Home] } else { vec![AbsentEndpoints::Drop] }
}

/// Returns a placement changed by migrations; `None` if a migrated object or its rank does not exist. `rank` returns
/// the new rank of a migrated object, or the old rank to undo migrations.
fn changed(
    data: &DataSet,
    phase: &Phase,
    placement: &Assignment,
    moved: &[Migrated],
    rank: fn(&Migrated) -> RankId,
) -> Option<Assignment> {
    let mut placement = placement.clone();
    for one in moved {
        let object = data.object(ObjectKey::new(one.is_sequence, one.number, None))?;
        let rank = rank(one);
        if rank.index() >= phase.n_ranks() {
            return None;
        }
        placement.set(phase.slot_of(object)?, rank);
    }
    Some(placement)
}

/// True if ranks have these loads, up to rounding.
fn has_loads(phase: &Phase, placement: &Assignment, loads: &[f64]) -> bool {
    let mut sums = vec![0.0; phase.n_ranks()];
    for slot in phase.slots() {
        sums[placement.rank_of(slot).index()] += phase.load(slot);
    }
    let tolerance = 1e-9 * loads.iter().copied().fold(0.0, f64::max);
    sums.len() == loads.len() && sums.iter().zip(loads).all(|(sum, load)| (sum - load).abs() <= tolerance)
}

/// True if the off-rank volume is `bytes`, up to rounding.
fn has_volume(phase: &Phase, placement: &Assignment, bytes: f64) -> bool {
    let sum: f64 = crossing(phase, placement).map(|(_, _, bytes)| bytes).sum();
    (sum - bytes).abs() <= 1e-9 * bytes
}
