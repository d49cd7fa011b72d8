// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranks and nodes on which the same work takes longer.

use std::collections::BTreeMap;

use lbaf_model::{DataSet, NodeId};
use lbaf_noise::{Labelling, Slowness, Tolerance};

use crate::made::{resting, run};

fn slowness(data: &DataSet, tolerance: Tolerance) -> Slowness {
    Slowness::of(&Labelling::default().label(data, &BTreeMap::new()), tolerance)
}

/// Eight tasks of different lengths on four ranks, for eight phases. Every task moves to the next rank in each phase.
/// Its time is multiplied by the `speed` of its rank.
fn wandering(speed: [f64; 4]) -> DataSet {
    let ranks: Vec<Vec<u32>> = (0..8).map(|phase| (0..8).map(|task| (task + phase) % 4).collect()).collect();
    let load = |task: usize, rank: u32| (1.0 + task as f64) * speed[rank as usize];
    let loads: Vec<Vec<f64>> = ranks
        .iter()
        .map(|ranks| ranks.iter().enumerate().map(|(task, &rank)| load(task, rank)).collect())
        .collect();
    run(4, &loads, &ranks)
}

#[test]
fn migration_shows_which_rank_is_slow() {
    let found = slowness(&wandering([1.0, 1.0, 1.5, 1.0]), Tolerance::default());
    let factors: Vec<f64> = found.ranks.iter().map(|rank| rank.factor.expect("a factor")).collect();
    assert!(
        factors.iter().zip([1.0, 1.0, 1.5, 1.0]).all(|(one, other)| (one - other).abs() < 1e-8),
        "{factors:?}"
    );
    assert_eq!(found.ranks.iter().map(|rank| rank.is_slow).collect::<Vec<_>>(), [false, false, true, false]);
    assert!(found.ranks.iter().all(|rank| (rank.n_migrated, rank.n_siblings) == (16, 0)));
    // A node is slow if at least as many of its ranks are slow as a socket has: here one of two ranks on two sockets.
    assert_eq!(found.slow_nodes().collect::<Vec<_>>(), [NodeId(1)]);
    let whole = Tolerance { sockets_per_node: 1, ..Tolerance::default() };
    assert_eq!(slowness(&wandering([1.0, 1.0, 1.5, 1.0]), whole).slow_nodes().count(), 0);
    assert_eq!(
        slowness(&wandering([1.0, 1.0, 1.5, 1.2]), whole).slow_nodes().collect::<Vec<_>>(),
        [NodeId(1)]
    );
    let tolerant = Tolerance { slowdown: 0.6, ..Tolerance::default() };
    assert!(slowness(&wandering([1.0, 1.0, 1.5, 1.0]), tolerant).ranks.iter().all(|rank| !rank.is_slow));
}

#[test]
fn siblings_hint_at_a_slow_rank_where_nothing_migrates() {
    let loads = vec![vec![1.0, 1.0, 1.0, 1.0, 1.3, 1.3, 1.0, 1.0]; 5];
    let found = slowness(&resting(4, &loads, &[0, 0, 1, 1, 2, 2, 3, 3]), Tolerance::default());
    let hints: Vec<_> = found.ranks.iter().map(|rank| rank.may_be_slow).collect();
    assert_eq!(hints, [false, false, true, false]);
    assert!((found.ranks[2].sibling_factor.expect("a factor") - 1.3).abs() < 1e-12);
    // Siblings can differ: the rank may be slow, but is not reported as slow.
    assert!(found.ranks.iter().all(|rank| !rank.is_slow && rank.factor.is_none()));
    assert_eq!(found.slow_nodes().count(), 0);
    assert!(found.ranks.iter().all(|rank| (rank.n_migrated, rank.n_siblings) == (0, 10)));
}

/// Regression: a collection on a single rank was compared with itself.
#[test]
fn siblings_on_one_rank_are_not_compared() {
    let found = slowness(&resting(2, &vec![vec![1.0; 4]; 4], &[1; 4]), Tolerance::default());
    assert!(found.ranks.iter().all(|rank| rank.sibling_factor.is_none() && rank.n_siblings == 0));
}

/// Regression: ranks with large objects were reported as slow, although objects of a collection can differ.
#[test]
fn unlike_siblings_make_no_rank_slow() {
    let loads = vec![vec![1.0, 2.0, 0.5, 3.0, 1.5, 2.2, 0.8, 1.2]; 5];
    let found = slowness(&resting(8, &loads, &[0, 1, 2, 3, 4, 5, 6, 7]), Tolerance::default());
    assert!(found.ranks.iter().all(|rank| !rank.is_slow && !rank.may_be_slow), "{found:?}");
}

#[test]
fn incomparable_tasks_are_counted() {
    // An object alone in its collection that never migrates, and a rank without objects.
    let found = slowness(&resting(2, &vec![vec![1.0]; 4], &[0]), Tolerance::default());
    assert!(found.ranks.iter().all(|rank| rank.factor.is_none() && !rank.is_slow));
    assert_eq!(found.n_incomparable, 4);
    // Tasks that take no time cannot be compared either.
    let found = slowness(&resting(2, &vec![vec![0.0; 4]; 4], &[0, 0, 1, 1]), Tolerance::default());
    assert_eq!(found.n_incomparable, 16);
}
