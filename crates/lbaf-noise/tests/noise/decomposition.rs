// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decomposition of the imbalance.

use std::collections::BTreeMap;

use lbaf_model::RankId;
use lbaf_noise::{Decomposition, Labelling};
use proptest::prelude::*;

use crate::made::{resting, run};

fn decomposition(data: &lbaf_model::DataSet) -> Decomposition {
    Decomposition::of(&Labelling::default().label(data, &BTreeMap::new()))
}

/// Ten phases of six tasks on three ranks, with equal times.
fn balanced() -> Vec<Vec<f64>> {
    vec![vec![0.5; 6]; 10]
}

const PAIRS: [u32; 6] = [0, 0, 1, 1, 2, 2];

#[test]
fn without_anomalies_there_is_no_noise() {
    // Tasks of different lengths with times that vary by 2 %: there are no anomalies, and denoising changes no bit.
    let loads: Vec<Vec<f64>> = (0..10)
        .map(|phase| {
            (0..6)
                .map(|task| (1.0 + 0.3 * f64::from(task)) * (1.0 + 0.01 * f64::from((phase * 7 + task) % 3)))
                .collect()
        })
        .collect();
    let found = decomposition(&resting(3, &loads, &PAIRS));
    for phase in &found.phases {
        assert_eq!(phase.n_anomalies, 0);
        assert_eq!(phase.parts.noise, 0.0);
        assert_eq!(phase.parts.imbalance, phase.parts.denoised);
        assert_eq!(phase.seconds, phase.denoised_seconds);
        assert_eq!(phase.critical_noise_seconds, 0.0);
    }
    assert_eq!(found.overall().noise, 0.0);
    assert!(found.overall().persistent > 0.1);
}

#[test]
fn an_outlier_in_a_balanced_run_is_noise_alone() {
    let mut loads = balanced();
    loads[4][3] = 2.5;
    let found = decomposition(&resting(3, &loads, &PAIRS));
    for (at, phase) in found.phases.iter().enumerate() {
        assert_eq!((phase.parts.persistent, phase.parts.denoised, phase.parts.residual), (0.0, 0.0, 0.0));
        // Ranks take 1, 3 and 1 seconds: 3 / (5 / 3) - 1.
        let expected = if at == 4 { 0.8 } else { 0.0 };
        assert!((phase.parts.noise - expected).abs() < 1e-15, "{phase:?}");
    }
    let noisy = found.phases[4];
    assert_eq!((noisy.critical_rank, noisy.denoised_critical_rank), (RankId(1), RankId(0)));
    assert_eq!((noisy.seconds, noisy.denoised_seconds, noisy.critical_noise_seconds), (3.0, 1.0, 2.0));
    assert_eq!(noisy.n_anomalies, 1);
    assert_eq!(found.critical_rank_changes(), 0.1);
    assert!((found.overall().imbalance - 0.08).abs() < 1e-15);
}

#[test]
fn a_rank_that_is_always_slow_is_persistent_alone() {
    let loads: Vec<Vec<f64>> = balanced()
        .into_iter()
        .map(|loads| {
            loads.iter().zip(PAIRS).map(|(load, rank)| if rank == 2 { load * 2.0 } else { *load }).collect()
        })
        .collect();
    let found = decomposition(&resting(3, &loads, &PAIRS));
    for phase in &found.phases {
        // Ranks take 1, 1 and 2 seconds: 2 / (4 / 3) - 1.
        assert_eq!((phase.parts.imbalance, phase.parts.persistent), (0.5, 0.5));
        assert_eq!((phase.parts.noise, phase.parts.residual), (0.0, 0.0));
    }
}

#[test]
fn imbalance_that_a_balancer_removes_is_persistent_before_and_zero_after() {
    // All objects on rank 0 in four phases, then one on each rank: two segments.
    let ranks: Vec<Vec<u32>> = (0..8).map(|phase| if phase < 4 { vec![0, 0] } else { vec![0, 1] }).collect();
    let found = decomposition(&run(2, &vec![vec![1.0, 1.0]; 8], &ranks));
    let segments: Vec<_> =
        found.segments.iter().map(|of| (of.first.0, of.last.0, of.n_phases, of.persistent)).collect();
    assert_eq!(segments, [(0, 3, 4, 1.0), (4, 7, 4, 0.0)]);
    assert_eq!(found.overall().persistent, 0.5);
}

/// Regression: half of a lasting change counted as noise, the other half as persistent imbalance of all phases.
#[test]
fn a_rank_that_becomes_slow_is_persistent_from_then_on() {
    let loads: Vec<Vec<f64>> = (0..20)
        .map(|phase| PAIRS.map(|rank| if rank == 0 && phase >= 12 { 1.5 } else { 0.5 }).to_vec())
        .collect();
    let found = decomposition(&resting(3, &loads, &PAIRS));
    for (at, phase) in found.phases.iter().enumerate() {
        // Ranks take 3, 1 and 1 seconds: 3 / (5 / 3) - 1.
        let expected = if at < 12 { 0.0 } else { 0.8 };
        assert_eq!((phase.n_anomalies, phase.parts.noise), (0, 0.0));
        assert!(
            (phase.parts.persistent - expected).abs() < 1e-15 && phase.parts.residual == 0.0,
            "{phase:?}"
        );
    }
    let segments: Vec<_> = found.segments.iter().map(|of| (of.first.0, of.last.0, of.n_phases)).collect();
    assert_eq!(segments, [(0, 11, 12), (12, 19, 8)]);
}

/// Regression: typical times replaced the times of first calls although these were not anomalies; the difference
/// counted as noise.
#[test]
fn skipped_first_calls_are_neither_noise_nor_persistent() {
    let mut loads = balanced();
    loads[0] = vec![9.0, 0.5, 0.5, 0.5, 0.5, 0.5];
    let data = resting(3, &loads, &PAIRS);
    let found =
        Decomposition::of(&Labelling { n_skipped: 1, ..Labelling::default() }.label(&data, &BTreeMap::new()));
    assert_eq!(found.overall(), lbaf_noise::Parts::default());
    assert!(found.phases[0].has_skipped && found.phases[0].parts.imbalance > 1.0);
    assert_eq!(found.phases[0].parts.noise, 0.0);
    // If all times are skipped, all phases count in means.
    let all = Labelling { n_skipped: 99, ..Labelling::default() };
    assert!(Decomposition::of(&all.label(&data, &BTreeMap::new())).overall().persistent > 0.1);
}

#[test]
fn a_run_without_phases_or_loads_has_no_imbalance() {
    assert_eq!(decomposition(&resting(2, &[], &[])).overall(), lbaf_noise::Parts::default());
    let found = decomposition(&resting(2, &vec![vec![0.0; 3]; 6], &[0, 0, 1]));
    assert_eq!(found.overall(), lbaf_noise::Parts::default());
}

proptest! {
    /// The parts add up in each phase and over all phases, and agree with values recomputed from denoised loads.
    #[test]
    fn parts_add_up(
        factors in prop::collection::vec(prop::collection::vec(0.5..2.0_f64, 5), 2..9),
        bursts in prop::collection::vec((0..9_usize, 0..5_usize, 3.0..50.0_f64), 0..4),
        placements in prop::collection::vec(prop::collection::vec(0..3_u32, 5), 9),
        rests in prop::collection::vec(any::<bool>(), 9),
    ) {
        let mut loads = factors;
        for (phase, task, burst) in bursts {
            let phase = phase % loads.len();
            loads[phase][task] *= burst;
        }
        let mut ranks: Vec<Vec<u32>> = Vec::new();
        for (at, placement) in placements.into_iter().enumerate().take(loads.len()) {
            ranks.push(if at > 0 && rests[at] { ranks[at - 1].clone() } else { placement });
        }
        let data = run(3, &loads, &ranks);
        let labels = Labelling::default().label(&data, &BTreeMap::new());
        let found = Decomposition::of(&labels);
        prop_assert_eq!(found.phases.len(), loads.len());
        prop_assert_eq!(found.segments.iter().map(|of| of.n_phases).sum::<usize>(), loads.len());
        let imbalance = |of_ranks: [f64; 3]| {
            let mean = of_ranks.iter().sum::<f64>() / 3.0;
            of_ranks.into_iter().fold(0.0, f64::max) / mean - 1.0
        };
        for (at, phase) in found.phases.iter().enumerate() {
            let parts = phase.parts;
            prop_assert!((parts.imbalance - parts.noise - parts.persistent - parts.residual).abs() < 1e-12);
            let (mut measured, mut denoised) = ([0.0; 3], [0.0; 3]);
            let replaced = labels.denoised_loads(at);
            for task in 0..5 {
                measured[ranks[at][task] as usize] += loads[at][task];
                denoised[ranks[at][task] as usize] += replaced[task];
            }
            prop_assert!((parts.imbalance - imbalance(measured)).abs() < 1e-12);
            prop_assert!((parts.denoised - imbalance(denoised)).abs() < 1e-12);
        }
        let overall = found.overall();
        prop_assert!((overall.imbalance - overall.noise - overall.persistent - overall.residual).abs() < 1e-12);
    }
}
