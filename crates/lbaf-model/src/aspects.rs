// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which parts of a rank's totals a work model looks at, so that a search may leave out the others.

use std::ops::BitOr;

use crate::RankQuantity;

/// Groups of [`RankTotals`](crate::RankTotals) that something depends on. Everything may depend on the load of
/// a rank and on its alpha, which are in no group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "a set: any of the four may be there")]
pub struct Aspects {
    /// Volumes sent, received and kept on the rank.
    pub communication: bool,
    /// Memory: that of the rank and of its objects, sizes and number of blocks.
    pub memory: bool,
    /// Which blocks are at home, and the sizes of those that are not.
    pub homing: bool,
    /// How many objects there are, and which part of them and of the load may migrate.
    pub objects: bool,
}

impl Aspects {
    /// Load and alpha alone.
    pub const NONE: Aspects = Aspects { communication: false, memory: false, homing: false, objects: false };

    /// Everything there is: always safe to assume.
    pub const ALL: Aspects = Aspects { communication: true, memory: true, homing: true, objects: true };
}

impl BitOr for Aspects {
    type Output = Aspects;

    fn bitor(self, other: Aspects) -> Aspects {
        Aspects {
            communication: self.communication || other.communication,
            memory: self.memory || other.memory,
            homing: self.homing || other.homing,
            objects: self.objects || other.objects,
        }
    }
}

impl RankQuantity {
    /// What the quantity depends on.
    pub fn aspects(self) -> Aspects {
        use RankQuantity as Q;
        match self {
            Q::Load | Q::Alpha => Aspects::NONE,
            Q::MigratableLoad
            | Q::SentinelLoad
            | Q::NumObjects
            | Q::NumMigratableObjects
            | Q::NumSentinelObjects => Aspects { objects: true, ..Aspects::NONE },
            Q::ReceivedVolume | Q::SentVolume => Aspects { communication: true, ..Aspects::NONE },
            Q::Size | Q::SharedMemory | Q::MaxObjectLevelMemory | Q::MaxMemoryUsage | Q::NumSharedBlocks => {
                Aspects { memory: true, ..Aspects::NONE }
            }
            Q::NumHomedBlocks | Q::Homing => Aspects { homing: true, ..Aspects::NONE },
            Q::NumUprootedBlocks | Q::HomedBlocksRatio => {
                Aspects { memory: true, homing: true, ..Aspects::NONE }
            }
        }
    }

    /// Whether it never falls when an object joins the rank and those that are there stay, wherever objects
    /// that have no rank yet end up. Then what exceeds a bound already exceeds it for good.
    pub fn grows(self) -> bool {
        // A block away from home lowers the ratio, one at home raises it.
        self != RankQuantity::HomedBlocksRatio
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RankTotals;

    /// Totals of which every field has its own value.
    fn full() -> RankTotals {
        RankTotals {
            alpha: 2.0,
            load: 3.0,
            migratable_load: 1.0,
            sent_bytes: 5.0,
            received_bytes: 7.0,
            on_rank_bytes: 11.0,
            rank_working_bytes: 13.0,
            footprint_bytes: 17.0,
            working_bytes: 19.0,
            block_bytes: 23.0,
            homing_bytes: 29.0,
            n_blocks: 9,
            n_homed_blocks: 4,
            n_objects: 6,
            n_migratable: 2,
        }
    }

    /// The same without what is in these aspects.
    fn without(aspects: Aspects) -> RankTotals {
        let mut totals = full();
        let nothing = RankTotals::default();
        if aspects.communication {
            totals = RankTotals { sent_bytes: 0.0, received_bytes: 0.0, on_rank_bytes: 0.0, ..totals };
        }
        if aspects.memory {
            totals =
                RankTotals { rank_working_bytes: 0.0, footprint_bytes: 0.0, working_bytes: 0.0, ..totals };
            totals = RankTotals { block_bytes: 0.0, n_blocks: totals.n_homed_blocks, ..totals };
        }
        if aspects.homing {
            totals = RankTotals { homing_bytes: 0.0, n_homed_blocks: nothing.n_homed_blocks, ..totals };
        }
        if aspects.objects {
            totals = RankTotals { migratable_load: 0.0, n_objects: 2, n_migratable: 0, ..totals };
        }
        totals
    }

    #[test]
    fn a_quantity_depends_on_its_aspects_alone() {
        let [communication, memory, homing, objects] = [
            Aspects { communication: true, ..Aspects::NONE },
            Aspects { memory: true, ..Aspects::NONE },
            Aspects { homing: true, ..Aspects::NONE },
            Aspects { objects: true, ..Aspects::NONE },
        ];
        for &quantity in RankQuantity::ALL {
            let aspects = quantity.aspects();
            for (single, has) in [
                (communication, aspects.communication),
                (memory, aspects.memory),
                (homing, aspects.homing),
                (objects, aspects.objects),
            ] {
                let changes = quantity.of(&without(single)) != quantity.of(&full());
                assert_eq!(changes, has, "{quantity}, {single:?}");
            }
        }
    }
}
