// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work has a total order, by excess and then by cost. Work within bounds comes first, because its excess is 0.

use lbaf_model::{BoundScope, RankQuantity, UpperBound, Work};
use proptest::prelude::*;

use crate::cases;

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), Just(f64::INFINITY), Just(1.0), 0.0..5.0_f64]
}

/// Draws an excess, which may be 0.
fn excess() -> impl Strategy<Value = f64> {
    prop_oneof![Just(0.0), number()]
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn within_bounds_is_less_than_over_bounds(
        (cost_within, cost_over) in (number(), number()),
        excess in prop_oneof![Just(f64::MIN_POSITIVE), Just(f64::INFINITY), 1e-300..5.0_f64],
    ) {
        let (within, over) = (Work::within(cost_within), Work::with_excess(cost_over, excess));
        prop_assert!(within < over && !within.is_over_bound() && over.is_over_bound());
    }

    #[test]
    fn the_order_is_that_of_excess_then_cost(a in (excess(), number()), b in (excess(), number())) {
        let work = |(excess, cost): (f64, f64)| Work::with_excess(cost, excess);
        // `Work` replaces infinity by the largest finite number, which keeps the order of the tuples.
        let expected = a.partial_cmp(&b).unwrap();
        prop_assert_eq!(work(a).cmp(&work(b)), expected);
        prop_assert_eq!(work(b).cmp(&work(a)), expected.reverse());
        prop_assert_eq!(work(a) == work(b), expected.is_eq());
    }

    #[test]
    fn differences_are_numbers(a in number(), b in number(), excess in excess()) {
        let (a, b) = (Work::with_excess(a, excess), Work::with_excess(b, excess));
        prop_assert!((a.cost() - b.cost()).is_finite() && a.excess().is_finite());
    }
}

/// 0.1 + 0.2 exceeds 0.3 only by rounding.
#[test]
fn an_excess_due_to_rounding_is_within_bounds() {
    let bound = |limit| UpperBound { quantity: RankQuantity::Load, limit, scope: BoundScope::Rank };
    assert_eq!(bound(0.3).excess(0.1 + 0.2), 0.0);
    assert_eq!(bound(4.0).excess(5.0), 0.25);
    assert!(bound(4.0).excess(4.0 + 1e-9) > 0.0);
    assert_eq!(bound(0.0).excess(0.0), 0.0);
    assert_eq!(bound(0.0).excess(5.0), 5.0);
}
