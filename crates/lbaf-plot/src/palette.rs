// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the series look like, the same in all charts.
//!
//! Colours are Okabe and Ito's, which stay apart under every common colour blindness. Before and after also differ without
//! any colour: one is pale and wide, with rings for points, the other dark and narrow, with squares, so that each still
//! shows where they coincide.

use plotters::style::RGBColor;

/// A stroke. Widths are in points, lengths of dashes and gaps in millimetres.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pen {
    pub(crate) color: RGBColor,
    pub(crate) width_pt: f64,
    /// Dash and gap of straight lines, in millimetres.
    pub(crate) dash_mm: Option<(f64, f64)>,
}

/// What stands at a single point.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Marker {
    /// A ring.
    Circle,
    /// A filled square.
    Square,
    /// A short level stroke.
    Bar,
}

/// A series: its line, its points and what lies under it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) pen: Pen,
    pub(crate) marker: Marker,
    pub(crate) fill: Option<RGBColor>,
}

pub(crate) const INK: RGBColor = RGBColor(0, 0, 0);
pub(crate) const PAPER: RGBColor = RGBColor(255, 255, 255);

/// Axes and their ticks.
pub(crate) const AXIS: Pen = Pen { color: INK, width_pt: 0.5, dash_mm: None };

/// As the data came.
pub(crate) const BEFORE: Look = Look {
    pen: Pen { color: RGBColor(230, 159, 0), width_pt: 1.6, dash_mm: None },
    marker: Marker::Circle,
    fill: Some(RGBColor(252, 236, 204)),
};

/// As the strategy left them.
pub(crate) const AFTER: Look = Look {
    pen: Pen { color: RGBColor(0, 114, 178), width_pt: 1.0, dash_mm: None },
    marker: Marker::Square,
    fill: None,
};

/// What no strategy can do better than.
pub(crate) const BOUND: Look = Look {
    pen: Pen { color: INK, width_pt: 0.8, dash_mm: Some((0.35, 0.55)) },
    marker: Marker::Bar,
    fill: None,
};

/// The mean over ranks.
pub(crate) const MEAN: Pen = Pen { color: INK, width_pt: 0.6, dash_mm: Some((1.6, 0.9)) };

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as seen on a grey print, 0 to 255.
    fn grey(color: RGBColor) -> f64 {
        0.2126 * f64::from(color.0) + 0.7152 * f64::from(color.1) + 0.0722 * f64::from(color.2)
    }

    #[test]
    fn before_and_after_differ_in_grey() {
        assert!(grey(BEFORE.pen.color) - grey(AFTER.pen.color) > 50.0);
        assert!(grey(PAPER) - grey(BEFORE.pen.color) > 50.0);
    }
}
