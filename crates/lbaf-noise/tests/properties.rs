// SPDX-License-Identifier: MIT OR Apache-2.0
//! Properties that hold for any samples.
#![allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")]

use lbaf_noise::{
    Algorithm, Bin, BinWidth, Detector, Guards, Histogram, Judgement, Mad, Model, RunStats, Sstd,
};
use proptest::prelude::*;

fn judged(algorithm: Algorithm, guards: Guards, values: &[f64]) -> Vec<Judgement> {
    let mut model = Model::new(&Detector { algorithm, guards });
    let mut judgements = Vec::new();
    model.learn(values);
    model.judge(values, &mut judgements);
    judgements
}

/// Times of one object, with some large deviations.
fn times() -> impl Strategy<Value = Vec<f64>> {
    let time = prop_oneof![8 => 90.0..110.0, 1 => 0.0..1000.0];
    prop::collection::vec(time, 1..80)
}

/// Values on several scales, including equal ones.
fn mixed() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![Just(0.0), Just(5.0), 0.0..1.0, 4.99..5.01, 0.0..1e9];
    prop::collection::vec(value, 0..60)
}

fn widths() -> impl Strategy<Value = BinWidth> {
    prop_oneof![Just(BinWidth::Scott), (1_usize..300).prop_map(BinWidth::Fixed)]
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #[test]
    fn statistics_of_parts_are_those_of_the_whole(parts in prop::collection::vec(times(), 0..6)) {
        let mut merged = RunStats::default();
        for part in &parts {
            merged.merge(&RunStats::of(part));
        }
        let whole = RunStats::of(&parts.concat());
        prop_assert_eq!(merged.count(), whole.count());
        prop_assert_eq!((merged.min(), merged.max()), (whole.min(), whole.max()));
        prop_assert!(close(merged.mean(), whole.mean()), "{merged:?} {whole:?}");
        prop_assert!(close(merged.stddev(), whole.stddev()), "{merged:?} {whole:?}");
        prop_assert!(close(merged.skewness(), whole.skewness()), "{merged:?} {whole:?}");
        prop_assert!(close(merged.kurtosis(), whole.kurtosis()), "{merged:?} {whole:?}");
    }

    #[test]
    fn merging_histograms_loses_no_value(parts in prop::collection::vec(mixed(), 1..6), width in widths()) {
        let mut all = Histogram::default();
        for part in &parts {
            all.merge(&Histogram::of(part, width), width);
        }
        let values: Vec<f64> = parts.concat();
        prop_assert_eq!(all.total(), values.len() as u64);
        for value in &values {
            prop_assert!((all.min()..=all.max()).contains(value));
        }
        if let BinWidth::Fixed(n_bins) = width {
            // Equal values may occupy two bins.
            prop_assert!(all.counts().len() <= n_bins.max(2), "{} bins", all.counts().len());
        }
    }

    #[test]
    fn every_value_is_in_its_bin(values in mixed(), width in widths()) {
        let histogram = Histogram::of(&values, width);
        for value in values {
            let Bin::Inside(bin) = histogram.bin(value, 1.0) else { panic!("{value} is outside") };
            let slack = 0.501 * histogram.width() + 1e-12 * value.abs();
            prop_assert!((value - histogram.midpoint(bin)).abs() <= slack);
            prop_assert!(histogram.counts()[bin] > 0);
        }
    }

    #[test]
    fn the_order_of_samples_does_not_matter(
        (original, shuffled) in times().prop_flat_map(|times| {
            let indexed: Vec<(usize, f64)> = times.iter().copied().enumerate().collect();
            (Just(times), Just(indexed).prop_shuffle())
        }),
        sigma in 1.0..4.0,
    ) {
        let values: Vec<f64> = shuffled.iter().map(|(_, value)| *value).collect();
        for algorithm in [Algorithm::Mad(Mad { threshold: sigma }), Algorithm::Sstd(Sstd { sigma })] {
            for guards in [Guards::NONE, Guards::default()] {
                let expected = judged(algorithm, guards, &original);
                for ((index, _), judgement) in shuffled.iter().zip(judged(algorithm, guards, &values)) {
                    prop_assert_eq!(judgement.label, expected[*index].label);
                    prop_assert!(close(judgement.score, expected[*index].score));
                }
            }
        }
    }

    /// Multiplication by a power of two is exact: scores are equal bit for bit.
    #[test]
    fn the_unit_of_samples_does_not_matter(times in times(), exponent in -40..40) {
        let scaled: Vec<f64> = times.iter().map(|time| time * 2.0_f64.powi(exponent)).collect();
        let algorithm = Algorithm::default();
        for guards in [Guards::NONE, Guards::default()] {
            prop_assert_eq!(judged(algorithm, guards, &times), judged(algorithm, guards, &scaled));
        }
    }

    /// Most values are so far apart that the minimum standard deviation, a thousandth of the median, does not matter.
    /// Integers are exact.
    #[test]
    fn a_common_shift_of_all_samples_does_not_matter(
        far_off in prop::collection::vec(0_u32..5000, 0..10),
        shift in 1_u32..1000,
    ) {
        let original: Vec<f64> = (0..40).map(|i| 500 + 10 * i).chain(far_off).map(f64::from).collect();
        let shifted: Vec<f64> = original.iter().map(|time| time + f64::from(shift)).collect();
        let of = |values: &[f64]| judged(Algorithm::default(), Guards::NONE, values);
        prop_assert_eq!(of(&original), of(&shifted));
    }
}
