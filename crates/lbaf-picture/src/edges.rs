// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines between communicating objects, or between their ranks.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::colour::BLACK;
use crate::paper::{Paper, Spot, units};
use crate::{Edge, Frame};

/// Largest number of lines; more would hide each other.
pub(crate) const MOST_EDGES: usize = 1500;

/// Thickness and darkness of lines, which grow with volume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strength {
    /// Largest volume.
    pub(crate) most_bytes: f64,
    /// Width of the line for the largest volume, in millimetres.
    pub(crate) thickest: f64,
}

impl Strength {
    /// Returns a volume as a fraction of the largest one.
    fn part(self, bytes: f64) -> f64 {
        if self.most_bytes > 0.0 { (bytes / self.most_bytes).min(1.0) } else { 0.0 }
    }

    /// Returns the width of a line in millimetres for a fraction `part` of the largest volume; positive even for 0.
    pub(crate) fn width(part: f64, thickest: f64) -> f64 {
        thickest * (0.2 + 0.8 * part)
    }

    /// Returns the opacity of a line, from 0 to 1, for a fraction `part` of the largest volume.
    pub(crate) fn opacity(part: f64) -> f64 {
        0.3 + 0.45 * part
    }
}

/// Returns an edge for each pair of different ranks that communicate, in ascending order of ranks; `None` for more than
/// `most` pairs.
pub(crate) fn between_ranks(frame: &Frame<'_>, most: usize) -> Option<Vec<Edge>> {
    let mut pairs: BTreeMap<[u32; 2], f64> = BTreeMap::new();
    for edge in &frame.objects.edges {
        let mut ends = edge.ends.map(|end| frame.rank_of[end as usize]);
        ends.sort_unstable();
        if ends[0] != ends[1] {
            *pairs.entry(ends).or_insert(0.0) += edge.bytes;
            if pairs.len() > most {
                return None;
            }
        }
    }
    Some(pairs.into_iter().map(|(ends, bytes)| Edge { ends, bytes }).collect())
}

/// Draws a line for each edge, in ascending order of volume. `spot` returns the position of an endpoint. Lines are bent
/// by at most `most_bent` millimetres, so that lines between aligned spots do not hide each other.
pub(crate) fn draw(
    paper: &mut Paper,
    edges: &[Edge],
    spot: impl Fn(u32) -> Spot,
    strength: Strength,
    most_bent: f64,
) {
    let mut order: Vec<&Edge> = edges.iter().collect();
    order.sort_by(|a, b| a.bytes.total_cmp(&b.bytes).then(a.ends.cmp(&b.ends)));
    paper.element(&format!("<g fill=\"none\" stroke=\"{BLACK}\" stroke-linecap=\"round\">"));
    for edge in order {
        let part = strength.part(edge.bytes);
        let width = units(Strength::width(part, strength.thickest));
        // Smaller differences are invisible.
        let opacity = (Strength::opacity(part) * 100.0).round() / 100.0;
        let path = line(spot(edge.ends[0]), spot(edge.ends[1]), most_bent);
        paper.element(&format!("<path d=\"{path}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"/>"));
    }
    paper.element("</g>");
}

/// Returns the data of an SVG path from one spot to another.
fn line((x0, y0): Spot, (x1, y1): Spot, most_bent: f64) -> String {
    /// Sideways deviation of a bent line, relative to its length.
    const BENT: f64 = 0.12;
    let mut path = String::new();
    let [from_x, from_y, to_x, to_y] = [x0, y0, x1, y1].map(units);
    let _ = write!(path, "M{from_x} {from_y}");
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length = (dx * dx + dy * dy).sqrt();
    if most_bent > 0.0 && length > 0.0 {
        // The midpoint of the curve deviates half as far as its control point.
        let aside = 2.0 * (BENT * length).min(most_bent) / length;
        let control = [f64::midpoint(x0, x1) + aside * dy, f64::midpoint(y0, y1) - aside * dx].map(units);
        let _ = write!(path, "Q{} {} ", control[0], control[1]);
    } else {
        path.push('L');
    }
    let _ = write!(path, "{to_x} {to_y}");
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Moment, Objects};

    #[test]
    fn volumes_of_objects_are_summed_by_pairs_of_ranks() {
        let edge = |a, b, bytes| Edge { ends: [a, b], bytes };
        let objects = Objects {
            number: vec![0; 4],
            load: vec![1.0; 4],
            migratable: vec![true; 4],
            edges: vec![edge(0, 1, 1.0), edge(1, 2, 2.0), edge(2, 0, 4.0), edge(0, 3, 8.0)],
            ..Objects::default()
        };
        let frame = Frame {
            phase: 0,
            moment: Moment::Start,
            load_imbalance: 0.0,
            rank_qoi: vec![0.0; 3],
            rank_attributes: &[],
            objects: &objects,
            rank_of: vec![1, 0, 0, 2],
            object_qoi: vec![0.0; 4],
        };
        // Objects 0 and 3 are alone on ranks 1 and 2. Objects 1 and 2 share rank 0, so their volume is on-rank.
        assert_eq!(between_ranks(&frame, 9), Some(vec![edge(0, 1, 5.0), edge(1, 2, 8.0)]));
        assert_eq!(between_ranks(&frame, 1), None);
    }

    #[test]
    fn lines_are_straight_or_bent() {
        assert_eq!(line((0.0, 0.0), (1.0, 0.5), 0.0), "M0 0L100 50");
        assert_eq!(line((0.0, 0.0), (1.0, 0.0), 9.0), "M0 0Q50 -24 100 0");
        assert_eq!(line((0.0, 0.0), (100.0, 0.0), 1.0), "M0 0Q5000 -200 10000 0");
    }

    #[test]
    fn strength_grows_with_the_volume() {
        let strength = Strength { most_bytes: 8.0, thickest: 1.0 };
        assert_eq!([strength.part(0.0), strength.part(2.0), strength.part(8.0)], [0.0, 0.25, 1.0]);
        assert_eq!(Strength::width(1.0, 2.0), 2.0);
        let nothing = Strength { most_bytes: 0.0, thickest: 1.0 };
        assert_eq!(nothing.part(0.0), 0.0);
    }
}
