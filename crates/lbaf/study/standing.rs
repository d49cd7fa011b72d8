// SPDX-License-Identifier: MIT OR Apache-2.0
//! Competitors that are worse than the start, and competitors that failed: how tables and the console mark them.

use super::quantity::Reported;
use super::results::{Group, Results};

/// Stands after the name of a competitor that is worse than the start.
const WORSE: &str = "*";
/// Stands for the objective of a competitor all of whose cells failed.
pub(super) const FAILED: &str = "failed";

/// A competitor on some problems.
pub(super) struct Standing {
    /// Problems on which it ends worse than it started.
    pub(super) worse_on: usize,
    /// True if on each of them it exceeds bounds of the work model that another competitor keeps.
    is_over_bounds: bool,
    /// Different cells, and those of them that failed.
    pub(super) n_cells: usize,
    pub(super) n_failed: usize,
}

impl Standing {
    pub(super) fn of<'g>(
        results: &Results<'_>,
        reported: &Reported,
        groups: impl IntoIterator<Item = &'g Group>,
    ) -> Self {
        let mut standing = Standing { worse_on: 0, is_over_bounds: true, n_cells: 0, n_failed: 0 };
        for group in groups {
            standing.is_over_bounds &= results.exceeds_kept_bounds(group);
            let is_worse = results.ends_worse(group, &reported.objective);
            standing.worse_on += usize::from(is_worse == Some(true));
            standing.n_cells += group.members.len() + group.n_failed;
            standing.n_failed += group.n_failed;
        }
        standing
    }

    /// The name of the competitor with its marks. One that failed everywhere has a word in its cells.
    pub(super) fn marked(&self, name: &str) -> String {
        let Standing { worse_on, is_over_bounds, n_cells, n_failed } = *self;
        let worse = if worse_on > 0 { WORSE } else { "" };
        let over = if is_over_bounds && n_cells > 0 { " (over bounds)" } else { "" };
        match n_failed {
            n if n > 0 && n < n_cells => format!("{name}{worse}{over} ({n} of {n_cells} failed)"),
            _ => format!("{name}{worse}{over}"),
        }
    }
}

/// The meaning of the mark, on one problem or on several of which it is about at least one.
pub(super) fn meaning(results: &Results<'_>, reported: &Reported, n_problems: usize) -> String {
    let has_excess = results.groups.iter().any(|group| results.exceeds_bounds(group));
    let by = if has_excess { "by excess over bounds of the work model, or else " } else { "" };
    let on = if n_problems > 1 { " on at least one problem" } else { "" };
    format!("{WORSE} Worse than {} {by}by the median of {}{on}.", reported.start(), reported.objective.title)
}
