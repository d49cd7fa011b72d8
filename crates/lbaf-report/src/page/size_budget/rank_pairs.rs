// SPDX-License-Identifier: MIT OR Apache-2.0
//! Selection of the matrices of ranks that fit into a page, and the size of their groups of ranks.

use lbaf_run::summary::saved::{MIGRATIONS, VOLUMES};
use lbaf_run::summary::{PhaseResult, Summary};
use lbaf_text::number::counted;

use super::shown_for;
use crate::error::PageError;
use crate::page::migration_table::Migrations;
use crate::page::pairs::{group_size, pairs};
use crate::page::view::{RankPairs, RunView};
use crate::page::volume_table::Volumes;

/// Maximum numbers of groups of ranks to try, descending. With more than 256 groups, cells would be narrower than two
/// pixels.
const MOST_GROUPS: [usize; 4] = [256, 128, 64, 32];

/// Tables of a run with rows for pairs of ranks.
#[derive(Clone, Copy)]
pub(in crate::page) struct PairTables<'a> {
    pub(in crate::page) volumes: Option<&'a Volumes>,
    pub(in crate::page) migrations: Option<&'a Migrations>,
}

/// Adds matrices of ranks to the phases of a run, in at most `most` bytes, and returns sentences on omitted data.
///
/// All phases have the same group size: the smallest that fits. If even the largest group size does not fit for all
/// phases, only the first phases of `order` have a matrix.
pub(super) fn fit(
    run: &mut RunView,
    summary: &Summary,
    tables: PairTables<'_>,
    order: &[usize],
    most: usize,
) -> Result<Vec<String>, PageError> {
    // The sentence on a missing table of migrations is added elsewhere, because objects of ranks are then missing, too.
    let Some(migrations) = tables.migrations else { return Ok(Vec::new()) };
    let mut sizes = MOST_GROUPS.map(|most_groups| group_size(run.n_ranks, most_groups)).to_vec();
    sizes.dedup();
    let mut found: Vec<Option<RankPairs>> = Vec::new();
    for size in sizes {
        let of_phase = |result| of_phase(run.n_ranks, size, result, tables.volumes, migrations);
        found = summary.phases.iter().map(of_phase).collect::<Result<_, _>>()?;
        if total(&found) <= most {
            break;
        }
    }
    let mut left_out = Vec::new();
    let n_valid = found.iter().flatten().count();
    if n_valid < found.len() {
        left_out.push(format!(
            "Communication and migrations between ranks are shown only for {n_valid} of {}: {VOLUMES} or {MIGRATIONS} names \
             absent ranks; run again.",
            counted(found.len(), "phase"),
        ));
    }
    let mut used = 0;
    for &at in order {
        used += found[at].as_ref().map_or(0, RankPairs::size);
        if used > most {
            found[at] = None;
        }
    }
    let n_kept = found.iter().flatten().count();
    if n_kept < n_valid {
        left_out.push(format!(
            "Communication and migrations between ranks are {}, to limit the size of the page.",
            shown_for(n_kept, n_valid)
        ));
    }
    left_out.extend(without_volumes(&found, tables.volumes.is_some()));
    for (phase, pairs) in run.phases.iter_mut().zip(found) {
        phase.pairs = pairs;
    }
    Ok(left_out)
}

fn of_phase(
    n_ranks: usize,
    size: usize,
    result: &PhaseResult,
    volumes: Option<&Volumes>,
    migrations: &Migrations,
) -> Result<Option<RankPairs>, PageError> {
    let rows = volumes.and_then(|volumes| volumes.get(&result.phase)).map(Vec::as_slice);
    // Without rows, volumes are known only if the off-rank volume is 0.
    let is_silent = result.before.sent_volume.sum == 0.0 && result.after.sent_volume.sum == 0.0;
    let rows = rows.or(is_silent.then_some(&[]));
    pairs(n_ranks, size, rows, migrations.get(&result.phase).map_or(&[], Vec::as_slice))
}

fn total(found: &[Option<RankPairs>]) -> usize {
    found.iter().flatten().map(RankPairs::size).sum()
}

/// Returns a sentence on phases without volumes, if there are any.
fn without_volumes(found: &[Option<RankPairs>], has_table: bool) -> Option<String> {
    let n_shown = found.iter().flatten().count();
    let n_with = found.iter().flatten().filter(|pairs| pairs.volumes.is_some()).count();
    let phases = counted(n_shown, "phase");
    match (has_table, n_shown - n_with) {
        (_, 0) => None,
        (true, _) => Some(format!(
            "Communication between ranks is shown only for the {n_with} of {phases} that {VOLUMES} contains."
        )),
        (false, _) => Some(format!("The run has no {VOLUMES}, so communication between ranks is not shown.")),
    }
}
