// SPDX-License-Identifier: MIT OR Apache-2.0
//! Robust change points of a complete series.
//!
//! Minimizes absolute deviations from piecewise constant levels of at least two samples each, plus a penalty for every
//! change. Deviations are capped, as in Fearnhead and Rigaill 2019 (doi 10.1080/01621459.2017.1385466). With the cap,
//! one odd sample costs less than the two changes around it; two successive odd samples cost more than two changes.

use crate::median::median;

/// Penalty of a change as a fraction of the deviation cap. Below 1, two deviating samples cost more than two changes;
/// from 1/2, one deviating sample does not.
const PENALTY: f64 = 0.75;

/// Number of samples up to which a level at either end of the series is short. A short level needs only one change, but
/// must outweigh the penalty of two, like a level in the middle. So two odd samples at an end of the series, with a
/// normal one between them, are not a level.
const SHORT_END: usize = 5;

/// Number of samples above which the penalty grows with their logarithm: chance changes are more likely in long
/// series.
const MANY: f64 = 20.0;

/// Maximum number of candidate levels of a series.
const MOST_CANDIDATES: usize = 64;

/// Returns the position of the first sample of each level, ascending from 0. `tolerance` is the largest distance of a
/// normal sample from its level. O(samples × 64).
pub(super) fn change_points(series: &[f64], tolerance: f64) -> Vec<usize> {
    let most = tolerance * (libm::log(series.len() as f64) / libm::log(MANY)).max(1.0);
    if series.len() < 2 || cost(series, most) <= PENALTY * most {
        return vec![0];
    }
    merged(series, path(series, most), most)
}

/// Returns the cost of a series with its median as single level: the sum of the deviations, each capped at `most`.
fn cost(series: &[f64], most: f64) -> f64 {
    let level = median(&mut series.to_vec()).unwrap_or(0.0);
    series.iter().map(|value| (value - level).abs().min(most)).sum()
}

/// Returns the position of the first sample of each level on the cheapest path through the candidate levels. A level
/// is young at its first sample, then grown. Only a grown level can end.
fn path(series: &[f64], most: f64) -> Vec<usize> {
    let levels = candidates(series, most);
    let cost = |at: usize, level: usize| (series[at] - levels[level]).abs().min(most);
    let mut young: Vec<f64> = (0..levels.len()).map(|level| cost(0, level)).collect();
    let mut grown = vec![f64::INFINITY; levels.len()];
    // `before`: for each sample, the level that ends if another level begins at this sample. `began`: for each sample
    // and level, true if the level began at the previous sample.
    let mut before = vec![0; series.len()];
    let mut began = vec![false; series.len() * levels.len()];
    for at in 1..series.len() {
        before[at] = cheapest(&grown);
        let entry = grown[before[at]] + PENALTY * most;
        for level in 0..levels.len() {
            let cost = cost(at, level);
            began[at * levels.len() + level] = young[level] < grown[level];
            grown[level] = grown[level].min(young[level]) + cost;
            young[level] = entry + cost;
        }
    }
    let mut starts = Vec::new();
    let (mut at, mut level) = (series.len() - 1, cheapest(&grown));
    loop {
        while at > 0 && !began[at * levels.len() + level] {
            at -= 1;
        }
        if at < 2 {
            break;
        }
        starts.push(at - 1);
        level = before[at - 1];
        at -= 2;
    }
    starts.push(0);
    starts.reverse();
    starts
}

/// Returns candidate levels: values of samples, where close values share a candidate.
fn candidates(series: &[f64], most: f64) -> Vec<f64> {
    let mut sorted = series.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut step = most / 24.0;
    loop {
        let mut levels: Vec<f64> = Vec::with_capacity(MOST_CANDIDATES);
        for &value in &sorted {
            if levels.last().is_none_or(|last| value - last > step) {
                levels.push(value);
            }
        }
        if levels.len() <= MOST_CANDIDATES {
            return levels;
        }
        step *= 2.0;
    }
}

/// Returns the index of the least cost, the first in a tie.
fn cheapest(costs: &[f64]) -> usize {
    (0..costs.len()).min_by(|&one, &other| costs[one].total_cmp(&costs[other])).unwrap_or(0)
}

/// Removes changes whose benefit does not exceed the penalty once each level is the median of its samples.
fn merged(series: &[f64], starts: Vec<usize>, most: f64) -> Vec<usize> {
    let cost = |from: usize, to: usize| cost(&series[from..to], most);
    let ends: Vec<usize> = starts[1..].iter().copied().chain([series.len()]).collect();
    let mut kept: Vec<usize> = Vec::with_capacity(starts.len());
    for (start, end) in starts.into_iter().zip(ends) {
        let Some(&last) = kept.last() else {
            kept.push(start);
            continue;
        };
        let is_short_end = last == 0 && start <= SHORT_END || end == series.len() && end - start <= SHORT_END;
        let penalty = if is_short_end { 2.0 * PENALTY } else { PENALTY } * most;
        if cost(last, end) > cost(last, start) + cost(start, end) + penalty {
            kept.push(start);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With a tolerance of 1 and at most 20 samples, a change costs 0.75, and a sample costs at most 1.
    fn starts(series: &[f64]) -> Vec<usize> {
        change_points(series, 1.0)
    }

    #[test]
    fn one_odd_sample_is_not_a_level_however_odd() {
        for odd in [1.0, 2.0, 1e6, -1e6] {
            for at in 0..9 {
                let mut series = [0.0; 9];
                series[at] = odd;
                assert_eq!(starts(&series), [0], "{odd} at {at}");
            }
        }
    }

    #[test]
    fn two_odd_samples_are_a_level_if_they_follow_each_other() {
        // If the odd samples begin at 1 or 6, a single sample precedes or follows them. It cannot be a level, so they
        // are not separated from it.
        let expected = [
            vec![0, 2],
            vec![0],
            vec![0, 2, 4],
            vec![0, 3, 5],
            vec![0, 4, 6],
            vec![0, 5, 7],
            vec![0],
            vec![0, 7],
        ];
        for (at, expected) in expected.into_iter().enumerate() {
            let mut series = [0.0; 9];
            series[at..at + 2].fill(5.0);
            assert_eq!(starts(&series), expected, "{at}");
        }
        assert_eq!(starts(&[0.0, 0.0, 0.0, 5.0, 0.0, 5.0, 0.0, 0.0, 0.0]), [0]);
        assert_eq!(starts(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 5.0]), [0]);
        assert_eq!(starts(&[5.0, 0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), [0]);
        // Deviations in opposite directions have no common level.
        assert_eq!(starts(&[0.0, 0.0, 0.0, 5.0, -5.0, 0.0, 0.0, 0.0, 0.0]), [0]);
    }

    #[test]
    fn levels_are_found_anywhere_in_a_series() {
        let series = |levels: &[(usize, f64)]| {
            let of_level = |&(n, level): &(usize, f64)| {
                // Jitter of 0.1 at most.
                (0..n).map(move |at| level + [0.1, -0.05, 0.0, -0.1, 0.07][at % 5])
            };
            levels.iter().flat_map(of_level).collect::<Vec<_>>()
        };
        assert_eq!(starts(&series(&[(12, 0.0), (8, 1.1)])), [0, 12]);
        assert_eq!(starts(&series(&[(10, 0.0), (10, 1.1)])), [0, 10]);
        assert_eq!(starts(&series(&[(5, 0.0), (5, 2.0), (5, 1.0), (5, 2.0)])), [0, 5, 10, 15]);
        // Small changes are found if they last.
        assert_eq!(starts(&series(&[(100, 0.0), (100, 0.3)])), [0, 100]);
        assert_eq!(starts(&series(&[(200, 0.0)])), [0]);
        // An odd sample within a level does not end it.
        let mut odd = series(&[(10, 0.0), (10, 2.0)]);
        odd[14] = 0.0;
        assert_eq!(starts(&odd), [0, 10]);
    }

    #[test]
    fn few_samples_are_one_level() {
        assert_eq!(starts(&[]), [0]);
        assert_eq!(starts(&[1.0]), [0]);
        assert_eq!(starts(&[1.0, 9.0]), [0]);
        assert_eq!(starts(&[1.0, 9.0, 9.0]), [0]);
        assert_eq!(starts(&[1.0, 1.0, 9.0, 9.0]), [0, 2]);
    }

    /// Compares with the cheapest of all divisions of a series into levels of at least two samples, each at the value
    /// of a sample.
    #[test]
    fn no_other_cut_is_much_cheaper() {
        let random = |seed: u64| {
            let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            move || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as f64 / (1_u64 << 31) as f64
            }
        };
        for seed in 0..300 {
            let mut next = random(seed);
            let n = 4 + (seed % 8) as usize;
            let mut level = 0.0;
            let series: Vec<f64> = (0..n)
                .map(|_| {
                    if next() < 0.2 {
                        level = 4.0 * next();
                    }
                    level + 0.3 * next() + if next() < 0.1 { 3.0 } else { 0.0 }
                })
                .collect();
            let price = |starts: &[usize]| {
                let ends = starts[1..].iter().copied().chain([n]);
                let levels: f64 =
                    starts.iter().zip(ends).map(|(&start, end)| least(&series[start..end])).sum();
                levels + PENALTY * (starts.len() - 1) as f64
            };
            let mut best = f64::INFINITY;
            for cuts in 0..1_u32 << (n - 1) {
                let starts: Vec<usize> = (0..n).filter(|&at| at == 0 || cuts >> (at - 1) & 1 == 1).collect();
                let mut ends = starts[1..].iter().copied().chain([n]);
                if starts.iter().all(|&start| ends.next().is_some_and(|end| end >= start + 2)) {
                    best = best.min(price(&starts));
                }
            }
            // Every sample is at most 1/24 of the cap away from a candidate.
            let found = price(&path(&series, 1.0));
            assert!(found <= best + n as f64 / 24.0, "{series:?}: {found} instead of {best}");
        }
    }

    /// Returns the cost of the best level among the values of samples.
    fn least(series: &[f64]) -> f64 {
        let cost = |level: &f64| series.iter().map(|value| (value - level).abs().min(1.0)).sum::<f64>();
        series.iter().map(cost).fold(f64::INFINITY, f64::min)
    }
}
