// SPDX-License-Identifier: MIT OR Apache-2.0
//! Vertices ordered by the gain of moving them.

use std::cmp::Ordering;

/// Vertex with the gain of moving it. A heap returns the largest gain first; of equal gains, the lowest vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) gain: f64,
    pub(super) vertex: u32,
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.gain.total_cmp(&other.gain).then(other.vertex.cmp(&self.vertex))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}
