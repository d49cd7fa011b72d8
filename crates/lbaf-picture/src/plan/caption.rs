// SPDX-License-Identifier: MIT OR Apache-2.0
//! Caption of a picture: details that are aggregated or not drawn, and the place of rank 0 if tiles have no numbers.

use lbaf_plot::text_width;

use super::{Detail, Lines, MARGIN, WIDTH};
use crate::Ranges;
use crate::colour::GREY;
use crate::layout::Layout;
use crate::measure::count;
use crate::paper::{Paper, TextAnchor, points};
use crate::tiles;

const EM: f64 = points(7.5);
const ROW: f64 = 1.3 * EM;

/// Caption, broken into lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caption {
    lines: Vec<String>,
}

impl Caption {
    pub(crate) fn new(layout: &Layout, ranges: &Ranges, detail: Detail, lines: Lines) -> Self {
        let mut sentences = Vec::new();
        if tiles::label_height(layout) == 0.0 {
            sentences.push("Rank 0 is at the lower left, rank 1 to its right.".to_owned());
        }
        match detail {
            Detail::Objects(_) => {}
            _ if ranges.most_on_rank == 0 => {}
            Detail::Strips => sentences.push(
                "Objects are too small to be drawn one by one. The strip in each tile shows the number of objects on \
                 the rank by its length, and the number of objects of each colour by the length of that colour."
                    .to_owned(),
            ),
            Detail::Tiles => {
                sentences.push("Objects and lines are not drawn, because the tiles are too small.".to_owned());
            }
        }
        match lines {
            Lines::Ranks(_) => sentences.push(format!(
                "Lines connect ranks whose objects communicate; lines between the {} pairs of objects are not drawn.",
                count(ranges.most_edges)
            )),
            Lines::TooMany if detail != Detail::Tiles => sentences.push(format!(
                "Lines are not drawn, because {} pairs of objects and too many pairs of ranks communicate.",
                count(ranges.most_edges)
            )),
            _ => {}
        }
        Caption { lines: wrapped(&sentences.join(" "), WIDTH) }
    }

    pub(crate) fn height(&self) -> f64 {
        self.lines.len() as f64 * ROW
    }

    /// Writes the caption, with its upper edge at `top`.
    pub(crate) fn draw(&self, paper: &mut Paper, top: f64) {
        for (row, line) in self.lines.iter().enumerate() {
            let baseline = top + row as f64 * ROW + 0.8 * EM;
            paper.text(line, EM, (MARGIN, baseline), TextAnchor::Start, GREY);
        }
    }
}

/// Wraps a text into lines of at most `width`.
fn wrapped(text: &str, width: f64) -> Vec<String> {
    lbaf_text::wrapped(text, |line| text_width(line, EM) <= width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_into_the_width_and_contain_every_word() {
        let text = "one two three four five six seven eight nine ten ".repeat(9);
        let lines = wrapped(&text, 50.0);
        assert!(lines.len() > 5);
        assert!(lines.iter().all(|line| text_width(line, EM) <= 50.0));
        assert_eq!(lines.join(" "), text.trim());
        assert!(wrapped("", 50.0).is_empty());
    }
}
