// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pareto front of points with several coordinates.

use std::cmp::Ordering;

/// Returns true for each point on the Pareto front, where smaller values are better in every coordinate. A
/// point is on the front unless another point is at least as good in all coordinates and better in one. So
/// equal points are all on the front or all off it. A point that lacks a coordinate is off the front and does
/// not affect other points. After a sort, O(n^2) comparisons at worst, O(n) for a front of few points.
pub fn on_front(points: &[Vec<Option<f64>>]) -> Vec<bool> {
    let mut order: Vec<(usize, Vec<f64>)> =
        points.iter().enumerate().filter_map(|(at, point)| Some((at, whole(point)?))).collect();
    // A point comes after every better point, so comparison with the front found so far is enough.
    order.sort_by(|one, other| compared(&one.1, &other.1));
    let mut front: Vec<Vec<f64>> = Vec::new();
    let mut is_on = vec![false; points.len()];
    for (at, point) in order {
        if !front.iter().any(|other| beats(other, &point)) {
            front.push(point);
            is_on[at] = true;
        }
    }
    is_on
}

fn whole(point: &[Option<f64>]) -> Option<Vec<f64>> {
    point.iter().copied().collect()
}

fn compared(one: &[f64], other: &[f64]) -> Ordering {
    let orders = one.iter().zip(other).map(|(one, other)| one.total_cmp(other));
    orders.fold(Ordering::Equal, Ordering::then)
}

fn beats(one: &[f64], other: &[f64]) -> bool {
    one != other && one.iter().zip(other).all(|(one, other)| one <= other)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn dominated_points_are_not_on_the_front() {
        let point = |a: f64, b: f64| vec![Some(a), Some(b)];
        let points = [
            point(1.0, 5.0),
            point(2.0, 2.0),
            point(2.0, 3.0),
            point(5.0, 1.0),
            point(2.0, 2.0),
            vec![Some(0.0), None],
        ];
        assert_eq!(on_front(&points), [true, true, false, true, true, false]);
    }

    proptest! {
        /// Compares with the definition, pair by pair.
        #[test]
        fn fronts_match_the_definition(points in prop::collection::vec(prop::collection::vec(0_u8..6, 3), 0..40)) {
            let points: Vec<Vec<Option<f64>>> =
                points.iter().map(|point| point.iter().map(|&value| Some(f64::from(value))).collect()).collect();
            let expected: Vec<bool> = points
                .iter()
                .map(|point| {
                    !points.iter().any(|other| {
                        other != point && other.iter().zip(point).all(|(other, value)| other <= value)
                    })
                })
                .collect();
            prop_assert_eq!(on_front(&points), expected);
        }
    }
}
