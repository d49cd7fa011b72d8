// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects drawn one by one: circles and squares whose area is their load.

use crate::Frame;
use crate::colour::{BLACK, Colour, WHITE};
use crate::jitter::Jitter;
use crate::layout::Layout;
use crate::paper::{Paper, Spot, units};
use crate::placement::{ByRank, per_axis, position, rows};
use crate::scale::Scale;

/// How large objects are, the same in all frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    /// The largest load.
    pub(crate) most_load: f64,
    /// The diameter for it, in millimetres.
    largest: f64,
}

/// The shape of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// It may move.
    Circle,
    /// It may not.
    Square,
}

/// An object on the page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) spot: Spot,
    /// Of a circle; a square has the same area.
    pub(crate) diameter: f64,
    pub(crate) shape: Shape,
    /// Hollow if there is none.
    pub(crate) fill: Option<Colour>,
    /// Whether it has a ring around it.
    pub(crate) ringed: bool,
}

/// Outlines of objects.
const OUTLINE: Colour = Colour(50, 50, 50);

impl Size {
    /// Smaller ones could not be seen.
    pub(crate) const SMALLEST: f64 = 0.3;
    /// Larger ones say nothing more.
    const LARGEST: f64 = 9.0;
    /// Part of the distance between objects that the largest fills.
    const FILLED: f64 = 0.8;

    /// For tiles in which objects have an extent of `side`, at most `most_on_rank` of them in each.
    pub(crate) fn new(side: f64, most_on_rank: usize, most_load: f64) -> Self {
        let spacing = side / (per_axis(most_on_rank, 2) as f64 + 1.0);
        Size { most_load, largest: (Size::FILLED * spacing).min(Size::LARGEST) }
    }

    /// Whether the largest objects can be told apart.
    pub(crate) fn is_readable(self) -> bool {
        self.largest >= 0.8
    }

    /// The diameter for a load. Where all loads are 0, they still are objects.
    pub(crate) fn diameter(self, load: f64) -> f64 {
        if self.most_load > 0.0 {
            (self.largest * (load / self.most_load).sqrt()).max(Size::SMALLEST)
        } else {
            (self.largest / 2.0).clamp(Size::SMALLEST, 2.0)
        }
    }

    /// The load below which all objects are drawn equally small.
    pub(crate) fn load_of_smallest(self) -> f64 {
        let part = Size::SMALLEST / self.largest;
        self.most_load * part * part
    }
}

/// Where the objects of a frame are on the page. Of the tiles, a strip of height `label` at the top stays free.
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
            // Up the page, y shrinks.
            spots[object as usize] = (middle.0 + x * side, middle.1 - y * (side - label));
        }
    }
    spots
}

/// Draws all objects, large ones below small ones.
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
    /// Draws it with its outline. A ring is black on white, to be seen on any tile.
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
        // Nine objects: three along each axis, so four gaps of 20 mm.
        let size = Size::new(80.0, 9, 4.0);
        assert_eq!(size.largest, Size::LARGEST);
        assert_eq!(size.diameter(4.0), 9.0);
        assert_eq!(size.diameter(1.0), 4.5);
        assert_eq!(size.diameter(0.0), 0.3);
        assert!((size.load_of_smallest() - 4.0 / 900.0).abs() < 1e-12);
        assert_eq!(Size::new(8.0, 9, 4.0).largest, 1.6);
    }

    #[test]
    fn objects_without_load_are_still_seen() {
        assert!(Size::new(80.0, 9, 0.0).diameter(0.0) >= 1.0);
        assert!(!Size::new(1.0, 100, 1.0).is_readable());
    }
}
