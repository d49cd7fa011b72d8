// SPDX-License-Identifier: MIT OR Apache-2.0
//! Limit of the size of the page of a study.

use lbaf_run::study::CellConfigurations;
use serde::Serialize;

use super::view::{GroupView, StudyQuantityView};
use crate::error::PageError;

/// Maximum sizes of parts of the page in bytes. With the scripts and the rows of cells without their values, which take
/// at most 3.5 MB, the page has at most 10 MB.
const MOST_BYTES_OF_VALUES: usize = 3_000_000;
const MOST_BYTES_OF_MEDIANS: usize = 2_000_000;
const MOST_BYTES_OF_CONFIGURATIONS: usize = 1_500_000;

/// Data that do not fit on the page.
#[derive(Default)]
pub(super) struct SizeLimit {
    /// Sentences on data missing from the page.
    pub(super) left_out: Vec<String>,
}

impl SizeLimit {
    /// Empties columns of values that do not fit, the last ones first. Columns without a value are emptied too.
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
            self.left_out
                .push(format!("Values of single cells are in cells.csv for these quantities: {names}."));
        }
        Ok(())
    }

    /// Returns the groups, without the medians of other than reported quantities if they do not fit.
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
                .push("Medians of other than the reported quantities are in medians.csv.".to_owned());
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
            self.left_out.push("The configurations of cells are in study.json.".to_owned());
            None
        })
    }
}

/// Returns the number of bytes of data as JSON.
fn size(data: &impl Serialize) -> Result<usize, PageError> {
    Ok(serde_json::to_string(data)?.len())
}
