// SPDX-License-Identifier: MIT OR Apache-2.0
//! How large pages become.

use lbaf_page::{
    Bound, Column, Migrations, Moments, OverBounds, OverRanks, Page, Phase, Quantity, Run, Side, Unit,
};

/// Values that nothing can be made shorter of, the same on every machine.
fn values(n: usize, seed: u64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..n).map(|_| next()).collect()
}

fn side(n_ranks: usize, seed: u64) -> Side {
    let values = values(n_ranks, seed);
    let moment = values[0];
    let moments = Moments {
        sum: moment,
        min: moment,
        mean: moment,
        max: moment,
        imbalance: moment,
        deviation: moment,
        skewness: moment,
        kurtosis: moment,
    };
    let values = Some(Column::of_floats(&values, "value").expect("values are finite"));
    Side { moments: Some(moments), mean: moment, values }
}

/// A page without objects, on which every rank has its own value of every quantity in every phase.
fn page(n_ranks: usize, n_phases: u64, n_quantities: u64) -> Page {
    let phase = |number: u64| Phase {
        number,
        strategy: Some("Greedy".to_owned()),
        left_alone: false,
        carried_from: None,
        n_objects: 0,
        n_migratable: 0,
        n_edges: 0,
        statements: Vec::new(),
        over_bounds: OverBounds { before: 0, after: 0 },
        quantities: (0..n_quantities)
            .map(|quantity| (number * n_quantities + quantity) * 2)
            .map(|seed| OverRanks { before: side(n_ranks, seed), after: side(n_ranks, seed + 1) })
            .collect(),
        bound: Bound {
            work: 0.0,
            limit: "the mean".to_owned(),
            max_load: 0.0,
            load_limit: "mean".to_owned(),
            load_imbalance: 0.0,
        },
        bounds: Vec::new(),
        migrations: Migrations { count: 0, load: 0.0, bytes: 0.0 },
        best_iteration: 0,
        n_iterations: 0,
        iterations: Vec::new(),
        front: Vec::new(),
        detail: None,
    };
    let quantity = |number| Quantity {
        key: format!("quantity_{number}"),
        name: format!("quantity {number}"),
        unit: Unit::Count,
    };
    let run = Run {
        name: "run".to_owned(),
        facts: Vec::new(),
        sentences: Vec::new(),
        notes: Vec::new(),
        warnings: Vec::new(),
        left_out: Vec::new(),
        n_ranks,
        quantities: (0..n_quantities).map(quantity).collect(),
        phases: (0..n_phases).map(phase).collect(),
    };
    Page { lbaf: "0".to_owned(), runs: vec![run] }
}

/// All eleven quantities of ranks leave a third of 5 MB for objects.
#[test]
fn a_thousand_ranks_in_sixteen_phases_leave_room_for_objects() {
    let html = page(1000, 16, 11).to_html().unwrap();
    assert!(html.len() < 3_400_000, "{}", html.len());
}

/// A value in single precision takes four bytes, and three bytes take four letters.
#[test]
fn a_value_takes_less_than_six_bytes() {
    let [few, many] = [1000, 11_000].map(|n_ranks| page(n_ranks, 1, 3).to_html().unwrap().len());
    let of_value = (many - few) as f64 / (10_000.0 * 6.0);
    assert!((5.3..5.4).contains(&of_value), "{of_value}");
}

#[test]
fn a_number_that_is_not_finite_has_no_page() {
    let mut page = page(2, 1, 1);
    page.runs[0].phases[0].migrations.load = f64::INFINITY;
    let said = page.to_html().unwrap_err().to_string();
    assert!(said.contains("inf is not finite"), "{said}");
}
