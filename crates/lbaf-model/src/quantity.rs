// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of a rank by the names that users write, for bounds and tables.

use std::fmt;
use std::str::FromStr;

use crate::{ModelError, RankTotals};

macro_rules! quantities {
    ($($(#[$doc:meta])* $variant:ident = $name:literal: $value:expr;)*) => {
        /// A quantity of a rank under an assignment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum RankQuantity {
            $($(#[$doc])* $variant,)*
        }

        impl RankQuantity {
            /// Every quantity, in the order of tables.
            pub const ALL: &[RankQuantity] = &[$(RankQuantity::$variant,)*];

            /// The name in configurations.
            pub fn name(self) -> &'static str {
                match self {
                    $(RankQuantity::$variant => $name,)*
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
    /// Seconds measured.
    Load = "load": |rank| rank.load;
    /// Seconds of the objects that may move.
    MigratableLoad = "migratable_load": |rank| rank.migratable_load;
    /// Seconds of the objects that may not.
    SentinelLoad = "sentinel_load": RankTotals::sentinel_load;
    /// Number of objects.
    NumObjects = "num_objects": |rank| f64::from(rank.n_objects);
    /// Number of objects that may move.
    NumMigratableObjects = "num_migratable_objects": |rank| f64::from(rank.n_migratable);
    /// Number of objects that may not.
    NumSentinelObjects = "num_sentinel_objects": |rank| f64::from(rank.n_objects - rank.n_migratable);
    /// Bytes received from other ranks.
    ReceivedVolume = "received_volume": |rank| rank.received_bytes;
    /// Bytes sent to other ranks.
    SentVolume = "sent_volume": |rank| rank.sent_bytes;
    /// Bytes that the rank needs whatever it owns.
    Size = "size": |rank| rank.rank_working_bytes;
    /// Bytes of the distinct blocks on the rank.
    SharedMemory = "shared_memory": |rank| rank.block_bytes;
    /// Bytes of its objects: all footprints and the largest working memory.
    MaxObjectLevelMemory = "max_object_level_memory": |rank| rank.footprint_bytes + rank.working_bytes;
    /// Bytes in total.
    MaxMemoryUsage = "max_memory_usage": RankTotals::memory_bytes;
    /// Number of distinct blocks.
    NumSharedBlocks = "num_shared_blocks": |rank| f64::from(rank.n_blocks);
    /// Number of blocks that are at home here.
    NumHomedBlocks = "num_homed_blocks": |rank| f64::from(rank.n_homed_blocks);
    /// Number of blocks whose home is another rank.
    NumUprootedBlocks = "num_uprooted_blocks": |rank| f64::from(rank.n_blocks - rank.n_homed_blocks);
    /// Blocks at home here over all blocks here; 1 where there are none.
    HomedBlocksRatio = "homed_blocks_ratio": |rank| {
        if rank.n_blocks == 0 { 1.0 } else { f64::from(rank.n_homed_blocks) / f64::from(rank.n_blocks) }
    };
    /// Bytes of the blocks whose home is another rank.
    Homing = "homing": |rank| rank.homing_bytes;
    /// Seconds of work per second of load.
    Alpha = "alpha": |rank| rank.alpha;
}

impl FromStr for RankQuantity {
    type Err = ModelError;

    fn from_str(name: &str) -> Result<Self, ModelError> {
        let found = RankQuantity::ALL.iter().copied().find(|quantity| quantity.name() == name);
        found.ok_or_else(|| ModelError::UnknownQuantity {
            name: name.to_owned(),
            known: RankQuantity::ALL.iter().map(|quantity| quantity.name()).collect::<Vec<_>>().join(", "),
        })
    }
}

impl fmt::Display for RankQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
