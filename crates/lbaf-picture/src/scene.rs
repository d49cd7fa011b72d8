// SPDX-License-Identifier: MIT OR Apache-2.0
//! Appearance of all frames.

use lbaf_plot::Palette;

use crate::{ColourQuantity, Grid};

/// Settings of a picture, common to all frames.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Places of ranks.
    pub grid: Grid,
    /// Width of the range of random displacements along an axis, as a fraction of the distance between objects. It is
    /// between -1 and 1; its sign has no effect on the range.
    pub jitter: f64,
    /// Seed of the displacement.
    pub seed: u64,
    /// Quantity that colours ranks.
    pub rank_qoi: ColourQuantity,
    /// Quantity that colours objects.
    pub object_qoi: ColourQuantity,
    /// True if objects are coloured along a ramp even if they have few distinct values.
    pub force_continuous: bool,
    /// Palette of colours.
    pub palette: Palette,
}
