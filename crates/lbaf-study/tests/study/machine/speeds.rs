// SPDX-License-Identifier: MIT OR Apache-2.0
//! Faster and slower ranks.

use lbaf_model::{PhaseId, RankId};
use lbaf_study::{Machine, Slowed};
use proptest::prelude::*;

use super::made::{assumed, data, loads, never, object, random};

fn slowed(rank: u32, from: u64, to: Option<u64>, factor: f64) -> Slowed {
    Slowed { rank: RankId(rank), from_phase: PhaseId(from), to_phase: to.map(PhaseId), factor }
}

#[test]
fn a_slow_rank_takes_longer_while_it_is_slow() {
    let recorded = data(2, &[object(0, &[3.0; 5]), object(1, &[2.0; 5])], &[]);
    let machine = Machine {
        slowed: vec![slowed(1, 1, Some(2), 2.0), slowed(1, 2, Some(3), 3.0)],
        ..Machine::default()
    };
    let (data, differences) = machine.assumed(&recorded).unwrap();
    assert_eq!(never(&data), [3.0, 4.0, 12.0, 6.0, 3.0]);
    assert_eq!(differences.n_phases_at_other_speeds, 3);
    // Alpha 0.5 replaces the alpha of rank 1 in all phases; in phase 4, it is multiplied by 8.
    let rank_alpha = [(RankId(1), 0.5), (RankId(0), 1.0)].into();
    let both = Machine { rank_alpha, slowed: vec![slowed(1, 4, None, 8.0)], ..Machine::default() };
    assert_eq!(never(&assumed(&both, &data)), [3.0, 3.0, 3.0, 3.0, 8.0]);
}

proptest! {
    #[test]
    fn a_factor_applies_from_its_first_phase_on(
        data in random(), rank in 0_u32..4, from in 0_u64..3, factor in 1_u32..9
    ) {
        let rank = rank % data.n_ranks() as u32;
        let from = from % data.phases().len() as u64;
        let factor = f64::from(factor) / 2.0;
        let machine = Machine { slowed: vec![slowed(rank, from, None, factor)], ..Machine::default() };
        let slow = assumed(&machine, &data);
        let largest = |loads: Vec<f64>| loads.into_iter().fold(0.0, f64::max);
        for (before, after) in data.phases().iter().zip(slow.phases()) {
            let mut expected = loads(before);
            if before.id() >= PhaseId(from) {
                expected[rank as usize] *= factor;
            }
            let model = lbaf_model::LoadOnly::default();
            let totals = lbaf_model::rank_totals(after, after.recorded_assignment());
            let works = lbaf_model::works(&model, after, &totals);
            prop_assert_eq!(largest(works.iter().map(|work| work.cost()).collect()), largest(expected));
        }
    }
}
