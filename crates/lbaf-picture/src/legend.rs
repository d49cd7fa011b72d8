// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legends of colours, sizes and lines.

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

/// Font sizes in millimetres.
const TITLE: f64 = points(9.0);
const LABEL: f64 = points(8.0);

/// Height of a title with the gap below it.
const TITLE_ROW: f64 = TITLE + 1.2;
/// Height of a row of labels.
const LABEL_ROW: f64 = LABEL + 1.0;
/// Side of a square that shows a colour.
const SWATCH: f64 = 3.2;

/// Legend with a title.
pub(crate) trait Legend: Send + Sync {
    /// Returns the title.
    fn title(&self) -> String;

    /// Returns the height of the part below the title, for a given width.
    fn height(&self, width: f64) -> f64;

    /// Draws the part below the title, with its upper left corner at `corner`.
    fn draw(&self, paper: &mut Paper, corner: Spot, width: f64);
}

/// Returns the height of a legend with its title.
pub(crate) fn height(legend: &dyn Legend, width: f64) -> f64 {
    TITLE_ROW + legend.height(width)
}

/// Draws a legend with its title.
pub(crate) fn draw(legend: &dyn Legend, paper: &mut Paper, (x, y): Spot, width: f64) {
    let title = fitted(&legend.title(), TITLE, width);
    paper.text(&title, TITLE, (x, y + 0.8 * TITLE), TextAnchor::Start, BLACK);
    legend.draw(paper, (x, y + TITLE_ROW), width);
}

/// Returns the legend of a scale. `name` identifies its gradient on the page. If `stepped`, a continuous scale shows
/// only the few colours that strips use, one for each class of values.
pub(crate) fn of_scale(scale: &Scale, name: &'static str, stepped: bool) -> Box<dyn Legend> {
    match &scale.colours {
        Colours::Ramp(_) => Box::new(Ramp { scale: scale.clone(), name, stepped }),
        Colours::Values(_) => Box::new(Swatches { scale: scale.clone() }),
    }
}

/// Draws a label that is vertically centred in a row.
fn label(paper: &mut Paper, text: &str, (x, middle): Spot) {
    paper.text(text, LABEL, (x, middle + 0.36 * LABEL), TextAnchor::Start, BLACK);
}

/// Draws the sample for ranks or objects without a value.
fn none(paper: &mut Paper, (x, y): Spot) {
    paper.rectangle((x, y), (SWATCH, SWATCH), WHITE);
    paper.frame((x, y), (SWATCH, SWATCH), GREY, 0.2);
    label(paper, NONE, (x + SWATCH + 1.0, y + SWATCH / 2.0));
}

const NONE: &str = "none";

fn none_width() -> f64 {
    SWATCH + 1.0 + text_width(NONE, LABEL)
}
