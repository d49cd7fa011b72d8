// SPDX-License-Identifier: MIT OR Apache-2.0
//! `BruteForce` under the CCM work model: published optima, and cases computed by hand.

use lbaf_model::{
    Affine, AffineParameters, BoundScope, Ccm, CcmParameters, OnRankVolume, Phase, RankQuantity, UpperBound,
    WorkModel,
};
use lbaf_strategies::BruteForce;

use super::{Full, max_work, near, solve, synthetic_blocks};
use crate::made_phase::{Made, object, ranks};

/// Returns `synthetic-blocks` with blocks and edges, on nodes of two ranks.
fn whole_synthetic_blocks(alphas: [f64; 4]) -> Phase {
    let mut made = Made { alphas: alphas.to_vec(), ranks_per_node: 2, ..synthetic_blocks() };
    made.block_bytes = vec![9.0; 5];
    for (object, block) in made.objects.iter_mut().zip([0, 0, 1, 1, 2, 2, 3, 3, 4]) {
        object.block = Some(block);
    }
    made.edges = vec![
        (0, 5, 2.0),
        (1, 4, 1.0),
        (3, 2, 1.0),
        (3, 8, 0.5),
        (4, 1, 2.0),
        (5, 8, 2.0),
        (7, 6, 1.0),
        (8, 6, 1.5),
    ];
    let homes = vec![0, 0, 1, 1, 2];
    let serialized = vec![0.0; 9];
    Full { made, serialized, homes, rank_bytes: vec![0.0; 4], rank_edges: Vec::new() }.phase()
}

/// Problem on `synthetic-blocks` with the optimum of another exhaustive search.
pub(crate) struct Published {
    pub(crate) model: Box<dyn WorkModel>,
    pub(crate) alphas: [f64; 4],
    pub(crate) whole_clusters: bool,
    /// `None` if no placement is feasible.
    pub(crate) optimum: Option<f64>,
}

impl Published {
    pub(crate) fn phase(&self) -> Phase {
        whole_synthetic_blocks(self.alphas)
    }
}

/// Returns the published optima of `synthetic-blocks`.
pub(crate) fn published() -> Vec<Published> {
    let ccm =
        |alpha, beta, gamma, delta| CcmParameters { alpha, beta, gamma, delta, ..CcmParameters::default() };
    let load_only = CcmParameters::default();
    let bounded = |limit, scope| {
        let bound = UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope };
        CcmParameters { bounds: vec![bound], ..CcmParameters::default() }
    };
    let as_vt = CcmParameters { on_rank_volume: OnRankVolume::Vt, ..ccm(1.0, 1.0, 0.1, 0.0) };
    let [even, slow] = [[1.0; 4], [100.0, 1.0, 1.0, 1.0]];
    let of_ccm = [
        (load_only.clone(), even, false, Some(2.0)),
        (load_only.clone(), even, true, Some(2.5)),
        (bounded(18.0, BoundScope::Rank), even, false, Some(2.0)),
        (bounded(36.0, BoundScope::Node), even, false, Some(2.0)),
        (bounded(27.0, BoundScope::Node), even, false, Some(2.5)),
        (bounded(18.0, BoundScope::Node), even, false, None),
        (ccm(1.0, 0.0, 0.0, 0.1), even, false, Some(2.5)),
        (ccm(1.0, 0.0, 0.0, 0.1), even, true, Some(2.5)),
        (ccm(1.0, 0.0, 0.0, 0.3), even, false, Some(3.5)),
        (ccm(1.0, 0.0, 0.0, 0.3), even, true, Some(4.0)),
        (ccm(1.0, 1.0, 0.0, 0.0), even, false, Some(4.0)),
        (ccm(0.0, 1.0, 0.0, 0.0), even, false, Some(0.0)),
        (ccm(1.0, 1.0, 0.1, 0.0), even, false, Some(4.3)),
        (as_vt, even, false, Some(4.3)),
        (load_only, slow, false, Some(3.0)),
    ];
    let mut published: Vec<Published> = of_ccm
        .into_iter()
        .map(|(parameters, alphas, whole_clusters, optimum)| Published {
            model: Box::new(Ccm::new(parameters).unwrap()),
            alphas,
            whole_clusters,
            optimum,
        })
        .collect();
    // LBAF's gamma is added to the work of every rank: 4 + 0.1.
    let affine = AffineParameters { beta: 1.0, gamma: 0.1, ..AffineParameters::default() };
    let model = Box::new(Affine::new(affine).unwrap());
    published.push(Published { model, alphas: even, whole_clusters: false, optimum: Some(4.1) });
    published
}

#[test]
fn synthetic_blocks_have_the_published_optima() {
    for (at, problem) in published().iter().enumerate() {
        let (phase, whole_clusters) = (problem.phase(), problem.whole_clusters);
        let strategy = BruteForce { whole_clusters, ..BruteForce::default() };
        let checked = solve(&strategy, &phase, &*problem.model).unwrap();
        let found = max_work(&phase, &*problem.model, &checked.outcome.assignment);
        assert_eq!(checked.infeasible, problem.optimum.is_none(), "row {at}");
        let Some(expected) = problem.optimum else { continue };
        assert!(!found.is_over_bound() && near(found.cost(), expected), "row {at}: {found}, not {expected}");
        // For whole clusters, the bound holds for placements with each block on one rank.
        assert!(checked.outcome.proven_bound.is_some_and(|bound| near(bound, expected)), "row {at}");
    }
}

/// Object 0 sends 3 bytes to object 1: the maximum work is 1 + 3 beta on two ranks, and 2 + 3 gamma on one rank.
/// Only vt's definition of the on-rank volume counts bytes that object 0 on rank 0 sends to rank 0.
#[test]
fn objects_are_separated_if_on_rank_communication_costs_more() {
    let full = |rank_edges| Full {
        made: Made { edges: vec![(0, 1, 3.0)], ..Made::of(2, vec![object(1.0, 0); 2]) },
        serialized: vec![0.0; 2],
        homes: Vec::new(),
        rank_bytes: vec![0.0; 2],
        rank_edges,
    };
    let least = |phase: &Phase, gamma, on_rank_volume| {
        let parameters = CcmParameters { beta: 0.5, gamma, on_rank_volume, ..CcmParameters::default() };
        let model = Ccm::new(parameters).unwrap();
        let checked = solve(&BruteForce::default(), phase, &model).unwrap();
        max_work(phase, &model, &checked.outcome.assignment).cost()
    };
    let alone = full(Vec::new()).phase();
    for volume in [OnRankVolume::Paper, OnRankVolume::Vt] {
        assert_eq!(least(&alone, 0.0, volume), 2.0);
        assert_eq!(least(&alone, 0.125, volume), 2.375);
        assert_eq!(least(&alone, 0.25, volume), 2.5);
    }
    // Object 0 also sends 8 bytes to rank 0. On two ranks: 1 + 3 / 2, plus 8 / 8 for vt. On rank 0: 2 + 3 / 8, plus
    // 8 / 8 for vt.
    let with_rank = full(vec![(0, 0, 8.0, false)]).phase();
    assert_eq!(least(&with_rank, 0.125, OnRankVolume::Paper), 2.375);
    assert_eq!(least(&with_rank, 0.125, OnRankVolume::Vt), 3.375);
}

/// The bound is 5 bytes. Footprints fit on one rank: 2 + 2 <= 5. With the largest serialized size, only one object
/// fits: 2 + 3 <= 5.
#[test]
fn serialized_sizes_count_if_the_bound_includes_them() {
    let mut made = Made::of(2, vec![object(1.0, 0); 2]);
    for object in &mut made.objects {
        object.footprint_bytes = 2.0;
    }
    let none = (Vec::new(), vec![0.0; 2], Vec::new());
    let (homes, rank_bytes, rank_edges) = none;
    let phase = Full { made, serialized: vec![3.0; 2], homes, rank_bytes, rank_edges }.phase();
    let placed = |quantity| {
        let bounds = vec![UpperBound { quantity, limit: 5.0, scope: BoundScope::Rank }];
        // Load costs nothing, so objects leave only because of the bound.
        let model = Ccm::new(CcmParameters { alpha: 0.0, bounds, ..CcmParameters::default() }).unwrap();
        ranks(&solve(&BruteForce::default(), &phase, &model).unwrap().outcome.assignment)
    };
    assert_eq!(placed(RankQuantity::MaxMemoryUsage), [0, 0]);
    assert_ne!(placed(RankQuantity::MemoryWithSerialized), [0, 0]);
}
