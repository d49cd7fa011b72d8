// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts of values that a form of the format cannot represent, that it requires but the input lacks, or that it
//! represents incompletely.

use std::collections::BTreeMap;

use lbaf_vom::FileRows;

/// Descriptions of the values that were left out, added or represented incompletely, each with its number of
/// occurrences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    left_out: BTreeMap<String, u64>,
    made_up: BTreeMap<String, u64>,
}

impl Losses {
    pub(crate) fn left_out(&mut self, what: &str) {
        self.left_out_times(what, 1);
    }

    pub(crate) fn left_out_times(&mut self, what: &str, n: u64) {
        if n > 0 {
            *entry(&mut self.left_out, what) += n;
        }
    }

    /// Counts the members of the metadata as left out, except those without information: `type`, `rank`, and `phases`
    /// if it lists no skipped phases. Attributes are counted only with `with_attributes`.
    pub(crate) fn metadata_left_out(&mut self, rows: &FileRows, with_attributes: bool) {
        for field in &rows.metadata_fields {
            let says_nothing_more = matches!(field.key.as_str(), "type" | "rank")
                || field.key == "phases" && rows.metadata.skipped.is_empty()
                || field.key == "attributes" && !with_attributes;
            if !says_nothing_more {
                self.left_out(&format!("`{}` of metadata", field.key));
            }
        }
    }

    pub(crate) fn made_up(&mut self, what: &str) {
        *entry(&mut self.made_up, what) += 1;
    }

    /// Adds the losses of another file.
    pub fn add(&mut self, other: &Losses) {
        for (what, n) in &other.left_out {
            *entry(&mut self.left_out, what) += n;
        }
        for (what, n) in &other.made_up {
            *entry(&mut self.made_up, what) += n;
        }
    }

    /// Returns one sentence for each kind of loss.
    pub fn sentences(&self) -> Vec<String> {
        let left_out = self
            .left_out
            .iter()
            .map(|(what, n)| format!("{what} cannot be stored in this form: {n} left out"));
        let made_up = self.made_up.iter().map(|(what, n)| format!("{what} ({n} times)"));
        left_out.chain(made_up).collect()
    }
}

fn entry<'a>(counts: &'a mut BTreeMap<String, u64>, what: &str) -> &'a mut u64 {
    // The key exists in most cases.
    if !counts.contains_key(what) {
        counts.insert(what.to_owned(), 0);
    }
    counts.get_mut(what).expect("invariant: the key exists or was just inserted")
}
