// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files of a run in its output directory.

mod results;
mod tables;
mod warnings;

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use lbaf_config::RunConfig;
use lbaf_model::{PhaseId, RankId, RankTotals, Slot, Statistics};
use lbaf_reader::Recorded;
use lbaf_text::number::counted;
use lbaf_writer::{Inputs, Placement, Reassigned, RecordSource, Staging, WriteError};
use serde_json::json;

pub use self::results::phase_result;
use self::results::summarize;
pub(crate) use self::results::{data_warnings, evaluate};
use self::tables::{FRONT, NAMES, tables_of_run, tables_without_charts, write_migrations};
pub use self::tables::{Tables, tables};
use crate::RunError;
use crate::annotations::Carried;
use crate::balance::{Balanced, BalancedRun};
use crate::denoise::Noise;
use crate::for_vt;
use crate::input::Input;
use crate::summary::{self, Summary, saved};
use crate::{Messages, Steps};

/// Subdirectory of the output directory for paper tables.
pub const PAPER_TABLES: &str = "tables";
/// Suffixes of charts, pictures and meshes, and of no other output.
const PICTURES: [&str; 5] = [".svg", ".pdf", ".png", ".apng", ".vtp"];
/// Page that `lbaf report` adds to a run.
const REPORT: &str = "report.html";

/// Clock times of a run.
pub(crate) struct Clock {
    pub(crate) started: Instant,
    pub(crate) read: Duration,
    pub(crate) balance: Duration,
}

/// The data of a run.
#[derive(Clone, Copy)]
pub struct Data<'a> {
    /// Source of the data.
    pub input: &'a Input,
    /// The data; with `denoise`, without noise.
    pub recorded: &'a Recorded,
    /// Removed noise; `None` without `denoise`.
    pub noise: Option<&'a Noise>,
}

/// Unpublished outputs of a run in the staging directory, complete except for charts, paper tables and pictures.
pub struct Outputs<'a> {
    /// The configuration.
    pub run: &'a RunConfig,
    /// The data.
    pub data: Data<'a>,
    /// The balanced phases, ascending.
    pub balanced: &'a [Balanced<'a>],
    /// The summary, without the digests of files.
    pub summary: Summary,
    /// The staging directory; charts, paper tables and pictures may be added.
    pub staging: Staging,
    clock: Clock,
    /// Files of the previous run that publishing removes unless this run writes them.
    stale: Vec<String>,
    begin_files: Instant,
    end_files: Instant,
}

impl<'a> Outputs<'a> {
    /// Writes files and tables into `staging`.
    pub(crate) fn write(
        run: &'a RunConfig,
        data: Data<'a>,
        balanced_run: &'a BalancedRun<'a>,
        staging: Staging,
        clock: Clock,
        messages: &dyn Messages,
    ) -> Result<Self, RunError> {
        let balanced = &balanced_run.phases[..];
        let Data { input, recorded, .. } = data;
        let stale = stale_files(run);
        let mut summary = summary_of(run, data, balanced_run);
        let begin_files = Instant::now();
        summary.warnings.extend(write_files(run, data, balanced, &staging, messages)?);
        summary.warnings.extend(for_vt::check(run, input, recorded, &staging)?);
        let tables = [tables_of_run(run, balanced), tables_without_charts(run, recorded, balanced)];
        for (name, bytes) in tables.iter().flatten() {
            staging.put(name, bytes)?;
        }
        put_migrations(recorded, balanced, &staging)?;
        let end_files = Instant::now();
        Ok(Outputs { run, data, balanced, summary, staging, clock, stale, begin_files, end_files })
    }

    /// Adds digests to the summary, and moves all files to the output directory. Removes tables, charts, pictures, page
    /// and files of ranks of an earlier run if this run does not write them and they have not been changed since. Never
    /// replaces `inputs`.
    ///
    /// # Errors
    /// If a file cannot be written, or would replace one of `inputs`.
    pub fn publish(self, inputs: &Inputs) -> Result<Summary, RunError> {
        let Outputs {
            run, data, balanced, mut summary, staging, clock, stale, begin_files, end_files, ..
        } = self;
        let drawn = end_files.elapsed();
        summary.files = summary::digests(&staging);
        let seconds = |duration: Duration| duration.as_secs_f64();
        let timings = json!({
            "host": host_name(),
            "output_dir": absolute(&run.output_dir),
            "stem": data.input.stem().map(absolute),
            "strategy_seconds": balanced.iter().map(strategy_seconds).collect::<Vec<_>>(),
            "threads": rayon::current_num_threads(),
            "wall_seconds": {
                "read": seconds(clock.read),
                "balance": seconds(clock.balance),
                "write": seconds(end_files.duration_since(begin_files)),
                "draw": seconds(drawn),
                "all": seconds(clock.started.elapsed()),
            },
        });
        staging.put(summary::TIMINGS, &summary::pretty(&timings))?;
        staging.put(summary::FILE, &summary::pretty(&summary))?;
        staging.publish(Some(summary::FILE), inputs, &stale)?;
        Ok(summary)
    }
}

/// Returns the names of the outputs of a run that do not depend on its results, without charts, paper tables and
/// pictures.
pub(crate) fn names(run: &RunConfig, n_ranks: usize) -> Vec<String> {
    let tables = NAMES.into_iter().chain([summary::FILE, summary::TIMINGS]).map(str::to_owned);
    let files = run
        .files
        .iter()
        .flat_map(|files| (0..n_ranks).map(|rank| format!("{}.{rank}.{}", files.stem, files.suffix)));
    tables.chain(files).collect()
}

/// Writes the table of migrations without having all of it in memory.
fn put_migrations(
    recorded: &Recorded,
    balanced: &[Balanced<'_>],
    staging: &Staging,
) -> Result<(), WriteError> {
    const BUFFER_BYTES: usize = 1 << 18;
    let mut stream = staging.stream(saved::MIGRATIONS)?;
    let buffer = BufWriter::with_capacity(BUFFER_BYTES, &mut stream);
    let written =
        write_migrations(buffer, recorded.data.keys(), balanced).and_then(|mut buffer| buffer.flush());
    written.map_err(|source| stream.failed(source))?;
    stream.finish();
    Ok(())
}

fn summary_of(run: &RunConfig, data: Data<'_>, balanced: &BalancedRun<'_>) -> Summary {
    let mut summary = summarize(run, data, &balanced.phases);
    summary.notes.splice(..0, balanced.notes.iter().cloned());
    summary
}

fn strategy_seconds(balanced: &Balanced<'_>) -> serde_json::Value {
    json!({ "phase": balanced.phase.id().0, "seconds": balanced.seconds })
}

fn host_name() -> String {
    let read = lbaf_reader::read_file(Path::new("/etc/hostname")).unwrap_or_default();
    String::from_utf8_lossy(&read).trim().to_owned()
}

fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()).display().to_string()
}

/// Returns unchanged files of an earlier run that could be mistaken for files of this run: tables, charts, pictures,
/// meshes, the page, and files of ranks with the same stem, even if this run writes no such files.
fn stale_files(run: &RunConfig) -> Vec<String> {
    let Ok(bytes) = lbaf_reader::read_file(&run.output_dir.join(summary::FILE)) else { return Vec::new() };
    let Ok(previous) = serde_json::from_slice::<Summary>(&bytes) else { return Vec::new() };
    let stem = format!("{}.", run.output_file_stem);
    let ours = |name: &str| {
        let is_picture = PICTURES.iter().any(|extension| name.ends_with(extension));
        let drawn = Path::new(name).starts_with("plots") || Path::new(name).starts_with(PAPER_TABLES);
        let is_table = NAMES.contains(&name) || name == FRONT || name == REPORT;
        is_picture || drawn || is_table || name.starts_with(&stem)
    };
    let files = previous.files.into_iter().filter(|(name, _)| ours(name)).collect();
    summary::unchanged(&run.output_dir, files)
}

fn write_files(
    run: &RunConfig,
    Data { recorded, noise, .. }: Data<'_>,
    balanced: &[Balanced<'_>],
    staging: &Staging,
    messages: &dyn Messages,
) -> Result<Vec<String>, RunError> {
    let (Some(options), Some(records)) = (&run.files, RecordSource::of(recorded)) else {
        return Ok(Vec::new());
    };
    let placement = |phase: &Balanced<'_>| Placement {
        phase: phase.phase.id(),
        assignment: phase.after.outcome.assignment.clone(),
        iterations: if options.lb_iterations { phase.iterations.clone() } else { Vec::new() },
    };
    let is_as_recorded = |phase: &Balanced<'_>| {
        !phase.is_rebalanced && phase.after.outcome.assignment == *phase.phase.recorded_assignment()
    };
    let nothing_moves = balanced.iter().all(is_as_recorded);
    // OfflineLB needs only placements of rebalanced phases. With `carry`, objects stay where the last balancer placed
    // them, so other phases have new placements too once an object has moved.
    let is_written = |phase: &&Balanced<'_>| {
        !options.offline_lb_compatible || phase.is_rebalanced || run.balancing.carry && !nothing_moves
    };
    let placements: Vec<Placement> = balanced.iter().filter(is_written).map(placement).collect();
    let mut warnings = Vec::new();
    if options.offline_lb_compatible && nothing_moves {
        warnings.push(format!(
            "no phase was rebalanced, so the files for OfflineLB contain {} as recorded and no additional phase",
            counted(recorded.data.phases().len(), "phase")
        ));
    }
    let carried = Carried { data: &recorded.data, noise, object_quantities: run.object_quantities };
    let annotate = |phase: PhaseId, slot: Slot, rank: RankId| carried.of_task(phase, slot, rank);
    let reassigned = Reassigned {
        data: &recorded.data,
        records,
        repeats: &recorded.findings.repeats,
        placements: &placements,
        carried: run.balancing.carry,
        annotations: (!carried.is_empty()).then_some(&annotate),
    };
    let steps = Steps::new(messages, "writing", recorded.data.n_ranks());
    warnings.extend(lbaf_writer::write(&reassigned, options, staging, &|| steps.advance())?);
    Ok(warnings)
}

/// Returns the phases with the largest imbalances before and after balancing, the first in a tie, in the order of
/// `phases`. By default, these one or two phases have their own charts and pictures.
pub fn worst_phases<T: Copy>(phases: &[T], before: impl Fn(&T) -> f64, after: impl Fn(&T) -> f64) -> Vec<T> {
    let largest = |imbalance: &dyn Fn(&T) -> f64| {
        let positions = (0..phases.len()).rev();
        positions.max_by(|&a, &b| imbalance(&phases[a]).total_cmp(&imbalance(&phases[b])))
    };
    let worst: BTreeSet<usize> = [largest(&before), largest(&after)].into_iter().flatten().collect();
    worst.into_iter().map(|position| phases[position]).collect()
}

/// Returns the phase with the largest load imbalance before balancing and the phase with the largest load imbalance after
/// balancing; a single phase if both are the same.
pub fn worst_balanced<'b>(balanced: &'b [Balanced<'b>]) -> Vec<&'b Balanced<'b>> {
    let imbalance = |totals: &[RankTotals]| Statistics::of(totals.iter().map(|rank| rank.load)).imbalance();
    let phases: Vec<&Balanced<'_>> = balanced.iter().collect();
    worst_phases(&phases, |phase| imbalance(&phase.totals), |phase| imbalance(&phase.after.totals))
}
