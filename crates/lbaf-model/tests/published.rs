// SPDX-License-Identifier: MIT OR Apache-2.0
//! Published results for the smallest public data set: four ranks, nine objects, five blocks of nine bytes
//! and eight edges. They are works of placements chosen by hand, and optima over all 4^9 placements.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

use std::sync::Arc;

use lbaf_model::{
    Affine, AffineParameters, Assignment, Block, BlockIdx, BoundScope, Ccm, CcmParameters, CommGraph, Limit,
    LowerBound, NodeId, Object, ObjectKey, ObjectMemory, ObjectQuantity, OnRankVolume, Phase, PhaseColumns,
    PhaseId, RankId, RankQoi, RankQuantity, RankTotals, Reason, Slot, Units, UpperBound, Vertex, Work,
    WorkModel, best_lower_bound, infeasibility, lower_bounds_for, rank_totals, works,
};

const N_RANKS: usize = 4;
const LOADS: [f64; 9] = [1.0, 0.5, 0.5, 0.5, 0.5, 2.0, 1.0, 0.5, 1.5];
const BLOCKS: [u32; 9] = [0, 0, 1, 1, 2, 2, 3, 3, 4];
const BLOCK_HOMES: [u32; 5] = [0, 0, 1, 1, 2];
const BLOCK_BYTES: f64 = 9.0;
const RECORDED: [usize; 9] = [0, 0, 0, 0, 1, 1, 1, 1, 2];
/// Edges: sender, receiver, bytes.
const EDGES: [(u32, u32, f64); 8] =
    [(0, 5, 2.0), (1, 4, 1.0), (3, 2, 1.0), (3, 8, 0.5), (4, 1, 2.0), (5, 8, 2.0), (7, 6, 1.0), (8, 6, 1.5)];

/// Builds the phase with these alphas and two ranks per node.
fn phase(alphas: [f64; N_RANKS]) -> Phase {
    let block = |(id, &home): (u64, &u32)| Block { id, size_bytes: BLOCK_BYTES, home: RankId(home) };
    let object = |at: usize| Object {
        memory: ObjectMemory { block: Some(BlockIdx(BLOCKS[at])), ..ObjectMemory::default() },
        ..Object::new(LOADS[at], RankId::from(RECORDED[at]))
    };
    let phase = Phase::builder(N_RANKS).alphas(alphas).ranks_per_node(2).communications(EDGES);
    let phase = phase.objects((0..LOADS.len()).map(object)).blocks((0..).zip(&BLOCK_HOMES).map(block));
    phase.build().unwrap()
}

fn affine(alpha: f64, beta: f64, gamma: f64, delta: f64) -> AffineParameters {
    AffineParameters { alpha, beta, gamma, delta, bounds: Vec::new() }
}

fn memory_bound(limit: f64, scope: BoundScope) -> AffineParameters {
    AffineParameters {
        bounds: vec![UpperBound { quantity: RankQuantity::MaxMemoryUsage, limit, scope }],
        ..AffineParameters::default()
    }
}

fn placed(ranks: [usize; 9]) -> Vec<RankTotals> {
    let assignment = Assignment::new(ranks.map(RankId::from).to_vec());
    rank_totals(&phase([1.0; N_RANKS]), &assignment)
}

fn each(totals: &[RankTotals], quantity: RankQuantity) -> Vec<f64> {
    totals.iter().map(|rank| quantity.of(rank)).collect()
}

fn w_max(totals: &[RankTotals], parameters: AffineParameters) -> f64 {
    let model = Affine::new(parameters).unwrap();
    totals.iter().map(|rank| model.work(rank).cost()).fold(0.0, f64::max)
}

#[test]
fn the_recorded_placement_has_the_published_totals() {
    let totals = placed(RECORDED);
    assert_eq!(each(&totals, RankQuantity::Load), [2.5, 4.0, 1.5, 0.0]);
    assert_eq!(each(&totals, RankQuantity::SentVolume), [3.5, 4.0, 1.5, 0.0]);
    assert_eq!(each(&totals, RankQuantity::ReceivedVolume), [2.0, 4.5, 2.5, 0.0]);
    assert_eq!(each(&totals, RankQuantity::MaxMemoryUsage), [18.0, 18.0, 9.0, 0.0]);
    assert_eq!(each(&totals, RankQuantity::Homing), [0.0; 4]);
}

#[test]
fn recorded_pairs_of_ranks_exchange_the_published_volumes() {
    let phase = phase([1.0; N_RANKS]);
    let recorded = phase.recorded_assignment();
    let place = |vertex| match vertex {
        Vertex::Object(slot) => recorded.rank_of(slot).index(),
        Vertex::Rank(rank) => rank.index(),
    };
    let mut volumes = [[0.0; N_RANKS]; N_RANKS];
    for (from, to, volume) in phase.communication().edges() {
        volumes[place(from)][place(to)] += volume.bytes;
    }
    assert_eq!([volumes[0][1], volumes[1][0]], [3.0, 2.0]);
    assert_eq!([volumes[0][2], volumes[2][0]], [0.5, 0.0]);
    assert_eq!([volumes[1][2], volumes[2][1]], [2.0, 1.5]);
    assert_eq!(volumes[3], [0.0; N_RANKS]);
}

#[test]
fn prescribed_placements_have_the_published_totals_and_work() {
    let totals = placed([3, 3, 0, 0, 3, 2, 0, 0, 1]);
    assert_eq!(each(&totals, RankQuantity::Load), [2.5, 1.5, 2.0, 2.0]);
    assert_eq!(each(&totals, RankQuantity::SentVolume), [0.5, 1.5, 2.0, 2.0]);
    assert_eq!(each(&totals, RankQuantity::ReceivedVolume), [1.5, 2.5, 2.0, 0.0]);
    assert_eq!(each(&totals, RankQuantity::MaxMemoryUsage), [18.0, 9.0, 9.0, 18.0]);
    assert_eq!(each(&totals, RankQuantity::Homing), [9.0, 9.0, 9.0, 18.0]);
    let w_max_of = |ranks| {
        let totals = placed(ranks);
        [(1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(alpha, beta)| w_max(&totals, affine(alpha, beta, 0.0, 0.0)))
    };
    assert_eq!(w_max_of([3, 3, 0, 0, 3, 2, 0, 0, 1])[..2], [2.5, 4.0]);
    assert_eq!(w_max_of([0, 0, 1, 1, 0, 2, 1, 3, 3])[..2], [2.0, 4.5]);
    assert_eq!(w_max_of([3, 2, 3, 3, 2, 3, 3, 3, 3]), [7.0, 7.0, 0.0]);
}

/// The least maximum work so far, and the number of placements with it.
#[derive(Clone, Copy)]
struct Optimum {
    work: f64,
    n_maps: usize,
}

impl Optimum {
    const NONE: Optimum = Optimum { work: f64::INFINITY, n_maps: 0 };

    fn see(&mut self, work: f64) {
        // Tolerance for rounding of costs with a factor of 0.1. Different works differ by far more.
        if work < self.work - 1e-9 {
            *self = Optimum { work, n_maps: 1 };
        } else if work <= self.work + 1e-9 {
            self.n_maps += 1;
        }
    }
}

/// Returns two optima of each model: over all placements within its upper bounds, and over those that also
/// keep blocks whole.
fn optima<const N: usize>(phase: &Phase, models: [AffineParameters; N]) -> [[Optimum; 2]; N] {
    optima_of(phase, &models.map(|parameters| Affine::new(parameters).unwrap()))
}

fn optima_of<const N: usize>(phase: &Phase, models: &[impl WorkModel; N]) -> [[Optimum; 2]; N] {
    let mut best = [[Optimum::NONE; 2]; N];
    for map in 0..N_RANKS.pow(LOADS.len() as u32) {
        let ranks = (0..LOADS.len()).map(|position| RankId::from(map >> (2 * position) & 3));
        let assignment = Assignment::new(ranks.collect());
        let ranks = assignment.as_slice();
        let whole = (1..ranks.len()).all(|at| BLOCKS[at] != BLOCKS[at - 1] || ranks[at] == ranks[at - 1]);
        let totals = rank_totals(phase, &assignment);
        for (best, model) in best.iter_mut().zip(models) {
            let works = works(model, phase, &totals);
            if works.iter().any(|work| work.is_over_bound()) {
                continue;
            }
            let maximum = works.iter().map(|work| work.cost()).fold(0.0, f64::max);
            best[0].see(maximum);
            if whole {
                best[1].see(maximum);
            }
        }
    }
    best
}

#[track_caller]
fn check(optimum: Optimum, expected: f64) {
    assert!(
        (optimum.work - expected).abs() < 1e-9 && optimum.n_maps > 0,
        "{} instead of {expected}",
        optimum.work
    );
}

#[test]
fn exhaustive_search_finds_the_published_optima() {
    let [load_only, rank_18, node_36, node_27, node_18, homing_1, homing_3, volume, volume_alone, constant] =
        optima(
            &phase([1.0; N_RANKS]),
            [
                AffineParameters::default(),
                memory_bound(18.0, BoundScope::Rank),
                memory_bound(36.0, BoundScope::Node),
                memory_bound(27.0, BoundScope::Node),
                memory_bound(18.0, BoundScope::Node),
                affine(1.0, 0.0, 0.0, 0.1),
                affine(1.0, 0.0, 0.0, 0.3),
                affine(1.0, 1.0, 0.0, 0.0),
                affine(0.0, 1.0, 0.0, 0.0),
                affine(1.0, 1.0, 0.1, 0.0),
            ],
        );
    check(load_only[0], 2.0);
    assert_eq!(load_only[0].n_maps, 840);
    check(rank_18[0], 2.0);
    check(node_36[0], 2.0);
    check(node_27[0], 2.5);
    assert_eq!(node_18[0].n_maps, 0, "no placement keeps both nodes within 18 bytes");
    check(homing_1[0], 2.5);
    check(homing_3[0], 3.5);
    check(volume[0], 4.0);
    check(volume_alone[0], 0.0);
    check(constant[0], 4.1);
    // Optima with every block whole.
    check(load_only[1], 2.5);
    check(homing_1[1], 2.5);
    check(homing_3[1], 4.0);
}

/// The coefficients are among those of the previous test, but gamma is the factor of the on-rank volume
/// instead of LBAF's constant.
#[test]
fn exhaustive_search_finds_the_published_optima_of_ccm() {
    let ccm =
        |alpha, beta, gamma, delta| CcmParameters { alpha, beta, gamma, delta, ..CcmParameters::default() };
    let vt = CcmParameters { on_rank_volume: OnRankVolume::Vt, ..ccm(1.0, 1.0, 0.1, 0.0) };
    let models = [
        ccm(1.0, 1.0, 0.1, 0.0),
        vt,
        ccm(1.0, 1.0, 0.0, 0.0),
        ccm(0.0, 1.0, 0.0, 0.0),
        ccm(1.0, 0.0, 0.0, 0.3),
    ];
    let models = models.map(|parameters| Ccm::new(parameters).unwrap());
    let [volume_on_rank, as_vt, volume, volume_alone, homing] = optima_of(&phase([1.0; N_RANKS]), &models);
    check(volume_on_rank[0], 4.3);
    check(as_vt[0], 4.3);
    check(volume[0], 4.0);
    check(volume_alone[0], 0.0);
    check(homing[0], 3.5);
    check(homing[1], 4.0);
}

/// Compares the best lower bounds with the optima of the two tests above.
#[test]
fn bounds_come_near_the_published_optima() {
    let affine_of = |parameters| Box::new(Affine::new(parameters).unwrap()) as Box<dyn WorkModel>;
    let ccm = CcmParameters { beta: 1.0, gamma: 0.1, ..CcmParameters::default() };
    let cases = [
        (affine_of(AffineParameters::default()), Limit::Mean, 2.0, 2.0),
        (affine_of(memory_bound(18.0, BoundScope::Rank)), Limit::Mean, 2.0, 2.0),
        (affine_of(memory_bound(36.0, BoundScope::Node)), Limit::Mean, 2.0, 2.0),
        (affine_of(memory_bound(27.0, BoundScope::Node)), Limit::Mean, 2.0, 2.5),
        // At least one block leaves rank 0, and one leaves rank 1: four ranks share 8 s and the cost of 18
        // bytes.
        (affine_of(affine(1.0, 0.0, 0.0, 0.1)), Limit::Homing, 2.45, 2.5),
        // At maximum work W, 4 - W seconds must leave rank 1. Another rank that takes a block from rank 1 has
        // capacity for W - 2.7 seconds. If W < 3.35, this is less than 4 - W, so two blocks leave rank 1, at
        // a cost of 0.3 x 18 s. But then four ranks do not suffice: 4 W < 8 + 0.3 x 18.
        (affine_of(affine(1.0, 0.0, 0.0, 0.3)), Limit::Homing, 3.35, 3.5),
        // Objects 5 and 8 are on one rank (3.5 s), or exchange two bytes off-rank (2 s + 2 s).
        (affine_of(affine(1.0, 1.0, 0.0, 0.0)), Limit::Communication, 3.5, 4.0),
        (affine_of(affine(1.0, 1.0, 0.1, 0.0)), Limit::Communication, 3.6, 4.1),
        (Box::new(Ccm::new(ccm).unwrap()), Limit::Communication, 3.7, 4.3),
    ];
    let near = |bound: LowerBound, limit, work: f64| {
        assert_eq!(bound.limit, limit);
        assert!((bound.work - work).abs() < 1e-9, "{} instead of {work}", bound.work);
    };
    let phase = phase([1.0; N_RANKS]);
    for (model, limit, work, optimum) in cases {
        near(best_lower_bound(&phase, &*model), limit, work);
        assert!(work <= optimum);
    }
    // The largest block has objects 4 and 5, which have 2.5 s together.
    let whole = |parameters| {
        let units = Units::Clusters(phase.recorded_assignment());
        LowerBound::best_of(lower_bounds_for(&phase, &*affine_of(parameters), units)).unwrap()
    };
    near(whole(AffineParameters::default()), Limit::LargestBlock, 2.5);
    near(whole(affine(1.0, 0.0, 0.0, 0.3)), Limit::Homing, 3.35);
}

#[test]
fn no_placement_keeps_both_nodes_within_two_blocks() {
    let proof = |limit, scope| {
        let model = Affine::new(memory_bound(limit, scope)).unwrap();
        let proof = infeasibility(&phase([1.0; N_RANKS]), &model);
        proof.map(|proof| (proof.reason, proof.needed, proof.available))
    };
    assert_eq!(proof(18.0, BoundScope::Node), Some((Reason::Total { n_places: 2 }, 45.0, 36.0)));
    // The two nodes have 48 bytes, but the 24 bytes of a node hold only two blocks of nine bytes.
    assert_eq!(proof(24.0, BoundScope::Node), Some((Reason::Packing { n_places: 2 }, 45.0, 48.0)));
    // An object exceeds the bound together with its block.
    assert!(matches!(proof(8.0, BoundScope::Rank), Some((Reason::Object(_), 9.0, 8.0))));
    assert_eq!(proof(27.0, BoundScope::Node), None);
}

/// Objects 2 and 3 on rank 0 exchange a byte, as do 6 and 7 on rank 1.
#[test]
fn the_recorded_placement_has_on_rank_volume_on_two_ranks() {
    let totals = placed(RECORDED);
    assert_eq!(totals.iter().map(|rank| rank.on_rank_bytes).collect::<Vec<_>>(), [1.0, 1.0, 0.0, 0.0]);
    let model = Ccm::new(CcmParameters { beta: 1.0, gamma: 0.5, ..CcmParameters::default() }).unwrap();
    let works: Vec<f64> = totals.iter().map(|rank| model.work(rank).cost()).collect();
    assert_eq!(works, [2.5 + 3.5 + 0.5, 4.0 + 4.5 + 0.5, 1.5 + 2.5, 0.0]);
}

#[test]
fn a_rank_a_hundred_times_slower_stays_empty() {
    let slow = phase([100.0, 1.0, 1.0, 1.0]);
    let [[load_only, _]] = optima(&slow, [AffineParameters::default()]);
    check(load_only, 3.0);
}

/// Checks objects 5 and 8, which send and receive off-rank, with object 5 on rank 3.
#[test]
fn quantities_of_objects_are_those_of_the_data_and_the_placement() {
    let phase = phase([1.0; N_RANKS]);
    let assignment = Assignment::new([0, 0, 0, 0, 1, 3, 1, 1, 2].map(RankId::from).to_vec());
    // The objects have packed ids 100 to 108.
    let keys: Vec<ObjectKey> = (100..109).map(|number| ObjectKey::new(false, number, None)).collect();
    let of = |object: u32| {
        let value = |&quantity: &ObjectQuantity| quantity.of(Slot(object), &phase, &assignment, &keys);
        let said =
            ObjectQuantity::ALL.iter().filter_map(|quantity| Some((quantity.name(), value(quantity)?)));
        said.collect::<Vec<(&str, f64)>>()
    };
    let expected = |id, rank, load, received, sent, max, block| {
        vec![
            ("id", id),
            ("packed_id", id),
            ("rank_id", rank),
            ("load", load),
            ("received_volume", received),
            ("sent_volume", sent),
            ("max_volume", max),
            ("object_memory", 0.0),
            ("overhead_memory", 0.0),
            ("shared_id", block),
            ("shared_bytes", 9.0),
            ("migratable", 1.0),
        ]
    };
    assert_eq!(of(5), expected(105.0, 3.0, 2.0, 2.0, 2.0, 2.0, 2.0));
    // Object 8 receives 2 bytes from one object and 0.5 from another.
    assert_eq!(of(8), expected(108.0, 2.0, 1.5, 2.5, 1.5, 2.0, 4.0));
    // The volume of an object without edges in a direction is +0, not -0.
    assert!((0..9).flat_map(of).all(|(_, value)| value.is_sign_positive()));
}

#[test]
fn id_work_and_knowledge_of_a_rank_are_not_read_from_its_totals() {
    let totals = &placed(RECORDED)[1];
    let of = |quantity: RankQoi| quantity.of(RankId(1), totals, Work::within(7.0), Some(0.25));
    assert_eq!((of(RankQoi::Id), of(RankQoi::Work), of(RankQoi::Kappa)), (Some(1.0), Some(7.0), Some(0.25)));
    assert_eq!(of(RankQoi::Total(RankQuantity::Load)), Some(4.0));
    assert_eq!(RankQoi::Kappa.of(RankId(1), totals, Work::within(7.0), None), None);
}

/// Each case changes one property of the data.
#[test]
fn digests_differ_if_any_input_of_the_bounds_differs() {
    let phase = phase([1.0; N_RANKS]);
    let changes: [fn(&mut PhaseColumns); 13] = [
        |columns| columns.load[3] += 1e-12,
        // The same loads on other objects.
        |columns| columns.load.swap(0, 5),
        |columns| Arc::make_mut(&mut columns.migratable)[8] = false,
        |columns| columns.memory = BLOCKS.iter().map(|_| ObjectMemory::default()).collect(),
        |columns| {
            columns.memory = BLOCKS
                .iter()
                .map(|&block| ObjectMemory {
                    block: Some(BlockIdx(block)),
                    serialized_bytes: 1.0,
                    ..ObjectMemory::default()
                })
                .collect();
        },
        |columns| columns.blocks[4].home = RankId(3),
        |columns| columns.blocks[4].size_bytes = 8.0,
        |columns| columns.ranks[1].alpha = 2.0,
        |columns| columns.ranks[1].node = NodeId(1),
        |columns| columns.ranks[1].working_bytes = 1.0,
        |columns| columns.communication = CommGraph::new(9, N_RANKS, &[]),
        |columns| {
            let edge = (Vertex::Object(Slot(1)), Vertex::Rank(RankId(0)), 1.0);
            columns.communication = CommGraph::new(9, N_RANKS, &[edge.into()]);
        },
        |columns| columns.communication = CommGraph::new(9, N_RANKS, &[(1, 0, 1.0).into()]),
    ];
    let mut digests = vec![phase.digest()];
    for change in changes {
        let mut columns = phase.columns().clone();
        change(&mut columns);
        digests.push(Phase::new(PhaseId(0), columns).unwrap().digest());
    }
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 14);
    // The problem does not include the recorded ranks of migratable objects or the number of the phase.
    let mut columns = phase.columns().clone();
    columns.recorded = Assignment::new([3, 2, 1, 0, 3, 2, 1, 0, 3].map(RankId).to_vec()).into();
    assert_eq!(Phase::new(PhaseId(7), columns).unwrap().digest(), phase.digest());
}
