// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legend of lines: thickness and darkness by volume.

use lbaf_plot::text_width;

use super::{LABEL, LABEL_ROW, Legend, label};
use crate::colour::BLACK;
use crate::edges::Strength;
use crate::measure::Measure;
use crate::paper::{Paper, Spot, TextAnchor, units};

/// Samples of lines from the weakest to the strongest.
pub(crate) struct Lines {
    /// Title, which names the endpoints of lines.
    pub(crate) title: &'static str,
    /// Appearance of lines; `None` if there are no lines.
    pub(crate) strength: Option<Strength>,
    /// Text that replaces the samples if there are no lines.
    pub(crate) instead: &'static str,
}

/// Height of a row, volumes of the samples as fractions of the largest volume, and length of a sample.
const ROW: f64 = 3.6;
const PARTS: [f64; 3] = [0.0, 0.5, 1.0];
const LENGTH: f64 = 9.0;

impl Legend for Lines {
    fn title(&self) -> String {
        self.title.to_owned()
    }

    fn height(&self, _: f64) -> f64 {
        match self.strength {
            Some(strength) if strength.most_bytes > 0.0 => PARTS.len() as f64 * ROW,
            _ => LABEL_ROW,
        }
    }

    fn draw(&self, paper: &mut Paper, (x, y): Spot, width: f64) {
        let Some(Strength { most_bytes, thickest }) = self.strength else {
            return label(paper, self.instead, (x, y + LABEL / 2.0));
        };
        let measure = Measure::of("B", &[most_bytes / 2.0, most_bytes]);
        let parts: &[f64] = if most_bytes > 0.0 { &PARTS } else { &PARTS[..1] };
        for (row, &part) in parts.iter().enumerate() {
            let middle = y + (row as f64 + 0.5) * ROW;
            let [left, right, height] = [x, x + LENGTH, middle].map(units);
            let (thick, opacity) = (units(Strength::width(part, thickest)), Strength::opacity(part));
            paper.element(&format!(
                "<path d=\"M{left} {height}H{right}\" stroke=\"{BLACK}\" stroke-width=\"{thick}\" \
                 stroke-opacity=\"{opacity:.2}\"/>"
            ));
            let text = measure.text(part * most_bytes);
            let baseline = middle + 0.36 * LABEL;
            let em = LABEL * ((width - LENGTH - 1.5) / text_width(&text, LABEL)).min(1.0);
            paper.text(&text, em, (x + LENGTH + 1.5, baseline), TextAnchor::Start, BLACK);
        }
    }
}
