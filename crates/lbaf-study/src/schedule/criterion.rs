// SPDX-License-Identifier: MIT OR Apache-2.0
//! Published criteria for the phases after which a run is balanced.

use super::Standing;

/// A published criterion. If the cost `C` of balancing is 0, the criterion is met after each phase with an excess above
/// 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BalancingCriterion {
    /// Formula of the criterion.
    pub published: Published,
    /// `C` before the first balancing, in seconds. Afterwards, `C` is the mean cost of the balancings so far.
    pub first_cost: f64,
}

/// Formula of a criterion. `T` is the time of a phase, `u` its excess (`T` minus the mean over ranks), `C`
/// the cost of balancing, and `n` the number of phases since the last balancing. Sums and means cover these
/// phases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Published {
    /// `sum of u >= C`: the imbalance since the last balancing cost at least as much as balancing. Menon, Jain,
    /// Zheng and Kale (2012), "Automated load balancing invocation based on application characteristics",
    /// DOI 10.1109/CLUSTER.2012.61.
    Menon,
    /// `T e / f + C < factor x T`: one balanced phase and the balancing take less than `factor` times the phase that
    /// ended. `e` is the efficiency of this phase (mean over ranks divided by its time), `f` the average efficiency of
    /// the first phase after each balancing, or 1 before the first balancing. Procassini, O'Brien and Taylor (2005),
    /// "Load balancing of parallel Monte Carlo transport calculations", UCRL-PROC-212594,
    /// <https://www.osti.gov/servlets/purl/877821>.
    Procassini {
        /// With 1, balancing must pay off in a single phase; a larger factor balances more often.
        factor: f64,
    },
    /// `sum of (median of the last three T - mean of T so far) >= C`: the degradation since the last
    /// balancing cost at least as much as balancing. This criterion needs no mean over ranks. Zhai, Banerjee,
    /// Zwick, Hackl and Ranka (2018), "Dynamic load balancing for compressible multiphase turbulence", DOI
    /// 10.1145/3205289.3205304; formula from the comparison by Boulmier et al.
    Zhai,
    /// `n u - sum of u >= C`: the area above the curve of the excess is at least the cost of balancing. The first `u`
    /// is that of the last phase. Boulmier, Abdennadher and Chopard (2021), "Optimal load balancing and assessment of
    /// existing load balancing criteria", arXiv 2104.01688, DOI 10.48550/arXiv.2104.01688.
    Boulmier,
}

impl BalancingCriterion {
    pub(super) fn is_met(self, standing: &Standing) -> bool {
        let cost = standing.mean_cost().unwrap_or(self.first_cost);
        let (times, excess) = (standing.seconds(), standing.excess());
        let (Some(&time), Some(&last)) = (times.last(), excess.last()) else { return false };
        if cost <= 0.0 {
            return last > 0.0;
        }
        let sum: f64 = excess.iter().sum();
        match self.published {
            Published::Menon => sum >= cost,
            Published::Procassini { factor } => {
                let balanced = (time - last) / standing.efficiency_after();
                balanced + cost < factor * time
            }
            Published::Zhai => degradation(times) >= cost,
            Published::Boulmier => excess.len() as f64 * last - sum >= cost,
        }
    }
}

/// Returns the sum over phases of the median of the last three times minus the mean of all times so far. For
/// the first two phases, the median is that of the times so far.
fn degradation(times: &[f64]) -> f64 {
    let mut sum = 0.0;
    let of_phase = times.iter().enumerate().map(|(at, time)| {
        sum += time;
        let last = &times[at.saturating_sub(2)..=at];
        let (least, most) = last.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), t| (a.min(*t), b.max(*t)));
        let median = match last {
            [a, b, c] => a + b + c - least - most,
            _ => f64::midpoint(least, most),
        };
        median - sum / (at + 1) as f64
    });
    of_phase.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the position of the first phase after which a criterion is met, if any, for phases with these
    /// times and a mean over ranks of 10 s.
    fn met(published: Published, cost: f64, times: &[f64]) -> Option<usize> {
        let criterion = BalancingCriterion { published, first_cost: cost };
        let mut standing = Standing::default();
        times.iter().position(|&time| {
            standing.ran(0, time, 10.0, 0.0);
            criterion.is_met(&standing)
        })
    }

    const GROWING: [f64; 6] = [11.0, 12.0, 13.0, 14.0, 15.0, 16.0];
    const EVEN: [f64; 6] = [14.0; 6];

    /// In `GROWING`, the excesses are 1, 2, 3, 4, 5 and 6 s, and their running sums 1, 3, 6, 10, 15 and 21 s.
    #[test]
    fn menon_sums_the_excess() {
        assert_eq!(met(Published::Menon, 6.0, &GROWING), Some(2));
        assert_eq!(met(Published::Menon, 6.5, &GROWING), Some(3));
        assert_eq!(met(Published::Menon, 20.0, &EVEN), Some(4));
    }

    /// A balanced phase takes 10 s: 10 + 4.5 is less than 15, and less than 1.1 x 14.
    #[test]
    fn procassini_considers_one_phase() {
        assert_eq!(met(Published::Procassini { factor: 1.0 }, 4.5, &GROWING), Some(4));
        assert_eq!(met(Published::Procassini { factor: 1.1 }, 4.5, &GROWING), Some(3));
        assert_eq!(met(Published::Procassini { factor: 1.0 }, 4.0, &EVEN), None);
        // After the first balancing, a phase took 14 s at a mean of 10 s. Another balancing promises no gain:
        // 14 + 1 is not less than 14.
        let mut standing = Standing::default();
        standing.balanced(1.0);
        standing.ran(0, 14.0, 10.0, 0.0);
        let criterion =
            BalancingCriterion { published: Published::Procassini { factor: 1.0 }, first_cost: 1.0 };
        assert!(!criterion.is_met(&standing));
    }

    /// In `GROWING`, the medians are 11, 11.5, 12, 13, 14, 15 and the means 11, 11.5, 12, 12.5, 13, 13.5. The
    /// running sums of the differences are 0, 0, 0, 0.5, 1.5, 3.
    #[test]
    fn zhai_sums_the_degradation() {
        assert_eq!(met(Published::Zhai, 0.5, &GROWING), Some(3));
        assert_eq!(met(Published::Zhai, 1.6, &GROWING), Some(5));
        assert_eq!(met(Published::Zhai, 0.1, &EVEN), None);
        // One long phase is not a degradation: all medians are 10 s, and no mean is below 10 s.
        assert_eq!(met(Published::Zhai, 0.1, &[10.0, 10.0, 40.0, 10.0, 10.0, 10.0]), None);
    }

    /// In `GROWING`, `n u` minus the sum of `u` is 0, 4 - 3, 9 - 6, 16 - 10, 25 - 15.
    #[test]
    fn boulmier_compares_with_the_last_phase() {
        assert_eq!(met(Published::Boulmier, 3.0, &GROWING), Some(2));
        assert_eq!(met(Published::Boulmier, 6.5, &GROWING), Some(4));
        assert_eq!(met(Published::Boulmier, 0.1, &EVEN), None);
    }

    #[test]
    fn free_balancing_happens_at_any_excess() {
        for published in
            [Published::Menon, Published::Procassini { factor: 1.0 }, Published::Zhai, Published::Boulmier]
        {
            assert_eq!(met(published, 0.0, &[10.0, 10.0, 10.5]), Some(2));
        }
    }
}
