// SPDX-License-Identifier: MIT OR Apache-2.0
//! State of a run on which schedules base their decisions.

/// State of a run at the end of a phase.
#[derive(Clone, Debug, Default)]
pub struct Standing {
    phase: u64,
    period: Period,
    before: Option<Before>,
    cost: f64,
    n_balancings: usize,
    efficiencies: f64,
    n_efficiencies: usize,
}

/// Values of the phases since the last balancing.
#[derive(Clone, Debug, Default)]
struct Period {
    seconds: Vec<f64>,
    excess: Vec<f64>,
    loss: f64,
}

/// State at the last balancing: imbalance since the balancing before it, and number of consecutive useless
/// balancings before it.
#[derive(Clone, Copy, Debug)]
struct Before {
    imbalance: f64,
    n_useless: u32,
}

impl Standing {
    /// Adds a phase of `seconds`, in which ranks worked for `mean` seconds on average. `bound` is the lower
    /// bound on the seconds of the phase.
    pub fn ran(&mut self, phase: u64, seconds: f64, mean: f64, bound: f64) {
        if self.n_balancings > 0 && self.period.seconds.is_empty() && seconds > 0.0 {
            self.efficiencies += mean / seconds;
            self.n_efficiencies += 1;
        }
        self.phase = phase;
        self.period.seconds.push(seconds);
        self.period.excess.push(seconds - mean);
        self.period.loss += seconds - mean.max(bound).min(seconds);
    }

    /// Adds a balancing that took `cost` seconds, after which a new period begins.
    pub fn balanced(&mut self, cost: f64) {
        self.before = Some(Before { imbalance: self.period.imbalance(), n_useless: self.n_useless() });
        self.period = Period::default();
        self.cost += cost;
        self.n_balancings += 1;
    }

    /// Returns the number of the phase that ended last.
    pub fn phase(&self) -> u64 {
        self.phase
    }

    /// Returns the seconds of each phase since the last balancing.
    pub fn seconds(&self) -> &[f64] {
        &self.period.seconds
    }

    /// Returns the excess of each phase since the last balancing: its seconds minus the mean over ranks.
    pub fn excess(&self) -> &[f64] {
        &self.period.excess
    }

    /// Returns the imbalance of work in the phase that ended last; 0 directly after a balancing and before the first
    /// phase.
    pub fn imbalance(&self) -> f64 {
        let (seconds, excess) = (&self.period.seconds, &self.period.excess);
        let (Some(seconds), Some(excess)) = (seconds.last(), excess.last()) else { return 0.0 };
        ratio(*excess, seconds - excess)
    }

    /// Returns the seconds lost since the last balancing: the excess of the phases, without the part below
    /// their lower bounds, which no placement could avoid.
    pub fn loss(&self) -> f64 {
        self.period.loss
    }

    /// Returns the number of consecutive balancings, up to the last one, that left more than half of the
    /// imbalance of the phases before them.
    pub fn n_useless(&self) -> u32 {
        match self.before {
            Some(before) if 2.0 * self.period.imbalance() > before.imbalance => before.n_useless + 1,
            _ => 0,
        }
    }

    /// Returns the mean cost of the balancings in seconds; `None` before the first balancing.
    pub fn mean_cost(&self) -> Option<f64> {
        (self.n_balancings > 0).then(|| self.cost / self.n_balancings as f64)
    }

    /// Returns the efficiency (mean over ranks / time) of the first phase after a balancing, averaged over
    /// balancings; 1 until the first phase after a balancing has ended.
    pub fn efficiency_after(&self) -> f64 {
        if self.n_efficiencies == 0 { 1.0 } else { self.efficiencies / self.n_efficiencies as f64 }
    }
}

impl Period {
    fn imbalance(&self) -> f64 {
        let excess: f64 = self.excess.iter().sum();
        ratio(excess, self.seconds.iter().sum::<f64>() - excess)
    }
}

fn ratio(excess: f64, mean: f64) -> f64 {
    if mean > 0.0 { excess / mean } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each phase takes 3 s, and ranks work for 2 s on average. The lower bounds are 2, 2.75 and 1 s.
    #[test]
    fn the_loss_is_the_avoidable_excess() {
        let mut standing = Standing::default();
        standing.ran(0, 3.0, 2.0, 2.0);
        assert_eq!((standing.loss(), standing.imbalance()), (1.0, 0.5));
        standing.balanced(1.0);
        assert_eq!(standing.loss(), 0.0);
        standing.ran(1, 3.0, 2.0, 2.75);
        assert_eq!(standing.loss(), 0.25);
        standing.ran(2, 3.0, 2.0, 1.0);
        assert_eq!((standing.loss(), standing.excess()), (1.25, &[1.0, 1.0][..]));
    }

    #[test]
    fn balancings_that_do_not_halve_the_imbalance_are_counted_until_one_does() {
        let mut standing = Standing::default();
        let mut n_useless = Vec::new();
        for seconds in [3.0, 3.0, 3.0, 2.25, 2.25] {
            standing.ran(0, seconds, 2.0, 0.0);
            n_useless.push(standing.n_useless());
            standing.balanced(1.0);
        }
        assert_eq!(n_useless, [0, 1, 2, 0, 1]);
    }

    #[test]
    fn efficiency_is_that_of_phases_right_after_balancings() {
        let mut standing = Standing::default();
        standing.ran(0, 9.0, 1.0, 0.0);
        assert_eq!(standing.efficiency_after(), 1.0);
        for seconds in [2.0, 4.0] {
            standing.balanced(1.0);
            standing.ran(1, seconds, 1.0, 0.0);
            standing.ran(2, 8.0, 1.0, 0.0);
        }
        assert_eq!((standing.efficiency_after(), standing.mean_cost()), (0.375, Some(1.0)));
    }
}
