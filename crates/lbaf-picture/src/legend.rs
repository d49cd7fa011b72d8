// SPDX-License-Identifier: MIT OR Apache-2.0
//! What colours, sizes and lines mean.

mod lines;
mod ramp;
mod sizes;
mod strip;
mod swatches;

use lbaf_plot::{fitted, text_width};

use crate::colour::{BLACK, GREY, WHITE};
use crate::paper::{Paper, Spot, TextAnchor, points};
use crate::scale::{Colours, Scale};

pub(crate) use lines::Lines;
pub(crate) use ramp::Ramp;
pub(crate) use sizes::Sizes;
pub(crate) use strip::Strip;
pub(crate) use swatches::Swatches;

/// Sizes of print.
const TITLE: f64 = points(9.0);
const LABEL: f64 = points(8.0);

/// Height of a title with the gap below it.
const TITLE_ROW: f64 = TITLE + 1.2;
/// Height of a row of labels.
const LABEL_ROW: f64 = LABEL + 1.0;
/// Side of a square that shows a colour.
const SWATCH: f64 = 3.2;

/// A legend: something with a title that has a place on the page.
pub(crate) trait Legend: Send + Sync {
    /// What it is about.
    fn title(&self) -> String;

    /// How high it is below its title, if it is so wide.
    fn height(&self, width: f64) -> f64;

    /// Draws what is below the title, from the upper left corner of that.
    fn draw(&self, paper: &mut Paper, corner: Spot, width: f64);
}

/// How high a legend is with its title.
pub(crate) fn height(legend: &dyn Legend, width: f64) -> f64 {
    TITLE_ROW + legend.height(width)
}

/// Draws a legend with its title.
pub(crate) fn draw(legend: &dyn Legend, paper: &mut Paper, (x, y): Spot, width: f64) {
    let title = fitted(&legend.title(), TITLE, width);
    paper.text(&title, TITLE, (x, y + 0.8 * TITLE), TextAnchor::Start, BLACK);
    legend.draw(paper, (x, y + TITLE_ROW), width);
}

/// That of a scale. `name` tells it from the others on the page, `stepped` says whether only its classes are used.
pub(crate) fn of_scale(scale: &Scale, name: &'static str, stepped: bool) -> Box<dyn Legend> {
    match &scale.colours {
        Colours::Ramp(_) => Box::new(Ramp { scale: scale.clone(), name, stepped }),
        Colours::Values(_) => Box::new(Swatches { scale: scale.clone() }),
    }
}

/// A label whose baseline goes with the middle of a row.
fn label(paper: &mut Paper, text: &str, (x, middle): Spot) {
    paper.text(text, LABEL, (x, middle + 0.36 * LABEL), TextAnchor::Start, BLACK);
}

/// What stands for things without a value, and its width.
fn none(paper: &mut Paper, (x, y): Spot) {
    paper.rectangle((x, y), (SWATCH, SWATCH), WHITE);
    paper.frame((x, y), (SWATCH, SWATCH), GREY, 0.2);
    label(paper, NONE, (x + SWATCH + 1.0, y + SWATCH / 2.0));
}

const NONE: &str = "none";

fn none_width() -> f64 {
    SWATCH + 1.0 + text_width(NONE, LABEL)
}
