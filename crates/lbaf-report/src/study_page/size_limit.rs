// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limit of the size of the page of a study.

use lbaf_run::study::CellConfigurations;
use serde::Serialize;

use super::view::{GroupView, StudyQuantityView};
use crate::error::PageError;

/// Maximum sizes of parts of the page in bytes. With scripts and other columns, the page of a large study has about
/// 10 MB.
const MOST_BYTES_OF_VALUES: usize = 3_000_000;
const MOST_BYTES_OF_MEDIANS: usize = 2_000_000;
const MOST_BYTES_OF_CONFIGURATIONS: usize = 1_500_000;

/// Size limit, with sentences on the data that exceed it.
#[derive(Default)]
pub(super) struct SizeLimit {
    /// Sentences on data missing from the page.
    pub(super) left_out: Vec<String>,
}

impl SizeLimit {
    /// Empties each column without values, and each column except the first that does not fit into the remaining space.
    pub(super) fn values(
        &mut self,
        values: &mut [Vec<Option<f64>>],
        quantities: &[StudyQuantityView],
    ) -> Result<(), PageError> {
        let (mut sum, mut dropped) = (0, Vec::new());
        for (at, column) in values.iter_mut().enumerate() {
            if column.iter().all(Option::is_none) {
                column.clear();
                continue;
            }
            let bytes = size(column)?;
            // The objective is always shown.
            if at > 0 && sum + bytes > MOST_BYTES_OF_VALUES {
                column.clear();
                dropped.push(&*quantities[at].name);
            } else {
                sum += bytes;
            }
        }
        if !dropped.is_empty() {
            let names = dropped.join(", ");
            self.left_out.push(format!(
                "For these quantities, values of single cells are only in cells.csv: {names}."
            ));
        }
        Ok(())
    }

    /// Returns the groups; if they do not fit, only with the medians of reported quantities.
    pub(super) fn groups(
        &mut self,
        mut groups: Vec<GroupView>,
        n_reported: usize,
    ) -> Result<Vec<GroupView>, PageError> {
        if size(&groups)? > MOST_BYTES_OF_MEDIANS {
            for group in &mut groups {
                group.medians.iter_mut().skip(n_reported).for_each(|median| *median = None);
            }
            self.left_out
                .push("Medians of other than the reported quantities are only in medians.csv.".to_owned());
        }
        Ok(groups)
    }

    /// Returns the configurations if they fit.
    pub(super) fn configurations(
        &mut self,
        all: CellConfigurations,
    ) -> Result<Option<CellConfigurations>, PageError> {
        Ok(if size(&all)? <= MOST_BYTES_OF_CONFIGURATIONS {
            Some(all)
        } else {
            self.left_out.push("The configurations of cells are only in study.json.".to_owned());
            None
        })
    }
}

/// Returns the number of bytes of data as JSON.
fn size(data: &impl Serialize) -> Result<usize, PageError> {
    Ok(serde_json::to_string(data)?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantity(name: &str) -> StudyQuantityView {
        StudyQuantityView { key: name.to_owned(), name: name.to_owned(), kind: "number", better: None }
    }

    /// Five of seven columns fit: a column of 30,000 numbers of 17 digits takes 0.6 MB of 3 MB.
    #[test]
    fn columns_that_do_not_fit_are_left_out_and_named() {
        let quantities: Vec<StudyQuantityView> =
            ["a", "empty", "b", "c", "d", "e", "f", "g"].map(quantity).into();
        let column =
            |at: usize| (0..30_000).map(|row| Some(f64::from(row + 1).sqrt() / 7e3 + at as f64)).collect();
        let mut values: Vec<Vec<Option<f64>>> = (0..8).map(column).collect();
        values[1] = vec![None; 30_000];
        let mut limit = SizeLimit::default();
        limit.values(&mut values, &quantities).unwrap();
        let kept = values.iter().map(|column| !column.is_empty()).collect::<Vec<bool>>();
        assert!(kept[0] && !kept[1] && kept[2] && !kept[7], "{kept:?}");
        assert!(size(&values).unwrap() < MOST_BYTES_OF_VALUES + 1000);
        assert_eq!(limit.left_out.len(), 1);
        assert!(limit.left_out[0].ends_with(" g."), "{}", limit.left_out[0]);
        assert!(!limit.left_out[0].contains("empty"));
    }
}
