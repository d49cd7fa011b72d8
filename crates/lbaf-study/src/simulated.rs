// SPDX-License-Identifier: MIT OR Apache-2.0
//! Results of a simulated run.

use lbaf_model::{Changes, PhaseId};

use lbaf_strategies::Communication;

use crate::Migrated;

/// Result of a simulated run.
#[derive(Clone, Debug, Default)]
pub struct Simulated {
    /// The phases, in the order in which they ran.
    pub phases: Vec<PhaseTime>,
    /// Numbers of objects that appeared, disappeared, or became migratable or non-migratable.
    pub changes: Changes,
    /// Number of balancing steps that the balancer skipped although the schedule requested them.
    pub n_skipped: usize,
    /// True if the best schedule is proven optimal; `None` with other schedules.
    pub is_proven: Option<bool>,
}

/// A phase of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseTime {
    /// Number of the phase.
    pub phase: PhaseId,
    /// Largest work of a rank; with synchronized subphases, the sum over subphases of the load of the slowest
    /// rank.
    pub seconds: f64,
    /// Lower bound of the phase, in seconds.
    pub bound: f64,
    /// Imbalance of load.
    pub load_imbalance: f64,
    /// Imbalance of work, or of load in synchronized subphases, as used by schedules.
    pub work_imbalance: f64,
    /// Number of ranks over an upper bound of the work model.
    pub n_ranks_over_bounds: usize,
    /// Migrations from ranks that are lost before the phase. `None` if no rank is lost.
    pub evacuation: Option<Migrated>,
    /// Other migrations before the phase in a run with the recorded placements. `None` in other runs, and for
    /// the first phase.
    pub recorded: Option<Migrated>,
    /// Balancing step before the phase, if any.
    pub balancing: Option<BalancingStep>,
}

/// A balancing step between two phases.
#[derive(Clone, Debug, PartialEq)]
pub struct BalancingStep {
    /// Imbalance of the predicted loads before and after the step.
    pub predicted_load_imbalance: [f64; 2],
    /// Imbalance of the predicted work before and after; with synchronized subphases, of the predicted load
    /// in subphases.
    pub predicted_work_imbalance: [f64; 2],
    /// Predicted seconds of the next phase; with [`LoadModel::MultiplePhases`](crate::LoadModel), of all
    /// phases predicted together.
    pub predicted_seconds: f64,
    /// Communication of the strategy.
    pub communication: Communication,
    /// Seconds of the strategy.
    pub strategy_seconds: f64,
    /// Migrations and their seconds.
    pub migrated: Migrated,
}

/// Relative tolerance for rounding: a smaller difference between sums is no gain.
const ROUNDING: f64 = 1e-12;

impl Simulated {
    /// Returns three sums over the run, in seconds: of phases, of strategies and of migrations.
    pub fn parts(&self) -> [f64; 3] {
        let balancings = || self.phases.iter().filter_map(|phase| phase.balancing.as_ref());
        let migrations = self.phases.iter().flat_map(PhaseTime::migrations);
        [
            total(self.phases.iter().map(|phase| phase.seconds)),
            total(balancings().map(|balancing| balancing.strategy_seconds)),
            total(migrations.map(|migrated| migrated.seconds)),
        ]
    }

    /// Returns the seconds of the run: the sum of its parts.
    pub fn seconds(&self) -> f64 {
        self.parts().iter().sum()
    }

    /// Returns the sum of the lower bounds of all phases, in seconds. If a phase is within the upper bounds
    /// of the work model, its lower bound holds only for placements within them.
    pub fn bound(&self) -> f64 {
        total(self.phases.iter().map(|phase| phase.bound))
    }

    /// Returns the seconds from the beginning of the run to the end of each phase.
    pub fn elapsed(&self) -> impl Iterator<Item = f64> {
        self.phases.iter().scan(0.0, |elapsed, phase| {
            *elapsed += phase.seconds_with_costs();
            Some(*elapsed)
        })
    }

    /// Returns the least number of phases after which this run stays ahead of another run of the same phases.
    /// `None` if it is not ahead at the end.
    pub fn break_even(&self, other: &Simulated) -> Option<usize> {
        let is_ahead = |(own, other): (f64, f64)| own < other * (1.0 - ROUNDING);
        let ahead: Vec<bool> = self.elapsed().zip(other.elapsed()).map(is_ahead).collect();
        let n_not_ahead = ahead.iter().rposition(|is_ahead| !is_ahead).map_or(0, |last| last + 1);
        (n_not_ahead < ahead.len()).then_some(n_not_ahead + 1)
    }
}

impl PhaseTime {
    /// Returns the migrations before the phase: of the evacuation, of the recorded run and of balancing.
    pub fn migrations(&self) -> impl Iterator<Item = Migrated> {
        let balanced = self.balancing.as_ref().map(|balancing| balancing.migrated);
        [self.evacuation, self.recorded, balanced].into_iter().flatten()
    }

    /// Returns the seconds of the phase plus those of the strategy and the migrations before it.
    pub(crate) fn seconds_with_costs(&self) -> f64 {
        let strategy = self.balancing.as_ref().map_or(0.0, |balancing| balancing.strategy_seconds);
        strategy + total(self.migrations().map(|migrated| migrated.seconds)) + self.seconds
    }
}

impl BalancingStep {
    /// Returns the seconds of the step: strategy and migrations.
    pub fn seconds(&self) -> f64 {
        self.strategy_seconds + self.migrated.seconds
    }
}

/// Returns the sum in order; 0 without numbers, for which `Iterator::sum` returns -0.
fn total(numbers: impl Iterator<Item = f64>) -> f64 {
    numbers.fold(0.0, |sum, number| sum + number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a run whose phases take these seconds, with balancing before the second phase at this cost.
    fn run(seconds: &[f64], cost: f64) -> Simulated {
        let balancing = |at: usize| BalancingStep {
            predicted_load_imbalance: [0.0; 2],
            predicted_work_imbalance: [0.0; 2],
            predicted_seconds: 0.0,
            communication: Communication::default(),
            strategy_seconds: if at == 1 { cost } else { 0.0 },
            migrated: Migrated::default(),
        };
        let phase = |(at, &seconds): (usize, &f64)| PhaseTime {
            phase: PhaseId(at as u64),
            seconds,
            bound: 0.0,
            load_imbalance: 0.0,
            work_imbalance: 0.0,
            n_ranks_over_bounds: 0,
            evacuation: None,
            recorded: None,
            balancing: (at == 1).then(|| balancing(at)),
        };
        Simulated { phases: seconds.iter().enumerate().map(phase).collect(), ..Simulated::default() }
    }

    /// Without balancing, each phase takes 4 s. Balancing after the first phase takes 2.5 s and shortens
    /// later phases to 3 s. The balanced run is then 0, 1.5 and 0.5 s late at the end of the first three
    /// phases, and 0.5 s ahead at the end of the fourth.
    #[test]
    fn balancing_pays_off_when_it_stays_ahead() {
        let never = run(&[4.0; 6], 0.0);
        let balanced = run(&[4.0, 3.0, 3.0, 3.0, 3.0, 3.0], 2.5);
        assert_eq!(balanced.elapsed().collect::<Vec<_>>(), [4.0, 9.5, 12.5, 15.5, 18.5, 21.5]);
        assert_eq!(balanced.break_even(&never), Some(4));
        // Balancing takes 2 s: after three phases both runs have taken 12 s, so the balanced run is not
        // ahead.
        assert_eq!(run(&[4.0, 3.0, 3.0, 3.0, 3.0, 3.0], 2.0).break_even(&never), Some(4));
        assert_eq!(run(&[4.0, 3.0, 3.0, 3.0, 3.0, 3.0], 5.0).break_even(&never), None);
        assert_eq!(never.break_even(&never), None);
        // Ahead after two phases (7 s, not 8 s), late after three and four (16 s, not 12 s; 17 s, not 16 s), and
        // ahead again after five (18 s, not 20 s).
        assert_eq!(run(&[4.0, 3.0, 9.0, 1.0, 1.0, 4.0], 0.0).break_even(&never), Some(5));
        assert_eq!(run(&[3.0; 6], 0.0).break_even(&never), Some(1));
        assert_eq!(Simulated::default().break_even(&Simulated::default()), None);
    }
}
