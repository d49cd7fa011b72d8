// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthetic runs with known true loads and recorded loads.
//!
//! The true load of an object in a phase is its base, drawn once, times the factor of the scenario in the phase. A
//! balancer should use true loads. The recorded load also has jitter, and the spikes and hiccups of the scenario, which
//! last one phase each.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, LogNormal};

/// Number of ranks, and of objects on each of them.
pub(crate) const N_RANKS: usize = 8;
pub(crate) const N_PER_RANK: usize = 12;

/// Recorded phases. True loads cover one more phase.
pub(crate) const N_PHASES: usize = 20;

/// Standard deviation of the logarithms of the bases.
const BASES: f64 = 0.5;

/// Factor of rank 0 while it is slow, and of a rank in a hiccup.
const SLOW: f64 = 3.0;

/// Factor of a hot spot.
const HOT: f64 = 5.0;

/// Events of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scenario {
    /// Jitter alone.
    Steady,
    /// One task in 50 takes 3 to 10 times as long.
    Spikes,
    /// In about a quarter of the phases, one rank takes three times as long, but never the same rank in successive
    /// phases.
    Hiccups,
    /// Rank 0 takes three times as long in the last 8 phases.
    SlowAtEnd,
    /// Rank 0 takes three times as long in the first 8 phases.
    SlowFromStart,
    /// Rank 0 takes three times as long in the 8 phases in the middle.
    SlowInMiddle,
    /// Rank 0 takes three times as long in the last 10 phases, half of the run.
    SlowInHalf,
    /// Rank 0 takes three times as long in the last 8 phases, with spikes and hiccups.
    SlowAndNoisy,
    /// One object in 20 changes for good by a factor of 2 to 4, up or down, in a random phase.
    ObjectsChange,
    /// One rank takes five times as long. After every 5 phases, the hot spot moves to the next rank.
    HotSpot,
    /// The objects of rank 0 grow by 5 % in each phase.
    Growth,
}

impl Scenario {
    pub(crate) const ALL: [Scenario; 11] = [
        Scenario::Steady,
        Scenario::Spikes,
        Scenario::Hiccups,
        Scenario::SlowAtEnd,
        Scenario::SlowFromStart,
        Scenario::SlowInMiddle,
        Scenario::SlowInHalf,
        Scenario::SlowAndNoisy,
        Scenario::ObjectsChange,
        Scenario::HotSpot,
        Scenario::Growth,
    ];

    /// Returns the label of the row in a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scenario::Steady => "jitter alone",
            Scenario::Spikes => "spikes",
            Scenario::Hiccups => "hiccups of ranks",
            Scenario::SlowAtEnd => "rank slow in the last 8 phases",
            Scenario::SlowFromStart => "rank slow in the first 8",
            Scenario::SlowInMiddle => "rank slow in the middle 8",
            Scenario::SlowInHalf => "rank slow in the last 10",
            Scenario::SlowAndNoisy => "rank slow in the last 8, spikes and hiccups",
            Scenario::ObjectsChange => "one object in 20 changes",
            Scenario::HotSpot => "hot spot that moves every 5 phases",
            Scenario::Growth => "rank grows by 5 % a phase",
        }
    }

    /// Returns the slow ranks with the first and the last slow recorded phase.
    pub(crate) fn slow_spells(self) -> Vec<(u32, usize, usize)> {
        let slow = self.slow_phases();
        match self {
            Scenario::HotSpot => {
                (0..4).map(|rank| (rank, 5 * rank as usize, 5 * rank as usize + 4)).collect()
            }
            _ if slow.is_empty() => Vec::new(),
            _ => vec![(0, slow.start, slow.end.min(N_PHASES) - 1)],
        }
    }

    /// Returns the phases in which rank 0 is slow.
    fn slow_phases(self) -> std::ops::Range<usize> {
        match self {
            Scenario::SlowAtEnd | Scenario::SlowAndNoisy => N_PHASES - 8..N_PHASES + 1,
            Scenario::SlowFromStart => 0..8,
            Scenario::SlowInMiddle => 6..14,
            Scenario::SlowInHalf => N_PHASES - 10..N_PHASES + 1,
            _ => 0..0,
        }
    }

    fn has_spikes(self) -> bool {
        matches!(self, Scenario::Spikes | Scenario::SlowAndNoisy)
    }

    fn has_hiccups(self) -> bool {
        matches!(self, Scenario::Hiccups | Scenario::SlowAndNoisy)
    }
}

/// Run drawn at random; loads by phase and by object.
pub(crate) struct Drawn {
    /// Rank of each object; the same in all phases.
    pub(crate) ranks: Vec<u32>,
    /// True loads in seconds, with one more phase than recorded.
    pub(crate) truth: Vec<Vec<f64>>,
    /// Measured loads, in seconds.
    pub(crate) recorded: Vec<Vec<f64>>,
}

impl Drawn {
    /// Draws a run. `jitter` is the standard deviation of the logarithms of recorded times relative to true ones.
    pub(crate) fn new(scenario: Scenario, jitter: f64, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let n_objects = N_RANKS * N_PER_RANK;
        let ranks: Vec<u32> = (0..n_objects).map(|object| (object / N_PER_RANK) as u32).collect();
        let bases: Vec<f64> = LogNormal::new(0.0, BASES)
            .expect("a distribution")
            .sample_iter(&mut rng)
            .take(n_objects)
            .collect();
        // Drawn in all scenarios, which then share as many numbers as possible for the same seed.
        let changes: Vec<(usize, f64)> = bases
            .iter()
            .map(|_| {
                let phase = if rng.random_bool(0.05) { rng.random_range(1..N_PHASES) } else { N_PHASES + 1 };
                let factor: f64 = rng.random_range(2.0..4.0);
                (phase, if rng.random_bool(0.5) { factor } else { 1.0 / factor })
            })
            .collect();
        let level = |phase: usize, object: usize| match scenario {
            _ if scenario.slow_phases().contains(&phase) && ranks[object] == 0 => SLOW,
            Scenario::ObjectsChange if phase >= changes[object].0 => changes[object].1,
            Scenario::HotSpot if ranks[object] as usize == phase / 5 % N_RANKS => HOT,
            Scenario::Growth if ranks[object] == 0 => 1.05_f64.powf(phase as f64),
            _ => 1.0,
        };
        let true_loads =
            |phase: usize| (0..n_objects).map(|object| bases[object] * level(phase, object)).collect();
        let truth: Vec<Vec<f64>> = (0..=N_PHASES).map(true_loads).collect();
        let jitter = LogNormal::new(0.0, jitter).expect("a distribution");
        let mut odd_rank = None;
        let recorded = truth[..N_PHASES]
            .iter()
            .map(|truth| {
                let (has_hiccup, rank) = (rng.random_bool(0.25), rng.random_range(0..N_RANKS as u32));
                odd_rank =
                    Some(rank).filter(|_| has_hiccup && scenario.has_hiccups() && odd_rank != Some(rank));
                let mut measured = |(object, &load): (usize, &f64)| {
                    let (has_spike, spike): (bool, f64) =
                        (rng.random_bool(0.02), rng.random_range(3.0..10.0));
                    let spike = if has_spike && scenario.has_spikes() { spike } else { 1.0 };
                    let hiccup = if odd_rank == Some(ranks[object]) { SLOW } else { 1.0 };
                    load * jitter.sample(&mut rng) * spike * hiccup
                };
                truth.iter().enumerate().map(&mut measured).collect()
            })
            .collect();
        Drawn { ranks, truth, recorded }
    }

    /// True if true loads are equal in this phase, the two before and the next one. Any earlier change of load is then
    /// known and still applies in the next phase.
    pub(crate) fn is_settled(&self, phase: usize) -> bool {
        phase >= 2 && (phase - 2..=phase).all(|earlier| self.truth[earlier] == self.truth[phase + 1])
    }
}
