// SPDX-License-Identifier: MIT OR Apache-2.0
//! Balancing as rarely as pays.

use super::Standing;

/// Balances so rarely that balancing costs little, and so often that imbalance does.
///
/// After balancing, the largest work is taken to grow away from the mean by the same amount `m` in each phase, which is the
/// slope of the line nearest to that difference since the last balancing, by least squares. If each balancing costs `C`,
/// a period of `t` phases loses `C + m t (t - 1) / 2`. One phase more makes that less per phase as long as
/// `m t (t + 1) / 2 < C`: as long as what balancing now would save is less than what it costs. So the run is balanced after
/// the first `t` for which it is not, which is about `sqrt(2 C / m)`. `C` is the mean of the balancings so far. A line
/// takes two phases to be seen; only what costs nothing is done behind each that has any excess.
///
/// As long as the run was not balanced, nobody knows how much of the excess balancing would take away, and what is not even
/// from the start may never grow. So it is also balanced for the first time as soon as all excess so far, taken together,
/// is more than the first cost: then at most as much was lost by waiting as balancing costs.
///
/// Menon, Jain, Zheng and Kale (2012), "Automated load balancing invocation based on application characteristics",
/// DOI 10.1109/CLUSTER.2012.61. They fit mean and maximum each with a line, of which the difference is the same line as
/// here, and take phases to be so short that the period is `sqrt(2 C / m)`, where ours is exact. The rule for the first
/// balancing is ours. vt and LBAF have no schedule that adapts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// What balancing is taken to cost in seconds as long as none was paid for.
    pub first_cost: f64,
}

impl Adaptive {
    pub(super) fn wants(self, standing: &Standing) -> bool {
        let (excess, mean_cost) = (standing.excess(), standing.mean_cost());
        let cost = mean_cost.unwrap_or(self.first_cost);
        if cost <= 0.0 {
            return excess.last().is_some_and(|&excess| excess > 0.0);
        }
        let is_late = mean_cost.is_none() && excess.iter().sum::<f64>() > cost;
        is_late || savings(growth(excess), excess.len()) >= cost
    }
}

/// What balancing after so many phases saves in as many: an excess that grows in each phase goes back to where it began.
fn savings(growth: f64, n_phases: usize) -> f64 {
    let n = n_phases as f64;
    growth * n * (n + 1.0) / 2.0
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Phases of these excesses over a mean of 0, after a balancing of some cost if there was one.
    fn standing(cost: Option<f64>, excess: &[f64]) -> Standing {
        let mut standing = Standing::default();
        if let Some(cost) = cost {
            standing.balanced(cost);
        }
        for &excess in excess {
            standing.ran(0, excess, 0.0);
        }
        standing
    }

    /// After how many phases a run is balanced again whose excess begins with `rest` and grows by `growth`.
    fn period(growth: f64, rest: f64, cost: f64) -> usize {
        let adaptive = Adaptive { first_cost: f64::MAX };
        let mut excess = Vec::new();
        loop {
            excess.push(rest + growth * excess.len() as f64);
            if adaptive.wants(&standing(Some(cost), &excess)) || excess.len() == 1000 {
                return excess.len();
            }
        }
    }

    /// What a run loses per phase if it is balanced every so many, phase by phase.
    fn loss(growth: f64, cost: f64, period: usize) -> f64 {
        let lost: f64 = (0..period).map(|phase| growth * phase as f64).sum();
        (cost + lost) / period as f64
    }

    #[test]
    fn no_other_period_loses_less() {
        for growth in [0.01, 0.3, 1.0, 2.5] {
            for cost in [3.0, 7.0, 10.5, 100.0] {
                let chosen = period(growth, 0.5, cost);
                let best = (1..1000).map(|period| loss(growth, cost, period)).fold(f64::INFINITY, f64::min);
                let found = loss(growth, cost, chosen);
                // Who cannot know growth from a single phase waits for a second one.
                let least = if chosen == 2 { loss(growth, cost, 2) } else { best };
                assert!(found <= least * (1.0 + 1e-9), "{growth} {cost}: {chosen}");
                // Menon's period, to the next whole number of phases.
                let continuous = (2.0 * cost / growth).sqrt();
                assert!((chosen as f64 - continuous).abs() <= 1.0, "{growth} {cost}: {chosen}");
            }
        }
    }

    #[test]
    fn what_does_not_grow_is_not_balanced_again() {
        assert_eq!(period(0.0, 3.0, 1.0), 1000);
        assert_eq!(period(-0.01, 30.0, 1.0), 1000);
    }

    #[test]
    fn what_costs_nothing_is_done_as_soon_as_there_is_anything_to_gain() {
        assert_eq!(period(1.0, 0.0, 0.0), 2);
        assert_eq!(period(0.0, 0.25, 0.0), 1);
    }

    /// 1 s in each phase, for a first cost of 3.5 s, though nothing grows.
    #[test]
    fn the_first_balancing_comes_when_as_much_was_lost_as_it_costs() {
        let adaptive = Adaptive { first_cost: 3.5 };
        let wants = |n: usize| adaptive.wants(&standing(None, &vec![1.0; n]));
        assert_eq!([1, 2, 3, 4].map(wants), [false, false, false, true]);
    }

    /// Of 0, 3, 3, 6 at 0, 1, 2, 3: mean 3, (1.5 x 3 + 1.5 x 3) / 5.
    #[test]
    fn growth_is_the_slope_by_least_squares() {
        assert_eq!(growth(&[0.0, 3.0, 3.0, 6.0]), 1.8);
        assert_eq!(growth(&[2.0, 2.5, 3.0]), 0.5);
        assert_eq!((growth(&[7.0]), growth(&[])), (0.0, 0.0));
    }
}
