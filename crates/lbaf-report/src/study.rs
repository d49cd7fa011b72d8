// SPDX-License-Identifier: MIT OR Apache-2.0
//! Paper tables and charts of a study: competitors by problem, values by iteration or phase, and Pareto fronts of
//! quality and migrations.
//!
//! [`illustrate`] adds the files to the outputs of a study; [`files`] only returns them.
//!
//! ```
//! use lbaf_config::StudyConfig;
//! use lbaf_report::study::{files, illustrate};
//! use lbaf_run::study::Study;
//! use lbaf_run::{Silent, staging};
//! use lbaf_strategies::Cancel;
//! use lbaf_writer::Inputs;
//!
//! let directory = tempfile::tempdir()?;
//! let file = directory.path().join("study.yaml");
//! std::fs::write(&file, "
//! configuration:
//!   from_samplers:
//!     n_ranks: 4
//!     n_objects: 100
//!     n_mapped_ranks: 2
//!     load_sampler: {name: uniform, parameters: [0.5, 1.5]}
//! axes:
//!   algorithm.name: [Greedy, RandomLB]
//!   seed: 0-2
//! plots: {formats: [svg]}
//! output_dir: results
//! ")?;
//! let study = Study::open(StudyConfig::read(&file, &[], None)?, &Silent)?;
//! study.compute(&Silent, &Cancel::new())?;
//! let results = study.results()?;
//!
//! // Charts and tables as bytes under the names of their files.
//! let drawn = files(&results, &Silent)?;
//! let (_, svg) = drawn.files.iter().find(|(name, _)| name == "plots/load_imbalance.svg").expect("a chart");
//! assert!(svg.starts_with(b"<svg"));
//!
//! // The same files among the other outputs of the study.
//! let mut outputs = results.write(staging(&study.config.output_dir, &Silent)?)?;
//! illustrate(&mut outputs, &Silent)?;
//! outputs.publish(&study.files().into_iter().collect::<Inputs>())?;
//! let written = directory.path().join("results");
//! assert_eq!(&std::fs::read(written.join("plots/load_imbalance.svg"))?, svg);
//! assert!(written.join("tables/medians.tex").is_file());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod charts;
mod tables;

use lbaf_config::StudyCommand;
use lbaf_run::Messages;
use lbaf_run::study::{Group, StudyOutputs, StudyQuantity, StudyResults};
use lbaf_study::Median;

use crate::ReportError;
use crate::charts::draw_all;
use crate::paper_tables::printed;

/// Maximum number of problems side by side, or of competitors side by side in a table.
const MOST_ACROSS: usize = 6;
/// Maximum number of problems with their own tables and charts. The CSV files contain all problems.
pub const MOST_PROBLEMS: usize = 8;

/// Tables and charts as files.
#[derive(Default)]
pub struct StudyFiles {
    /// Names of files and their bytes.
    pub files: Vec<(String, Vec<u8>)>,
    /// Sentences on charts that were omitted because an axis cannot show a number.
    pub refused: Vec<String>,
}

/// Adds all tables and, if the configuration has `plots`, the charts of the reported quantities to the outputs of a
/// study.
///
/// # Errors
/// If a table or chart cannot be created or written.
pub fn illustrate(outputs: &mut StudyOutputs<'_, '_>, messages: &dyn Messages) -> Result<(), ReportError> {
    let StudyFiles { files, refused } = files(outputs.results, messages)?;
    for (name, bytes) in &files {
        outputs.staging.put(name, bytes)?;
    }
    outputs.notes.extend(refused);
    Ok(())
}

/// Returns the files of all tables and, if the configuration has `plots`, of the charts of the reported quantities;
/// none without results.
///
/// # Errors
/// If a table or chart cannot be created.
pub fn files(results: &StudyResults<'_>, messages: &dyn Messages) -> Result<StudyFiles, ReportError> {
    let reported = results.reported;
    if results.groups.is_empty() {
        return Ok(StudyFiles::default());
    }
    let width = results.study.table_width;
    let tables = tables::tables(results, reported)
        .into_iter()
        .flat_map(|(name, table)| printed((&name, table), width));
    let mut all = StudyFiles { files: tables.collect::<Result<_, _>>()?, refused: Vec::new() };
    if let Some(plots) = &results.study.plots {
        let drawn = draw_all(&charts::charts(results, reported), plots, messages)?;
        all.files.extend(drawn.files);
        all.refused = drawn.refused;
    }
    Ok(all)
}

/// Returns the suffix of the files of a problem; empty if there is only one problem.
fn suffix(results: &StudyResults<'_>, problem: usize) -> String {
    match results.problems.len() {
        1 => String::new(),
        _ => format!("_{}", results.problems[problem].file),
    }
}

fn steps_name(results: &StudyResults<'_>) -> &'static str {
    match results.study.command {
        StudyCommand::Run => "iterations",
        StudyCommand::Simulate => "phases",
    }
}

/// Returns the competitors with cells on a problem.
fn of_problem<'r>(results: &'r StudyResults<'_>, problem: usize) -> Vec<(&'r str, &'r Group)> {
    let competitors = results.competitors.iter().enumerate();
    competitors.filter_map(|(at, name)| Some((&**name, results.group(problem, at)?))).collect()
}

fn median(
    results: &StudyResults<'_>,
    problem: usize,
    competitor: usize,
    quantity: &StudyQuantity,
) -> Option<Median> {
    results.median(results.group(problem, competitor)?, quantity.name)
}

/// True if a result of the group has steps between its first and its last step.
fn has_course(results: &StudyResults<'_>, group: &Group) -> bool {
    group.members.iter().any(|&member| results.row(member).steps.len() > 2)
}
