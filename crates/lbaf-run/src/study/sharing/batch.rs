// SPDX-License-Identifier: MIT OR Apache-2.0
//! Batches: cells that one process computes under one claim.

use std::collections::{HashMap, HashSet};

use crate::study::plan::{CellState, PlannedCell};

/// Number of batches into which a large study is divided, unless batches would exceed [`MOST_CELLS`] or data sets
/// require more. It keeps many processes busy.
const MOST_BATCHES: usize = 1024;
/// Maximum number of cells of a batch. If their process is killed, those not yet stored are computed again.
const MOST_CELLS: usize = 64;

/// Cells that are claimed together.
pub(in crate::study) struct Batch<'p> {
    /// Name, a hash of the identities of all its cells.
    pub(in crate::study) name: String,
    /// Number of its data, equal for batches with the same data. A batch with several data sets shares its number with
    /// no other batch.
    pub(in crate::study) data: usize,
    /// Its missing cells, grouped by data; no group is empty.
    pub(in crate::study) missing: Vec<Vec<&'p PlannedCell>>,
}

impl<'p> Batch<'p> {
    /// Returns the missing cells.
    pub(in crate::study) fn cells(&self) -> impl Iterator<Item = &'p PlannedCell> {
        self.missing.iter().flatten().copied()
    }
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
    let mut batches: Vec<Batch<'_>> = Vec::new();
    let (mut small, mut n_small): (Vec<&[&PlannedCell]>, usize) = (Vec::new(), 0);
    for cells in &by_data {
        if cells.len() < size {
            if n_small + cells.len() > size {
                batches.push(batch(&std::mem::take(&mut small), batches.len()));
                n_small = 0;
            }
            small.push(cells);
            n_small += cells.len();
        } else {
            let data = batches.len();
            batches.extend(cells.chunks(size).map(|cells| batch(&[cells], data)));
        }
    }
    batches.push(batch(&small, batches.len()));
    batches.retain(|batch| !batch.missing.is_empty());
    batches
}

fn batch<'p>(groups: &[&[&'p PlannedCell]], data: usize) -> Batch<'p> {
    let identities: String = groups.iter().copied().flatten().map(|cell| &*cell.identity).collect();
    let is_missing = |cell: &&'p PlannedCell| matches!(cell.state, CellState::Missing);
    let missing = groups.iter().map(|cells| cells.iter().copied().filter(is_missing).collect::<Vec<_>>());
    Batch { name: name(&identities), data, missing: missing.filter(|cells| !cells.is_empty()).collect() }
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
        batch.cells().map(|cell| cell.number).collect()
    }

    #[test]
    fn large_data_sets_have_their_own_batches_with_names_that_do_not_depend_on_stored_cells() {
        let planned = |kept: usize| -> Vec<PlannedCell> {
            (0..3000).map(|n| cell(n, if n % 3 == 0 { "a" } else { "b" }, n < kept)).collect()
        };
        // 3000 cells in about 1024 batches: three cells each, fewer in the last batch of a data set.
        let (all, some) = (planned(0), planned(4));
        let (all, some) = (batches(&all), batches(&some));
        assert_eq!(numbers(&all[0]), [0, 3, 6]);
        assert_eq!(numbers(&all[334]), [1, 2, 4]);
        // Cells 0 and 3 are stored, and 1 and 2.
        assert_eq!((numbers(&some[0]), numbers(&some[334])), (vec![6], vec![4]));
        assert_eq!((&some[0].name, &some[334].name), (&all[0].name, &all[334].name));
        assert_eq!(all.iter().map(|batch| batch.cells().count()).sum::<usize>(), 3000);
        assert!(all.iter().all(|batch| batch.missing.len() == 1));
        assert_ne!(all[0].data, all[334].data);
        assert!(all[..334].iter().all(|batch| batch.data == all[0].data));
    }

    /// 3000 cells, each with its own data, except that the last two share data: 1000 batches of three cells.
    #[test]
    fn cells_with_different_data_share_a_batch_if_their_groups_are_small() {
        let data = |number: usize| number.min(2998).to_string();
        let planned: Vec<PlannedCell> =
            (0..3000).map(|number| cell(number, &data(number), number < 2)).collect();
        let batches = batches(&planned);
        assert_eq!(batches.len(), 1000);
        assert_eq!((numbers(&batches[0]), numbers(&batches[1])), (vec![2], vec![3, 4, 5]));
        assert_eq!(batches[1].missing.len(), 3);
        assert_eq!((numbers(&batches[999]), batches[999].missing.len()), (vec![2997, 2998, 2999], 2));
    }

    #[test]
    fn equal_stored_and_invalid_cells_are_left_out() {
        let mut planned =
            vec![cell(0, "a", false), cell(1, "a", false), cell(2, "a", true), cell(3, "a", false)];
        planned[1].identity = planned[0].identity.clone();
        planned[3].data = None;
        let batches = batches(&planned);
        assert_eq!(batches.iter().map(numbers).collect::<Vec<_>>(), [[0]]);
    }
}
