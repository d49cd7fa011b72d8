// SPDX-License-Identifier: MIT OR Apache-2.0
//! Summary of anomalies by object, rank, phase and node.

use std::collections::BTreeMap;

use lbaf_model::{NodeId, ObjectIdx, PhaseId, RankId, Slot};

use crate::Labels;

/// Counts and totals of the anomalies in a set of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Number of tasks.
    pub n_tasks: usize,
    /// Number of anomalies.
    pub n_anomalies: usize,
    /// Total time of the anomalies, in seconds.
    pub anomalous_seconds: f64,
    /// Total excess of the anomalies over typical times, in seconds; anomalies that took less count as 0.
    pub excess_seconds: f64,
    /// Largest score of an anomaly; 0 if there is none.
    pub largest_score: f64,
}

/// Summary of all anomalies of a run. Phases that repeat another are not counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnomalySummary {
    /// Tally of the whole run.
    pub overall: Tally,
    /// Tally of each object.
    pub objects: Vec<Tally>,
    /// Tally of each phase, by position; a repeating phase has the tally of the phase that it repeats.
    pub phases: Vec<Tally>,
    /// Tally of each rank.
    pub ranks: Vec<Tally>,
    /// Tally of each node.
    pub nodes: BTreeMap<NodeId, Tally>,
    /// Tally of each rank in each phase, by position of the phase, then rank; empty tallies for a phase that repeats
    /// another.
    pub by_phase_and_rank: Vec<Vec<Tally>>,
}

/// Rank with a large share of anomalies among its tasks in one phase: a sign of an event on the node rather than in
/// single tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoAnomaly {
    /// Phase.
    pub phase: PhaseId,
    /// Rank.
    pub rank: RankId,
    /// Tally of the tasks of the rank in this phase.
    pub tally: Tally,
}

/// Task that is an anomaly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anomaly {
    /// Position of the phase among all phases.
    pub at: usize,
    /// Phase.
    pub phase: PhaseId,
    /// Rank that ran the task.
    pub rank: RankId,
    /// Object.
    pub object: ObjectIdx,
    /// Position of the object within the phase.
    pub slot: Slot,
    /// Time of the task, in seconds.
    pub seconds: f64,
    /// Typical time of the object on this rank, in seconds, if known.
    pub typical_seconds: Option<f64>,
    /// Score.
    pub score: f64,
}

impl Tally {
    /// Returns the share of tasks that are anomalies; 0 without tasks.
    pub fn rate(&self) -> f64 {
        self.n_anomalies as f64 / self.n_tasks.max(1) as f64
    }

    /// Counts a task. If it is an anomaly, `anomaly` has its seconds, excess and score.
    fn add(&mut self, anomaly: Option<(f64, f64, f64)>) {
        self.n_tasks += 1;
        if let Some((seconds, excess, score)) = anomaly {
            self.n_anomalies += 1;
            self.anomalous_seconds += seconds;
            self.excess_seconds += excess.max(0.0);
            self.largest_score = self.largest_score.max(score);
        }
    }
}

impl Anomaly {
    /// Excess over the typical time, in seconds; negative if the task took less, 0 without a typical time.
    pub fn excess_seconds(&self) -> f64 {
        self.typical_seconds.map_or(0.0, |typical| self.seconds - typical)
    }
}

impl AnomalySummary {
    /// Counts all tasks of a run. O(tasks + phases × ranks).
    pub fn of(labels: &Labels<'_>) -> Self {
        let data = labels.data();
        let mut summary = AnomalySummary {
            objects: vec![Tally::default(); data.n_objects()],
            phases: vec![Tally::default(); data.phases().len()],
            ranks: vec![Tally::default(); data.n_ranks()],
            by_phase_and_rank: data
                .phases()
                .iter()
                .map(|phase| vec![Tally::default(); phase.n_ranks()])
                .collect(),
            ..AnomalySummary::default()
        };
        for (at, phase) in data.phases().iter().enumerate().filter(|(at, _)| labels.is_measured(*at)) {
            for slot in phase.slots() {
                let anomaly = labels.is_outlier(at, slot).then(|| {
                    let seconds = phase.load(slot);
                    let score = labels.of_phase(at)[slot.index()].score;
                    (seconds, seconds - labels.denoised(at, slot), score)
                });
                let rank = phase.recorded_assignment().rank_of(slot).index();
                let node = phase.ranks()[rank].node;
                for tally in [
                    &mut summary.overall,
                    &mut summary.objects[phase.object(slot).index()],
                    &mut summary.phases[at],
                    &mut summary.ranks[rank],
                    summary.nodes.entry(node).or_default(),
                    &mut summary.by_phase_and_rank[at][rank],
                ] {
                    tally.add(anomaly);
                }
            }
        }
        // A repeating phase has the same tally, and adds nothing to other tallies.
        for at in 0..data.phases().len() {
            summary.phases[at] = summary.phases[labels.repeated_phase(at)];
        }
        summary
    }

    /// Returns the ranks on which more than the fraction `share` of the tasks in a phase were anomalies, in phase
    /// order. At least two anomalies are required: a single task does not characterize its rank.
    pub fn co_anomalies(&self, labels: &Labels<'_>, share: f64) -> Vec<CoAnomaly> {
        let phases = labels.data().phases().iter().zip(&self.by_phase_and_rank);
        let of_phase = |(phase, ranks): (&lbaf_model::Phase, &Vec<Tally>)| {
            let ids = (0..ranks.len()).map(RankId::from);
            let found = ids.zip(ranks).filter(|(_, tally)| tally.n_anomalies > 1 && tally.rate() > share);
            found.map(|(rank, &tally)| CoAnomaly { phase: phase.id(), rank, tally }).collect::<Vec<_>>()
        };
        phases.flat_map(of_phase).collect()
    }
}

/// Returns at most `n` anomalies, by descending excess; ties by descending score, then by phase and slot.
pub fn worst_anomalies(labels: &Labels<'_>, n: usize) -> Vec<Anomaly> {
    let anomaly = |(at, slot): (usize, Slot)| {
        let phase = &labels.data().phases()[at];
        let object = phase.object(slot);
        Anomaly {
            at,
            phase: phase.id(),
            rank: phase.recorded_assignment().rank_of(slot),
            object,
            slot,
            seconds: phase.load(slot),
            typical_seconds: labels.typical_time_on(at, slot),
            score: labels.of_phase(at)[slot.index()].score,
        }
    };
    let mut anomalies: Vec<Anomaly> = labels.outliers().map(anomaly).collect();
    let order = |one: &Anomaly, other: &Anomaly| {
        let by_excess = other.excess_seconds().total_cmp(&one.excess_seconds());
        by_excess
            .then(other.score.total_cmp(&one.score))
            .then((one.at, one.slot).cmp(&(other.at, other.slot)))
    };
    anomalies.sort_unstable_by(order);
    anomalies.truncate(n);
    anomalies
}
