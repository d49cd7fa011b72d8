// SPDX-License-Identifier: MIT OR Apache-2.0
//! Batches: cells with the same data that one process computes under one claim.

use std::collections::{HashMap, HashSet};

use crate::study::plan::{CellState, PlannedCell};

/// Number of batches of a large study, enough to keep many processes busy.
const MOST_BATCHES: usize = 1024;
/// Largest number of cells of a batch, which are computed again if their process is killed.
const MOST_CELLS: usize = 64;

/// Cells that are claimed together.
pub(in crate::study) struct Batch<'p> {
    /// Name, a hash of the identities of all its cells.
    pub(in crate::study) name: String,
    /// Number of its data, equal for batches with the same data.
    pub(in crate::study) data: usize,
    /// Its missing cells.
    pub(in crate::study) missing: Vec<&'p PlannedCell>,
}

/// Returns the batches with missing cells. The division into batches depends on the grid only, not on stored results.
pub(in crate::study) fn batches(planned: &[PlannedCell]) -> Vec<Batch<'_>> {
    let mut known: HashSet<&str> = HashSet::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut by_data: Vec<Vec<&PlannedCell>> = Vec::new();
    for cell in planned {
        let Some(data) = cell.data.as_deref().filter(|_| known.insert(&cell.identity)) else { continue };
        let number = *numbers.entry(data).or_insert(by_data.len());
        if number == by_data.len() {
            by_data.push(Vec::new());
        }
        by_data[number].push(cell);
    }
    let size = known.len().div_ceil(MOST_BATCHES).clamp(1, MOST_CELLS);
    let divided = by_data.iter().enumerate().flat_map(|(data, cells)| {
        cells.chunks(size).map(move |cells| {
            let identities: String = cells.iter().map(|cell| &*cell.identity).collect();
            let missing = cells.iter().copied().filter(|cell| matches!(cell.state, CellState::Missing));
            (identities, data, missing.collect::<Vec<_>>())
        })
    });
    let with_missing = divided.filter(|(_, _, missing)| !missing.is_empty());
    with_missing.map(|(identities, data, missing)| Batch { name: name(&identities), data, missing }).collect()
}

fn name(identities: &str) -> String {
    let mut digest = lbaf_writer::sha256(identities.as_bytes());
    digest.truncate(16);
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(number: usize, data: &str, is_kept: bool) -> PlannedCell {
        PlannedCell {
            number,
            identity: format!("{number:032x}"),
            problem: None,
            data: Some(data.to_owned()),
            may_fail_for_now: false,
            state: if is_kept { CellState::Kept } else { CellState::Missing },
        }
    }

    fn numbers(batch: &Batch<'_>) -> Vec<usize> {
        batch.missing.iter().map(|cell| cell.number).collect()
    }

    #[test]
    fn batches_have_one_data_set_each_and_names_that_do_not_depend_on_stored_cells() {
        let planned = |kept: usize| -> Vec<PlannedCell> {
            (0..3000).map(|n| cell(n, if n % 3 == 0 { "a" } else { "b" }, n < kept)).collect()
        };
        // 3000 cells in at most 1024 batches: three cells each.
        let (all, some) = (planned(0), planned(4));
        let (all, some) = (batches(&all), batches(&some));
        assert_eq!(numbers(&all[0]), [0, 3, 6]);
        assert_eq!(numbers(&all[334]), [1, 2, 4]);
        // Cells 0 and 3 are stored, and 1 and 2.
        assert_eq!((numbers(&some[0]), numbers(&some[334])), (vec![6], vec![4]));
        assert_eq!((&some[0].name, &some[334].name), (&all[0].name, &all[334].name));
        assert_eq!(all.iter().map(|batch| batch.missing.len()).sum::<usize>(), 3000);
        assert!(all.iter().all(|batch| batch.missing.iter().all(|cell| cell.data == batch.missing[0].data)));
    }

    #[test]
    fn equal_and_invalid_cells_are_left_out() {
        let mut planned =
            vec![cell(0, "a", false), cell(1, "a", false), cell(2, "a", true), cell(3, "a", false)];
        planned[1].identity = planned[0].identity.clone();
        planned[3].data = None;
        let batches = batches(&planned);
        assert_eq!(batches.iter().map(numbers).collect::<Vec<_>>(), [[0]]);
    }
}
