// SPDX-License-Identifier: MIT OR Apache-2.0
//! Legend of objects: area by load, and shapes.

use lbaf_plot::text_width;

use super::{LABEL, Legend, label};
use crate::measure::Measure;
use crate::objects::{Mark, Shape, Size};
use crate::paper::{Paper, Spot};

/// Sizes and shapes of objects.
pub(crate) struct Sizes {
    pub(crate) size: Size,
    /// Smallest load.
    pub(crate) least_load: f64,
    pub(crate) any_sentinel: bool,
    pub(crate) any_anomaly: bool,
}

/// Sample object with its text.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    diameter: f64,
    shape: Shape,
    ringed: bool,
    text: String,
}

const GAP: f64 = 1.2;
const BETWEEN: f64 = 3.5;
/// Diameter of samples that show a shape without a load.
const SHOWN: f64 = 2.8;

impl Sizes {
    /// Returns one row for sizes, and one for shapes if needed.
    fn rows(&self) -> Vec<Vec<Sample>> {
        let Size { most_load, .. } = self.size;
        let sized = |load: f64, text| Sample {
            diameter: self.size.diameter(load),
            shape: Shape::Circle,
            ringed: false,
            text,
        };
        let quarter = most_load / 4.0;
        let measure = Measure::of("s", &[quarter, most_load]);
        let mut sizes = vec![sized(most_load, measure.text(most_load))];
        if most_load > 0.0 && self.least_load < most_load {
            if self.size.diameter(quarter) > Size::SMALLEST {
                sizes.push(sized(quarter, measure.text(quarter)));
            }
            let smallest = self.size.load_of_smallest();
            if self.least_load < smallest {
                let text = format!("below {}", Measure::of("s", &[smallest]).text(smallest));
                sizes.push(sized(0.0, text));
            }
        }
        let shape =
            |shape, ringed, text: &str| Sample { diameter: SHOWN, shape, ringed, text: text.to_owned() };
        let mut shapes = Vec::new();
        if self.any_sentinel {
            shapes.push(shape(Shape::Circle, false, "migratable"));
            shapes.push(shape(Shape::Square, false, "non-migratable"));
        }
        if self.any_anomaly {
            shapes.push(shape(Shape::Circle, true, "anomaly"));
        }
        let mut rows = vec![sizes];
        rows.extend(Some(shapes).filter(|shapes| !shapes.is_empty()));
        rows
    }
}

fn row_height(row: &[Sample]) -> f64 {
    let largest = row.iter().map(|sample| sample.diameter).fold(0.0, f64::max);
    largest.max(LABEL) + 1.2
}

impl Legend for Sizes {
    fn title(&self) -> String {
        "Object load, as area".to_owned()
    }

    fn height(&self, _: f64) -> f64 {
        self.rows().iter().map(|row| row_height(row)).sum()
    }

    fn draw(&self, paper: &mut Paper, (x, y): Spot, width: f64) {
        let mut top = y;
        for row in self.rows() {
            let height = row_height(&row);
            let middle = top + (height - 1.2) / 2.0;
            let mut left = x;
            for Sample { diameter, shape, ringed, text } in row {
                let mark =
                    Mark { spot: (left + diameter / 2.0, middle), diameter, shape, fill: None, ringed };
                let end = left + diameter + GAP + text_width(&text, LABEL);
                // Samples are in descending order of size. The first one that does not fit and all later ones are left
                // out.
                if end > x + width {
                    break;
                }
                mark.draw(paper);
                label(paper, &text, (left + diameter + GAP, middle));
                left = end + BETWEEN;
            }
            top += height;
        }
    }
}
