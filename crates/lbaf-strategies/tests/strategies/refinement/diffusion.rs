// SPDX-License-Identifier: MIT OR Apache-2.0
//! `Diffusion` keeps bounds, raises the maximum work only to repair bounds, and sends objects to their partners.

use lbaf_model::{LoadOnly, Statistics};
use lbaf_strategies::{Diffusion, DiffusionOrder, Topology};
use proptest::prelude::*;

use crate::cases;
use crate::made_phase::{Made, Object, memory, object, ranks};
use crate::posed::{assert_same_on_any_number_of_threads, assert_true, is_at_most, observed, posed, worst};

fn strategies() -> impl Strategy<Value = Diffusion> {
    let order = prop_oneof![Just(DiffusionOrder::First), Just(DiffusionOrder::Second)];
    let topology = prop_oneof![Just(Topology::Ring), Just(Topology::Hypercube)];
    (order, topology, 1.0..1.99_f64, 1..40_usize, 1..8_usize).prop_map(
        |(order, topology, beta, sweeps, n_iterations)| Diffusion {
            order,
            beta,
            topology,
            sweeps,
            n_iterations,
        },
    )
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn only_a_repair_of_bounds_raises_the_maximum_work_and_no_excess_grows((made, model) in posed(), strategy in strategies()) {
        let seen = observed(&made, &strategy, &model, 0);
        assert_true(&made, &model, &seen)?;
        let mut before = worst(&made, &model, made.phase().recorded_assignment());
        for (_, assignment) in &seen.1 {
            let now = worst(&made, &model, assignment);
            // Only a repair of bounds may raise the maximum work.
            let is_relieved = now.1 < before.1;
            prop_assert!(is_relieved || is_at_most(now.0, before.0), "{now:?} and {before:?}");
            prop_assert!(is_at_most(now.1, before.1), "{now:?} and {before:?}");
            before = now;
        }
        assert_same_on_any_number_of_threads(&made, &strategy, &model, 0)?;
    }
}

fn imbalance(made: &Made, strategy: &Diffusion) -> f64 {
    let checked = made.run(strategy, &LoadOnly::default(), 0).unwrap();
    Statistics::of(checked.totals.iter().map(|rank| rank.load)).imbalance()
}

#[test]
fn a_hot_spot_spreads_over_every_topology() {
    let made = Made::of(16, vec![object(1.0, 0); 1600]);
    for topology in [Topology::Ring, Topology::Hypercube] {
        for order in [DiffusionOrder::First, DiffusionOrder::Second] {
            let strategy =
                Diffusion { order, topology, sweeps: 1000, n_iterations: 100, ..Diffusion::default() };
            let imbalance = imbalance(&made, &strategy);
            assert!(imbalance < 0.1, "{topology:?}, {order:?}: {imbalance}");
        }
    }
}

/// Objects 1 and 3 communicate with an object of rank 1.
#[test]
fn objects_go_to_their_partners_in_communication() {
    let mut made =
        Made::of(2, vec![object(1.0, 0), object(1.0, 0), object(1.0, 0), object(1.0, 0), object(0.0, 1)]);
    made.edges = vec![(1, 4, 10.0), (4, 3, 10.0)];
    let checked = made.run(&Diffusion::default(), &LoadOnly::default(), 0).unwrap();
    assert_eq!(ranks(&checked.outcome.assignment), [0, 1, 0, 1, 1]);
    assert!(checked.outcome.notes.is_empty());
    made.edges.clear();
    let checked = made.run(&Diffusion::default(), &LoadOnly::default(), 0).unwrap();
    assert_eq!(
        checked.outcome.notes,
        ["communication does not connect all ranks; the neighbours of a hypercube are added"]
    );
}

#[test]
fn a_momentum_that_would_not_converge_is_refused() {
    let made = Made::of(2, vec![object(1.0, 0)]);
    let refusal =
        made.run(&Diffusion { beta: 2.0, ..Diffusion::default() }, &LoadOnly::default(), 0).unwrap_err();
    assert_eq!(refusal.to_string(), "Diffusion: `beta`: must be at least 1 and less than 2");
}

/// Loads are even, but rank 0 has 4 x 1 bytes, with a bound of 2 bytes.
#[test]
fn ranks_over_a_bound_come_within_it_first() {
    let with = |load, rank| Object { footprint_bytes: 1.0, ..object(load, rank) };
    let mut objects = vec![with(0.25, 0); 4];
    objects.extend([object(1.0, 1), object(1.0, 2)]);
    let found = Made::of(3, objects).run(&Diffusion::default(), &memory(2.0), 0).unwrap();
    assert!(!found.infeasible);
    assert!(found.works.iter().all(|work| !work.is_over_bound()), "{:?}", found.works);
}
