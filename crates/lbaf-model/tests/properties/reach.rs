// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work that may overflow is rejected by [`check_work`](lbaf_model::check_work).

use lbaf_model::{
    Affine, AffineParameters, Assignment, Block, BlockIdx, Ccm, CcmParameters, LoadOnly, Object,
    ObjectMemory, Phase, PhaseId, RankId, WorkModel, check_work, rank_totals, works,
};
use proptest::prelude::*;

use crate::cases;
use crate::random_phase::{Size, affine_parameters, placement, random_phase};

/// Builds a phase with two objects of 2 s that communicate, one of them with a block away from home. Rank 0
/// has alpha 1, rank 1 the given alpha.
fn phase(alpha: f64) -> Phase {
    let on_block = ObjectMemory { block: Some(BlockIdx(0)), ..ObjectMemory::default() };
    Phase::builder(2)
        .id(PhaseId(5))
        .alphas([1.0, alpha])
        .blocks([Block { id: 0, size_bytes: 8.0, home: RankId(1) }])
        .objects([Object { memory: on_block, ..Object::new(2.0, RankId(0)) }, Object::new(2.0, RankId(1))])
        .communications([(0, 1, 4.0)])
        .build()
        .unwrap()
}

#[test]
fn coefficients_that_overflow_are_rejected() {
    const HUGE: f64 = 1e308;
    let none = AffineParameters { alpha: 0.0, ..AffineParameters::default() };
    let affine = |parameters| Box::new(Affine::new(parameters).unwrap()) as Box<dyn WorkModel>;
    let ccm = |parameters| Box::new(Ccm::new(parameters).unwrap()) as Box<dyn WorkModel>;
    let silent = CcmParameters { alpha: 0.0, ..CcmParameters::default() };
    let refused = [
        Box::new(LoadOnly::new(HUGE).unwrap()) as Box<dyn WorkModel>,
        affine(AffineParameters { alpha: HUGE, ..none.clone() }),
        affine(AffineParameters { beta: HUGE, ..none.clone() }),
        affine(AffineParameters { gamma: HUGE, ..none.clone() }),
        affine(AffineParameters { delta: HUGE, ..none.clone() }),
        // Each of the two alone is accepted (see below). The constant and the cost of 4 bytes add up to
        // 1e302.
        affine(AffineParameters { gamma: 5e301, beta: 1.25e301, ..none.clone() }),
        ccm(CcmParameters { beta: HUGE, ..silent.clone() }),
        ccm(CcmParameters { gamma: HUGE, ..silent.clone() }),
        ccm(CcmParameters { delta: HUGE, ..silent }),
    ];
    for model in refused {
        let error = check_work(&phase(1.0), &*model).unwrap_err().to_string();
        assert!(error.starts_with("phase 5: the work of a rank may reach "), "{error}");
        assert!(error.contains(model.name()), "{error}");
    }
    assert!(check_work(&phase(1e305), &LoadOnly::default()).is_err());
    // The work of both ranks over a million phases does not overflow.
    for fine in
        [AffineParameters { gamma: 5e301, ..none.clone() }, AffineParameters { beta: 1.25e301, ..none }]
    {
        assert!(check_work(&phase(1.0), &*affine(fine)).is_ok());
    }
}

proptest! {
    #![proptest_config(cases(500))]

    /// Under any placement, a million times the work of an accepted phase, summed over ranks, is finite.
    #[test]
    fn accepted_work_is_far_from_the_largest_number(
        random in random_phase(Size { ranks: 4, objects: 8 }),
        parameters in affine_parameters(),
        exponents in [280..306_i32, 280..306, 280..306, 280..306],
        seed in placement(8, 4),
    ) {
        let [a, b, c, d] = exponents.map(|exponent| 10.0_f64.powi(exponent));
        let AffineParameters { alpha, beta, gamma, delta, .. } = parameters;
        let huge = Affine::new(AffineParameters {
            alpha: alpha * a, beta: beta * b, gamma: gamma * c, delta: delta * d, bounds: Vec::new(),
        }).unwrap();
        let phase = random.phase;
        prop_assume!(check_work(&phase, &huge).is_ok());
        let ranks = seed.as_slice().iter().map(|rank| RankId(rank.0 % phase.n_ranks() as u32));
        let at = Assignment::new(ranks.take(phase.n_objects()).collect());
        let works = works(&huge, &phase, &rank_totals(&phase, &at));
        let sum: f64 = works.iter().map(|work| work.cost()).sum();
        prop_assert!((sum * 1e6).is_finite(), "{sum}");
    }
}
