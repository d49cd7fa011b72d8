// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parts of a rank's totals that a work model reads. A search can ignore the others.

use std::ops::BitOr;

/// Groups of fields of [`RankTotals`](crate::RankTotals) on which a value depends. Load and alpha are in no group,
/// because every value may depend on them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a set: each of the five groups is in it or not")]
pub struct Aspects {
    /// Volumes sent, received and kept on the rank.
    pub communication: bool,
    /// Memory of the rank and its objects; sizes and number of blocks.
    pub memory: bool,
    /// Serialized sizes of objects.
    pub serialized: bool,
    /// Number of blocks at home, and the sizes of blocks away from home.
    pub homing: bool,
    /// Number of objects; number and load of migratable objects.
    pub objects: bool,
}

impl Aspects {
    /// Only load and alpha.
    pub const NONE: Aspects =
        Aspects { communication: false, memory: false, serialized: false, homing: false, objects: false };

    /// All groups, always a safe assumption.
    pub const ALL: Aspects =
        Aspects { communication: true, memory: true, serialized: true, homing: true, objects: true };
}

impl BitOr for Aspects {
    type Output = Aspects;

    fn bitor(self, other: Aspects) -> Aspects {
        Aspects {
            communication: self.communication || other.communication,
            memory: self.memory || other.memory,
            serialized: self.serialized || other.serialized,
            homing: self.homing || other.homing,
            objects: self.objects || other.objects,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RankQuantity;
    use crate::{
        Affine, AffineParameters, BoundScope, Ccm, CcmParameters, LoadOnly, OnRankVolume, RankTotals,
        UpperBound, WorkModel,
    };

    /// Totals in which every field is positive.
    fn full() -> RankTotals {
        RankTotals {
            alpha: 2.0,
            load: 3.0,
            migratable_load: 1.0,
            sent_bytes: 5.0,
            received_bytes: 7.0,
            on_rank_bytes: 11.0,
            to_rank_bytes: 31.0,
            from_rank_bytes: 37.0,
            rank_working_bytes: 13.0,
            footprint_bytes: 17.0,
            working_bytes: 19.0,
            serialized_bytes: 41.0,
            block_bytes: 23.0,
            homing_bytes: 29.0,
            n_blocks: 9,
            n_homed_blocks: 4,
            n_objects: 6,
            n_migratable: 2,
        }
    }

    /// The same totals, but with other values in the fields of these aspects, usually 0.
    fn without(aspects: Aspects) -> RankTotals {
        let mut totals = full();
        if aspects.communication {
            totals = RankTotals { sent_bytes: 0.0, received_bytes: 0.0, on_rank_bytes: 0.0, ..totals };
            totals = RankTotals { to_rank_bytes: 0.0, from_rank_bytes: 0.0, ..totals };
        }
        if aspects.memory {
            totals =
                RankTotals { rank_working_bytes: 0.0, footprint_bytes: 0.0, working_bytes: 0.0, ..totals };
            totals = RankTotals { block_bytes: 0.0, n_blocks: totals.n_homed_blocks, ..totals };
        }
        if aspects.serialized {
            totals = RankTotals { serialized_bytes: 0.0, ..totals };
        }
        if aspects.homing {
            totals = RankTotals { homing_bytes: 0.0, n_homed_blocks: 0, ..totals };
        }
        if aspects.objects {
            totals = RankTotals { migratable_load: 0.0, n_objects: 2, n_migratable: 0, ..totals };
        }
        totals
    }

    #[test]
    fn a_quantity_depends_on_its_aspects_and_no_others() {
        for &quantity in RankQuantity::ALL {
            for (single, has) in singles(quantity.aspects()) {
                let changes = quantity.of(&without(single)) != quantity.of(&full());
                assert_eq!(changes, has, "{quantity}, {single:?}");
            }
        }
    }

    /// Each group alone, and true if `aspects` contains the group.
    fn singles(aspects: Aspects) -> [(Aspects, bool); 5] {
        let none = Aspects::NONE;
        [
            (Aspects { communication: true, ..none }, aspects.communication),
            (Aspects { memory: true, ..none }, aspects.memory),
            (Aspects { serialized: true, ..none }, aspects.serialized),
            (Aspects { homing: true, ..none }, aspects.homing),
            (Aspects { objects: true, ..none }, aspects.objects),
        ]
    }

    #[test]
    fn work_depends_only_on_the_aspects_of_the_model() {
        let bounds = |quantity| vec![UpperBound { quantity, limit: 0.5, scope: BoundScope::Rank }];
        let affine = |beta, delta, quantity| {
            let bounds = bounds(quantity);
            Affine::new(AffineParameters { beta, delta, bounds, ..AffineParameters::default() }).unwrap()
        };
        let ccm = |gamma, on_rank_volume, quantity| {
            let bounds = bounds(quantity);
            Ccm::new(CcmParameters { gamma, on_rank_volume, bounds, ..CcmParameters::default() }).unwrap()
        };
        let mut models: Vec<Box<dyn WorkModel>> = vec![Box::new(LoadOnly::default())];
        for &quantity in RankQuantity::ALL {
            for (beta, delta) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)] {
                models.push(Box::new(affine(beta, delta, quantity)));
            }
            models.push(Box::new(ccm(1.0, OnRankVolume::Paper, quantity)));
            models.push(Box::new(ccm(1.0, OnRankVolume::Vt, quantity)));
        }
        for model in models {
            for (single, has) in singles(model.aspects()) {
                let changes = model.work(&without(single)) != model.work(&full());
                // Exception: the ratio of homed blocks is 4 / 9, or 0 without homing; both are within the
                // limit.
                assert!(has || !changes, "{:?}, {single:?}", model.bounds());
                assert!(changes || !has || model.bounds()[0].quantity == RankQuantity::HomedBlocksRatio);
            }
        }
    }
}
