// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings by which tasks are judged.

use crate::{Detector, Grouping};

/// In which order samples are learnt and judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// All are learnt, then all are judged, as Chimbuko does when it prunes its database afterwards.
    #[default]
    Batch,
    /// Phase by phase, as while the application runs: judged by what is known then, this phase among it.
    Online,
}

/// The detector.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labelling {
    /// By what.
    pub detector: Detector,
    /// The set of tasks with a model of its own.
    pub grouping: Grouping,
    /// In which order.
    pub order: Order,
    /// So many times of each object are not learnt, because first calls take longer. They are no anomalies, but nor do they
    /// say what is usual.
    pub n_skipped: usize,
    /// Times are judged as measured, as by Chimbuko: nothing is known of slow ranks, and load that changes for good is as odd
    /// as any other. By default effects of ranks are
    /// taken out of times first: a slow rank makes no anomalies. Judged in the order of phases they stay in, because they
    /// are known at the end alone.
    pub as_measured: bool,
}
