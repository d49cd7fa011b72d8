// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legend of single values, with a colour for each.

use lbaf_plot::text_width;

use super::{LABEL, Legend, NONE, SWATCH, label, none};
use crate::colour::GREY;
use crate::paper::{Paper, Spot};
use crate::scale::{Colours, Scale};

/// Values with their colours, in rows.
pub(crate) struct Swatches {
    pub(crate) scale: Scale,
}

const ROW: f64 = SWATCH + 0.9;
const BETWEEN: f64 = 2.0;

impl Swatches {
    fn texts(&self) -> Vec<String> {
        let Colours::Values(values) = &self.scale.colours else { return Vec::new() };
        let mut texts: Vec<String> =
            values.iter().map(|&(value, _)| self.scale.measure.number(value)).collect();
        if self.scale.extent.lacks {
            texts.push(NONE.to_owned());
        }
        texts
    }

    /// Returns the number of columns, and the width of each.
    #[expect(clippy::cast_sign_loss, reason = "at least 1")]
    fn columns(texts: &[String], width: f64) -> (usize, f64) {
        let widest = texts.iter().map(|text| text_width(text, LABEL)).fold(0.0, f64::max);
        let one = SWATCH + 1.0 + widest + BETWEEN;
        let columns = ((width + BETWEEN) / one).max(1.0) as usize;
        (columns, one)
    }
}

impl Legend for Swatches {
    fn title(&self) -> String {
        self.scale.measure.title(&self.scale.title)
    }

    fn height(&self, width: f64) -> f64 {
        let texts = self.texts();
        texts.len().div_ceil(Self::columns(&texts, width).0) as f64 * ROW
    }

    fn draw(&self, paper: &mut Paper, (x, y): Spot, width: f64) {
        let texts = self.texts();
        let (columns, one) = Self::columns(&texts, width);
        for (i, text) in texts.iter().enumerate() {
            let spot = (x + (i % columns) as f64 * one, y + (i / columns) as f64 * ROW);
            let Some(colour) = self.scale.class_colour(i) else {
                none(paper, spot);
                continue;
            };
            paper.rectangle(spot, (SWATCH, SWATCH), colour);
            paper.frame(spot, (SWATCH, SWATCH), GREY, 0.15);
            label(paper, text, (spot.0 + SWATCH + 1.0, spot.1 + SWATCH / 2.0));
        }
    }
}
