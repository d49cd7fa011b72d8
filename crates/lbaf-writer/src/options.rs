// SPDX-License-Identifier: MIT OR Apache-2.0
//! Options for writing reassigned files.

/// Options for reassigned files. Default: plain JSON named `reassigned.<rank>.json`, with communications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Part of the file names before the rank.
    pub stem: String,
    /// Part of the file names after the rank.
    pub suffix: String,
    /// Brotli quality; `None` for plain JSON.
    pub brotli_quality: Option<u32>,
    /// True if communications are written.
    pub communications: bool,
    /// True to write phase p in its initial placement, and the new placement of p as phase p + 1, as vt's OfflineLB
    /// needs them.
    pub offline_lb_compatible: bool,
    /// Treatment of ranks without a migratable object in files for OfflineLB.
    pub empty_ranks: EmptyRanks,
    /// True if the placements of iterations are written.
    pub lb_iterations: bool,
}

/// Treatment of ranks without a migratable object in files for OfflineLB, which aborts on or ignores such ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyRanks {
    /// Adds an object of load 0 to each of these ranks in every phase.
    #[default]
    Insert,
    /// Returns an error and writes nothing.
    Refuse,
    /// Leaves these ranks unchanged and warns.
    Warn,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            stem: "reassigned".to_owned(),
            suffix: "json".to_owned(),
            brotli_quality: None,
            communications: true,
            offline_lb_compatible: false,
            empty_ranks: EmptyRanks::default(),
            lb_iterations: false,
        }
    }
}

impl Options {
    /// Returns the file name of a rank.
    pub fn file_name(&self, rank: usize) -> String {
        format!("{}.{rank}.{}", self.stem, self.suffix)
    }
}
