// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks of competitors in tables: worse than the start, over bounds, failed.

use super::results::{Group, StudyResults};

/// Mark after the name of a competitor that is worse than the start.
const WORSE: &str = "*";
/// Word in place of the objective of a competitor all of whose cells failed.
pub const FAILED: &str = "failed";

/// Marks of a competitor on some problems.
pub struct CompetitorMarks {
    /// Problems on which it ends worse than it started.
    pub worse_on: usize,
    /// True if on each of them it exceeds bounds of the work model that another competitor keeps.
    is_over_bounds: bool,
    /// Different cells.
    pub n_cells: usize,
    /// Cells among them that failed.
    pub n_failed: usize,
}

impl CompetitorMarks {
    /// Counts over groups of one competitor.
    pub fn of<'g>(results: &StudyResults<'_>, groups: impl IntoIterator<Item = &'g Group>) -> Self {
        let mut marks = CompetitorMarks { worse_on: 0, is_over_bounds: true, n_cells: 0, n_failed: 0 };
        for group in groups {
            marks.is_over_bounds &= results.exceeds_kept_bounds(group);
            let is_worse = results.ends_worse(group, &results.reported.objective);
            marks.worse_on += usize::from(is_worse == Some(true));
            marks.n_cells += group.members.len() + group.n_failed;
            marks.n_failed += group.n_failed;
        }
        marks
    }

    /// Returns the name of the competitor with its marks. One that failed everywhere has [`FAILED`] in its cells instead.
    pub fn marked(&self, name: &str) -> String {
        let CompetitorMarks { worse_on, is_over_bounds, n_cells, n_failed } = *self;
        let worse = if worse_on > 0 { WORSE } else { "" };
        let over = if is_over_bounds && n_cells > 0 { " (over bounds)" } else { "" };
        match n_failed {
            n if n > 0 && n < n_cells => format!("{name}{worse}{over} ({n} of {n_cells} failed)"),
            _ => format!("{name}{worse}{over}"),
        }
    }
}

/// Returns a sentence on the meaning of the mark `*`, on one problem or on several of which it is about at least one.
pub fn meaning(results: &StudyResults<'_>, n_problems: usize) -> String {
    let has_excess = results.groups.iter().any(|group| results.exceeds_bounds(group));
    let by = if has_excess { "by excess over bounds of the work model, or else " } else { "" };
    let on = if n_problems > 1 { " on at least one problem" } else { "" };
    let reported = results.reported;
    format!("{WORSE} Worse than {} {by}by the median of {}{on}.", reported.start(), reported.objective.title)
}
