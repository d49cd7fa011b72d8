// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legend of a continuous scale: a bar of its colours with numbers.

use std::fmt::Write;

use lbaf_plot::text_width;

use super::{LABEL, LABEL_ROW, Legend, SWATCH, label, none, none_width};
use crate::colour::{BLACK, Colour, GREY};
use crate::paper::{Paper, Spot, TextAnchor, units};
use crate::scale::{Colours, N_CLASSES, Scale};

/// Bar of colours.
pub(crate) struct Ramp {
    pub(crate) scale: Scale,
    /// Name of its gradient, unique on the page.
    pub(crate) name: &'static str,
    /// True if the bar shows only the few colours that strips use, one for each class of values.
    pub(crate) stepped: bool,
}

const BAR: f64 = 3.6;

impl Legend for Ramp {
    fn title(&self) -> String {
        self.scale.measure.title(&self.scale.title)
    }

    fn height(&self, _: f64) -> f64 {
        if self.scale.extent.low < self.scale.extent.high { BAR + LABEL_ROW } else { SWATCH }
    }

    fn draw(&self, paper: &mut Paper, (x, y): Spot, width: f64) {
        let extent = self.scale.extent;
        let mut free = width;
        if extent.lacks {
            free -= none_width() + 3.0;
            let beside = if extent.is_empty() { x } else { x + free + 3.0 };
            none(paper, (beside, y));
        }
        if extent.is_empty() {
            return;
        }
        if extent.low == extent.high {
            // A single value needs no bar.
            let colour = self.scale.colour(extent.low).unwrap_or(GREY);
            paper.rectangle((x, y), (SWATCH, SWATCH), colour);
            let text = format!("all {}", self.scale.measure.text(extent.low));
            label(paper, &text, (x + SWATCH + 1.0, y + SWATCH / 2.0));
            return;
        }
        self.draw_bar(paper, (x, y), free);
        self.draw_numbers(paper, (x, y + BAR + LABEL), free);
    }
}

impl Ramp {
    fn draw_bar(&self, paper: &mut Paper, (x, y): Spot, width: f64) {
        let Colours::Ramp(ramp) = &self.scale.colours else { return };
        if self.stepped {
            let step = width / N_CLASSES as f64;
            for class in 0..N_CLASSES {
                let colour = self.scale.class_colour(class).unwrap_or(GREY);
                paper.rectangle((x + class as f64 * step, y), (step, BAR), colour);
            }
        } else {
            let mut stops = String::new();
            for (i, colour) in ramp.iter().enumerate() {
                let offset = i as f64 / (ramp.len() - 1) as f64;
                let _ = write!(stops, "<stop offset=\"{offset:.4}\" stop-color=\"{colour}\"/>");
            }
            let name = self.name;
            paper.element(&format!("<linearGradient id=\"{name}\">{stops}</linearGradient>"));
            let [x, y, width, height] = [x, y, width, BAR].map(units);
            paper.element(&format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"url(#{name})\"/>"
            ));
        }
        paper.frame((x, y), (width, BAR), GREY, 0.15);
    }

    /// Draws the numbers at both ends, and in the middle if there is space and the number is short.
    fn draw_numbers(&self, paper: &mut Paper, (x, baseline): Spot, width: f64) {
        let (extent, measure) = (self.scale.extent, &self.scale.measure);
        let (low, high) = (measure.number(extent.low), measure.number(extent.high));
        let both = text_width(&low, LABEL) + text_width(&high, LABEL);
        // A smaller font prevents overlap of numbers with up to seventeen digits.
        let em = LABEL * ((width - 2.0) / both).min(1.0);
        paper.text(&low, em, (x, baseline), TextAnchor::Start, BLACK);
        paper.text(&high, em, (x + width, baseline), TextAnchor::End, BLACK);
        let middle = extent.low / 2.0 + extent.high / 2.0;
        let text = measure.number(middle);
        let widest = text_width(&low, LABEL).max(text_width(&high, LABEL));
        let fits = widest + text_width(&text, LABEL) / 2.0 + 3.0 < width / 2.0;
        // A long number is left out: rounded, it would not be exactly in the middle.
        let is_exact = text != low && text != high && text.chars().count() <= low.len().max(high.len()) + 2;
        // Between integers, such as counts, a fraction is not shown.
        let is_whole =
            measure.has_no_unit() && [extent.low, extent.high].iter().all(|end| end.fract() == 0.0);
        let is_shown = is_exact && (middle.fract() == 0.0 || !is_whole);
        if fits && is_shown && self.scale.colour(middle).is_some_and(|colour: Colour| colour != BLACK) {
            paper.text(&text, LABEL, (x + width / 2.0, baseline), TextAnchor::Middle, BLACK);
        }
    }
}
