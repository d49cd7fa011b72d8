// SPDX-License-Identifier: MIT OR Apache-2.0
//! Totals and work of a placement, computed from scratch.

use lbaf_model::{Affine, Assignment, Ccm, LoadOnly, RankVolumes, WorkModel, WorkParts, rank_totals, works};
use proptest::prelude::*;

use crate::random_phase::{RandomPhase, Size, affine_parameters, ccm_parameters, placement, random_phase};
use crate::{cases, close, definitions};

const SIZE: Size = Size { ranks: 5, objects: 12 };

/// Draws a phase and any placement of its objects.
pub(crate) fn placed() -> impl Strategy<Value = (RandomPhase, Assignment)> {
    random_phase(SIZE).prop_flat_map(|random| {
        let anywhere = placement(random.phase.n_objects(), random.phase.n_ranks());
        (Just(random), anywhere)
    })
}

proptest! {
    #![proptest_config(cases(600))]

    #[test]
    fn totals_are_those_of_the_definitions((random, assignment) in placed()) {
        definitions::check(&random, &assignment, &rank_totals(&random.phase, &assignment))?;
    }

    #[test]
    fn affine_work_is_that_of_the_definition(
        (random, assignment) in placed(),
        parameters in affine_parameters(),
    ) {
        let model = Affine::new(parameters.clone()).unwrap();
        let totals = rank_totals(&random.phase, &assignment);
        let works = works(&model, &random.phase, &totals);
        for rank in random.phase.rank_ids() {
            let expected = definitions::affine_work(&random, &assignment, rank, &parameters);
            let found = works[rank.index()];
            prop_assert!(close(found.cost(), expected.cost()), "cost {found}, not {expected}");
            prop_assert!(close(found.excess(), expected.excess()), "excess {found}, not {expected}");
        }
    }

    #[test]
    fn ccm_work_is_that_of_the_definition((random, assignment) in placed(), parameters in ccm_parameters()) {
        let model = Ccm::new(parameters.clone()).unwrap();
        let totals = rank_totals(&random.phase, &assignment);
        let works = works(&model, &random.phase, &totals);
        for rank in random.phase.rank_ids() {
            let expected = definitions::ccm_work(&random, &assignment, rank, &parameters);
            let found = works[rank.index()];
            prop_assert!(close(found.cost(), expected.cost()), "cost {found}, not {expected}");
            prop_assert!(close(found.excess(), expected.excess()), "excess {found}, not {expected}");
        }
    }

    #[test]
    fn parts_of_work_add_up(
        (random, assignment) in placed(),
        affine in affine_parameters(),
        ccm in ccm_parameters(),
    ) {
        let models: [Box<dyn WorkModel>; 2] =
            [Box::new(Affine::new(affine).unwrap()), Box::new(Ccm::new(ccm).unwrap())];
        for model in models {
            for totals in rank_totals(&random.phase, &assignment) {
                let WorkParts { constant, load, communication, homing } = model.terms().unwrap().parts(&totals);
                prop_assert!(close(constant + load + communication + homing, model.work(&totals).cost()));
            }
        }
    }

    /// Volumes between any groups of ranks sum up to the off-rank volumes that ranks send and receive.
    #[test]
    fn volumes_between_ranks_are_those_sent_and_received((random, assignment) in placed(), size in 1..4_usize) {
        let totals = rank_totals(&random.phase, &assignment);
        let volumes = RankVolumes::new(&random.phase, &assignment, size);
        prop_assert_eq!(volumes.n_groups(), totals.len().div_ceil(size));
        let groups = || 0..volumes.n_groups();
        for (group, members) in totals.chunks(size).enumerate() {
            let sent: f64 = groups().map(|other| volumes.between(group, other)).sum();
            let received: f64 = groups().map(|other| volumes.between(other, group)).sum();
            prop_assert!(close(sent, members.iter().map(|rank| rank.sent_bytes).sum()));
            prop_assert!(close(received, members.iter().map(|rank| rank.received_bytes).sum()));
        }
    }

    #[test]
    fn load_only_work_is_load_times_both_alphas((random, assignment) in placed(), alpha in 0.0..3.0_f64) {
        let model = LoadOnly::new(alpha).unwrap();
        for (rank, totals) in random.phase.rank_ids().zip(rank_totals(&random.phase, &assignment)) {
            let defined = definitions::quantities(&random, &assignment, rank);
            let work = model.work(&totals);
            prop_assert!(close(work.cost(), alpha * defined["alpha"] * defined["load"]));
            prop_assert!(!work.is_over_bound());
        }
    }
}
