// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranking of competitors over several problems.

/// Placing of a competitor over the problems that count: those with a value for every placed competitor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placing {
    /// Mean of the places on these problems, where 1 is the best place. Equal values share the mean of their
    /// places. `None` if no problem counts, or if the competitor has no value at all.
    pub mean_place: Option<f64>,
    /// Number of these problems on which no competitor was better. An infinite value (an excluded competitor)
    /// never wins.
    pub n_wins: usize,
    /// Number of these problems; 0 for a competitor without any value.
    pub n_problems: usize,
}

/// Returns the placing of each competitor; smaller values are better. `results` has a row for each problem,
/// with a value for each competitor. A competitor without any value is not placed. A problem does not count
/// if a placed competitor lacks a value for it: ignoring only the missing value would favour that competitor.
///
/// Mean places are the statistic of the test of Friedman (1937, DOI 10.1080/01621459.1937.10503522). They do
/// not depend on the units of problems, and a single outlier does not dominate them. O(problems x competitors
/// log competitors).
pub fn placings(results: &[Vec<Option<f64>>]) -> Vec<Placing> {
    let n = results.first().map_or(0, Vec::len);
    let mut sums = vec![(0.0, 0); n];
    let placed: Vec<usize> = (0..n).filter(|&at| results.iter().any(|row| row[at].is_some())).collect();
    let mut n_problems = 0;
    for row in results {
        let values: Option<Vec<f64>> = placed.iter().map(|&at| row[at]).collect();
        let Some(values) = values else { continue };
        n_problems += 1;
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        for ((&at, place), value) in placed.iter().zip(places(&values)).zip(&values) {
            sums[at].0 += place;
            sums[at].1 += usize::from(*value == least && least.is_finite());
        }
    }
    let placing = |(at, (places, n_wins))| {
        let n_problems = if placed.contains(&at) { n_problems } else { 0 };
        Placing { mean_place: (n_problems > 0).then(|| places / n_problems as f64), n_wins, n_problems }
    };
    sums.into_iter().enumerate().map(placing).collect()
}

/// Returns the place of each value, from 1 for the smallest. Equal values share the mean of their places.
pub(crate) fn places(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut places = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let mean = first as f64 + f64::midpoint(equal.len() as f64, 1.0);
        for &at in equal {
            places[at] = mean;
        }
        first += equal.len();
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_places() {
        assert_eq!(places(&[5.0, 1.0, 5.0, 3.0]), [3.5, 1.0, 3.5, 2.0]);
    }

    #[test]
    fn a_competitor_without_any_value_is_not_placed_and_the_others_are() {
        let placings = placings(&[vec![Some(2.0), None, Some(1.0)], vec![Some(1.0), None, Some(3.0)]]);
        let of = |at: usize| (placings[at].mean_place, placings[at].n_wins, placings[at].n_problems);
        assert_eq!([of(0), of(1), of(2)], [(Some(1.5), 1, 2), (None, 0, 0), (Some(1.5), 1, 2)]);
    }

    #[test]
    fn places_are_averaged_over_problems_with_all_competitors() {
        let some = |values: [f64; 3]| values.map(Some).to_vec();
        let results = [
            some([1.0, 2.0, 3.0]),
            some([100.0, 100.0, 300.0]),
            vec![Some(1.0), None, Some(0.0)],
            some([3.0, 1.0, 2.0]),
        ];
        let placings = placings(&results);
        let of = |at: usize| (placings[at].mean_place, placings[at].n_wins);
        assert_eq!(of(0), (Some((1.0 + 1.5 + 3.0) / 3.0), 2));
        assert_eq!(of(1), (Some((2.0 + 1.5 + 1.0) / 3.0), 2));
        assert_eq!(of(2), (Some((3.0 + 3.0 + 2.0) / 3.0), 0));
        assert!(placings.iter().all(|placing| placing.n_problems == 3));
        let nobody = super::placings(&[vec![Some(1.0), None], vec![None, Some(1.0)]]);
        assert_eq!((nobody[0].mean_place, nobody[0].n_problems), (None, 0));
    }
}
