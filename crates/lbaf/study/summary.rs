// SPDX-License-Identifier: MIT OR Apache-2.0
//! `study.json`: what a study was about, and what of it failed. It is written last.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lbaf_config::{Role, StudyCommand};
use lbaf_run::summary::{FileDigest, digests, pretty, unchanged};
use lbaf_writer::Staging;
use serde::{Deserialize, Serialize};

use super::plan::Planned;
use super::quantity::Reported;
use super::results::Results;

pub(super) const FILE: &str = "study.json";

/// Nothing in it depends on the machine, the time, or on how often the study was interrupted.
#[derive(Serialize)]
struct Summary<'a> {
    schema: &'static str,
    version: u32,
    lbaf: &'static str,
    command: StudyCommand,
    files: Vec<String>,
    axes: Vec<Axis<'a>>,
    n_cells: usize,
    /// What decides in rankings.
    objective: &'static str,
    confidence: f64,
    failed: Vec<Failed<'a>>,
    /// What cells warn of, and how many do.
    warnings: BTreeMap<&'a str, usize>,
    /// What else is to be known: axes that change nothing, charts that were left out.
    notes: &'a [String],
    /// Digests that decide each cell, in order; their results are under these names.
    cells: Vec<&'a str>,
    /// Every other file but for those of clock times.
    outputs: BTreeMap<String, FileDigest>,
}

#[derive(Serialize)]
struct Axis<'a> {
    name: &'a str,
    role: &'static str,
    choices: Vec<&'a str>,
}

#[derive(Serialize)]
struct Failed<'a> {
    cell: usize,
    choices: Vec<&'a str>,
    error: &'a str,
}

pub(super) fn summary(
    results: &Results<'_>,
    planned: &[Planned],
    reported: &Reported,
    notes: &[String],
    staging: &Staging,
) -> Vec<u8> {
    let study = results.study;
    let axes = study.axes.iter().map(|axis| Axis {
        name: &axis.name,
        role: match axis.role {
            Role::Repetition => "repetition",
            Role::Competitor => "competitor",
            Role::Problem => "problem",
        },
        choices: axis.choices.iter().map(|choice| &*choice.label).collect(),
    });
    let failed = results.failed().map(|(cell, error)| Failed {
        cell,
        choices: study.labels(&study.cells[cell]),
        error,
    });
    let mut outputs = digests(staging);
    outputs.retain(|name, _| !is_of_clock(name));
    pretty(&Summary {
        schema: "lbaf-study",
        version: 1,
        lbaf: env!("CARGO_PKG_VERSION"),
        command: study.command,
        files: study.base.files.iter().map(|file| file.display().to_string()).collect(),
        axes: axes.collect(),
        n_cells: results.cells.len(),
        objective: reported.objective.name,
        confidence: study.report.confidence,
        failed: failed.collect(),
        warnings: warnings(results),
        notes,
        cells: planned.iter().map(|cell| &*cell.identity).collect(),
        outputs,
    })
}

/// What cells warn of, and how many do.
pub(super) fn warnings<'r>(results: &'r Results<'_>) -> BTreeMap<&'r str, usize> {
    let mut counts = BTreeMap::new();
    for cell in &results.cells {
        let of_cell: BTreeSet<&str> = cell.warnings.iter().map(String::as_str).collect();
        for warning in of_cell {
            *counts.entry(warning).or_insert(0) += 1;
        }
    }
    counts
}

/// Clock times differ from run to run, so that their files are outside of the promise of equal bytes.
fn is_of_clock(name: &str) -> bool {
    name.starts_with("timings")
}

/// Files that the last study here left and nobody changed since: what of them is not written again disappears.
pub(super) fn stale(output_dir: &Path) -> Vec<String> {
    #[derive(Deserialize)]
    struct Previous {
        outputs: BTreeMap<String, FileDigest>,
    }
    let Ok(bytes) = lbaf_reader::read_file(&output_dir.join(FILE)) else { return Vec::new() };
    let Ok(Previous { outputs }) = serde_json::from_slice(&bytes) else { return Vec::new() };
    unchanged(output_dir, outputs)
}
