// SPDX-License-Identifier: MIT OR Apache-2.0
//! Quantities of an object with their user-visible names, for pictures and tables.

use std::fmt;

use crate::{Assignment, ObjectKey, Phase, Slot};

macro_rules! quantities {
    ($(#[doc = $meaning:literal] $variant:ident = $name:literal, $unit:literal;)*) => {
        /// A quantity of an object under an assignment.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ObjectQuantity {
            $(#[doc = $meaning] $variant,)*
        }

        impl ObjectQuantity {
            /// Every quantity, in the order of tables.
            pub const ALL: &[ObjectQuantity] = &[$(ObjectQuantity::$variant,)*];

            /// Returns the name in configurations.
            pub fn name(self) -> &'static str {
                match self {
                    $(ObjectQuantity::$variant => $name,)*
                }
            }

            /// Returns the meaning, as a sentence.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(ObjectQuantity::$variant => $meaning.trim_ascii(),)*
                }
            }

            /// Returns the unit, empty for numbers without a unit.
            pub fn unit(self) -> &'static str {
                match self {
                    $(ObjectQuantity::$variant => $unit,)*
                }
            }
        }
    };
}

quantities! {
    /// Number of the object in its files: `id`, or `seq_id` if there is no `id`.
    Id = "id", "";
    /// Number of the object if its files use `seq_id`.
    SeqId = "seq_id", "";
    /// Number of the object if its files use `id`.
    PackedId = "packed_id", "";
    /// Number of the collection that contains the object.
    CollectionId = "collection_id", "";
    /// Index of the object in its collection.
    Index = "index", "";
    /// Number of the rank that owns the object.
    RankId = "rank_id", "";
    /// Load of the object.
    Load = "load", "s";
    /// Volume that the object receives, including volume from its own rank.
    ReceivedVolume = "received_volume", "B";
    /// Volume that the object sends, including volume to its own rank.
    SentVolume = "sent_volume", "B";
    /// Largest volume that the object exchanges with one partner in one direction.
    MaxVolume = "max_volume", "B";
    /// Memory that the object always holds: its footprint.
    ObjectMemory = "object_memory", "B";
    /// Additional memory that the object needs while it runs.
    OverheadMemory = "overhead_memory", "B";
    /// Number of the memory block that the object works on.
    SharedId = "shared_id", "";
    /// Size of the memory block that the object works on.
    SharedBytes = "shared_bytes", "B";
    /// 1 for a migratable object, 0 for a non-migratable one.
    Migratable = "migratable", "";
}

impl ObjectQuantity {
    /// Returns the value for an object. `None` if the object has no block (`shared_id`, `shared_bytes`), if
    /// its number is of the other kind (`seq_id`, `packed_id`), or if only records of the files contain the
    /// value (`collection_id`, `index`). Numbers beyond 2^53 are rounded.
    pub fn of(self, slot: Slot, phase: &Phase, assignment: &Assignment, keys: &[ObjectKey]) -> Option<f64> {
        let memory = phase.memory(slot);
        let block = || memory.block.map(|block| phase.blocks()[block.index()]);
        let graph = phase.communication();
        // A sum of no floats is -0, so fold from 0.
        let received = || graph.incoming(slot).fold(0.0, |sum, (_, volume)| sum + volume.bytes);
        let sent = || graph.outgoing(slot).fold(0.0, |sum, (_, volume)| sum + volume.bytes);
        let key = keys[phase.object(slot).index()];
        match self {
            ObjectQuantity::Id => Some(key.number as f64),
            ObjectQuantity::SeqId => key.is_sequence.then_some(key.number as f64),
            ObjectQuantity::PackedId => (!key.is_sequence).then_some(key.number as f64),
            ObjectQuantity::CollectionId | ObjectQuantity::Index => None,
            ObjectQuantity::RankId => Some(f64::from(assignment.rank_of(slot).0)),
            ObjectQuantity::Load => Some(phase.load(slot)),
            ObjectQuantity::ReceivedVolume => Some(received()),
            ObjectQuantity::SentVolume => Some(sent()),
            ObjectQuantity::MaxVolume => {
                let volumes = graph.incoming(slot).chain(graph.outgoing(slot));
                Some(volumes.map(|(_, volume)| volume.bytes).fold(0.0, f64::max))
            }
            ObjectQuantity::ObjectMemory => Some(memory.footprint_bytes),
            ObjectQuantity::OverheadMemory => Some(memory.working_bytes),
            ObjectQuantity::SharedId => block().map(|block| block.id as f64),
            ObjectQuantity::SharedBytes => block().map(|block| block.size_bytes),
            ObjectQuantity::Migratable => Some(f64::from(u8::from(phase.is_migratable(slot)))),
        }
    }
}

impl fmt::Display for ObjectQuantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
