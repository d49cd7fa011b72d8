// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies sum [`WorkTerms`] instead of calling a model, so the costs must be the same.

use lbaf_model::{
    Affine, AffineParameters, Ccm, CcmParameters, LoadOnly, OnRankVolume, RankTotals, WorkModel,
};
use proptest::prelude::*;

use crate::cases;

/// Draws a coefficient or a quantity, seldom one whose products are infinite or not numbers.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 8 => 0.0..5.0_f64, 1 => Just(f64::MAX)]
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn terms_have_the_cost_of_their_model(
        [alpha, beta, gamma, delta] in prop::array::uniform4(number()),
        totals in prop::array::uniform8(number()),
    ) {
        let [speed, load, sent_bytes, received_bytes, on_rank_bytes, to_rank_bytes, from_rank_bytes, homing_bytes] =
            totals;
        let totals = RankTotals {
            alpha: speed,
            load,
            sent_bytes,
            received_bytes,
            on_rank_bytes,
            to_rank_bytes,
            from_rank_bytes,
            homing_bytes,
            ..RankTotals::default()
        };
        let ccm = |on_rank_volume| {
            let parameters = CcmParameters { alpha, beta, gamma, delta, on_rank_volume, ..CcmParameters::default() };
            Box::new(Ccm::new(parameters).unwrap())
        };
        let affine = AffineParameters { alpha, beta, gamma, delta, ..AffineParameters::default() };
        let models: [Box<dyn WorkModel>; 4] = [
            Box::new(LoadOnly::new(alpha).unwrap()),
            Box::new(Affine::new(affine).unwrap()),
            ccm(OnRankVolume::Paper),
            ccm(OnRankVolume::Vt),
        ];
        for model in models {
            let (cost, expected) = (model.terms().unwrap().cost(&totals), model.work(&totals).cost());
            prop_assert_eq!(cost.to_bits(), expected.to_bits(), "{}: {} {}", model.name(), cost, expected);
        }
    }
}
