// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every chart can do.

use crate::{PlotError, Style, Svg};

/// A picture of some results.
pub trait Chart {
    /// Name of the kind of chart, fit for a file name.
    fn name(&self) -> &'static str;

    /// Draws the chart at the size that the style asks for.
    ///
    /// # Errors
    ///
    /// Data that cannot be drawn truthfully: nothing at all, values that are negative or not finite, series that do not
    /// belong together.
    fn draw(&self, style: &Style) -> Result<Svg, PlotError>;
}
