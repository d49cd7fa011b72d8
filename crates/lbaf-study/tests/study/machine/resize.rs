// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changed numbers of ranks.

use lbaf_model::{NodeId, RankId, Vertex};
use lbaf_study::{FirstPlacement, Machine, Resize, Resized};
use proptest::prelude::*;

use super::made::{Object, assumed, data, facts, loads, never, object, random};

fn on(n_ranks: usize, first_placement: FirstPlacement) -> Machine {
    let ranks = Some(Resize { n_ranks: Some(n_ranks), first_placement, ranks_per_node: None });
    Machine { ranks, ..Machine::default() }
}

/// Returns `n_objects` objects of 1 s for each rank.
fn even(n_ranks: u32, n_objects: u32) -> Vec<Object> {
    (0..n_ranks * n_objects).map(|at| object(at / n_objects, &[1.0, 1.0])).collect()
}

#[test]
fn twice_the_ranks_halve_the_time_and_half_the_ranks_double_it() {
    let recorded = data(2, &even(2, 4), &[]);
    assert_eq!(never(&recorded), [4.0, 4.0]);
    for rule in [FirstPlacement::Blocks, FirstPlacement::RoundRobin, FirstPlacement::Lpt] {
        assert_eq!(never(&assumed(&on(4, rule), &recorded)), [2.0, 2.0], "{rule:?}");
        assert_eq!(never(&assumed(&on(1, rule), &recorded)), [8.0, 8.0], "{rule:?}");
    }
    // Folded onto more ranks, objects stay on their ranks, and the additional ranks are empty.
    let folded = assumed(&on(4, FirstPlacement::Fold), &recorded);
    assert_eq!(loads(&folded.phases()[0]), [4.0, 4.0, 0.0, 0.0]);
}

#[test]
fn objects_are_placed_by_the_rule() {
    let loads_of_objects = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let ranks = [2, 0, 1, 0, 2, 1];
    let objects: Vec<Object> =
        ranks.iter().zip(loads_of_objects).map(|(&rank, load)| object(rank, &[load])).collect();
    let recorded = data(3, &objects, &[]);
    let on_two = |rule| loads(&assumed(&on(2, rule), &recorded).phases()[0]);
    // Ranks 0 and 2 become rank 0: 2 + 4 and 1 + 5.
    assert_eq!(on_two(FirstPlacement::Fold), [12.0, 9.0]);
    // In the order of recorded ranks: 2 and 4 of rank 0, 3 and 6 of rank 1, 1 and 5 of rank 2. The first
    // three go to rank 0, the others to rank 1.
    assert_eq!(on_two(FirstPlacement::Blocks), [9.0, 12.0]);
    assert_eq!(on_two(FirstPlacement::RoundRobin), [6.0, 15.0]);
    // In descending order: 6 to rank 0, 5 and 4 to rank 1, 3 and 2 to rank 0, 1 to rank 1.
    assert_eq!(on_two(FirstPlacement::Lpt), [11.0, 10.0]);
}

#[test]
fn later_objects_are_placed_at_their_first_phase_and_stay() {
    let late = Object { loads: vec![None, Some(8.0)], ..object(1, &[]) };
    let objects = [object(0, &[2.0, 2.0]), object(0, &[1.0, 6.0]), object(1, &[1.0, 1.0]), late];
    let recorded = data(2, &objects, &[]);
    let placed = |rule| {
        let data = assumed(&on(2, rule), &recorded);
        loads(&data.phases()[1])
    };
    // In phase 0: 2 | 1 + 1. In phase 1, the same objects have 2 | 6 + 1, and the new object of 8 s goes to
    // rank 0.
    assert_eq!(placed(FirstPlacement::Lpt), [10.0, 7.0]);
    // The three objects of phase 0 go to ranks 0 x 2 / 3, 1 x 2 / 3 and 2 x 2 / 3, rounded down: 0, 0 and 1.
    // In phase 1 they have 2 + 6 | 1, and the only new object goes to rank 0.
    assert_eq!(placed(FirstPlacement::Blocks), [16.0, 1.0]);
    // The objects go to ranks 0, 1 and 0, and the new object to rank 1: 2 + 1 | 6 + 8 in phase 1.
    assert_eq!(placed(FirstPlacement::RoundRobin), [3.0, 14.0]);
}

#[test]
fn blocks_and_messages_of_a_rank_move_with_it() {
    let sentinel = |rank: u32| Object { is_sentinel: true, block: Some(rank), ..object(rank, &[1.0]) };
    let recorded = data(4, &[0, 1, 2, 3].map(sentinel), &[(0, -4, 5.0, 1), (-3, 1, 7.0, 1)]);
    for (rule, heirs) in [(FirstPlacement::Lpt, [0, 1, 0, 1]), (FirstPlacement::Blocks, [0, 0, 1, 1])] {
        let (data, differences) = on(2, rule).assumed(&recorded).unwrap();
        assert_eq!(
            differences.ranks,
            Some(Resized { n_before: 4, n_after: 2, n_moved_sentinels: if heirs[1] == 1 { 2 } else { 3 } })
        );
        let phase = &data.phases()[0];
        let heirs = heirs.map(RankId);
        assert_eq!(phase.recorded_assignment().as_slice(), heirs);
        assert_eq!(phase.blocks().iter().map(|block| block.home).collect::<Vec<_>>(), heirs);
        let ranks: Vec<RankId> = (phase.communication().edges())
            .flat_map(|(from, to, _)| [from, to])
            .filter_map(|vertex| if let Vertex::Rank(rank) = vertex { Some(rank) } else { None })
            .collect();
        assert_eq!(ranks, [heirs[3], heirs[2]], "{rule:?}");
        // Recorded rank `r` has `r` bytes of working memory. A rank has the largest value of the recorded
        // ranks that move to it.
        let bytes: Vec<f64> = phase.ranks().iter().map(|rank| rank.working_bytes).collect();
        assert_eq!(bytes, if heirs[1] == RankId(0) { [1.0, 3.0] } else { [2.0, 3.0] });
    }
}

#[test]
fn additional_ranks_need_the_largest_memory_and_have_alpha_1() {
    let recorded = data(2, &even(2, 2), &[]);
    let slow = Machine { rank_alpha: [(RankId(1), 3.0)].into(), ..Machine::default() };
    let larger = assumed(&on(5, FirstPlacement::Fold), &assumed(&slow, &recorded));
    let ranks = larger.phases()[0].ranks();
    let facts: Vec<_> = ranks.iter().map(|rank| (rank.alpha, rank.node, rank.working_bytes)).collect();
    let node = NodeId;
    assert_eq!(
        facts,
        [
            (1.0, node(0), 0.0),
            (3.0, node(0), 1.0),
            (1.0, node(1), 1.0),
            (1.0, node(1), 1.0),
            (1.0, node(2), 1.0)
        ]
    );
    let apart = Resize { n_ranks: None, first_placement: FirstPlacement::Fold, ranks_per_node: Some(1) };
    let apart = assumed(&Machine { ranks: Some(apart), ..Machine::default() }, &recorded);
    assert_eq!(apart.phases()[0].ranks().iter().map(|rank| rank.node.0).collect::<Vec<_>>(), [0, 1]);
}

proptest! {
    #[test]
    fn folding_onto_the_same_number_changes_nothing(data in random()) {
        let folded = assumed(&on(data.n_ranks(), FirstPlacement::Fold), &data);
        for (before, after) in data.phases().iter().zip(folded.phases()) {
            prop_assert_eq!(facts(before), facts(after));
        }
        prop_assert_eq!(data.keys(), folded.keys());
    }
}
