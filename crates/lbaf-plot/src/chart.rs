// SPDX-License-Identifier: MIT OR Apache-2.0
//! Common interface of all charts.

use crate::{Figure, PlotError, Style, Svg};

/// Chart of results.
pub trait Chart {
    /// Lays out the chart's axes, marks and legend for a style.
    ///
    /// # Errors
    ///
    /// If data are missing or do not fit together, phases or iterations are out of order, or a value is negative, not
    /// finite or above 1e300.
    fn figure(&self, style: &Style) -> Result<Figure, PlotError>;

    /// Draws the chart; [`Figure::draw`] describes its size.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Chart::figure`] and [`Figure::draw`].
    fn draw(&self, style: &Style) -> Result<Svg, PlotError> {
        self.figure(style)?.draw(style)
    }
}
