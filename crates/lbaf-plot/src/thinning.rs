// SPDX-License-Identifier: MIT OR Apache-2.0
//! Thinning of lines with more points than the page can show.

use crate::canvas::Spot;

/// Width of a column of the page in units. In pictures, it is a tenth of a millimetre, thinner than any line.
const COLUMN: i32 = 10;

/// Returns the points that draw the same line: the first, highest, lowest and last of each column of the page. Extremes
/// are kept, and the width of the page limits the number of points of a line from left to right.
pub(crate) fn thinned(spots: &[Spot]) -> Vec<Spot> {
    let mut kept = Vec::new();
    for column in spots.chunk_by(|a, b| a.0.div_euclid(COLUMN) == b.0.div_euclid(COLUMN)) {
        let indices = || 0..column.len();
        let lowest = indices().max_by_key(|&i| column[i].1).unwrap_or(0);
        let highest = indices().min_by_key(|&i| column[i].1).unwrap_or(0);
        let mut chosen = [0, lowest, highest, column.len() - 1];
        chosen.sort_unstable();
        kept.extend(chosen.iter().map(|&i| column[i]));
    }
    kept.dedup();
    without_middles(&kept)
}

/// Drops inner points of horizontal runs, such as those of a balanced state.
fn without_middles(spots: &[Spot]) -> Vec<Spot> {
    let is_middle = |i: usize| {
        i > 0
            && i + 1 < spots.len()
            && spots[i - 1].1 == spots[i].1
            && spots[i].1 == spots[i + 1].1
            && (spots[i - 1].0..=spots[i + 1].0).contains(&spots[i].0)
    };
    (0..spots.len()).filter(|&i| !is_middle(i)).map(|i| spots[i]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_extremes_of_a_noisy_line() {
        // 100,000 points on 88 mm. One spike goes up and one goes down, both in the middle of columns.
        let mut spots: Vec<Spot> = (0..100_000).map(|i| (i * 88 / 1000, 3000 + i * 7919 % 101)).collect();
        spots[41_234].1 = 17;
        spots[77_777].1 = 5999;
        let kept = thinned(&spots);
        assert!(kept.contains(&spots[41_234]));
        assert!(kept.contains(&spots[77_777]));
        assert_eq!(kept.first(), spots.first());
        assert_eq!(kept.last(), spots.last());
        assert!(kept.len() <= 4 * 880, "{}", kept.len());
        assert!(kept.windows(2).all(|pair| pair[0].0 <= pair[1].0));
    }

    #[test]
    fn leaves_a_sparse_line_alone() {
        let spots = [(0, 5), (100, 9), (200, 1), (300, 9)];
        assert_eq!(thinned(&spots), spots);
    }

    #[test]
    fn draws_a_level_line_with_two_points() {
        let spots: Vec<Spot> = (0..5000).map(|x| (x, 42)).collect();
        assert_eq!(thinned(&spots), [(0, 42), (4999, 42)]);
    }

    #[test]
    fn keeps_the_corners_of_steps() {
        let steps = [(0, 10), (500, 10), (500, 30), (1000, 30), (1000, 0)];
        assert_eq!(thinned(&steps), steps);
    }

    #[test]
    fn accepts_lines_of_one_point_and_none() {
        assert_eq!(thinned(&[(3, 4)]), [(3, 4)]);
        assert!(thinned(&[]).is_empty());
    }
}
