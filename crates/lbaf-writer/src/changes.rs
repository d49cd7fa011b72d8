// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes to records for vt's OfflineLB, which depend on the records of all files.

use std::sync::Mutex;

use lbaf_model::DataSet;
use lbaf_reader::FileRecords;
use rustc_hash::FxHashSet;
use serde_json::json;

use crate::for_vt::{FileFacts, ForVt};
use crate::offline::{dummies, empty_ranks, sequences_of_ends};
use crate::plan::Plan;
use crate::{EmptyRanks, Options, WriteError};

/// Changes to the records of all files, for OfflineLB.
pub(crate) struct Changes {
    /// By rank: record of an object of load 0, to be added if the rank has no migratable object in some phase.
    pub(crate) dummies: Vec<Option<Vec<u8>>>,
    /// `None` if the files are not meant for vt.
    pub(crate) for_vt: Option<ForVt>,
}

/// Ranks without a migratable object, and the information from all files that changes for OfflineLB need.
pub(crate) struct Offline {
    /// Ranks without a migratable object in some written phase.
    empty_ranks: Vec<usize>,
    /// True if an object is added on these ranks.
    inserts: bool,
    /// Sequence numbers at endpoints of communications in all files, if objects are added.
    named: Mutex<FxHashSet<u64>>,
}

impl Offline {
    /// Finds the ranks without a migratable object. Returns `None` for files that are not meant for OfflineLB.
    ///
    /// # Errors
    /// If there are such ranks and [`EmptyRanks::Refuse`] is set.
    pub(crate) fn new(
        plan: &Plan<'_>,
        data: &DataSet,
        options: &Options,
    ) -> Result<Option<Self>, WriteError> {
        if !options.offline_lb_compatible {
            return Ok(None);
        }
        let found = empty_ranks(plan, data.n_ranks());
        if let (Some((phase, ranks)), EmptyRanks::Refuse) = (&found, options.empty_ranks) {
            return Err(WriteError::EmptyRanks { ranks: list(ranks), phase: *phase });
        }
        Ok(Some(Offline {
            empty_ranks: found.map_or_else(Vec::new, |(_, ranks)| ranks),
            inserts: options.empty_ranks == EmptyRanks::Insert,
            named: Mutex::default(),
        }))
    }

    /// Collects the information in a file that the changes of all files need. `sources` has the positions of the phases
    /// to be written.
    pub(crate) fn see(&self, file: &FileRecords, document: &[u8], sources: &[usize]) -> FileFacts {
        if self.inserts && !self.empty_ranks.is_empty() {
            let sequences = sequences_of_ends(file, document);
            self.named.lock().expect("invariant: merging does not panic").extend(sequences);
        }
        FileFacts::new(file, document, sources)
    }

    /// Returns the changes to the records, from the information in all files, by rank.
    pub(crate) fn changes(&self, facts: Vec<FileFacts>, data: &DataSet, sources: &[usize]) -> Changes {
        let mut all = vec![None; data.n_ranks()];
        if self.inserts {
            let collection = facts.iter().find_map(|file| file.collection.clone()).unwrap_or(json!(7));
            let named = self.named.lock().expect("invariant: merging does not panic");
            let records = dummies(&self.empty_ranks, data, &named, &collection);
            for (&rank, record) in self.empty_ranks.iter().zip(records) {
                all[rank] = Some(record);
            }
        }
        Changes { dummies: all, for_vt: Some(ForVt::new(facts, sources)) }
    }

    /// Returns a warning about ranks without a migratable object, if any.
    pub(crate) fn into_warning(self) -> Option<String> {
        if self.empty_ranks.is_empty() {
            return None;
        }
        let list = list(&self.empty_ranks);
        Some(if self.inserts {
            format!(
                "OfflineLB cannot handle ranks without a migratable object in some written phase (here {list}); an object of \
                 load 0 was added on each"
            )
        } else {
            format!(
                "OfflineLB will abort on ranks without a migratable object in some written phase (here {list}), or ignore \
                 them"
            )
        })
    }
}

fn list(ranks: &[usize]) -> String {
    ranks.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}
