// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a rank by the names that users write, for bounds and tables.

use std::fmt;
use std::str::FromStr;

use crate::{Aspects, ModelError, RankTotals};

macro_rules! quantities {
    ($(#[doc = $meaning:literal] $variant:ident = $name:literal, $unit:literal: $value:expr;)*) => {
        /// A quantity of a rank under an assignment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RankQuantity {
            $(#[doc = $meaning] $variant,)*
        }

        impl RankQuantity {
            /// Every quantity, in the order of tables.
            pub const ALL: &[RankQuantity] = &[$(RankQuantity::$variant,)*];

            /// Their names, in the same order.
            const NAMES: &[&str] = &[$($name,)*];

            /// The name in configurations.
            pub fn name(self) -> &'static str {
                // Not a `match`: a search among names would be unrolled, which takes the compiler a minute and a half.
                RankQuantity::NAMES[self as usize]
            }

            /// What it means, as a sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(RankQuantity::$variant => $meaning.trim_ascii(),)*
                }
            }

            /// The unit, empty for counts and ratios.
            pub fn unit(self) -> &'static str {
                match self {
                    $(RankQuantity::$variant => $unit,)*
                }
            }

            /// The value for a rank.
            pub fn of(self, totals: &RankTotals) -> f64 {
                match self {
                    $(RankQuantity::$variant => {
                        let value: fn(&RankTotals) -> f64 = $value;
                        value(totals)
                    })*
                }
            }
        }
    };
}

quantities! {
    /// Load of all objects.
    Load = "load", "s": |rank| rank.load;
    /// Load of the objects that may move.
    MigratableLoad = "migratable_load", "s": |rank| rank.migratable_load;
    /// Load of the objects that may not.
    SentinelLoad = "sentinel_load", "s": RankTotals::sentinel_load;
    /// Number of objects.
    NumObjects = "num_objects", "": |rank| f64::from(rank.n_objects);
    /// Number of objects that may move.
    NumMigratableObjects = "num_migratable_objects", "": |rank| f64::from(rank.n_migratable);
    /// Number of objects that may not.
    NumSentinelObjects = "num_sentinel_objects", "": |rank| f64::from(rank.n_objects - rank.n_migratable);
    /// Volume received from other ranks.
    ReceivedVolume = "received_volume", "B": |rank| rank.received_bytes;
    /// Volume sent to other ranks.
    SentVolume = "sent_volume", "B": |rank| rank.sent_bytes;
    /// Memory that the rank needs whatever it owns.
    Size = "size", "B": |rank| rank.rank_working_bytes;
    /// Memory of the distinct blocks on the rank.
    SharedMemory = "shared_memory", "B": |rank| rank.block_bytes;
    /// Memory of its objects: all footprints, the largest working memory.
    MaxObjectLevelMemory = "max_object_level_memory", "B": |rank| rank.footprint_bytes + rank.working_bytes;
    /// Memory in total: its own, that of blocks, and that of objects.
    MaxMemoryUsage = "max_memory_usage", "B": RankTotals::memory_bytes;
    /// Largest serialized size of its objects.
    SerializedSize = "serialized_size", "B": |rank| rank.serialized_bytes;
    /// Memory in total, and the largest serialized size, as vt counts.
    MemoryWithSerialized = "memory_with_serialized", "B": |rank| {
        rank.memory_bytes() + rank.serialized_bytes
    };
    /// Number of distinct blocks.
    NumSharedBlocks = "num_shared_blocks", "": |rank| f64::from(rank.n_blocks);
    /// Number of blocks that are at home here.
    NumHomedBlocks = "num_homed_blocks", "": |rank| f64::from(rank.n_homed_blocks);
    /// Number of blocks whose home is another rank.
    NumUprootedBlocks = "num_uprooted_blocks", "": |rank| f64::from(rank.n_blocks - rank.n_homed_blocks);
    /// Blocks at home here over all blocks here; 1 where there are none.
    HomedBlocksRatio = "homed_blocks_ratio", "": |rank| {
        if rank.n_blocks == 0 { 1.0 } else { f64::from(rank.n_homed_blocks) / f64::from(rank.n_blocks) }
    };
    /// Memory of the blocks whose home is another rank.
    Homing = "homing", "B": |rank| rank.homing_bytes;
    /// Seconds of work per second of load.
    Alpha = "alpha", "": |rank| rank.alpha;
}

impl FromStr for RankQuantity {
    type Err = ModelError;

    fn from_str(name: &str) -> Result<Self, ModelError> {
        let found = RankQuantity::ALL.iter().copied().find(|quantity| quantity.name() == name);
        found.ok_or_else(|| ModelError::UnknownQuantity {
            name: name.to_owned(),
            known: RankQuantity::NAMES.join(", "),
        })
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
            Q::SerializedSize => Aspects { serialized: true, ..Aspects::NONE },
            Q::MemoryWithSerialized => Aspects { memory: true, serialized: true, ..Aspects::NONE },
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

impl fmt::Display for RankQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
