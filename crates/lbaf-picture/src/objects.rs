// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects drawn individually, as circles and squares with areas proportional to their loads, except that the smallest
//! are enlarged.

use crate::Frame;
use crate::colour::{BLACK, Colour, WHITE};
use crate::jitter::Jitter;
use crate::layout::Layout;
use crate::paper::{Paper, Spot, units};
use crate::placement::{ByRank, per_axis, position, rows};
use crate::scale::Scale;

/// Sizes of objects, the same in all frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    /// Largest load.
    pub(crate) most_load: f64,
    /// Diameter for the largest load, in millimetres.
    largest: f64,
}

/// Shape of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Migratable object.
    Circle,
    /// Non-migratable object.
    Square,
}

/// Object on the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) spot: Spot,
    /// Diameter of a circle; a square has the same area.
    pub(crate) diameter: f64,
    pub(crate) shape: Shape,
    /// Colour inside the outline; `None` for translucent white.
    pub(crate) fill: Option<Colour>,
    /// True if a ring marks an anomaly.
    pub(crate) ringed: bool,
}

/// Outlines of objects.
const OUTLINE: Colour = Colour(50, 50, 50);

impl Size {
    /// Smallest visible diameter, in millimetres.
    pub(crate) const SMALLEST: f64 = 0.3;
    /// Largest useful diameter, in millimetres.
    const LARGEST: f64 = 9.0;
    /// Largest diameter of an object as a fraction of the distance between objects.
    const FILLED: f64 = 0.8;

    /// Creates the sizes for at most `most_on_rank` objects in a square of length `side` on each tile.
    pub(crate) fn new(side: f64, most_on_rank: usize, most_load: f64) -> Self {
        let spacing = side / (per_axis(most_on_rank, 2) as f64 + 1.0);
        Size { most_load, largest: (Size::FILLED * spacing).min(Size::LARGEST) }
    }

    /// True if the largest objects can be distinguished.
    pub(crate) fn is_readable(self) -> bool {
        self.largest >= 0.8
    }

    /// Returns the diameter for a load, at least [`Size::SMALLEST`]; the same for all objects if all loads are 0.
    pub(crate) fn diameter(self, load: f64) -> f64 {
        if self.most_load > 0.0 {
            (self.largest * (load / self.most_load).sqrt()).max(Size::SMALLEST)
        } else {
            (self.largest / 2.0).clamp(Size::SMALLEST, 2.0)
        }
    }

    /// Returns the load up to which all objects have the smallest diameter.
    pub(crate) fn load_of_smallest(self) -> f64 {
        let part = Size::SMALLEST / self.largest;
        self.most_load * part * part
    }
}

/// Returns the positions of the objects on the page. A height of `label` at the top of each tile stays free for text.
pub(crate) fn spots(
    frame: &Frame<'_>,
    by_rank: &ByRank,
    layout: &Layout,
    label: f64,
    jitter: &Jitter,
) -> Vec<Spot> {
    let side = layout.side();
    let mut spots = vec![(0.0, 0.0); frame.objects.len()];
    for rank in 0..frame.n_ranks() {
        let (left, top) = layout.corner(rank);
        let middle = (left + side / 2.0, top + label + (side - label) / 2.0);
        let objects = by_rank.of(rank);
        for (k, &object) in objects.iter().enumerate() {
            let number = frame.objects.number[object as usize];
            let [x, y, _] = position(k, rows(objects.len()), jitter, number);
            // The y axis of the page points down.
            spots[object as usize] = (middle.0 + x * side, middle.1 - y * (side - label));
        }
    }
    spots
}

/// Draws all objects in descending order of load, small ones on top of large ones.
pub(crate) fn draw(
    paper: &mut Paper,
    frame: &Frame<'_>,
    by_rank: &ByRank,
    spots: &[Spot],
    size: Size,
    scale: &Scale,
) {
    let objects = frame.objects;
    let mut order: Vec<u32> = by_rank.all().to_vec();
    let load = |object: u32| objects.load[object as usize];
    order.sort_by(|&a, &b| load(b).total_cmp(&load(a)));
    for object in order {
        let at = object as usize;
        let mark = Mark {
            spot: spots[at],
            diameter: size.diameter(objects.load[at]),
            shape: if objects.migratable[at] { Shape::Circle } else { Shape::Square },
            fill: scale.colour(frame.object_qoi[at]),
            ringed: objects.is_anomalous(at),
        };
        mark.draw(paper);
    }
}

impl Mark {
    /// Draws the object with its outline. A ring is black with white edges, visible on any tile.
    pub(crate) fn draw(self, paper: &mut Paper) {
        let Mark { spot: (x, y), diameter, shape, fill, ringed } = self;
        let [cx, cy] = [x, y].map(units);
        let thick = (0.05 * diameter).clamp(0.05, 0.2);
        if ringed {
            let ring = (0.12 * diameter).clamp(0.3, 0.8);
            let radius = diameter / 2.0 + ring;
            for (colour, wide) in [(WHITE, ring + 0.3), (BLACK, ring)] {
                let [r, wide] = [radius, wide].map(units);
                paper.element(&format!(
                    "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{wide}\"/>"
                ));
            }
        }
        let fill = fill
            .map_or_else(|| "fill=\"#fff\" fill-opacity=\"0.35\"".to_owned(), |c| format!("fill=\"{c}\""));
        let outline = units(thick);
        let shape = match shape {
            Shape::Circle => format!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{}\"", units(diameter / 2.0)),
            Shape::Square => {
                let side = diameter * std::f64::consts::PI.sqrt() / 2.0;
                let [left, top, side] = [x - side / 2.0, y - side / 2.0, side].map(units);
                format!("<rect x=\"{left}\" y=\"{top}\" width=\"{side}\" height=\"{side}\"")
            }
        };
        paper.element(&format!("{shape} {fill} stroke=\"{OUTLINE}\" stroke-width=\"{outline}\"/>"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_is_proportional_to_load() {
        // Nine objects, three along each axis: four gaps of 20 mm.
        let size = Size::new(80.0, 9, 4.0);
        assert_eq!(size.largest, Size::LARGEST);
        assert_eq!(size.diameter(4.0), 9.0);
        assert_eq!(size.diameter(1.0), 4.5);
        assert_eq!(size.diameter(0.0), 0.3);
        assert!((size.load_of_smallest() - 4.0 / 900.0).abs() < 1e-12);
        assert_eq!(Size::new(8.0, 9, 4.0).largest, 1.6);
    }

    #[test]
    fn objects_without_load_are_visible() {
        assert!(Size::new(80.0, 9, 0.0).diameter(0.0) >= 1.0);
        assert!(!Size::new(1.0, 100, 1.0).is_readable());
    }
}
