// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a detector says of a sample.

/// What a detector makes of a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// Too few samples to say; 0 in Chimbuko.
    #[default]
    Unlabelled,
    /// As the others; 1 in Chimbuko.
    Normal,
    /// Unlike the others: an anomaly; -1 in Chimbuko.
    Outlier,
}

/// A sample as a detector judged it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// How unlikely the sample is; what that means depends on the algorithm, larger is less likely. -1 if it was never
    /// scored.
    pub score: f64,
    /// What follows from it.
    pub label: Label,
}

impl Judgement {
    /// That nobody can tell.
    pub const UNLABELLED: Judgement = Judgement { score: -1.0, label: Label::Unlabelled };
}

impl Default for Judgement {
    fn default() -> Self {
        Judgement::UNLABELLED
    }
}
