// SPDX-License-Identifier: MIT OR Apache-2.0
//! What one file says, one row for each record: the facts a model is built from, and the place of the record
//! itself, which carries everything else.

use crate::{Field, Indices, Metadata, Span, SubphaseTimes};

/// One file: what it says of its rank, and the phases that were asked for.
#[derive(Debug, Default)]
pub struct FileRows {
    /// What the file says of its rank and phases.
    pub metadata: Metadata,
    /// Members of the document in their order; the phases are among them under the key `phases`.
    pub fields: Vec<Field>,
    /// Members of the `metadata` object in their order.
    pub metadata_fields: Vec<Field>,
    /// The phases asked for, in the order of the file.
    pub phases: Vec<PhaseRows>,
    /// Ids of all phases with an entry in the file, asked for or not, in the order of the file.
    pub phase_ids: Vec<u64>,
    /// Which form of the format the file has.
    pub generation: Generation,
    /// Objects of a text file, ascending, and the first phase in which the file has each: whoever has it first is
    /// its home. Empty in other generations, which state homes.
    pub first_phases: Vec<(u64, u64)>,
    /// Legal but unusual: one sentence each.
    pub warnings: Vec<String>,
}

impl FileRows {
    /// Whether this is a text file without a line, as a rank that never had an object leaves it.
    pub fn is_nothing(&self) -> bool {
        self.generation == Generation::Text && self.phase_ids.is_empty()
    }
}

/// The forms that the format has had, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// Lines of text.
    Text,
    /// JSON without `type`, `metadata` and `migratable`.
    NodeStats,
    /// JSON with packed ids.
    #[default]
    LbData,
    /// JSON with some objects known by sequence number.
    SeqId,
}

impl Generation {
    /// The name that users know.
    pub fn name(self) -> &'static str {
        match self {
            Generation::Text => "text",
            Generation::NodeStats => "NodeStats",
            Generation::LbData => "LB data",
            Generation::SeqId => "LB data with seq_id",
        }
    }
}

/// One phase of one file.
#[derive(Debug, Default)]
pub struct PhaseRows {
    /// Number of the phase in the run.
    pub id: u64,
    /// Members of the phase in their order. `tasks` and `communications` are among them.
    pub fields: Vec<Field>,
    /// Objects that ran on this rank, in the order of the file.
    pub tasks: Vec<TaskRow>,
    /// Where the records of the tasks stand; empty when records are not kept.
    pub task_places: Vec<TaskPlace>,
    /// Where their objects are in their collections, if that was asked for.
    pub indices: Indices,
    /// What they took in each subphase, if that was asked for.
    pub subphases: SubphaseTimes,
    /// What the tasks say of their memory, each combination once, in order of first mention.
    pub memory: Vec<MemoryRow>,
    /// Memory blocks named by the tasks, each once, in order of first mention.
    pub blocks: Vec<BlockRow>,
    /// Communication logged on this rank, in the order of the file.
    pub communications: Vec<CommunicationRow>,
    /// Memory of the rank itself in bytes: what the metadata state for the phase, else the largest that any of its tasks
    /// states.
    pub rank_working_bytes: f64,
    /// Number of `lb_iterations` recorded with the phase.
    pub n_iterations: usize,
    /// Tasks whose `id` is a sequence number.
    pub n_sequences: usize,
    /// Tasks that do not say whether they may migrate.
    pub n_unstated: usize,
    /// Tasks whose `home` is not the one packed into their id.
    pub n_home_disagreements: usize,
    /// The largest `home` of the entities of tasks and communication.
    pub largest_home: Option<u32>,
}

/// No home, block or rank.
pub const NONE: u32 = u32::MAX;

/// A home that nobody knows, and that no id tells either: of objects in text files that no rank ever had.
pub const UNKNOWN: u32 = u32::MAX - 1;

/// What a task's record says; one object in one phase. Small, because there are millions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskRow {
    /// `id`, or `seq_id` where there is no `id`.
    pub id: u64,
    /// Measured seconds in the phase.
    pub load: f64,
    /// Position in [`PhaseRows::memory`].
    pub memory: u32,
    /// Whether `id` is a sequence number (`seq_id`) and not a packed id.
    pub is_sequence: bool,
    /// Whether the object may move.
    pub migratable: bool,
}

/// Where a task's record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaskPlace {
    /// The whole record.
    pub record: Span,
    /// The value of `node`; empty when the record has none.
    pub node: Span,
}

/// What a task says of its memory. Most tasks of a rank say the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryRow {
    /// Bytes of the object at rest.
    pub footprint_bytes: f64,
    /// Further bytes while it runs.
    pub working_bytes: f64,
    /// Bytes on the wire when it migrates.
    pub serialized_bytes: f64,
    /// Bytes of the rank itself, 0 where the task does not state them.
    pub rank_working_bytes: f64,
    /// Position in [`PhaseRows::blocks`], or [`NONE`].
    pub block: u32,
}

/// A memory block as a task describes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockRow {
    /// `shared_id`.
    pub id: u64,
    /// `shared_bytes`.
    pub size_bytes: f64,
    /// `home_rank`, or [`NONE`].
    pub home: u32,
}

/// What a communication's record says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommunicationRow {
    /// Total bytes in the phase.
    pub bytes: f64,
    /// Number of messages in the phase.
    pub messages: u64,
    /// Who sent.
    pub from: Endpoint,
    /// Who received.
    pub to: Endpoint,
    /// The whole record. Empty when records are not kept.
    pub record: Span,
    /// What kind of message it was.
    pub kind: CommunicationKind,
}

/// One end of a communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Endpoint {
    /// `id`, or `seq_id` where there is no `id`; the number of the rank for [`EndpointKind::Node`].
    pub id: u64,
    /// `home`, or [`NONE`].
    pub home: u32,
    /// What `id` names.
    pub kind: EndpointKind,
    /// Whether `id` is a sequence number (`seq_id`) and not a packed id.
    pub is_sequence: bool,
    /// Whether the object may move.
    pub migratable: bool,
    /// Whether the file says so, or it was concluded.
    pub states_migratable: bool,
}

impl Endpoint {
    /// The home, where there is one.
    pub(crate) fn stated_home(&self) -> Option<u32> {
        (self.home < UNKNOWN).then_some(self.home)
    }
}

/// What an endpoint names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EndpointKind {
    /// An object.
    #[default]
    Object,
    /// A rank; the files call it node.
    Node,
    /// A memory block.
    SharedBlock,
    /// Something this version does not know; kept in the record, without meaning for the model.
    Other,
}

/// The kinds of communication vt logs, numbered from 1 as in its files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum CommunicationKind {
    /// 1: object to object.
    SendRecv = 1,
    /// 2: object to rank.
    CollectionToNode,
    /// 3: rank to object.
    NodeToCollection,
    /// 4: one recipient of a broadcast from an object.
    Broadcast,
    /// 5: broadcast from an object to a rank.
    CollectionToNodeBcast,
    /// 6: broadcast from a rank to an object.
    NodeToCollectionBcast,
    /// 7: every rank to its own objects.
    CollectiveToCollectionBcast,
    /// Read access to a memory block.
    ReadOnlyShared,
    /// Write access to a memory block.
    WriteShared,
    /// A kind this version does not know; kept in the record, without meaning for the model.
    Other,
}

impl CommunicationKind {
    /// All kinds with a name, in order.
    pub const NAMED: [CommunicationKind; 9] = [
        CommunicationKind::SendRecv,
        CommunicationKind::CollectionToNode,
        CommunicationKind::NodeToCollection,
        CommunicationKind::Broadcast,
        CommunicationKind::CollectionToNodeBcast,
        CommunicationKind::NodeToCollectionBcast,
        CommunicationKind::CollectiveToCollectionBcast,
        CommunicationKind::ReadOnlyShared,
        CommunicationKind::WriteShared,
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            CommunicationKind::SendRecv => "SendRecv",
            CommunicationKind::CollectionToNode => "CollectionToNode",
            CommunicationKind::NodeToCollection => "NodeToCollection",
            CommunicationKind::Broadcast => "Broadcast",
            CommunicationKind::CollectionToNodeBcast => "CollectionToNodeBcast",
            CommunicationKind::NodeToCollectionBcast => "NodeToCollectionBcast",
            CommunicationKind::CollectiveToCollectionBcast => "CollectiveToCollectionBcast",
            CommunicationKind::ReadOnlyShared => "ReadOnlyShared",
            CommunicationKind::WriteShared => "WriteShared",
            CommunicationKind::Other => "unknown",
        }
    }

    /// Whether messages of this kind come from a rank.
    pub fn sender_is_rank(self) -> bool {
        matches!(self, CommunicationKind::NodeToCollection | CommunicationKind::NodeToCollectionBcast)
    }

    /// Whether messages of this kind go to a rank.
    pub fn receiver_is_rank(self) -> bool {
        matches!(self, CommunicationKind::CollectionToNode | CommunicationKind::CollectionToNodeBcast)
    }

    /// The kind of this name; names no document lists are [`CommunicationKind::Other`].
    pub fn from_name(name: &str) -> Self {
        Self::NAMED.into_iter().find(|kind| kind.name() == name).unwrap_or(CommunicationKind::Other)
    }
}
