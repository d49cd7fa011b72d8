// SPDX-License-Identifier: MIT OR Apache-2.0
//! Summary of anomalies by object, rank, phase and node.

use std::collections::BTreeMap;

use lbaf_model::{NodeId, ObjectIdx, PhaseId, RankId};
use lbaf_noise::{AnomalySummary, Labelling, Tally, worst_anomalies};

use crate::made::resting;

#[test]
fn anomalies_are_counted_by_object_rank_phase_and_node() {
    // Four ranks with two tasks of one second each. In phase 5 both tasks of rank 3 take 4 seconds; in phase 7 one
    // task of rank 0 takes half a second.
    let mut loads = vec![vec![1.0; 8]; 10];
    loads[5][6] = 4.0;
    loads[5][7] = 4.0;
    loads[7][0] = 0.5;
    let data = resting(4, &loads, &[0, 0, 1, 1, 2, 2, 3, 3]);
    let labels = Labelling::default().label(&data, &BTreeMap::new());
    let summary = AnomalySummary::of(&labels);
    let counts =
        |tally: &Tally| (tally.n_tasks, tally.n_anomalies, tally.anomalous_seconds, tally.excess_seconds);
    assert_eq!(counts(&summary.overall), (80, 3, 8.5, 6.0));
    assert_eq!(
        summary.ranks.iter().map(counts).collect::<Vec<_>>(),
        [(20, 1, 0.5, 0.0), (20, 0, 0.0, 0.0), (20, 0, 0.0, 0.0), (20, 2, 8.0, 6.0),]
    );
    assert_eq!(counts(&summary.phases[5]), (8, 2, 8.0, 6.0));
    assert_eq!(counts(&summary.objects[6]), (10, 1, 4.0, 3.0));
    assert_eq!(counts(&summary.nodes[&NodeId(1)]), (40, 2, 8.0, 6.0));
    assert_eq!(counts(&summary.by_phase_and_rank[7][0]), (2, 1, 0.5, 0.0));
    // In phase 5, all tasks of rank 3 are anomalies. In phase 7, half of the tasks of rank 0 are, but a single task
    // does not characterize its rank.
    let together = summary.co_anomalies(&labels, 0.5);
    let places: Vec<_> = together.iter().map(|found| (found.phase, found.rank, found.tally.rate())).collect();
    assert_eq!(places, [(PhaseId(5), RankId(3), 1.0)]);
    // The worst anomalies are those with the largest excess.
    let worst = worst_anomalies(&labels, 2);
    let found: Vec<_> =
        worst.iter().map(|anomaly| (anomaly.phase, anomaly.object, anomaly.excess_seconds())).collect();
    assert_eq!(found, [(PhaseId(5), ObjectIdx(6), 3.0), (PhaseId(5), ObjectIdx(7), 3.0)]);
    assert_eq!(worst_anomalies(&labels, 9).last().map(lbaf_noise::Anomaly::excess_seconds), Some(-0.5));
}
