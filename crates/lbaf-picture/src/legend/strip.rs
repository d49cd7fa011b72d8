// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legend of strips: length by number of objects.

use super::{LABEL_ROW, Legend, SWATCH, label};
use crate::colour::{BLACK, GREY};
use crate::measure::count;
use crate::paper::{Paper, Spot};

/// Sample of the longest strip.
pub(crate) struct Strip {
    /// Largest number of objects on a rank.
    pub(crate) most_on_rank: usize,
    pub(crate) any_anomaly: bool,
}

const LENGTH: f64 = 14.0;
const BAR: f64 = 2.4;

impl Legend for Strip {
    fn title(&self) -> String {
        "Strip in a tile: number of objects".to_owned()
    }

    fn height(&self, _: f64) -> f64 {
        if self.any_anomaly { 2.0 * LABEL_ROW } else { LABEL_ROW }
    }

    fn draw(&self, paper: &mut Paper, (x, y): Spot, _: f64) {
        paper.rectangle((x, y + 0.2), (LENGTH, BAR), GREY);
        label(
            paper,
            &format!("longest: {}", count(self.most_on_rank)),
            (x + LENGTH + 1.5, y + 0.2 + BAR / 2.0),
        );
        if self.any_anomaly {
            let top = y + LABEL_ROW;
            paper.frame((x, top), (SWATCH, SWATCH), BLACK, 0.5);
            label(paper, "rank with an anomaly", (x + SWATCH + 1.0, top + SWATCH / 2.0));
        }
    }
}
