// SPDX-License-Identifier: MIT OR Apache-2.0
//! The number of threads changes no result, on phases that keep several threads busy.

use lbaf_model::{Affine, AffineParameters};
use lbaf_strategies::{
    Concurrency, InformAndTransfer, LocalSearch, Lpt, Multifit, Strategy, TemperedLB, TemperedTransfer,
    TransferStrategy,
};
use proptest::prelude::*;
use proptest::strategy::Strategy as _;

use crate::cases;
use crate::made_phase::{Made, Object, object};
use crate::posed::assert_same_on_any_number_of_threads;

/// Draws a phase of 12 ranks and 240 objects, with one block for every three objects.
fn made() -> impl proptest::strategy::Strategy<Value = Made> {
    const N: u32 = 240;
    let objects = prop::collection::vec((0.1..1.0_f64, 0..12_u32, 0..12_u32), N as usize);
    let edges = prop::collection::vec((0..N, 1..N, 1.0..9.0_f64), 0..600);
    (objects, edges, any::<bool>()).prop_map(|(objects, edges, communicates)| {
        // On average, low ranks start with more objects than high ranks.
        let object = |(at, (load, one, other)): (u32, (f64, u32, u32))| Object {
            block: Some(at / 3),
            ..object(load, one.min(other))
        };
        let objects = (0..).zip(objects).map(object).collect();
        let edges = edges.into_iter().filter(|_| communicates);
        let edges = edges.map(|(from, distance, bytes)| (from, (from + distance) % N, bytes)).collect();
        Made { block_bytes: vec![1.0; N as usize / 3], edges, ..Made::of(12, objects) }
    })
}

/// Strategies that run in parallel.
fn parallel() -> Vec<Box<dyn Strategy>> {
    let concurrency = Concurrency::Snapshot;
    let informing = |transfer_strategy| InformAndTransfer {
        transfer_strategy,
        concurrency,
        ..InformAndTransfer::default()
    };
    let tempered = |transfer| TemperedLB { transfer, concurrency, ..TemperedLB::default() };
    vec![
        Box::new(Lpt::default()),
        Box::new(Multifit::default()),
        Box::new(LocalSearch { patience: 3, ..LocalSearch::default() }),
        Box::new(informing(TransferStrategy::Recursive)),
        Box::new(informing(TransferStrategy::Clustering)),
        Box::new(tempered(TemperedTransfer::Original)),
        Box::new(tempered(TemperedTransfer::SwapClusters)),
    ]
}

proptest! {
    #![proptest_config(cases(6))]

    #[test]
    fn the_number_of_threads_changes_nothing(made in made(), beta in prop_oneof![Just(0.0), 0.0..0.1_f64], seed in any::<u64>()) {
        let model = Affine::new(AffineParameters { beta, ..AffineParameters::default() }).unwrap();
        for strategy in parallel() {
            assert_same_on_any_number_of_threads(&made, &*strategy, &model, seed)?;
        }
    }
}
