// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf spec`: phases selected by a specification or an LB configuration of vt.

mod console;
mod repeated_ranges;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use lbaf_config::Selection;
use lbaf_config::vt_files::{Anchor, Argument, BalancerSchedule, PhaseInterval, ScheduleFile, Specification};
use lbaf_text::Shown as _;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::arguments::CommonArgs;
use crate::error::Error;
use crate::inputs;

#[derive(Debug, Args)]
pub(crate) struct SpecArgs {
    /// File of vt: a specification, whose lines like `%100 -3 3` enable output, or an LB configuration, whose
    /// lines like `%10 GreedyLB` select balancers.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Phases to list, for example `0-500`. Default: from 0 to the last phase that the file names, but at least to
    /// the end of two periods of each repeated line, and at least to 100.
    #[arg(long, value_name = "PHASES", allow_negative_numbers = true)]
    pub(crate) phases: Option<String>,
    /// Print JSON with all ranges instead of text, which shortens long lists.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Ascending ranges of phases, each with first and last.
type Ranges = Vec<(u64, u64)>;

/// Contents of a file for the requested phases.
#[derive(Debug, Serialize)]
struct SpecReport {
    file: String,
    /// Requested phases.
    phases: Ranges,
    n_phases: u64,
    #[serde(flatten)]
    content: Content,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "format", rename_all = "snake_case")]
enum Content {
    Specification { n_lines: usize, n_enabled: u64, enabled: Ranges },
    LbConfiguration { n_lines: usize, n_balanced: u64, runs: Vec<Decided> },
}

/// Consecutive phases to which the same line applies.
#[derive(Debug, Serialize)]
struct Decided {
    first: u64,
    last: u64,
    /// Line that applies. Without one, no balancer runs.
    line: Option<usize>,
    balancer: Option<&'static str>,
    arguments: Map<String, Value>,
}

const MAX_PHASES: u64 = 1_000_000;

/// Describes the phases that a specification or LB configuration selects, as text or JSON.
pub(crate) fn spec(args: &SpecArgs) -> Result<String, Error> {
    let path = &args.file;
    let requested = args.phases.as_deref().map(requested_phases).transpose()?;
    let bytes = inputs::read_or_pipe(path)
        .map_err(|source| Error::ConfigurationFile { path: path.clone(), source })?;
    let file = ScheduleFile::parse(&bytes)
        .map_err(|error| Error::Configuration(format!("{}: {error}", path.shown())))?;
    let mut notes = Vec::new();
    let phases = requested.unwrap_or_else(|| vec![(0, default_last(&file, &mut notes))]);
    let content = match &file {
        ScheduleFile::Specification(specification) => enabled(specification, &phases),
        ScheduleFile::Balancers(schedule) => decided(schedule, &phases, &mut notes),
    };
    let report =
        SpecReport { file: path.display().to_string(), n_phases: count(&phases), phases, content, notes };
    if args.json {
        let json = serde_json::to_string_pretty(&report).expect("invariant: plain data");
        return Ok(json + "\n");
    }
    Ok(console::report(&report))
}

/// Parses `--phases`, which must be bounded.
fn requested_phases(text: &str) -> Result<Ranges, Error> {
    let refuse = |message: String| Error::Usage(format!("--phases: {message}"));
    let ranges = Selection::parse(text).map_err(refuse)?.bounded();
    let ranges = ranges.ok_or_else(|| refuse(format!("{text:?} has no end; give a range such as 0-500")))?;
    if count(&ranges) > MAX_PHASES {
        return Err(refuse(format!("{text:?} selects more than {MAX_PHASES} phases; select fewer")));
    }
    Ok(ranges)
}

fn count(ranges: &[(u64, u64)]) -> u64 {
    ranges.iter().fold(0, |sum: u64, (first, last)| sum.saturating_add((last - first).saturating_add(1)))
}

/// Returns the default last phase of the list, which covers every phase that the file names and two periods of each
/// repeated line, to show the pattern. Longer lists end before phase [`MAX_PHASES`], with a note.
fn default_last(file: &ScheduleFile, notes: &mut Vec<String>) -> u64 {
    const LEAST: u64 = 100;
    let end = |anchor: Anchor| match anchor {
        Anchor::Phase(phase) => phase,
        Anchor::Every(period) => period.get() * 2,
    };
    let last = match file {
        ScheduleFile::Specification(specification) => {
            specification.windows().iter().map(|window| end(window.anchor()) + window.after()).max()
        }
        ScheduleFile::Balancers(schedule) => schedule.rules().iter().map(|rule| end(rule.anchor)).max(),
    };
    let last = last.unwrap_or_default().max(LEAST);
    if last >= MAX_PHASES {
        notes.push(format!("the file continues at least to phase {last}; select other phases with --phases"));
    }
    last.min(MAX_PHASES - 1)
}

fn enabled(specification: &Specification, phases: &[(u64, u64)]) -> Content {
    let ranges = phases.iter().flat_map(|&(first, last)| specification.ranges(first..=last));
    let enabled: Ranges = ranges.map(std::ops::RangeInclusive::into_inner).collect();
    Content::Specification { n_lines: specification.windows().len(), n_enabled: count(&enabled), enabled }
}

fn decided(schedule: &BalancerSchedule, phases: &[(u64, u64)], notes: &mut Vec<String>) -> Content {
    let runs: Vec<Decided> =
        phases.iter().flat_map(|&(first, last)| schedule.runs(first..=last)).map(Decided::from).collect();
    let balanced = runs.iter().filter(|run| run.balancer.is_some_and(|balancer| balancer != "NoLB"));
    let n_balanced = balanced.map(|run| run.last - run.first + 1).sum();
    let deciding: BTreeSet<usize> = runs.iter().filter_map(|run| run.line).collect();
    for rule in schedule.rules() {
        let meant =
            |&(first, last): &(u64, u64)| rule.anchor.first_from(first).is_some_and(|phase| phase <= last);
        if !deciding.contains(&rule.line) && phases.iter().any(meant) {
            notes.push(format!(
                "line {} has no effect on these phases: other lines take precedence",
                rule.line
            ));
        }
    }
    Content::LbConfiguration { n_lines: schedule.rules().len(), n_balanced, runs }
}

impl From<PhaseInterval<'_>> for Decided {
    fn from(PhaseInterval { first, last, rule }: PhaseInterval<'_>) -> Self {
        let arguments = rule.iter().flat_map(|rule| &rule.choice.arguments);
        Decided {
            first,
            last,
            line: rule.map(|rule| rule.line),
            balancer: rule.map(|rule| rule.choice.balancer.name),
            arguments: arguments
                .map(|Argument { key, value, .. }| (key.clone(), Value::from(value.as_str())))
                .collect(),
        }
    }
}
