// SPDX-License-Identifier: MIT OR Apache-2.0
//! How reassigned files are written.

/// Options of reassigned files. Default: plain JSON named `reassigned.<rank>.json`, with communication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Name of the files up to the rank.
    pub stem: String,
    /// Name of the files after the rank.
    pub suffix: String,
    /// Brotli quality, `None` for plain JSON.
    pub brotli_quality: Option<u32>,
    /// Whether communication is written.
    pub communications: bool,
    /// Phase p as recorded and its new placement as phase p + 1, for vt's OfflineLB.
    pub offline_lb_compatible: bool,
    /// What becomes of ranks without a migratable object in such files.
    pub empty_ranks: EmptyRanks,
    /// Whether the placements between the first and the last are written.
    pub lb_iterations: bool,
}

/// What becomes of ranks that own no migratable object in files for OfflineLB, which aborts on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmptyRanks {
    /// An object of load 0 is added on them in every phase.
    #[default]
    Insert,
    /// Nothing is written.
    Refuse,
    /// They are left as they are, with a warning.
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
    /// The name of a rank's file.
    pub fn file_name(&self, rank: usize) -> String {
        format!("{}.{rank}.{}", self.stem, self.suffix)
    }
}
