// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results by problem and competitor, and the placings of competitors.

use std::collections::{BTreeMap, BTreeSet};

use super::cells::{Cells, SECONDS};
use super::saved_study::SavedStudy;
use super::view::{CompetitorView, GroupView, MedianView, StudyQuantityView};
use crate::ReportError;
use crate::csv_table::{CsvRow, CsvTable};

/// Groups by problem and competitor.
pub(super) struct Groups<'s> {
    study: &'s SavedStudy,
    /// Positions of problems, by the labels of their choices and by phase.
    problems: BTreeMap<(Vec<String>, Option<u64>), usize>,
    /// Groups by the positions of problem and competitor.
    by_place: BTreeMap<(usize, usize), GroupView>,
    /// Positions of competitors by name.
    competitors: BTreeMap<String, usize>,
}

impl<'s> Groups<'s> {
    /// Groups the rows of cells and counts them. Identical cells of a group count once. `ranking` lists the competitors
    /// in the order of their first cells.
    pub(super) fn count(study: &'s SavedStudy, cells: &Cells<'_>, ranking: &CsvTable) -> Self {
        let problems = study.problems.iter().zip(0..);
        let problems = problems.map(|(problem, at)| ((problem.choices.clone(), problem.phase), at)).collect();
        let name = |row: CsvRow<'_>| row.text("competitor").unwrap_or_default().to_owned();
        let competitors = ranking.rows().map(name).zip(0..).collect();
        let mut groups: BTreeMap<(usize, usize), GroupView> = BTreeMap::new();
        let mut counted = BTreeSet::new();
        for row in &cells.rows {
            for &problem in &row.problems {
                let (place, first) = ((problem, row.competitor), row.same_as.unwrap_or(row.cell));
                let group = groups.entry(place).or_insert_with(|| GroupView {
                    problem,
                    competitor: row.competitor,
                    ..GroupView::default()
                });
                if !counted.insert((place, first)) {
                    continue;
                }
                if row.is_failed {
                    group.n_failed += 1;
                } else {
                    group.n += 1;
                    group.n_over += usize::from(row.is_over);
                }
            }
        }
        let feasible: BTreeSet<usize> = groups
            .values()
            .filter(|group| group.n > 0 && group.n_over == 0)
            .map(|group| group.problem)
            .collect();
        for group in groups.values_mut() {
            group.over_kept = group.n_over > 0 && feasible.contains(&group.problem);
        }
        Groups { study, problems, by_place: groups, competitors }
    }

    /// Returns the competitors with their placings.
    pub(super) fn competitors(&self, ranking: &CsvTable) -> Result<Vec<CompetitorView>, ReportError> {
        let mut competitors = Vec::new();
        for (at, row) in ranking.rows().enumerate() {
            let its = || self.by_place.values().filter(move |group| group.competitor == at);
            competitors.push(CompetitorView {
                name: row.text("competitor").unwrap_or_default().to_owned(),
                mean_place: row.number("mean_place")?,
                wins: row.required("wins")?,
                problems: row.required("problems")?,
                worse_on: row.required("worse_than_start")?,
                n_cells: its().map(|group| group.n + group.n_failed).sum(),
                n_failed: its().map(|group| group.n_failed).sum(),
                over_bounds: its().next().is_some() && its().all(|group| group.over_kept),
            });
        }
        Ok(competitors)
    }

    /// Reads the medians and their intervals.
    pub(super) fn add_medians(
        &mut self,
        table: &CsvTable,
        quantities: &[StudyQuantityView],
    ) -> Result<(), ReportError> {
        let places: BTreeMap<&str, usize> =
            quantities.iter().map(|quantity| &*quantity.key).zip(0..).collect();
        for row in table.rows() {
            let (Some(median), Some(&at)) =
                (row.number("median")?, row.text("quantity").and_then(|name| places.get(name)))
            else {
                continue;
            };
            let ends = (row.number("low")?, row.number("high")?);
            let confidence = row.number("confidence")?;
            let group = self.group(row)?;
            group.medians.resize(quantities.len(), None);
            group.medians[at] = Some(match ends {
                (Some(low), Some(high)) => MedianView::Interval([median, low, high]),
                _ => MedianView::Value(median),
            });
            group.confidence = group.confidence.or(confidence);
        }
        Ok(())
    }

    /// Reads the marks of groups whose results are worse than the start.
    pub(super) fn add_front(&mut self, table: &CsvTable) -> Result<(), ReportError> {
        for row in table.rows() {
            let worse = row.value("worse_than_start")?;
            self.group(row)?.worse = worse;
        }
        Ok(())
    }

    /// Reads the medians of clock times of strategies.
    pub(super) fn add_times(
        &mut self,
        table: &CsvTable,
        quantities: &[StudyQuantityView],
    ) -> Result<(), ReportError> {
        let Some(at) = quantities.iter().position(|quantity| quantity.key == SECONDS) else { return Ok(()) };
        for row in table.rows() {
            let seconds = row.number(SECONDS)?;
            let group = self.group(row)?;
            group.medians.resize(quantities.len(), None);
            group.medians[at] = seconds.map(MedianView::Value);
        }
        Ok(())
    }

    /// Returns the groups, ascending by problem and competitor.
    pub(super) fn in_order(self) -> Vec<GroupView> {
        self.by_place.into_values().collect()
    }

    /// Returns the group of a row of a table.
    fn group(&mut self, row: CsvRow<'_>) -> Result<&mut GroupView, ReportError> {
        let labels = self.study.axes_of("problem");
        let label = |at: usize| row.text(&self.study.axes[at].name).unwrap_or_default().to_owned();
        let problem = (labels.into_iter().map(label).collect(), row.value("phase")?);
        let competitor = self.competitors.get(row.text("competitor").unwrap_or_default());
        let place = self.problems.get(&problem).copied().zip(competitor.copied());
        place
            .and_then(|place| self.by_place.get_mut(&place))
            .ok_or_else(|| row.wrong("problem or competitor"))
    }
}
