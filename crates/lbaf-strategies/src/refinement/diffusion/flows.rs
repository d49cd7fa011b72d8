// SPDX-License-Identifier: MIT OR Apache-2.0
//! Flows of load between neighbours.

use lbaf_model::RankId;

use super::neighbourhood::Neighbourhood;
use crate::Cancel;
use crate::primitives::exchange_search::Search;

/// Sweeps end when no flow exceeds this fraction of the mean work.
const STILL: f64 = 1e-4;

/// Returns the seconds of load that should flow between each pair of neighbours, and the number of sweeps. Flows
/// from the lower rank to the higher rank are positive.
///
/// A sweep of first order moves `1 / (1 + n)` of the difference in work of two ranks (Cybenko), where n is the larger
/// of their numbers of neighbours. The difference is converted to seconds of load at the speed of the slower rank. With
/// `momentum` b, the flow of each sweep after the first is (b - 1) times the previous flow plus b times the flow of
/// first order (Muthukrishnan, Ghosh, Schultz). O(sweeps x pairs).
pub(super) fn flows(
    search: &Search<'_>,
    neighbourhood: &Neighbourhood,
    momentum: f64,
    most_sweeps: usize,
    cancel: &Cancel,
) -> (Vec<f64>, usize) {
    let n_ranks = search.n_ranks();
    let mut work: Vec<f64> = (0..n_ranks).map(|rank| search.cost(RankId::from(rank))).collect();
    let slope = |rank: RankId| search.slope(rank);
    let still = STILL * work.iter().sum::<f64>() / n_ranks.max(1) as f64;
    let pairs = neighbourhood.pairs();
    let diffusivity: Vec<f64> = (pairs.iter())
        .map(|&(a, b)| {
            let degree = neighbourhood.degree(a).max(neighbourhood.degree(b));
            let slowest = slope(a).max(slope(b));
            if slowest > 0.0 { 1.0 / (f64::from(degree + 1) * slowest) } else { 0.0 }
        })
        .collect();
    let (mut total, mut last) = (vec![0.0; pairs.len()], vec![0.0; pairs.len()]);
    for sweep in 0..most_sweeps {
        if cancel.is_cancelled() {
            break;
        }
        let mut most: f64 = 0.0;
        let (keep, take) = if sweep == 0 { (0.0, 1.0) } else { (momentum - 1.0, momentum) };
        for (at, &(a, b)) in pairs.iter().enumerate() {
            last[at] = keep * last[at] + take * diffusivity[at] * (work[a.index()] - work[b.index()]);
        }
        for (at, &(a, b)) in pairs.iter().enumerate() {
            let flow: f64 = last[at];
            total[at] += flow;
            work[a.index()] -= slope(a) * flow;
            work[b.index()] += slope(b) * flow;
            most = most.max(flow.abs() * slope(a).max(slope(b)));
        }
        if most <= still {
            return (total, sweep + 1);
        }
    }
    (total, most_sweeps)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use lbaf_model::{LoadOnly, Totals, works};

    use super::super::Topology;
    use super::*;
    use crate::test_phase::{self, Object};

    const N: u32 = 16;

    /// Returns the largest deviation from the mean work 1 after some sweeps on a ring. Ranks start with a work of
    /// `1 + cos(TAU * rank / N)`.
    fn after(n_sweeps: usize, momentum: f64) -> f64 {
        let wave = |rank: u32| 1.0 + (TAU * f64::from(rank) / f64::from(N)).cos();
        let object = |rank| Object { load: wave(rank), home: rank, ..Object::default() };
        let phase = test_phase::phase(N as usize, &(0..N).map(object).collect::<Vec<_>>());
        let model = LoadOnly::default();
        let problem = test_phase::problem(&phase, &model);
        let totals = Totals::new(&phase, problem.initial.clone());
        let works = works(&model, &phase, totals.ranks());
        let search = Search::new(&problem, totals, works);
        let ring = Neighbourhood::of(&problem, Topology::Ring);
        let (flows, n) = flows(&search, &ring, momentum, n_sweeps, &Cancel::new());
        assert_eq!(n, n_sweeps);
        let mut work: Vec<f64> = (0..N).map(wave).collect();
        for (&(a, b), flow) in ring.pairs().iter().zip(flows) {
            work[a.index()] -= flow;
            work[b.index()] += flow;
        }
        work.into_iter().map(|work| (work - 1.0).abs()).fold(0.0, f64::max)
    }

    /// The wave is an eigenvector of the scheme.
    #[test]
    fn the_first_order_damps_a_wave_by_its_eigenvalue() {
        let eigenvalue = 1.0 - 2.0 / 3.0 * (1.0 - (TAU / f64::from(N)).cos());
        for n_sweeps in [1, 2, 7, 20] {
            let expected: f64 = (0..n_sweeps).map(|_| eigenvalue).product();
            assert!((after(n_sweeps, 1.0) - expected).abs() < 1e-12);
        }
    }

    /// With momentum b and eigenvalue e, the wave follows x(t + 1) = b e x(t) - (b - 1) x(t - 1).
    #[test]
    fn the_second_order_follows_its_recurrence_and_is_faster() {
        let (eigenvalue, momentum) = (1.0 - 2.0 / 3.0 * (1.0 - (TAU / f64::from(N)).cos()), 1.5);
        let (mut before, mut now) = (1.0, eigenvalue);
        for _ in 1..20 {
            (before, now) = (now, momentum * eigenvalue * now + (1.0 - momentum) * before);
        }
        assert!((after(20, momentum) - f64::abs(now)).abs() < 1e-12);
        assert!(after(20, momentum) < 0.2 * after(20, 1.0));
    }
}
