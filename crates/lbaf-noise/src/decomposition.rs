// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decomposition of the imbalance of a run into noise and persistent imbalance.
//!
//! Let L be the measured loads of ranks, and L' the loads without anomalies, whose times are replaced by typical times.
//! The imbalance of a phase is I = max L / mean L - 1, and I' is that of L'. The noise part is I - I'. While no object
//! migrates, the imbalance of the mean L' over the phases is persistent: only this part can be balanced away for good.
//! If the times of an object change for good, it is at another *level*: its mean is taken separately over the phases of
//! each level.
//! The remainder of I' is jitter below the threshold of an anomaly.
//!
//! First calls take longer, so [`Labelling::n_skipped`](crate::Labelling::n_skipped) can skip them. Phases with skipped
//! first calls do not count in means unless all phases have skipped first calls.

use lbaf_model::{Phase, PhaseId, RankId, Statistics};
use rayon::prelude::*;

use crate::Labels;

/// Decomposition of the imbalance of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Decomposition {
    /// Parts of each phase.
    pub phases: Vec<PhaseParts>,
    /// Segments in phase order. During a segment, no object is created, deleted or migrated, and no times change for
    /// good.
    pub segments: Vec<Segment>,
}

/// Decomposition of the imbalance of a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PhaseParts {
    /// The phase.
    pub phase: PhaseId,
    /// Imbalance and its parts.
    pub parts: Parts,
    /// Load of the most loaded rank in seconds: the time of the phase if only load counts.
    pub seconds: f64,
    /// Load in seconds of the most loaded rank after anomalies are replaced by typical times.
    pub denoised_seconds: f64,
    /// Most loaded rank; the lowest in a tie.
    pub critical_rank: RankId,
    /// Most loaded rank after anomalies are replaced by typical times; the lowest in a tie.
    pub denoised_critical_rank: RankId,
    /// Total seconds by which anomalies on the most loaded rank exceed typical times.
    pub critical_noise_seconds: f64,
    /// Number of tasks that are anomalies.
    pub n_anomalies: usize,
    /// True if the phase has skipped first calls. Such a phase does not count in means, unless all phases have skipped
    /// first calls.
    pub has_skipped: bool,
}

/// Imbalance and its parts: `imbalance` = `noise` + `persistent` + `residual`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Parts {
    /// Measured imbalance.
    pub imbalance: f64,
    /// Imbalance without anomalies.
    pub denoised: f64,
    /// Imbalance added by anomalies; negative where they hide imbalance.
    pub noise: f64,
    /// Imbalance of the mean loads without anomalies. The mean of an object is over the phases with the same placement
    /// between two lasting changes of its times.
    pub persistent: f64,
    /// Remainder: jitter below the threshold of an anomaly.
    pub residual: f64,
}

/// Consecutive phases with the same placement and no lasting change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// First phase.
    pub first: PhaseId,
    /// Last phase.
    pub last: PhaseId,
    /// Number of phases.
    pub n_phases: usize,
    /// Imbalance of the mean loads without anomalies.
    pub persistent: f64,
}

impl Decomposition {
    /// Decomposes the imbalance of a run. O(tasks).
    pub fn of(labels: &Labels<'_>) -> Self {
        let phases = labels.data().phases();
        let loads: Vec<RankLoads> =
            (0..phases.len()).into_par_iter().map(|at| RankLoads::of(labels, at)).collect();
        let mut decomposition = Decomposition::default();
        let positions: Vec<usize> = (0..phases.len()).collect();
        for placement in positions.chunk_by(|&one, &next| is_same_placement(&phases[one], &phases[next])) {
            let persistent = persistent(labels, placement);
            for segment in placement.chunk_by(|&one, &next| is_same_level(labels, one, next)) {
                let persistent = persistent[segment[0] - placement[0]];
                for &at in segment {
                    decomposition.phases.push(loads[at].parts(labels, at, persistent));
                }
                decomposition.segments.push(Segment {
                    first: phases[segment[0]].id(),
                    last: phases[segment[segment.len() - 1]].id(),
                    n_phases: segment.len(),
                    persistent,
                });
            }
        }
        decomposition
    }

    /// Returns the means over counted phases.
    pub fn overall(&self) -> Parts {
        let mean = |part: fn(&Parts) -> f64| match self.counted().count() {
            0 => 0.0,
            n => self.counted().map(|phase| part(&phase.parts)).sum::<f64>() / n as f64,
        };
        Parts {
            imbalance: mean(|parts| parts.imbalance),
            denoised: mean(|parts| parts.denoised),
            noise: mean(|parts| parts.noise),
            persistent: mean(|parts| parts.persistent),
            residual: mean(|parts| parts.residual),
        }
    }

    /// Returns the share of counted phases whose most loaded rank changes if anomalies are replaced by typical times; 0
    /// without phases.
    pub fn critical_rank_changes(&self) -> f64 {
        let changed = self.counted().filter(|phase| phase.critical_rank != phase.denoised_critical_rank);
        changed.count() as f64 / self.counted().count().max(1) as f64
    }

    /// Returns the phases that count in means.
    pub fn counted(&self) -> impl Iterator<Item = &PhaseParts> {
        let all = self.phases.iter().all(|phase| phase.has_skipped);
        self.phases.iter().filter(move |phase| all || !phase.has_skipped)
    }
}

/// Loads of the ranks in a phase, by rank.
struct RankLoads {
    measured: Vec<f64>,
    denoised: Vec<f64>,
}

impl RankLoads {
    fn of(labels: &Labels<'_>, at: usize) -> Self {
        let phase = &labels.data().phases()[at];
        let mut loads =
            RankLoads { measured: vec![0.0; phase.n_ranks()], denoised: vec![0.0; phase.n_ranks()] };
        for slot in phase.slots() {
            let rank = phase.recorded_assignment().rank_of(slot).index();
            loads.measured[rank] += phase.load(slot);
            loads.denoised[rank] += labels.denoised(at, slot);
        }
        loads
    }

    fn parts(&self, labels: &Labels<'_>, at: usize, persistent: f64) -> PhaseParts {
        let phase = &labels.data().phases()[at];
        let (measured, denoised) = (imbalance(&self.measured), imbalance(&self.denoised));
        let critical_rank = most_loaded(&self.measured);
        let recorded = phase.recorded_assignment();
        let outliers = || phase.slots().filter(|&slot| labels.is_outlier(at, slot));
        let excess = |slot| (phase.load(slot) - labels.denoised(at, slot)).max(0.0);
        PhaseParts {
            phase: phase.id(),
            parts: Parts {
                imbalance: measured,
                denoised,
                noise: measured - denoised,
                persistent,
                residual: denoised - persistent,
            },
            seconds: self.measured.iter().copied().fold(0.0, f64::max),
            denoised_seconds: self.denoised.iter().copied().fold(0.0, f64::max),
            critical_rank,
            denoised_critical_rank: most_loaded(&self.denoised),
            critical_noise_seconds: outliers()
                .filter(|&slot| recorded.rank_of(slot) == critical_rank)
                .map(excess)
                .fold(0.0, |sum, excess| sum + excess),
            n_anomalies: outliers().count(),
            has_skipped: labels.has_skipped(at),
        }
    }
}

/// True if two phases have the same objects on the same ranks.
fn is_same_placement(one: &Phase, next: &Phase) -> bool {
    one.columns().objects == next.columns().objects
        && one.recorded_assignment() == next.recorded_assignment()
        && one.n_ranks() == next.n_ranks()
}

/// True if all objects of two phases with the same placement are at the same level in both.
fn is_same_level(labels: &Labels<'_>, one: usize, next: usize) -> bool {
    let phase = &labels.data().phases()[one];
    phase.slots().all(|slot| labels.level(one, phase.object(slot)) == labels.level(next, phase.object(slot)))
}

/// Returns the imbalance of the mean loads of ranks for each phase of a placement. The mean load of an object is over
/// consecutive phases at the same level. Of these, phases with skipped times do not count, unless all have skipped
/// times.
fn persistent(labels: &Labels<'_>, placement: &[usize]) -> Vec<f64> {
    let phase = &labels.data().phases()[placement[0]];
    let ranks = phase.recorded_assignment();
    let mut loads = vec![vec![0.0; phase.n_ranks()]; placement.len()];
    // Computed once for each phase: `has_skipped` scans all tasks.
    let tells: Vec<bool> = placement.iter().map(|&at| !labels.has_skipped(at)).collect();
    for slot in phase.slots() {
        let object = phase.object(slot);
        let levels =
            placement.chunk_by(|&one, &next| labels.level(one, object) == labels.level(next, object));
        for level in levels {
            let told: Vec<usize> = level.iter().copied().filter(|&at| tells[at - placement[0]]).collect();
            let told = if told.is_empty() { level } else { &told[..] };
            let mean = mean(told.iter().map(|&at| labels.denoised(at, slot)));
            for &at in level {
                loads[at - placement[0]][ranks.rank_of(slot).index()] += mean;
            }
        }
    }
    loads.iter().map(|loads| imbalance(loads)).collect()
}

/// Returns the mean, updated value by value: the mean of equal values is exactly that value.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    (1_u32..).zip(values).fold(0.0, |mean, (n, value)| mean + (value - mean) / f64::from(n))
}

fn imbalance(loads: &[f64]) -> f64 {
    Statistics::of(loads.iter().copied()).imbalance()
}

fn most_loaded(loads: &[f64]) -> RankId {
    let most = loads.iter().copied().fold(0.0, f64::max);
    RankId::from(loads.iter().position(|&load| load == most).unwrap_or(0))
}
