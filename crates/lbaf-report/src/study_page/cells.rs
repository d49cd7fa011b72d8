// SPDX-License-Identifier: MIT OR Apache-2.0
//! Rows of the table of cells.

use std::collections::{BTreeMap, BTreeSet};

use super::saved_study::SavedStudy;
use super::size_limit::SizeLimit;
use super::view::{CellsView, StudyQuantityView};
use crate::ReportError;
use crate::csv_table::{CsvRow, CsvTable};

/// Name of the column with clock times of strategies, or with assumed times in simulations.
pub(super) const SECONDS: &str = "strategy_seconds";
/// Maximum number of rows on the page.
const MOST_ROWS: usize = 30_000;

/// Cells of a study, with a row for each cell and phase.
pub(super) struct Cells<'t> {
    pub(super) rows: Vec<CellRow<'t>>,
    /// Clock times of strategies in seconds, by cell and phase.
    seconds: BTreeMap<(usize, Option<u64>), f64>,
}

/// A row of `cells.csv`.
pub(super) struct CellRow<'t> {
    row: CsvRow<'t>,
    pub(super) cell: usize,
    /// Position of the choice on each axis.
    choices: Vec<usize>,
    pub(super) phase: Option<u64>,
    /// Position of the problem; `None` for a failed cell.
    pub(super) problem: Option<usize>,
    /// Positions of the problems for which the row counts.
    pub(super) problems: Vec<usize>,
    pub(super) competitor: usize,
    pub(super) same_as: Option<usize>,
    pub(super) is_failed: bool,
    /// True if the result exceeds upper bounds of the work model.
    pub(super) is_over: bool,
}

impl<'t> Cells<'t> {
    /// Reads the rows of `cells.csv`, and clock times from `timings.csv`.
    pub(super) fn read(
        study: &SavedStudy,
        table: &'t CsvTable,
        timings: Option<&CsvTable>,
    ) -> Result<Self, ReportError> {
        let (of_problem, of_competitor) = (study.axes_of("problem"), study.axes_of("competitor"));
        let mut problems: BTreeMap<&[String], Vec<usize>> = BTreeMap::new();
        for (at, problem) in study.problems.iter().enumerate() {
            problems.entry(&problem.choices).or_default().push(at);
        }
        let mut cells = Cells { rows: Vec::new(), seconds: BTreeMap::new() };
        let mut competitors: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for row in table.rows() {
            let mut choices = Vec::with_capacity(study.axes.len());
            for axis in &study.axes {
                let label = row.text(&axis.name).unwrap_or_default();
                let choice = axis.choices.iter().position(|choice| choice == label);
                choices.push(choice.ok_or_else(|| row.wrong(&format!("`{label}` in column {}", axis.name)))?);
            }
            let labels = |axes: &[usize]| -> Vec<String> {
                axes.iter().map(|&at| study.axes[at].choices[choices[at]].clone()).collect()
            };
            let phase: Option<u64> = row.value("phase")?;
            let is_failed = row.text("error").is_some();
            let all = problems.get(&*labels(&of_problem)).map(Vec::as_slice).unwrap_or_default();
            let its = all.iter().copied().filter(|&at| is_failed || study.problems[at].phase == phase);
            let its: Vec<usize> = its.collect();
            let Some(&first) = its.first() else { return Err(row.wrong("problem")) };
            let choice: Vec<usize> = of_competitor.iter().map(|&at| choices[at]).collect();
            let next = competitors.len();
            let competitor = *competitors.entry(choice).or_insert(next);
            let mut is_over = false;
            for column in ["ranks_over_bounds", "phases_over_bounds"] {
                is_over |= row.number(column)?.is_some_and(|n| n > 0.0);
            }
            cells.rows.push(CellRow {
                row,
                cell: row.required("cell")?,
                choices,
                phase,
                problem: (!is_failed).then_some(first),
                problems: its,
                competitor,
                same_as: row.value("same_as")?,
                is_failed,
                is_over,
            });
        }
        for row in timings.into_iter().flat_map(CsvTable::rows) {
            if let Some(seconds) = row.number(SECONDS)? {
                cells.seconds.insert((row.required("cell")?, row.value("phase")?), seconds);
            }
        }
        Ok(cells)
    }

    /// Returns the number of distinct cells.
    pub(super) fn n_different(&self) -> usize {
        let distinct = self.rows.iter().filter(|row| row.same_as.is_none());
        distinct.map(|row| row.cell).collect::<BTreeSet<_>>().len()
    }

    /// Returns the rows for the page, as far as `limit` permits.
    pub(super) fn view(
        &self,
        quantities: &[StudyQuantityView],
        limit: &mut SizeLimit,
    ) -> Result<CellsView, ReportError> {
        let rows = &self.rows[..self.rows.len().min(MOST_ROWS)];
        if rows.len() < self.rows.len() {
            let (shown, all) = (rows.len(), self.rows.len());
            let sentence = format!(
                "The table of cells and the heat map have the first {shown} of {all} rows of cells.csv."
            );
            limit.left_out.push(sentence);
        }
        let mut view = CellsView {
            choices: vec![Vec::new(); rows.first().map_or(0, |row| row.choices.len())],
            ..CellsView::default()
        };
        let (mut strategies, mut errors) = (Texts::default(), Texts::default());
        for row in rows {
            view.cell.push(row.cell);
            view.choices.iter_mut().zip(&row.choices).for_each(|(column, &choice)| column.push(choice));
            view.phase.push(row.phase);
            view.problem.push(row.problem);
            view.competitor.push(row.competitor);
            view.strategy.push(row.row.text("balanced_by").map(|name| strategies.place(name)));
            view.same_as.push(row.same_as);
            view.error.push(row.row.text("error").map(|error| errors.place(error)));
            view.over.push(row.is_over);
        }
        (view.strategies, view.errors) = (strategies.in_order, errors.in_order);
        if view.phase.iter().all(Option::is_none) {
            view.phase.clear();
        }
        for quantity in quantities {
            let value = |row: &CellRow<'_>| match row.row.number(&quantity.key)? {
                None if quantity.key == SECONDS => Ok(self.seconds.get(&(row.cell, row.phase)).copied()),
                value => Ok(value),
            };
            view.values.push(rows.iter().map(value).collect::<Result<_, ReportError>>()?);
        }
        limit.values(&mut view.values, quantities)?;
        Ok(view)
    }
}

/// Distinct texts in the order of their first use.
#[derive(Default)]
struct Texts {
    in_order: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Texts {
    fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let place = self.in_order.len();
        self.places.insert(text.to_owned(), place);
        self.in_order.push(text.to_owned());
        place
    }
}
