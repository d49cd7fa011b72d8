// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tiles of ranks with their numbers and values, and names of layers.

use std::collections::BTreeMap;

use lbaf_plot::text_width;

use crate::Frame;
use crate::colour::{BLACK, Colour, GREY, WHITE};
use crate::layout::Layout;
use crate::paper::{Paper, TextAnchor, add_rectangle, points};
use crate::scale::Scale;

const EM: f64 = points(7.5);
/// Height of the strip for text at the top of a tile.
const LABEL: f64 = EM + 1.0;
/// Smallest side of a tile with a number, in millimetres.
const LEAST_SIDE: f64 = 8.5;
/// Smallest side of a tile with the word "rank" before the number, in millimetres.
const LEAST_WITH_WORD: f64 = 18.0;

/// Returns the height of the text at the top of tiles; 0 if they are too small for text.
pub(crate) fn label_height(layout: &Layout) -> f64 {
    if layout.side() < LEAST_SIDE { 0.0 } else { LABEL }
}

/// Draws all tiles, with one path for each colour. A tile without a value is an outline.
pub(crate) fn draw(paper: &mut Paper, frame: &Frame<'_>, layout: &Layout, scale: &Scale) {
    let side = layout.side();
    let mut by_colour: BTreeMap<Colour, String> = BTreeMap::new();
    for (rank, &value) in frame.rank_qoi.iter().enumerate() {
        match scale.colour(value) {
            Some(colour) => {
                add_rectangle(by_colour.entry(colour).or_default(), layout.corner(rank), (side, side));
            }
            None => paper.frame(layout.corner(rank), (side, side), GREY, (0.03 * side).min(0.2)),
        }
    }
    for (colour, path) in by_colour {
        paper.element(&format!("<path d=\"{path}\" fill=\"{colour}\"/>"));
    }
}

/// Writes the names of layers and, if tiles are large enough, the number of each rank into its tile. If the values of
/// all ranks fit, each tile also has the value of its rank. The background of the text hides lines.
pub(crate) fn label(paper: &mut Paper, frame: &Frame<'_>, layout: &Layout, scale: &Scale) {
    let width = |text: &str| text_width(text, EM);
    for (name, (left, baseline)) in layout.layer_names() {
        paper.rectangle((left, baseline - EM), (width(&name) + 0.5, EM + 0.6), WHITE);
        paper.text(&name, EM, (left, baseline), TextAnchor::Start, BLACK);
    }
    if label_height(layout) == 0.0 {
        return;
    }
    let side = layout.side();
    let name = |rank: usize| if side < LEAST_WITH_WORD { rank.to_string() } else { format!("rank {rank}") };
    let value = |value: f64| if value.is_nan() { "none".to_owned() } else { scale.measure.text(value) };
    let fits = |(rank, &of): (usize, &f64)| width(&name(rank)) + width(&value(of)) + 4.0 < side;
    let with_values = frame.rank_qoi.iter().enumerate().all(fits);
    for (rank, &of) in frame.rank_qoi.iter().enumerate() {
        let (left, top) = layout.corner(rank);
        let colour = scale.colour(of).unwrap_or(WHITE);
        let mut write = |text: &str, x: f64, anchor| {
            let start = if anchor == TextAnchor::Start { x } else { x - width(text) };
            paper.rectangle((start - 0.5, top + 0.3), (width(text) + 1.0, LABEL - 0.3), colour);
            paper.text(text, EM, (x, top + 0.5 + 0.85 * EM), anchor, colour.ink());
        };
        write(&name(rank), left + 1.0, TextAnchor::Start);
        if with_values {
            write(&value(of), left + side - 1.0, TextAnchor::End);
        }
    }
}
