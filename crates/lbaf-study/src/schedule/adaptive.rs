// SPDX-License-Identifier: MIT OR Apache-2.0
//! Adaptive schedule: balances as soon as further waiting costs more than balancing.

use super::Standing;

/// Schedule that trades the cost of balancing against the cost of imbalance.
///
/// The excess of a phase is the difference between the largest and the mean work. After balancing, the excess
/// is assumed to grow by the same amount `m` in each phase: the slope of the least-squares line through the
/// excesses since the last balancing. If each balancing costs `C`, a period of `t` phases loses
/// `C + m t (t - 1) / 2`. One more phase reduces the loss per phase as long as `m t (t + 1) / 2 < C`. The run
/// is therefore balanced after the first `t` for which this no longer holds, about `sqrt(2 C / m)`. `C` is the
/// mean cost of the balancings so far, or [`first_cost`](Self::first_cost) before the first one. With fewer
/// than two phases, `m` is 0. If `C` is 0, the run is balanced after each phase whose largest work exceeds the
/// mean.
///
/// A placement may also be bad from its first phase on, without growth of the excess, because the loads that it was
/// computed for did not last. So the run is also balanced as soon as the loss since the last balancing exceeds `C`. A
/// phase loses the seconds by which its time exceeds the larger of its mean over ranks and its lower bound. If
/// balancing does not help, this rule alone would balance again and again. So the required loss doubles with each
/// consecutive balancing that leaves more than half of the previous imbalance, up to 16 times `C`.
///
/// Menon, Jain, Zheng and Kale (2012), "Automated load balancing invocation based on application
/// characteristics", DOI 10.1109/CLUSTER.2012.61. Menon et al. fit one line to the mean and one to the
/// maximum; their difference is the line used here. They assume short phases, which leads to the period
/// `sqrt(2 C / m)`; the period used here is exact. The rule for the loss is an addition of lbaf; without the
/// lower bound and the doubling, it is [`Published::Menon`](super::Published). vt and LBAF have no adaptive
/// schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Assumed cost of the first balancing step in seconds.
    pub first_cost: f64,
}

/// Maximum number of doublings of the required loss.
const MOST_DOUBLINGS: u32 = 4;

impl Adaptive {
    pub(super) fn wants(self, standing: &Standing) -> bool {
        let excess = standing.excess();
        let cost = standing.mean_cost().unwrap_or(self.first_cost);
        if cost <= 0.0 {
            return excess.last().is_some_and(|&excess| excess > 0.0);
        }
        let patience = f64::from(1_u32 << standing.n_useless().min(MOST_DOUBLINGS));
        standing.loss() > patience * cost || savings(growth(excess), excess.len()) >= cost
    }
}

/// Returns the seconds that balancing after `n_phases` phases saves in the next `n_phases` phases. With balancing, the
/// excess grows again from 0 by `growth` in each phase. Without it, the excess is assumed to stay at `n_phases x
/// growth`.
fn savings(growth: f64, n_phases: usize) -> f64 {
    let n = n_phases as f64;
    growth * n * (n + 1.0) / 2.0
}

/// Returns the slope of the least-squares line through consecutive values; 0 for fewer than two values.
fn growth(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    if values.len() < 2 {
        return 0.0;
    }
    let (mean_at, mean) = ((n - 1.0) / 2.0, values.iter().sum::<f64>() / n);
    let at = |i: usize| i as f64 - mean_at;
    let rise: f64 = values.iter().enumerate().map(|(i, value)| at(i) * (value - mean)).sum();
    let spread: f64 = (0..values.len()).map(|i| at(i) * at(i)).sum();
    rise / spread
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the state after phases with a mean of 1 s and these excesses, of which `rest` cannot be
    /// avoided. A balancing precedes the phases if `cost` is given.
    fn standing(cost: Option<f64>, rest: f64, excess: &[f64]) -> Standing {
        let mut standing = Standing::default();
        if let Some(cost) = cost {
            standing.balanced(cost);
        }
        for &excess in excess {
            standing.ran(0, 1.0 + excess, 1.0, 1.0 + rest);
        }
        standing
    }

    /// Returns the number of phases until the next balancing, if the excess begins with an unavoidable `rest`
    /// and grows by `growth` in each phase.
    fn period(growth: f64, rest: f64, cost: f64) -> usize {
        let adaptive = Adaptive { first_cost: f64::MAX };
        let mut excess = Vec::new();
        loop {
            excess.push(rest + growth * excess.len() as f64);
            if adaptive.wants(&standing(Some(cost), rest, &excess)) || excess.len() == 1000 {
                return excess.len();
            }
        }
    }

    /// Returns the loss per phase of a run that is balanced with this period, summed phase by phase.
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
                // Growth is unknown after a single phase, so the schedule waits for a second one.
                let least = if chosen == 2 { loss(growth, cost, 2) } else { best };
                assert!(found <= least * (1.0 + 1e-9), "{growth} {cost}: {chosen}");
                // Menon's period, rounded to a whole number of phases.
                let continuous = (2.0 * cost / growth).sqrt();
                assert!((chosen as f64 - continuous).abs() <= 1.0, "{growth} {cost}: {chosen}");
            }
        }
    }

    #[test]
    fn unavoidable_excess_that_does_not_grow_is_not_balanced() {
        assert_eq!(period(0.0, 3.0, 1.0), 1000);
        assert_eq!(period(-0.01, 30.0, 1.0), 1000);
    }

    #[test]
    fn free_balancing_happens_at_any_excess() {
        assert_eq!(period(1.0, 0.0, 0.0), 2);
        assert_eq!(period(0.0, 0.25, 0.0), 1);
    }

    /// Each phase loses 1 s, and the first cost is 3.5 s. The excess does not grow.
    #[test]
    fn the_first_balancing_happens_when_the_loss_exceeds_its_cost() {
        let adaptive = Adaptive { first_cost: 3.5 };
        let wants = |n: usize| adaptive.wants(&standing(None, 0.0, &vec![1.0; n]));
        assert_eq!([1, 2, 3, 4].map(wants), [false, false, false, true]);
    }

    /// Each phase loses 1 s that is avoidable, and balancing costs 3.5 s. The excess does not grow. The
    /// required loss is 3.5 s at first, and 7, 14, 28, 56, 56 and 56 s after useless balancings.
    #[test]
    fn a_placement_that_is_bad_from_the_start_is_balanced_again() {
        let adaptive = Adaptive { first_cost: 0.0 };
        let mut standing = Standing::default();
        standing.ran(0, 9.0, 1.0, 0.0);
        standing.balanced(3.5);
        let waits = [(); 7].map(|()| {
            let mut n_phases = 0;
            while !adaptive.wants(&standing) {
                standing.ran(0, 2.5, 1.0, 1.5);
                n_phases += 1;
            }
            standing.balanced(3.5);
            n_phases
        });
        assert_eq!(waits, [4, 8, 15, 29, 57, 57, 57]);
    }

    /// The values 0, 3, 3, 6 at 0, 1, 2, 3 have the mean 3 at the mean position 1.5, so their slope is (1.5 x
    /// 3 + 1.5 x 3) / 5 = 1.8. The 5 is the sum of the squared distances from 1.5.
    #[test]
    fn growth_is_the_slope_by_least_squares() {
        assert_eq!(growth(&[0.0, 3.0, 3.0, 6.0]), 1.8);
        assert_eq!(growth(&[2.0, 2.5, 3.0]), 0.5);
        assert_eq!((growth(&[7.0]), growth(&[])), (0.0, 0.0));
    }
}
