// SPDX-License-Identifier: MIT OR Apache-2.0
//! The state of a run that schedules decide on.

/// The state of a run at the end of a phase.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    phase: u64,
    seconds: Vec<f64>,
    excess: Vec<f64>,
    cost: f64,
    n_balancings: usize,
}

impl Standing {
    /// Adds a phase that took some seconds, where ranks worked for `mean` of them on average.
    pub fn ran(&mut self, phase: u64, seconds: f64, mean: f64) {
        self.phase = phase;
        self.seconds.push(seconds);
        self.excess.push(seconds - mean);
    }

    /// Adds a balancing that cost some seconds; the phases before it no longer count.
    pub fn balanced(&mut self, cost: f64) {
        self.seconds.clear();
        self.excess.clear();
        self.cost += cost;
        self.n_balancings += 1;
    }

    /// The phase that ended.
    pub fn phase(&self) -> u64 {
        self.phase
    }

    /// Seconds of the phases since the last balancing.
    pub fn seconds(&self) -> &[f64] {
        &self.seconds
    }

    /// Seconds by which these phases exceeded the mean over ranks.
    pub fn excess(&self) -> &[f64] {
        &self.excess
    }

    /// Imbalance of work in the phase that ended.
    pub fn imbalance(&self) -> f64 {
        let (Some(seconds), Some(excess)) = (self.seconds.last(), self.excess.last()) else { return 0.0 };
        let mean = seconds - excess;
        if mean > 0.0 { seconds / mean - 1.0 } else { 0.0 }
    }

    /// Mean cost of the balancings in seconds; nothing if there was none.
    pub fn mean_cost(&self) -> Option<f64> {
        (self.n_balancings > 0).then(|| self.cost / self.n_balancings as f64)
    }
}
