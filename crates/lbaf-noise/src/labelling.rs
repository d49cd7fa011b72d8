// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings for judging tasks.

use crate::{Detector, Grouping};

/// Order in which samples are learnt and judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// Batch order: all samples are learnt, then judged, as when Chimbuko prunes its database after the run.
    #[default]
    Batch,
    /// Phase order, as while the application runs: each phase is judged from the samples up to and including its own.
    Online,
}

/// Settings for judging the tasks of a data set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labelling {
    /// Algorithm and guards.
    pub detector: Detector,
    /// Tasks that share a model.
    pub grouping: Grouping,
    /// Order in which samples are learnt and judged.
    pub order: Order,
    /// Number of first times of each object that are not learnt, because first calls take longer. They are not
    /// anomalies and do not count in typical times.
    pub n_skipped: usize,
    /// True if times are judged as measured, as by Chimbuko: slow ranks are not estimated, and times after a lasting
    /// change of load can be anomalies. By default, the effects of ranks are removed first, so a slow rank causes no
    /// anomalies. In phase order, effects are not removed, because they are known only at the end of the run.
    pub as_measured: bool,
}
