// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases with a barrier after every subphase: times and bounds, compared with the definitions and with all
//! placements.

use lbaf_model::{
    Assignment, Object, Phase, PhaseId, RankId, Slot, Subphases, Synchronised, synchronised_bound,
};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::close;
use crate::optima::for_each_placement;

/// An object: seconds in each subphase, rank, true if migratable.
type Facts = (Vec<f64>, u32, bool);

/// Builds a phase on ranks with these alphas. The load of an object is the sum over its subphases.
fn phase(alphas: &[f64], objects: &[Facts]) -> Phase {
    let object = |&(ref seconds, rank, migratable): &Facts| Object {
        migratable,
        ..Object::new(seconds.iter().sum::<f64>() + 0.0, RankId(rank))
    };
    let subphases: Subphases =
        objects.iter().map(|(seconds, ..)| (0_u32..).zip(seconds.iter().copied())).collect();
    let phase = Phase::builder(alphas.len()).alphas(alphas.iter().copied()).subphases(subphases);
    phase.objects(objects.iter().map(object)).build().unwrap()
}

fn object(seconds: &[f64], rank: u32) -> Facts {
    (seconds.to_vec(), rank, true)
}

fn recorded(phase: &Phase) -> Synchronised {
    Synchronised::of(phase, phase.recorded_assignment()).unwrap()
}

/// The phase is balanced as a whole, but fully imbalanced in each subphase until an exchange.
#[test]
fn an_even_phase_of_uneven_subphases() {
    let objects =
        [object(&[1.0, 0.0], 0), object(&[1.0, 0.0], 0), object(&[0.0, 1.0], 1), object(&[0.0, 1.0], 1)];
    let phase = phase(&[1.0, 1.0], &objects);
    let found = recorded(&phase);
    assert_eq!((&found.maxima[..], &found.means[..], found.whole), (&[2.0, 2.0][..], &[1.0, 1.0][..], 2.0));
    assert_eq!((found.seconds(), found.imbalance(), found.whole_imbalance()), (4.0, 1.0, 0.0));
    let exchanged = Assignment::new([0, 1, 0, 1].map(RankId).to_vec());
    let found = Synchronised::of(&phase, &exchanged).unwrap();
    assert_eq!((found.seconds(), found.imbalance(), found.whole_imbalance()), (2.0, 0.0, 0.0));
    assert_eq!(synchronised_bound(&phase).unwrap().seconds(), 2.0);
}

/// The bounds of the three subphases sum up to 3 s. But two of the three objects of 2 s share a rank, so the
/// whole phase takes at least 4 s.
#[test]
fn the_bound_on_the_whole_phase_may_be_tighter() {
    let objects = [object(&[1.0, 0.5, 0.5], 0), object(&[0.5, 1.0, 0.5], 0), object(&[0.5, 0.5, 1.0], 1)];
    let bound = synchronised_bound(&phase(&[1.0, 1.0], &objects)).unwrap();
    let parts: Vec<f64> = bound.by_subphase.iter().map(|bound| bound.work).collect();
    assert_eq!((parts, bound.whole.work, bound.seconds()), (vec![1.0; 3], 4.0, 4.0));
}

#[test]
fn phases_without_time_take_0_seconds() {
    let nothing = phase(&[1.0, 0.0], &[object(&[0.0], 0)]);
    let found = recorded(&nothing);
    assert_eq!((found.maxima.len(), found.seconds(), found.imbalance()), (1, 0.0, 0.0));
    assert_eq!(synchronised_bound(&nothing).unwrap().seconds(), 0.0);
    let empty = phase(&[1.0], &[]);
    assert_eq!(recorded(&empty).seconds().to_bits(), 0.0_f64.to_bits());
    assert_eq!(synchronised_bound(&empty).unwrap().seconds(), 0.0);
}

#[test]
fn invalid_subphases_are_rejected() {
    let plain = |times: &[f64]| {
        let subphases: Subphases = times.iter().map(|&seconds| [(0, seconds)]).collect();
        let phase = phase(&[1.0], &[object(&[1.0], 0), object(&[1.0], 0)]);
        phase.with_subphases(subphases).map(|_| ()).map_err(|error| error.to_string())
    };
    assert_eq!(plain(&[1.0, 2.0]), Ok(()));
    assert_eq!(
        plain(&[1.0]),
        Err("phase 0: there are subphases for 1 objects, but the phase has 2".to_owned())
    );
    let wrong = "phase 0: loads, sizes and alphas must be finite and non-negative, but one is ";
    assert_eq!(plain(&[1.0, -2.0]), Err(format!("{wrong}-2")));
    assert_eq!(plain(&[1.0, f64::NAN]), Err(format!("{wrong}NaN")));
    let large = "phase 0: the sum of the times of all subphases is too large for a floating-point number";
    assert_eq!(plain(&[1e308, 1e308]), Err(large.to_owned()));
}

fn objects(n_ranks: u32) -> impl Strategy<Value = Vec<Facts>> {
    let seconds =
        prop_oneof![3 => (1..9_u32).prop_map(|n| f64::from(n) / 4.0), 1 => 0.0..2.0, 2 => Just(0.0)];
    (1..4_usize).prop_flat_map(move |n_subphases| {
        vec((vec(seconds.clone(), n_subphases), 0..n_ranks, prop::bool::weighted(0.85)), 1..7)
    })
}

fn small_phase() -> impl Strategy<Value = Phase> {
    let alpha = prop_oneof![3 => Just(1.0), 1 => 0.5..3.0];
    vec(alpha, 1..4).prop_flat_map(|alphas| {
        objects(alphas.len() as u32).prop_map(move |objects| phase(&alphas, &objects))
    })
}

/// Returns the seconds of every rank in every subphase, computed from the definition.
fn table(phase: &Phase, assignment: &Assignment) -> Vec<Vec<f64>> {
    let n_subphases = phase.subphases().unwrap().len();
    let mut table = vec![vec![0.0; phase.n_ranks()]; n_subphases];
    for slot in phase.slots() {
        let rank = assignment.rank_of(slot).index();
        for (subphase, seconds) in phase.subphases().unwrap().of(slot) {
            table[subphase][rank] += phase.ranks()[rank].alpha * seconds;
        }
    }
    table
}

fn largest(seconds: impl Iterator<Item = f64>) -> f64 {
    seconds.fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(crate::cases(300))]

    #[test]
    fn times_of_a_placement_are_those_of_the_definition(phase in small_phase()) {
        let table = table(&phase, phase.recorded_assignment());
        let found = recorded(&phase);
        let seconds: f64 = table.iter().map(|ranks| largest(ranks.iter().copied())).sum();
        let n_ranks = phase.n_ranks();
        let mean: f64 = table.iter().flatten().sum::<f64>() / n_ranks as f64;
        let of_rank = |rank: usize| table.iter().map(|ranks| ranks[rank]).sum::<f64>();
        let whole = largest((0..n_ranks).map(of_rank));
        prop_assert!(close(found.seconds(), seconds) && close(found.mean(), mean) && close(found.whole, whole));
        let imbalance = if mean > 0.0 { (seconds - mean) / mean } else { 0.0 };
        prop_assert!(close(found.imbalance(), imbalance));
        prop_assert!(found.whole_imbalance() <= found.imbalance() + 1e-12);
    }

    /// The bound is at least the sum of the bounds of the subphases.
    #[test]
    fn no_placement_is_below_the_bound(phase in small_phase()) {
        let bound = synchronised_bound(&phase).unwrap();
        let mut best = f64::INFINITY;
        for_each_placement(&phase, |assignment| {
            best = best.min(table(&phase, assignment).iter().map(|ranks| largest(ranks.iter().copied())).sum());
        });
        prop_assert!(bound.seconds() <= best * (1.0 + 1e-12), "{} > {best}", bound.seconds());
        let means: f64 = bound.by_subphase.iter().map(|bound| bound.work).sum();
        prop_assert!(means <= bound.seconds());
    }

    #[test]
    fn a_single_subphase_equals_the_phase(seconds in vec((0.0..3.0, 0..3_u32), 1..9)) {
        let objects: Vec<Facts> = seconds.iter().map(|&(seconds, rank)| object(&[seconds], rank)).collect();
        let phase = phase(&[1.0; 3], &objects);
        let loads = lbaf_model::rank_totals(&phase, phase.recorded_assignment());
        let loads = lbaf_model::Statistics::of(loads.iter().map(|rank| rank.load));
        let found = recorded(&phase);
        prop_assert!(close(found.imbalance(), loads.imbalance()) && close(found.seconds(), loads.max));
        prop_assert!(close(synchronised_bound(&phase).unwrap().seconds(), lbaf_model::load_bound(&phase).work));
    }

    #[test]
    fn subphases_keep_their_shares_when_loads_change(phase in small_phase(), factor in 0.0..4.0) {
        let load = phase.slots().map(|slot| phase.load(slot) * factor).collect();
        let other = phase.with_loads(load).unwrap();
        prop_assert!(close(recorded(&other).seconds(), recorded(&phase).seconds() * factor));
        let sums = |phase: &Phase| phase.slots().map(|slot: Slot| phase.subphases().unwrap().sum(slot)).collect::<Vec<_>>();
        for (slot, sum) in phase.slots().zip(sums(&other)) {
            prop_assert!(close(sum, phase.load(slot) * factor));
        }
        let repeated = other.repeated_as(PhaseId(7));
        prop_assert_eq!(repeated.subphases(), other.subphases());
    }
}
