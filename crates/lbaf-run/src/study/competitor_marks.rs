// SPDX-License-Identifier: MIT OR Apache-2.0
//! Marks of competitors in tables: worse than the start, over upper bounds, failed.

use super::results::{Group, StudyResults};

/// Mark of a competitor that is worse than the start.
const WORSE: &str = "*";
/// Text instead of the objective if all cells of a competitor failed.
pub const FAILED: &str = "failed";

/// Marks of a competitor on a set of problems.
pub struct CompetitorMarks {
    /// Number of problems with a result worse than the start.
    pub worse_on: usize,
    /// True if the competitor exceeds, on every problem, upper bounds of the work model that another one satisfies.
    is_over_bounds: bool,
    /// Number of distinct cells, summed over problems: a cell counts once for each of its phases.
    pub n_cells: usize,
    /// Number of these cells that failed.
    pub n_failed: usize,
}

impl CompetitorMarks {
    /// Returns the marks of a competitor from its groups on several problems.
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

    /// Returns the name of the competitor with its marks. If all its cells failed, there is no mark for failures,
    /// because tables have [`FAILED`] instead of the objective.
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

/// Returns a sentence that explains the mark `*`.
pub fn meaning(results: &StudyResults<'_>, n_problems: usize) -> String {
    let has_excess = results.groups.iter().any(|group| results.exceeds_bounds(group));
    let by = if has_excess { "by excess over upper bounds of the work model, otherwise " } else { "" };
    let on = if n_problems > 1 { " on at least one problem" } else { "" };
    let reported = results.reported;
    format!("{WORSE} Worse than {} {by}by the median of {}{on}.", reported.start(), reported.objective.title)
}
