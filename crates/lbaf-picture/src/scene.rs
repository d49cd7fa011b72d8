// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is to be shown of all frames, and where.

use lbaf_plot::Palette;

use crate::{ColourQuantity, Grid};

/// What a picture shows of its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Places of ranks.
    pub grid: Grid,
    /// By how much objects are moved aside, in distances between them: between -1 and 1.
    pub jitter: f64,
    /// Seed of where they are moved.
    pub seed: u64,
    /// What colours ranks.
    pub rank_qoi: ColourQuantity,
    /// What colours objects.
    pub object_qoi: ColourQuantity,
    /// Whether objects are coloured along a range even if they have few different values.
    pub force_continuous: bool,
    /// Which colours there are.
    pub palette: Palette,
}
