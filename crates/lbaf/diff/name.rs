// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that are comparable between data sets.

use std::fmt;

use lbaf_model::{DataSet, ObjectKey, Phase, RankId, Slot, Vertex};
use serde::{Serialize, Serializer};

/// Object or rank. Objects have the order of slots; ranks follow them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    Object(ObjectKey),
    Rank(RankId),
}

impl Name {
    /// Returns the name of the object in a slot.
    pub(super) fn of_object(data: &DataSet, phase: &Phase, slot: Slot) -> Self {
        Name::Object(data.key(phase.object(slot)))
    }

    pub(super) fn of_vertex(data: &DataSet, phase: &Phase, vertex: Vertex) -> Self {
        match vertex {
            Vertex::Object(slot) => Name::of_object(data, phase, slot),
            Vertex::Rank(rank) => Name::Rank(rank),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Object(key) => key.fmt(f),
            Name::Rank(rank) => write!(f, "rank {rank}"),
        }
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// Object as in `migrations.csv`, with the rank of a non-migratable object; or only a rank.
        #[derive(Serialize)]
        struct Parts {
            #[serde(skip_serializing_if = "Option::is_none")]
            id_kind: Option<&'static str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            object: Option<u64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            rank: Option<u32>,
        }
        let parts = match self {
            Name::Object(key) => Parts {
                id_kind: Some(if key.is_sequence { "seq_id" } else { "id" }),
                object: Some(key.number),
                rank: key.rank().map(|rank| rank.0),
            },
            Name::Rank(rank) => Parts { id_kind: None, object: None, rank: Some(rank.0) },
        };
        parts.serialize(serializer)
    }
}
