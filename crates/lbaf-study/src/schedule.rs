// SPDX-License-Identifier: MIT OR Apache-2.0
//! When a run is balanced.

use std::fmt;

/// Behind which phases a run is balanced.
pub enum Schedule<'a> {
    /// Behind none.
    Never,
    /// Behind every phase that this number divides, 0 among them, as vt's `%` does.
    Every(u64),
    /// Behind those that somebody chose.
    Chosen(&'a (dyn Fn(u64) -> bool + Sync)),
    /// Behind each whose imbalance of work exceeds this.
    Threshold(f64),
    /// When waiting longer would cost more than balancing: see [`Adaptive`].
    Adaptive(Adaptive),
}

/// Balances so rarely that balancing costs little, and so often that imbalance does.
///
/// After balancing, the largest work is taken to grow away from the mean by the same amount `m` in each phase. With a cost of
/// `C` for each balancing, waiting `t` phases loses `m t^2 / 2` and the cost in each period, so that `t = sqrt(2 C / m)` is
/// best. Menon, Jain, Zheng and Kale (2012), \"Automated load balancing invocation based on application characteristics\",
/// DOI 10.1109/CLUSTER.2012.61. They fit mean and maximum each with a line; here the line goes through their difference,
/// and the cost is the mean of the balancings so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// What balancing is taken to cost in seconds as long as none was paid for.
    pub first_cost: f64,
}

/// How things stand at the end of a phase.
#[derive(Clone, Copy, Debug)]
pub struct Standing<'a> {
    /// The phase that ended.
    pub phase: u64,
    /// By how much the largest work exceeded the mean in the phases since the last balancing, in seconds.
    pub excess: &'a [f64],
    /// Imbalance of work in the phase that ended.
    pub imbalance: f64,
    /// What each balancing cost so far, in the mean; nothing if there was none.
    pub mean_cost: Option<f64>,
}

impl Schedule<'_> {
    /// Whether the run is balanced now.
    pub fn wants(&self, standing: &Standing<'_>) -> bool {
        match self {
            Schedule::Never => false,
            Schedule::Every(period) => *period > 0 && standing.phase.is_multiple_of(*period),
            Schedule::Chosen(is_chosen) => is_chosen(standing.phase),
            Schedule::Threshold(most) => standing.imbalance > *most,
            Schedule::Adaptive(adaptive) => adaptive.wants(standing),
        }
    }
}

impl Adaptive {
    fn wants(self, standing: &Standing<'_>) -> bool {
        let cost = standing.mean_cost.unwrap_or(self.first_cost);
        let growth = growth(standing.excess);
        // What stays as it is needs no second balancing; what was never balanced is worth one if it pays back at once.
        let waited = standing.excess.len() as f64;
        let first = standing.mean_cost.is_none() && standing.excess.iter().sum::<f64>() > cost;
        first || (growth > 0.0 && waited >= (2.0 * cost / growth).sqrt())
    }
}

/// The slope of the line that is nearest to values one after the other, by least squares; 0 for fewer than two.
fn growth(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let (mean_at, mean) = ((n - 1.0) / 2.0, values.iter().sum::<f64>() / n);
    let at = |i: usize| i as f64 - mean_at;
    let rise: f64 = values.iter().enumerate().map(|(i, value)| at(i) * (value - mean)).sum();
    let spread: f64 = (0..values.len()).map(|i| at(i).powi(2)).sum();
    rise / spread
}

impl fmt::Debug for Schedule<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Never => f.write_str("Never"),
            Schedule::Every(period) => f.debug_tuple("Every").field(period).finish(),
            Schedule::Chosen(_) => f.write_str("Chosen(..)"),
            Schedule::Threshold(most) => f.debug_tuple("Threshold").field(most).finish(),
            Schedule::Adaptive(adaptive) => f.debug_tuple("Adaptive").field(adaptive).finish(),
        }
    }
}
