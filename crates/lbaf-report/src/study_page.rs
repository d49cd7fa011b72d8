// SPDX-License-Identifier: MIT OR Apache-2.0
//! Self-contained HTML page of a study: ranking, medians, Pareto fronts, heat maps and cells. The page needs no
//! network, no other file and no server.
//!
//! [`of_study`] creates a [`StudyPage`] from the files of an output directory, and [`StudyPage::to_html`] converts the
//! page to HTML. Numbers have all digits of the tables.

mod assets;
mod cells;
mod groups;
mod saved_study;
mod size_limit;
mod verdict;
mod view;

use std::collections::BTreeMap;

use lbaf_run::study::of_cells;
use lbaf_text::Shown as _;
use lbaf_text::number::counted;
use lbaf_writer::Inputs;

use self::cells::{Cells, SECONDS};
use self::groups::Groups;
use self::saved_study::SavedStudy;
use self::size_limit::SizeLimit;
pub use self::view::{
    CellsView, CompetitorView, FailureView, GroupView, MedianView, ProblemView, StudyAxisView, StudyPage,
    StudyQuantityView,
};
use crate::csv_table::CsvTable;
use crate::page::Fact;
use crate::{ReportError, SavedResults};

/// Maximum number of different errors on the page, and of cells of each error.
const MOST_ERRORS: usize = 50;
const MOST_CELLS_OF_ERROR: usize = 10;
/// Maximum number of choices of an axis among the settings of the study.
const MOST_CHOICES: usize = 20;

/// Name of the page in an output directory.
pub const FILE: &str = "study.html";

/// Creates the page of a study, and adds the files it reads to `inputs`.
///
/// # Errors
/// If a file of the study is missing or damaged.
pub fn of_study(results: &SavedResults, inputs: &mut Inputs) -> Result<StudyPage, ReportError> {
    let study: SavedStudy = results.content()?;
    let quantities = quantities(&study);
    let timings = CsvTable::read_optional(results, "timings.csv", inputs)?;
    let table = CsvTable::read(results, "cells.csv", inputs)?;
    let cells = Cells::read(&study, &table, timings.as_ref())?;
    let ranking = CsvTable::read(results, "ranking.csv", inputs)?;
    let mut groups = Groups::count(&study, &cells, &ranking);
    groups.add_medians(&CsvTable::read(results, "medians.csv", inputs)?, &quantities)?;
    groups.add_front(&CsvTable::read(results, "front.csv", inputs)?)?;
    if let Some(front) = CsvTable::read_optional(results, "timings_front.csv", inputs)? {
        groups.add_times(&front, &quantities)?;
    }
    let competitors = groups.competitors(&ranking)?;
    let groups = groups.in_order();
    let mut limit = SizeLimit::default();
    let n_reported = study.quantities.len();
    let mut page = StudyPage {
        lbaf: env!("CARGO_PKG_VERSION").to_owned(),
        title: std::path::absolute(&results.directory)
            .ok()
            .and_then(|path| Some(std::path::Path::new(path.file_name()?).shown()))
            .unwrap_or_default(),
        command: study.command.clone(),
        sentences: Vec::new(),
        warnings: warnings(&study),
        notes: study.notes.clone(),
        facts: facts(&study, &cells),
        n_reported,
        axes: study.axes.clone(),
        problems: study.problems.clone(),
        failures: failures(&study, &mut limit),
        cells: cells.view(&quantities, &mut limit)?,
        configurations: limit.configurations(study.configurations)?,
        groups: limit.groups(groups, n_reported)?,
        quantities,
        competitors,
        confidence: study.confidence,
        left_out: limit.left_out,
    };
    page.sentences = verdict::sentences(&page);
    Ok(page)
}

/// Returns the quantities of the page: the reported ones, all others, and the clock times of strategies. In
/// simulations, strategy times are assumed and among the others.
fn quantities(study: &SavedStudy) -> Vec<StudyQuantityView> {
    let all = of_cells(study.of_command());
    let named = |name: &String| all.iter().find(|quantity| quantity.name == name);
    let reported = study.quantities.iter().filter_map(named);
    let others = all.iter().filter(|quantity| !study.quantities.iter().any(|name| name == quantity.name));
    let mut quantities: Vec<StudyQuantityView> =
        reported.chain(others).map(StudyQuantityView::from).collect();
    if !quantities.iter().any(|quantity| quantity.key == SECONDS) {
        quantities.push(StudyQuantityView {
            key: SECONDS.to_owned(),
            name: "time of the strategy".to_owned(),
            kind: "seconds",
            better: Some("less"),
        });
    }
    quantities
}

/// Returns the warnings of cells. Of the warnings that differ only in digits, the first in the order of texts stands
/// for all.
fn warnings(study: &SavedStudy) -> Vec<String> {
    let mut kinds: BTreeMap<String, (&str, usize)> = BTreeMap::new();
    for (warning, n) in &study.warnings {
        let kind = warning.replace(|letter: char| letter.is_ascii_digit(), "");
        kinds.entry(kind).or_insert((warning, 0)).1 += n;
    }
    let of = |(warning, n): (&str, usize)| match n {
        1 => warning.to_owned(),
        n => format!("in {}, first: {warning}", counted(n, "cell")),
    };
    kinds.into_values().map(of).collect()
}

/// Returns the different errors in the order of their first cells.
fn failures(study: &SavedStudy, limit: &mut SizeLimit) -> Vec<FailureView> {
    let mut failures: Vec<FailureView> = Vec::new();
    let mut places = BTreeMap::new();
    for failed in &study.failed {
        let place = *places.entry(&failed.error).or_insert(failures.len());
        if place == failures.len() {
            failures.push(FailureView { error: failed.error.clone(), n: 0, cells: Vec::new() });
        }
        let failure = &mut failures[place];
        failure.n += 1;
        if failure.cells.len() < MOST_CELLS_OF_ERROR {
            failure.cells.push(failed.cell);
        }
    }
    if failures.len() > MOST_ERRORS {
        limit
            .left_out
            .push(format!("The page shows {MOST_ERRORS} of {} errors; study.json has all.", failures.len()));
        failures.truncate(MOST_ERRORS);
    }
    failures
}

fn facts(study: &SavedStudy, cells: &Cells<'_>) -> Vec<Fact> {
    let fact = |label: &str, value: String| Fact { label: label.to_owned(), value, settings: Vec::new() };
    let mut facts = Vec::new();
    if !study.files.is_empty() {
        facts.push(fact("Files", study.files.join(", ")));
    }
    facts.push(Fact {
        label: "Axes".to_owned(),
        value: match study.axes.len() {
            0 => "none".to_owned(),
            n => n.to_string(),
        },
        settings: study
            .axes
            .iter()
            .map(|axis| (format!("{} ({})", axis.name, axis.role), listed(&axis.choices)))
            .collect(),
    });
    let distinct = match cells.n_different() {
        n if n == study.n_cells => String::new(),
        n => format!(", {n} of them distinct"),
    };
    facts.push(fact(
        "Cells",
        format!("{}{distinct}, each computed with the command lbaf {}", study.n_cells, study.command),
    ));
    let objective = of_cells(study.of_command()).iter().find(|quantity| quantity.name == study.objective);
    facts.push(fact("Objective", objective.map_or(study.objective.clone(), |found| found.title.to_owned())));
    let confidence = lbaf_text::number::percent(study.confidence);
    facts.push(fact("Confidence of intervals", confidence));
    facts.push(fact("Computed by", format!("lbaf {}", study.lbaf)));
    facts
}

/// Returns the labels of choices as one text.
fn listed(choices: &[String]) -> String {
    match choices.len() {
        n if n > MOST_CHOICES => format!("{}, .. ({n} choices)", choices[..MOST_CHOICES].join(", ")),
        _ => choices.join(", "),
    }
}
