// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where and when anomalies are: by object, by rank, by phase and by node.

use std::collections::BTreeMap;

use lbaf_model::{NodeId, ObjectIdx, PhaseId, RankId, Slot};

use crate::Labels;

/// Anomalies among some tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Tasks.
    pub n_tasks: usize,
    /// Those that are anomalies.
    pub n_anomalies: usize,
    /// What the anomalies took, in seconds.
    pub anomalous_seconds: f64,
    /// By how much that is more than usual, in seconds; those that took less do not count.
    pub excess_seconds: f64,
    /// The largest score of an anomaly, 0 if there is none.
    pub largest_score: f64,
}

/// All anomalies of a run, summed up. Phases that repeat another are not among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnomalySummary {
    /// Of the whole run.
    pub overall: Tally,
    /// By object.
    pub objects: Vec<Tally>,
    /// By phase, by position among all; those that repeat another are as that one.
    pub phases: Vec<Tally>,
    /// By rank.
    pub ranks: Vec<Tally>,
    /// By node.
    pub nodes: BTreeMap<NodeId, Tally>,
    /// By position of the phase, then by rank.
    pub by_phase_and_rank: Vec<Vec<Tally>>,
}

/// A rank most of whose tasks were anomalies in a phase: what happened to the node rather than to tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoAnomaly {
    /// The phase.
    pub phase: PhaseId,
    /// The rank.
    pub rank: RankId,
    /// Its tasks.
    pub tally: Tally,
}

/// A task that is an anomaly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anomaly {
    /// Position of the phase among all.
    pub at: usize,
    /// The phase.
    pub phase: PhaseId,
    /// The rank that ran it.
    pub rank: RankId,
    /// The object.
    pub object: ObjectIdx,
    /// The same within the phase.
    pub slot: Slot,
    /// What it took, in seconds.
    pub seconds: f64,
    /// What is usual for the object, in seconds, where that is known.
    pub usual_seconds: Option<f64>,
    /// Its score.
    pub score: f64,
}

impl Tally {
    /// The share of tasks that are anomalies, 0 of none.
    pub fn rate(&self) -> f64 {
        self.n_anomalies as f64 / self.n_tasks.max(1) as f64
    }

    /// Counts a task; of an anomaly what it took, by how much that is more than usual, and its score.
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
    /// By how much it is more than usual, in seconds; negative if it is less, 0 where nothing is usual.
    pub fn excess_seconds(&self) -> f64 {
        self.usual_seconds.map_or(0.0, |usual| self.seconds - usual)
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
        // A phase that repeats another is what that is, and nothing more to the others.
        for at in 0..data.phases().len() {
            summary.phases[at] = summary.phases[labels.base(at)];
        }
        summary
    }

    /// Ranks in phases in which more than a share of their tasks were anomalies, in the order of phases. A task alone says
    /// nothing of its rank, so these have two anomalies at least.
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

/// The anomalies that cost most: by how much they are more than usual, then by score, then in the order of phases.
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
            usual_seconds: labels.usual_on(at, slot),
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
