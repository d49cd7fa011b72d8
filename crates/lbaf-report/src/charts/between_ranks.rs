// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of pairs of ranks: communication and migrations.

use lbaf_plot::{HeatMap, Side};
use lbaf_run::summary::saved::{MIGRATIONS, VOLUMES};
use lbaf_run::summary::tables::ranks_per_group;

use super::{AnyChart, Phase};

pub(super) fn communication_before(runs: &[Phase<'_>]) -> Option<AnyChart> {
    communication(runs, "before")
}

pub(super) fn communication_after(runs: &[Phase<'_>]) -> Option<AnyChart> {
    communication(runs, "after")
}

/// Heat map of volumes between ranks, with the same colour scale before and after.
fn communication(runs: &[Phase<'_>], when: &str) -> Option<AnyChart> {
    let phase = runs[0];
    let bytes = |when: &str| phase.column(VOLUMES, &format!("bytes_{when}"));
    let mut also = [bytes("before"), bytes("after")].concat();
    also.retain(|bytes| *bytes > 0.0);
    let what = ("volume", "B", format!("volume between ranks {when}"));
    matrix(phase, VOLUMES, bytes(when), also, what)
}

/// Heat map of migrations between ranks.
pub(super) fn flows(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let ones = vec![1.0; runs[0].column(MIGRATIONS, "from_rank").len()];
    matrix(runs[0], MIGRATIONS, ones, Vec::new(), ("objects", "", "migrations".to_owned()))
}

/// Heat map of the bytes of migrations between ranks.
pub(super) fn flows_bytes(runs: &[Phase<'_>]) -> Option<AnyChart> {
    let bytes = runs[0].column(MIGRATIONS, "migration_bytes");
    let is_zero = bytes.iter().all(|bytes| *bytes == 0.0);
    let what = ("volume", "B", "migrated volume".to_owned());
    (!is_zero).then(|| matrix(runs[0], MIGRATIONS, bytes, Vec::new(), what)).flatten()
}

/// Returns a heat map of the sum of values for each pair of ranks, or of groups in large runs; `None` without values,
/// or if the table names a nonexistent rank.
fn matrix(
    phase: Phase<'_>,
    table: &str,
    values: Vec<f64>,
    also: Vec<f64>,
    (quantity, unit, title): (&str, &str, String),
) -> Option<AnyChart> {
    if values.is_empty() {
        return None;
    }
    let n_ranks = phase.n_ranks();
    let size = ranks_per_cell(n_ranks);
    let n = n_ranks.div_ceil(size);
    let mut cells = vec![None; n * n];
    let ranks = phase.column(table, "from_rank").into_iter().zip(phase.column(table, "to_rank"));
    for ((from, to), value) in ranks.zip(values) {
        let (from, to) = (number(from) / size, number(to) / size);
        // Only a table that was not written by lbaf names nonexistent ranks.
        let cell = cells.get_mut(from * n + to).filter(|_| to < n)?;
        if value > 0.0 {
            *cell = Some(cell.unwrap_or(0.0) + value);
        }
    }
    Some(Box::new(HeatMap {
        x: Side::groups("to rank", n_ranks, size),
        y: Side::groups("from rank", n_ranks, size),
        values: cells,
        also,
        quantity: quantity.to_owned(),
        unit: unit.to_owned(),
        remark: if size > 1 { format!("sum over groups of {size} ranks") } else { String::new() },
        title: format!("{title}, phase {}", phase.result.phase),
    }))
}

/// Maximum number of ranks of a heat map with a row and a column for each rank. Its cells are at least 0.25 mm wide.
const MOST_RANKS: usize = 256;
/// Maximum number of groups of ranks on a side if there are more ranks.
const MOST_GROUPS: usize = 128;

/// Returns the number of ranks in a group: a multiple of the group size in the table of volumes.
fn ranks_per_cell(n_ranks: usize) -> usize {
    let in_table = ranks_per_group(n_ranks);
    if n_ranks <= MOST_RANKS { in_table } else { n_ranks.div_ceil(MOST_GROUPS).next_multiple_of(in_table) }
}

#[allow(clippy::cast_sign_loss, reason = "rank numbers are not negative, and negative values saturate at 0")]
fn number(rank: f64) -> usize {
    rank as usize
}
