// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables and charts for papers: competitors against each other, step by step, and what they cost.

mod charts;
mod tables;

use lbaf_config::StudyCommand;
use lbaf_run::study::{Group, StudyQuantity, StudyResults};
use lbaf_study::Median;

use crate::error::Error;
use lbaf_report::charts::draw_all;
use lbaf_report::paper_tables::printed;

/// Side by side on a page there is room for so many problems, and for so many competitors.
const MOST_ACROSS: usize = 6;
/// Problems that get tables and charts of their own; all of them are in the CSV files.
pub(super) const MOST_PROBLEMS: usize = 8;

/// Tables and charts.
#[derive(Default)]
pub(super) struct Printed {
    /// Names of files and their bytes.
    pub(super) files: Vec<(String, Vec<u8>)>,
    /// Charts that were left out because a number has no place on an axis, and which.
    pub(super) refused: Vec<String>,
}

/// The files of all tables and charts.
pub(super) fn files(results: &StudyResults<'_>) -> Result<Printed, Error> {
    let reported = results.reported;
    if results.groups.is_empty() {
        return Ok(Printed::default());
    }
    let tables =
        tables::tables(results, reported).into_iter().flat_map(|(name, table)| printed((&name, table)));
    let mut printed = Printed { files: tables.collect::<Result<_, _>>()?, refused: Vec::new() };
    if let Some(plots) = &results.study.plots {
        let drawn = draw_all(&charts::charts(results, reported), plots)?;
        printed.files.extend(drawn.files);
        printed.refused = drawn.refused;
    }
    Ok(printed)
}

/// What tells the files of problems apart; nothing if there is but one.
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

/// Competitors that were tried on a problem.
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

/// Whether there is more than a beginning and an end.
fn has_course(results: &StudyResults<'_>, group: &Group) -> bool {
    group.members.iter().any(|&member| results.row(member).steps.len() > 2)
}
