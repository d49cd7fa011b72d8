// SPDX-License-Identifier: MIT OR Apache-2.0
//! Order of deterministic cluster swaps, in cases computed by hand.

use lbaf_model::LoadOnly;
use lbaf_strategies::{InformAndTransfer, TransferStrategy};

use crate::made_phase::{Made, Object, object, ranks};

/// Returns the ranks of objects (load, rank) after one iteration of swaps. Three ranks know each other, and each
/// object is a cluster.
fn swapped(objects: &[(f64, u32)]) -> Vec<u32> {
    let cluster = |(block, &(load, rank))| Object { block: Some(block), ..object(load, rank) };
    let objects: Vec<Object> = (0..).zip(objects).map(cluster).collect();
    let made = Made { block_bytes: vec![1.0; objects.len()], ..Made::of(3, objects) };
    let strategy = InformAndTransfer {
        n_iterations: 1,
        fanout: 2,
        transfer_strategy: TransferStrategy::Clustering,
        deterministic_transfer: true,
        max_subclusters: Some(0),
        ..InformAndTransfer::default()
    };
    ranks(&made.run(&strategy, &LoadOnly::default(), 0).unwrap().outcome.assignment)
}

/// Works 5, 0, 10. Rank 0 takes 4 from rank 2: 9, 0, 6. Rank 1 takes 5 from rank 0, the peer of most work: 4, 5, 6.
///
/// With the peer of least work first, rank 1 would take 3 from rank 2: 9, 3, 3. Then rank 2 would swap 3 for 5 with
/// rank 0: 7, 3, 5.
#[test]
fn the_peer_of_most_work_is_asked_first() {
    assert_eq!(swapped(&[(3.0, 2), (3.0, 2), (5.0, 0), (4.0, 2)]), [2, 2, 1, 0]);
}

/// Works 5, 4, 0. Rank 0 gives 3 to rank 2: 2, 4, 3. Rank 1 swaps 2 for 1 with rank 0: 3, 3, 3.
///
/// With the smallest cluster first, rank 0 would give 1 to rank 2: 4, 4, 1. Then rank 1 would give 2 to rank 2: 4,
/// 2, 3.
#[test]
fn the_largest_own_cluster_is_offered_first() {
    assert_eq!(swapped(&[(1.0, 0), (3.0, 0), (1.0, 0), (2.0, 1), (2.0, 1)]), [1, 2, 0, 0, 1]);
}

/// Works 0, 0, 6. Ranks 0 and 1 take 2 each: 2, 2, 2.
///
/// In the order of blocks, they would take 1 each: 1, 1, 4. Then rank 2 would give 2 to rank 0: 3, 1, 2.
#[test]
fn the_largest_cluster_of_a_peer_is_requested_first() {
    assert_eq!(swapped(&[(1.0, 2), (1.0, 2), (2.0, 2), (2.0, 2)]), [2, 2, 0, 1]);
}
