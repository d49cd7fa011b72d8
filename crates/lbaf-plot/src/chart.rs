// SPDX-License-Identifier: MIT OR Apache-2.0
//! What every chart can do.

use crate::{Figure, PlotError, Style, Svg};

/// A picture of some results.
pub trait Chart {
    /// The chart's axes, marks and legend, laid out for a style.
    ///
    /// # Errors
    ///
    /// Data that cannot be drawn truthfully: nothing at all, values that are negative or not finite, series that do not
    /// belong together.
    fn figure(&self, style: &Style) -> Result<Figure, PlotError>;

    /// Draws the chart at the size that the style asks for.
    ///
    /// # Errors
    ///
    /// Those of [`Chart::figure`] and [`Figure::draw`].
    fn draw(&self, style: &Style) -> Result<Svg, PlotError> {
        self.figure(style)?.draw(style)
    }
}
