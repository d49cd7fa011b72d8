// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities that every assumed machine conserves.

use lbaf_model::{DataSet, Phase, PhaseId, RankId, Vertex};
use lbaf_study::{FirstPlacement, Loss, Machine, MachineError, Regrouping, Resize};
use proptest::prelude::*;

use super::made::random;

/// Returns three sums over a phase: loads, footprints, and bytes of edges with at least one object as
/// endpoint.
fn sums(phase: &Phase) -> [f64; 3] {
    let bytes = phase
        .communication()
        .edges()
        .filter(|(from, to, _)| [from, to].iter().any(|vertex| matches!(vertex, Vertex::Object(_))));
    [
        phase.columns().load.iter().sum(),
        phase.columns().memory.iter().map(|memory| memory.footprint_bytes).sum(),
        bytes.map(|(_, _, volume)| volume.bytes).sum(),
    ]
}

fn machine() -> impl Strategy<Value = Machine> {
    let regrouping = (prop::bool::ANY, 1_u32..5, 0_usize..2).prop_map(|(is_split, n, along)| {
        if is_split { Regrouping::Split { n, along } } else { Regrouping::Merge { n, along } }
    });
    let rule = prop_oneof![
        Just(FirstPlacement::Fold),
        Just(FirstPlacement::Blocks),
        Just(FirstPlacement::RoundRobin),
        Just(FirstPlacement::Lpt)
    ];
    let resize = (1_usize..9, rule).prop_map(|(n_ranks, first_placement)| Resize {
        n_ranks: Some(n_ranks),
        first_placement,
        ranks_per_node: None,
    });
    let loss =
        (0_u32..3, 0_u64..3).prop_map(|(rank, from)| Loss { rank: RankId(rank), from_phase: PhaseId(from) });
    let all = (prop::option::of(regrouping), prop::option::of(resize), prop::option::of(loss));
    all.prop_map(|(objects, ranks, lost)| Machine {
        objects,
        ranks,
        lost: lost.into_iter().collect(),
        ..Machine::default()
    })
}

fn assert_conserved(before: &DataSet, after: &DataSet, within: f64) -> Result<(), TestCaseError> {
    prop_assert_eq!(before.phases().len(), after.phases().len());
    let mut most_within: f64 = 0.0;
    for (before, after) in before.phases().iter().zip(after.phases()) {
        let (before_sums, after_sums) = (sums(before), sums(after));
        for what in 0..2 {
            prop_assert!(
                (before_sums[what] - after_sums[what]).abs() <= 1e-9,
                "{:?} {:?}",
                before_sums,
                after_sums
            );
        }
        most_within = most_within.max(before_sums[2] - after_sums[2]);
        prop_assert!(after_sums[2] <= before_sums[2] + 1e-9);
        let in_range = |rank: &RankId| rank.index() < after.n_ranks();
        prop_assert!(after.recorded_assignment().as_slice().iter().all(in_range));
        let nodes: Vec<usize> = after.ranks().iter().map(|rank| rank.node.index()).collect();
        prop_assert!(nodes.iter().all(|&node| node < after.n_ranks()));
    }
    // Missing bytes are reported.
    prop_assert!((most_within - within).abs() <= 1e-9, "{} missing, {} reported", most_within, within);
    Ok(())
}

/// True for errors that can occur because machines are drawn independently of the data.
fn may_be(error: &MachineError) -> bool {
    use MachineError::{AllLost, NoIndex, NoPhase, NoSuchRank};
    matches!(error, AllLost { .. } | NoIndex { .. } | NoPhase { .. } | NoSuchRank { .. })
}

proptest! {
    #[test]
    fn load_and_bytes_are_conserved(data in random(), machine in machine()) {
        match machine.assumed(&data) {
            Ok((after, differences)) => {
                assert_conserved(&data, &after, differences.objects.map_or(0.0, |objects| objects.bytes_within))?;
            }
            // Machines are drawn independently of the data.
            Err(error) => prop_assert!(may_be(&error), "{error}"),
        }
    }

    /// With `n` pieces, edges of split objects have `n` times the messages.
    #[test]
    fn split_objects_have_n_times_the_messages(data in random(), n in 1_u32..5) {
        let machine = Machine { objects: Some(Regrouping::Split { n, along: 0 }), ..Machine::default() };
        let assumed = machine.assumed(&data);
        if let Err(error) = &assumed {
            prop_assert!(matches!(error, MachineError::NoIndex { .. }), "{error}");
        }
        if let Ok((after, _)) = assumed {
            for (before, after) in data.phases().iter().zip(after.phases()) {
                let is_split = |vertex: Vertex| match vertex {
                    Vertex::Object(slot) => {
                        before.is_migratable(slot) && before.coordinates().is_some_and(|all| all.of(slot).is_some())
                    }
                    Vertex::Rank(_) => false,
                };
                let messages: u64 = before.communication().edges()
                    .map(|(from, to, volume)| volume.messages * if is_split(from) || is_split(to) { u64::from(n) } else { 1 })
                    .sum();
                prop_assert_eq!(messages, after.communication().edges().map(|edge| edge.2.messages).sum::<u64>());
            }
        }
    }
}
