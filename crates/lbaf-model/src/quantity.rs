// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a rank with their user-visible names, for bounds and tables.

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

            /// The names, in the same order.
            const NAMES: &[&str] = &[$($name,)*];

            /// Returns the name in configurations.
            pub fn name(self) -> &'static str {
                // Not a `match`, because the compiler would unroll every search for a name, and compilation
                // would take 90 seconds longer.
                RankQuantity::NAMES[self as usize]
            }

            /// Returns the meaning, as a sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(RankQuantity::$variant => $meaning.trim_ascii(),)*
                }
            }

            /// Returns the unit, empty for counts and ratios.
            pub fn unit(self) -> &'static str {
                match self {
                    $(RankQuantity::$variant => $unit,)*
                }
            }

            /// Returns the value for a rank.
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
    /// Load of the migratable objects.
    MigratableLoad = "migratable_load", "s": |rank| rank.migratable_load;
    /// Load of the non-migratable objects.
    SentinelLoad = "sentinel_load", "s": RankTotals::sentinel_load;
    /// Number of objects.
    NumObjects = "num_objects", "": |rank| f64::from(rank.n_objects);
    /// Number of migratable objects.
    NumMigratableObjects = "num_migratable_objects", "": |rank| f64::from(rank.n_migratable);
    /// Number of non-migratable objects.
    NumSentinelObjects = "num_sentinel_objects", "": |rank| f64::from(rank.n_objects - rank.n_migratable);
    /// Volume received from other ranks.
    ReceivedVolume = "received_volume", "B": |rank| rank.received_bytes;
    /// Volume sent to other ranks.
    SentVolume = "sent_volume", "B": |rank| rank.sent_bytes;
    /// Memory that the rank needs independently of its objects.
    Size = "size", "B": |rank| rank.rank_working_bytes;
    /// Memory of the distinct blocks on the rank.
    SharedMemory = "shared_memory", "B": |rank| rank.block_bytes;
    /// Memory of objects: all footprints plus the largest working memory.
    MaxObjectLevelMemory = "max_object_level_memory", "B": |rank| rank.footprint_bytes + rank.working_bytes;
    /// Total memory of the rank, its blocks and its objects.
    MaxMemoryUsage = "max_memory_usage", "B": RankTotals::memory_bytes;
    /// Largest serialized size of an object on the rank.
    SerializedSize = "serialized_size", "B": |rank| rank.serialized_bytes;
    /// Total memory as vt counts it, with the largest serialized size.
    MemoryWithSerialized = "memory_with_serialized", "B": |rank| {
        rank.memory_bytes() + rank.serialized_bytes
    };
    /// Number of distinct blocks.
    NumSharedBlocks = "num_shared_blocks", "": |rank| f64::from(rank.n_blocks);
    /// Number of blocks on their home rank.
    NumHomedBlocks = "num_homed_blocks", "": |rank| f64::from(rank.n_homed_blocks);
    /// Number of blocks whose home is another rank.
    NumUprootedBlocks = "num_uprooted_blocks", "": |rank| f64::from(rank.n_blocks - rank.n_homed_blocks);
    /// Share of blocks that are on their home rank; 1 without blocks.
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
    /// Returns the groups of totals that the quantity depends on.
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

    /// True if the quantity never falls while objects are added to a partial placement, on any ranks. Once an
    /// upper bound on such a quantity is exceeded, it stays exceeded.
    pub fn grows(self) -> bool {
        // A block away from home lowers the ratio; a block at home raises it.
        self != RankQuantity::HomedBlocksRatio
    }
}

impl fmt::Display for RankQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
