// SPDX-License-Identifier: MIT OR Apache-2.0
//! Page, in millimetres from its upper left corner, written as SVG.

use std::fmt::Write;

use lbaf_plot::{FONT_FAMILY, Size, Svg};

use crate::colour::{Colour, WHITE};

/// Position on the page.
pub(crate) type Spot = (f64, f64);

/// Position of a text relative to its spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextAnchor {
    /// The text begins at the spot.
    Start,
    /// The text is centred at the spot.
    Middle,
    /// The text ends at the spot.
    End,
}

/// Page that is being drawn.
pub(crate) struct Paper {
    body: String,
}

impl Paper {
    /// Creates a white page.
    pub(crate) fn new(size: Size) -> Self {
        let mut paper = Paper { body: String::new() };
        paper.rectangle((0.0, 0.0), (size.width_mm, size.height_mm), WHITE);
        let _ = writeln!(paper.body, "<g font-family=\"{FONT_FAMILY}\">");
        paper
    }

    /// Returns the finished picture.
    pub(crate) fn finish(mut self, title: &str, size: Size) -> Svg {
        self.body.push_str("</g>\n");
        Svg::new(title, size, &self.body)
    }

    /// Adds an SVG element.
    pub(crate) fn element(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// Draws a filled rectangle.
    pub(crate) fn rectangle(&mut self, (x, y): Spot, (width, height): (f64, f64), fill: Colour) {
        let [x, y, width, height] = [x, y, width, height].map(units);
        self.element(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>"
        ));
    }

    /// Draws the outline of a rectangle, inside it.
    pub(crate) fn frame(&mut self, (x, y): Spot, (width, height): (f64, f64), stroke: Colour, thick: f64) {
        let half = thick / 2.0;
        let [x, y, width, height, thick] =
            [x + half, y + half, width - thick, height - thick, thick].map(units);
        self.element(&format!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"{stroke}\" \
             stroke-width=\"{thick}\"/>"
        ));
    }

    /// Writes a text of font size `em`, with its baseline at the spot.
    pub(crate) fn text(&mut self, text: &str, em: f64, (x, y): Spot, anchor: TextAnchor, fill: Colour) {
        let escaped = lbaf_text::line(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        // The viewer aligns the text, because its font may have other widths.
        let anchor = match anchor {
            TextAnchor::Start => "",
            TextAnchor::Middle => " text-anchor=\"middle\"",
            TextAnchor::End => " text-anchor=\"end\"",
        };
        let [x, y, em] = [x, y, em].map(units);
        self.element(&format!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{em}\"{anchor} fill=\"{fill}\">{escaped}</text>"
        ));
    }
}

/// Converts millimetres to units of the page, which are hundredths of a millimetre, rounded to a tenth of a unit.
pub(crate) fn units(mm: f64) -> f64 {
    // Adding 0 turns -0 into 0.
    (mm * 1000.0).round() / 10.0 + 0.0
}

/// Converts a length in typographic points to millimetres.
pub(crate) const fn points(points: f64) -> f64 {
    points * 25.4 / 72.0
}

/// Appends a rectangle to the data of a path.
pub(crate) fn add_rectangle(path: &mut String, (x, y): Spot, (width, height): (f64, f64)) {
    let [x, y, width, height] = [x, y, width, height].map(units);
    let _ = write!(path, "M{x} {y}h{width}v{height}h{}z", units(-width / 100.0));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_to_a_thousandth_of_a_millimetre() {
        assert_eq!([units(1.0), units(0.123_456), units(-0.000_1)], [100.0, 12.3, 0.0]);
        assert_eq!(units(points(72.0)), 2540.0);
        let mut path = String::new();
        add_rectangle(&mut path, (1.0, 2.0), (0.5, 0.25));
        assert_eq!(path, "M100 200h50v25h-50z");
    }

    #[test]
    fn texts_are_escaped() {
        let size = Size { width_mm: 10.0, height_mm: 10.0 };
        let mut paper = Paper::new(size);
        paper.text("a<b & c", 2.0, (1.0, 5.0), TextAnchor::Start, WHITE);
        let svg = paper.finish("t", size);
        assert!(svg.as_str().contains(">a&lt;b &amp; c</text>"));
        svg.to_bytes(lbaf_plot::Format::Png, 100).unwrap();
    }
}
