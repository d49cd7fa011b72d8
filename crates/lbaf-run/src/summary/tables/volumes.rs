// SPDX-License-Identifier: MIT OR Apache-2.0
//! `rank_volumes.csv`: volumes between ranks.

use lbaf_model::{Assignment, Phase, RankVolumes};

use super::{into_bytes, record};

/// Maximum number of groups of ranks in a table. No picture shows more, and the number of pairs grows with the square.
pub(super) const MOST_GROUPS: usize = 512;

/// Returns the number of consecutive ranks in a group; 1 for up to 512 ranks.
pub fn ranks_per_group(n_ranks: usize) -> usize {
    n_ranks.div_ceil(MOST_GROUPS).max(1)
}

/// `rank_volumes.csv`: one row per phase and pair of communicating ranks. A group of ranks has the number of its first
/// rank.
pub struct VolumesTable(csv::Writer<Vec<u8>>);

impl Default for VolumesTable {
    /// Returns a table without rows.
    fn default() -> Self {
        let mut table = csv::Writer::from_writer(Vec::new());
        record(&mut table, &["phase", "from_rank", "to_rank", "bytes_before", "bytes_after"]);
        VolumesTable(table)
    }
}

impl VolumesTable {
    /// Adds the rows of a phase, in bytes before and after balancing.
    ///
    /// # Panics
    /// Never: rows are written to memory.
    pub fn add(&mut self, phase: &Phase, initial: &Assignment, last: &Assignment) {
        if phase.communication().n_edges() == 0 {
            return;
        }
        let size = ranks_per_group(phase.ranks().len());
        let [before, after] = [initial, last].map(|assignment| RankVolumes::new(phase, assignment, size));
        for from in 0..before.n_groups() {
            for to in 0..before.n_groups() {
                let bytes = [&before, &after].map(|volumes| volumes.between(from, to));
                if bytes != [0.0; 2] {
                    let row = (phase.id().0, from * size, to * size, bytes[0], bytes[1]);
                    self.0.serialize(row).expect("invariant: writing to memory does not fail");
                }
            }
        }
    }

    /// Returns the table as CSV text.
    pub fn into_bytes(self) -> Vec<u8> {
        into_bytes(self.0)
    }
}
