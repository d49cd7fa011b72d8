// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strips for objects too small to be drawn individually. The length of the strip in a tile shows the number of objects
//! on the rank. The length of a colour shows the number of objects in the class of this colour.

use std::collections::BTreeMap;

use crate::Frame;
use crate::colour::{BLACK, Colour};
use crate::layout::Layout;
use crate::paper::{Paper, add_rectangle};
use crate::scale::Scale;

/// Smallest side of a tile with a visible strip.
const LEAST_SIDE: f64 = 0.8;
/// Fractions of the side of a tile: the longest strip, the height of strips, and the space below them.
const LONGEST: f64 = 0.86;
const HEIGHT: f64 = 0.34;
const BELOW: f64 = 0.1;

/// Colour of objects without a value.
const OF_NONE: Colour = Colour(255, 255, 255);

/// True if strips are visible in tiles of this side.
pub(crate) fn are_readable(side: f64) -> bool {
    side >= LEAST_SIDE
}

/// Number of objects of each class on a rank; the last class is that of objects without a value.
type Counts = Vec<u32>;

fn counts(frame: &Frame<'_>, scale: &Scale) -> Vec<Counts> {
    let mut counts = vec![vec![0; scale.n_classes() + 1]; frame.n_ranks()];
    for (&rank, &value) in frame.rank_of.iter().zip(&frame.object_qoi) {
        counts[rank as usize][scale.class(value)] += 1;
    }
    counts
}

/// Draws the strips with one path for each class, because they may have many thousands of parts. Frames the tiles of
/// ranks with an anomaly.
pub(crate) fn draw(
    paper: &mut Paper,
    frame: &Frame<'_>,
    layout: &Layout,
    most_on_rank: usize,
    scale: &Scale,
) {
    let side = layout.side();
    let per_object = LONGEST * side / most_on_rank.max(1) as f64;
    let (mut parts, mut outlines) = (BTreeMap::new(), String::new());
    for (rank, counts) in counts(frame, scale).iter().enumerate() {
        let (left, top) = layout.corner(rank);
        let y = top + (1.0 - HEIGHT - BELOW) * side;
        let start = left + (1.0 - LONGEST) / 2.0 * side;
        let mut x = start;
        for (class, &n) in counts.iter().enumerate().filter(|(_, n)| **n > 0) {
            let length = f64::from(n) * per_object;
            let path: &mut String = parts.entry(class).or_default();
            add_rectangle(path, (x, y), (length, HEIGHT * side));
            x += length;
        }
        if x > start {
            add_rectangle(&mut outlines, (start, y), (x - start, HEIGHT * side));
        }
    }
    for (class, path) in parts {
        let fill = scale.class_colour(class).unwrap_or(OF_NONE);
        paper.element(&format!("<path d=\"{path}\" fill=\"{fill}\"/>"));
    }
    // A thin dark line separates light strips from grey tiles.
    let thick = (4.0 * side).min(12.0);
    paper.element(&format!(
        "<path d=\"{outlines}\" fill=\"none\" stroke=\"#333\" stroke-width=\"{thick:.1}\"/>"
    ));
    frame_anomalies(paper, frame, layout);
}

/// Frames the tiles of ranks with an anomaly.
fn frame_anomalies(paper: &mut Paper, frame: &Frame<'_>, layout: &Layout) {
    let mut has_one = vec![false; frame.n_ranks()];
    for (object, &rank) in frame.rank_of.iter().enumerate() {
        has_one[rank as usize] |= frame.objects.is_anomalous(object);
    }
    let side = layout.side();
    for rank in (0..has_one.len()).filter(|&rank| has_one[rank]) {
        paper.frame(layout.corner(rank), (side, side), BLACK, (0.12 * side).min(0.6));
    }
}
