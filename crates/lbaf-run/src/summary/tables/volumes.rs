// SPDX-License-Identifier: MIT OR Apache-2.0
//! `rank_volumes.csv`: how much ranks send each other.

use lbaf_model::{Assignment, Phase, RankVolumes};

use super::{into_bytes, record};

/// With more ranks than this, neighbours are taken together: no picture shows more, and pairs grow with the square.
pub(super) const MOST_GROUPS: usize = 512;

/// Ranks that are taken together.
pub fn ranks_per_group(n_ranks: usize) -> usize {
    n_ranks.div_ceil(MOST_GROUPS).max(1)
}

/// Writes rows of `rank_volumes.csv`, one for each pair of ranks that send each other something, of each phase. Groups of
/// ranks go by the first of them.
pub struct VolumesTable(csv::Writer<Vec<u8>>);

impl VolumesTable {
    pub fn new() -> Self {
        let mut table = csv::Writer::from_writer(Vec::new());
        record(&mut table, &["phase", "from_rank", "to_rank", "bytes_before", "bytes_after"]);
        VolumesTable(table)
    }

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

    pub fn into_bytes(self) -> Vec<u8> {
        into_bytes(self.0)
    }
}
