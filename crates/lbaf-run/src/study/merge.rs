// SPDX-License-Identifier: MIT OR Apache-2.0
//! Merging of the shards of a study.

use std::path::{Path, PathBuf};

use lbaf_config::StudyConfig;

use super::cell_result::{CellResult, CellTiming};
use super::plan::{CellState, PlannedCell};
use super::store::{CellStore, Stored};
use crate::{MissingCells, RunError};

/// Copies missing cells into `store` from `shards`, output directories of the same study.
///
/// # Errors
/// If a shard is not the output directory of a study, its files are being replaced, or a cell is in no shard.
pub(super) fn merge(
    study: &StudyConfig,
    planned: &[PlannedCell],
    store: &CellStore,
    shards: &[PathBuf],
) -> Result<(), RunError> {
    let refused = |shard: &PathBuf, problem: &str| {
        let shard = shard.display();
        Err(RunError::Input(format!("{shard} {problem}; give the output directories of shards")))
    };
    if let Some(absent) = shards.iter().find(|shard| !here(shard).is_dir()) {
        return refused(absent, "is not a directory");
    }
    if let Some(unfinished) = shards.iter().find_map(|shard| lbaf_writer::unfinished(&here(shard))) {
        return Err(RunError::Unfinished(unfinished));
    }
    if let Some(other) = shards.iter().find(|shard| !CellStore::is_in(shard)) {
        return refused(
            other,
            "is not the output directory of a study or shard, because it has no folder `cells`",
        );
    }
    let shards: Vec<CellStore> = shards.iter().map(|shard| CellStore::at(shard)).collect();
    let mut missing = Vec::new();
    let mut found: Vec<(&str, CellResult, CellTiming)> = Vec::new();
    for cell in planned.iter().filter(|cell| !matches!(cell.state, CellState::Kept)) {
        let in_shard = shards.iter().find_map(|shard| Some((shard.cell(&cell.identity)?, shard)));
        let Some((result, shard)) = in_shard else {
            missing.push(cell);
            continue;
        };
        found.push((&cell.identity, result, shard.timing(&cell.identity).unwrap_or_default()));
    }
    let stored = found.iter().map(|(identity, result, timing)| Stored { identity, result, timing });
    store.keep_all(&stored.collect::<Vec<_>>())?;
    let Some(first) = missing.first() else { return Ok(()) };
    let wrong = match &first.state {
        CellState::Wrong(error) => Some(error.lines().next().unwrap_or_default().to_owned()),
        CellState::Kept | CellState::Missing => None,
    };
    let labels = study.labels(&study.cells[first.number]).into_iter().map(str::to_owned).collect();
    let (n_missing, n_cells) = (missing.len(), study.cells.len());
    Err(RunError::MissingCells(MissingCells { n_missing, n_cells, first: first.number, labels, wrong }))
}

/// Returns the path of a directory; `.` for the empty path.
fn here(directory: &Path) -> PathBuf {
    if directory.as_os_str().is_empty() { PathBuf::from(".") } else { directory.to_path_buf() }
}
