// SPDX-License-Identifier: MIT OR Apache-2.0
//! Size of pages.

use lbaf_report::page::{
    MomentsView, OverRanks, PackedNumbers, Page, PhaseView, QuantityLabel, QuantityUnit, RankDistribution,
    RunView,
};

/// Returns incompressible values, the same on every machine.
fn values(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..n).map(|_| next()).collect()
}

fn side(n_ranks: usize, seed: u64) -> RankDistribution {
    let values = values(n_ranks, seed);
    let moment = values[0];
    let moments = MomentsView {
        sum: moment,
        min: moment,
        mean: moment,
        max: moment,
        imbalance: moment,
        deviation: moment,
        skewness: moment,
        kurtosis: moment,
    };
    let values = Some(PackedNumbers::of_floats(&values, "value").expect("values are finite"));
    RankDistribution { moments: Some(moments), mean: moment, values }
}

/// Returns a page without objects, with different values in every rank, phase and quantity.
fn page(n_ranks: usize, n_phases: u64, n_quantities: u64) -> Page {
    let phase = |number: u64| PhaseView {
        number,
        quantities: (0..n_quantities)
            .map(|quantity| (number * n_quantities + quantity) * 2)
            .map(|seed| OverRanks { before: side(n_ranks, seed), after: side(n_ranks, seed + 1) })
            .collect(),
        ..PhaseView::default()
    };
    let quantity = |number| QuantityLabel {
        key: format!("quantity_{number}"),
        name: format!("quantity {number}"),
        unit: QuantityUnit::Count,
    };
    let run = RunView {
        n_ranks,
        quantities: (0..n_quantities).map(quantity).collect(),
        phases: (0..n_phases).map(phase).collect(),
        ..RunView::default()
    };
    Page { lbaf: "0".to_owned(), runs: vec![run] }
}

/// The values of all eleven quantities of ranks leave a third of 5 MB for objects.
#[test]
fn a_thousand_ranks_in_sixteen_phases_leave_space_for_objects() {
    let html = page(1000, 16, 11).to_html().unwrap();
    assert!(html.len() < 3_400_000, "{}", html.len());
}

/// base64 of 4 bytes: 16/3 letters. Three quantities before and after: six values per rank.
#[test]
fn a_value_takes_less_than_six_bytes() {
    let [few, many] = [1000, 11_000].map(|n_ranks| page(n_ranks, 1, 3).to_html().unwrap().len());
    let of_value = (many - few) as f64 / (10_000.0 * 6.0);
    assert!((5.3..5.4).contains(&of_value), "{of_value}");
}

#[test]
fn numbers_that_are_not_finite_are_rejected() {
    let mut page = page(2, 1, 1);
    page.runs[0].phases[0].migrations.load = f64::INFINITY;
    let said = page.to_html().unwrap_err().to_string();
    assert!(said.contains("inf is not finite"), "{said}");
    page.runs[0].phases[0].migrations.load = 0.0;
    page.to_html().unwrap();
    let moments = page.runs[0].phases[0].quantities[0].after.moments.as_mut();
    moments.unwrap().deviation = f64::NAN;
    let said = page.to_html().unwrap_err().to_string();
    assert!(said.contains("NaN is not finite"), "{said}");
}
