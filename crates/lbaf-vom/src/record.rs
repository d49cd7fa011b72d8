// SPDX-License-Identifier: MIT OR Apache-2.0
//! Owned records for files of synthetic and imported data.
//!
//! The reader uses [rows](crate::FileRows) and byte spans instead. Files of these records have exactly the format of
//! vt: names, key order (alphabetical, as are the fields below), absent keys for absent values, and floating-point
//! numbers with a fraction or an exponent.

use std::collections::BTreeMap;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use crate::CommunicationKind;

/// File of one rank.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DataFile {
    /// Rank of the file and its environment.
    pub metadata: Metadata,
    /// Phases, in order.
    pub phases: Vec<PhaseRecord>,
}

/// Rank that wrote a file, and its environment.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Metadata {
    /// User-defined attributes of the rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<Map<String, Value>>,
    /// Phases without an entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub phases: Option<PhaseGaps>,
    /// Rank of the file.
    pub rank: u32,
    /// Seconds of work per second of load on the rank; 1 if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank_alpha: Option<f64>,
    /// Compute node of the rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_node: Option<SharedNode>,
    /// Always `LBDatafile`.
    #[serde(rename = "type")]
    pub kind: FileKind,
}

/// Value of `type` in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum FileKind {
    /// Objects, loads and communications of one rank.
    #[default]
    LBDatafile,
}

/// Compute node of a rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SharedNode {
    /// Number of the node.
    pub id: u32,
    /// Number of nodes of the run.
    pub num_nodes: u32,
    /// Position of the rank on its node.
    pub rank: u32,
    /// Number of ranks on the node.
    pub size: u32,
}

/// Phases without an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PhaseGaps {
    /// Phases that repeat the last entry before them.
    pub identical_to_previous: PhaseSet,
    /// Phases without data.
    pub skipped: PhaseSet,
}

/// Single phases and inclusive ranges of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PhaseSet {
    /// Single phases.
    pub list: Vec<u64>,
    /// First and last phase of each range.
    pub range: Vec<[u64; 2]>,
}

/// Record of one rank in one phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PhaseRecord {
    /// Communications that the rank recorded in the phase.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub communications: Vec<Communication>,
    /// Number of the phase.
    pub id: u64,
    /// Records of the objects of the rank.
    pub tasks: Vec<Task>,
}

/// Record of one object in one phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Task {
    /// User-defined attributes of the task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<Map<String, Value>>,
    /// Object of the task.
    pub entity: Entity,
    /// Rank on which the object ran.
    pub node: u32,
    /// Device on which the task ran.
    pub resource: Resource,
    /// Loads of the task in the subphases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subphases: Vec<Subphase>,
    /// Load over the whole phase, in seconds.
    pub time: f64,
    /// Memory quantities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_defined: Option<UserDefined>,
}

/// Device on which a task ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Resource {
    /// A processor core.
    #[default]
    Cpu,
    /// A graphics processor.
    Gpu,
}

/// Load of one subphase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Subphase {
    /// Number of the subphase.
    pub id: u64,
    /// Load in seconds.
    pub time: f64,
}

/// Memory quantities of a task, with sizes in bytes, and further values of the user.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UserDefined {
    /// Home rank of the memory block.
    pub home_rank: Option<u32>,
    /// Working memory of the rank, equal for all its tasks.
    pub rank_working_bytes: Option<f64>,
    /// Size of the memory block.
    pub shared_bytes: Option<f64>,
    /// Memory block that the object uses.
    pub shared_id: Option<u64>,
    /// Footprint of the object.
    pub task_footprint_bytes: Option<f64>,
    /// Serialized size of the object: bytes that are sent when it migrates.
    pub task_serialized_bytes: Option<f64>,
    /// Working memory of the object: additional memory while it runs.
    pub task_working_bytes: Option<f64>,
    /// Values under other keys.
    pub other: BTreeMap<String, Value>,
}

impl Serialize for UserDefined {
    /// Written by hand, because a derived implementation could not sort the other keys among the fields.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = [
            ("home_rank", self.home_rank.map(Value::from)),
            ("rank_working_bytes", self.rank_working_bytes.map(Value::from)),
            ("shared_bytes", self.shared_bytes.map(Value::from)),
            ("shared_id", self.shared_id.map(Value::from)),
            ("task_footprint_bytes", self.task_footprint_bytes.map(Value::from)),
            ("task_serialized_bytes", self.task_serialized_bytes.map(Value::from)),
            ("task_working_bytes", self.task_working_bytes.map(Value::from)),
        ];
        let mut map = serializer.serialize_map(None)?;
        let mut others = self.other.iter().peekable();
        for (field, value) in fields {
            while let Some((key, other)) = others.next_if(|(key, _)| key.as_str() < field) {
                map.serialize_entry(key, other)?;
            }
            if let Some(value) = value {
                map.serialize_entry(field, &value)?;
            }
        }
        for (key, other) in others {
            map.serialize_entry(key, other)?;
        }
        map.end()
    }
}

/// Communication from one entity to another in one phase.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Communication {
    /// Total volume in the phase, in bytes.
    pub bytes: f64,
    /// Sender.
    pub from: Entity,
    /// Number of messages.
    pub messages: u64,
    /// Receiver.
    pub to: Entity,
    /// Kind of communication.
    #[serde(rename = "type", serialize_with = "kind_by_name")]
    pub kind: CommunicationKind,
}

/// Object, rank or memory block, as identified in tasks and communications.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Entity {
    /// Collection of which the object is an element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection_id: Option<u64>,
    /// Home rank.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub home: Option<u32>,
    /// Bit-packed id of an object, or number of a rank or block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    /// Position in the collection, one number per dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<Vec<i64>>,
    /// True if the object is migratable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub migratable: Option<bool>,
    /// Object group, if the object is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objgroup_id: Option<u64>,
    /// Sequence number, used if there is no `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq_id: Option<u64>,
    /// Kind of the entity.
    #[serde(rename = "type")]
    pub kind: EntityKind,
}

/// Kind of an [`Entity`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    /// An object.
    #[default]
    Object,
    /// A rank.
    Node,
    /// A memory block.
    SharedId,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn kind_by_name<S: Serializer>(kind: &CommunicationKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entity_is_serialized_in_the_format_of_vt() {
        let entity = Entity {
            collection_id: Some(7),
            home: Some(0),
            id: Some(crate::packed_id(1, 0, true)),
            index: Some(vec![0]),
            migratable: Some(true),
            ..Entity::default()
        };
        assert_eq!(
            serde_json::to_string(&entity).unwrap(),
            r#"{"collection_id":7,"home":0,"id":262147,"index":[0],"migratable":true,"type":"object"}"#
        );
    }

    #[test]
    fn ranks_and_blocks_have_no_object_keys() {
        let node = Entity { id: Some(3), kind: EntityKind::Node, ..Entity::default() };
        let block = Entity { id: Some(4), kind: EntityKind::SharedId, ..Entity::default() };
        assert_eq!(serde_json::to_string(&node).unwrap(), r#"{"id":3,"type":"node"}"#);
        assert_eq!(serde_json::to_string(&block).unwrap(), r#"{"id":4,"type":"shared_id"}"#);
    }

    #[test]
    fn devices_are_written_in_lower_case() {
        let spelled = |resource| serde_json::to_string::<Resource>(&resource).unwrap();
        assert_eq!([Resource::Cpu, Resource::Gpu].map(spelled), [r#""cpu""#, r#""gpu""#]);
    }

    #[test]
    fn every_record_has_its_keys_in_alphabetical_order() {
        let object = Entity {
            collection_id: Some(7),
            home: Some(1),
            id: Some(5),
            index: Some(vec![0, -1]),
            migratable: Some(false),
            objgroup_id: Some(2),
            seq_id: Some(9),
            kind: EntityKind::Object,
        };
        let user_defined = UserDefined {
            home_rank: Some(1),
            rank_working_bytes: Some(1.0),
            shared_bytes: Some(2.0),
            shared_id: Some(3),
            task_footprint_bytes: Some(4.0),
            task_serialized_bytes: Some(5.0),
            task_working_bytes: Some(6.0),
            other: ["a", "rank", "shared_z", "z"].map(|key| (key.to_owned(), Value::Null)).into(),
        };
        let task = Task {
            attributes: Some(Map::new()),
            entity: object.clone(),
            subphases: vec![Subphase { id: 0, time: 0.5 }],
            user_defined: Some(user_defined),
            ..Task::default()
        };
        let communication = Communication {
            bytes: 8.0,
            from: object.clone(),
            messages: 1,
            to: object,
            kind: CommunicationKind::SendRecv,
        };
        let file = DataFile {
            metadata: Metadata {
                attributes: Some(Map::new()),
                phases: Some(PhaseGaps::default()),
                rank_alpha: Some(1.0),
                shared_node: Some(SharedNode::default()),
                ..Metadata::default()
            },
            phases: vec![PhaseRecord { communications: vec![communication], id: 0, tasks: vec![task] }],
        };
        // The workspace's serde_json keeps the insertion order, so keys have the order of the file.
        assert_sorted(&serde_json::to_value(&file).unwrap());
    }

    fn assert_sorted(value: &Value) {
        match value {
            Value::Object(map) => {
                assert!(map.keys().is_sorted(), "keys {:?}", map.keys().collect::<Vec<_>>());
                map.values().for_each(assert_sorted);
            }
            Value::Array(items) => items.iter().for_each(assert_sorted),
            _ => {}
        }
    }
}
