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
/// takes two phases to be seen; balancing without cost is done after each phase that has any excess.
///
/// A placement may also be bad from its first phase on, because the loads that it was made for did not last: then nothing grows.
/// So the run is also balanced as soon as the loss since the last balancing exceeds `C`: the seconds by which phases
/// exceeded the mean over ranks and what no placement can beat. Then waiting lost about as much as balancing costs. Where
/// balancing does not help, that would go on for ever: for each balancing in a row after
/// which the imbalance is more than half of that before, twice the loss is waited for, up to 16 times `C`.
///
/// Menon, Jain, Zheng and Kale (2012), "Automated load balancing invocation based on application characteristics",
/// DOI 10.1109/CLUSTER.2012.61. They fit mean and maximum each with a line, of which the difference is the same line as
/// here, and take phases to be so short that the period is `sqrt(2 C / m)`, where ours is exact. The rule for the loss is
/// ours; without its limits it is [`Criterion::Menon`](super::BalancingCriterion). vt and LBAF have no schedule that adapts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptive {
    /// Assumed cost of the first balancing step in seconds.
    pub first_cost: f64,
}

/// The loss that is waited for doubles at most so often.
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

    /// Phases with a mean of 1 s and these excesses, of which some `rest` cannot be avoided, after a balancing of some cost if
    /// there was one.
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

    /// After how many phases a run is balanced again whose excess begins with a `rest` that cannot be avoided, and grows by
    /// `growth`.
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
        let wants = |n: usize| adaptive.wants(&standing(None, 0.0, &vec![1.0; n]));
        assert_eq!([1, 2, 3, 4].map(wants), [false, false, false, true]);
    }

    /// 1 s in each phase more than need be, for 3.5 s, though nothing grows. After useless balancings 7, 14, 28, 56 and 56 s
    /// are waited for.
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

    /// Of 0, 3, 3, 6 at 0, 1, 2, 3: mean 3, (1.5 x 3 + 1.5 x 3) / 5.
    #[test]
    fn growth_is_the_slope_by_least_squares() {
        assert_eq!(growth(&[0.0, 3.0, 3.0, 6.0]), 1.8);
        assert_eq!(growth(&[2.0, 2.5, 3.0]), 0.5);
        assert_eq!((growth(&[7.0]), growth(&[])), (0.0, 0.0));
    }
}
