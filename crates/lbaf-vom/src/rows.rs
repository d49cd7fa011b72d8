// SPDX-License-Identifier: MIT OR Apache-2.0
//! Content of one file, one row for each record. A row has the values that the model needs. The span of its record in
//! the document is kept on request. Other values are only in the record.

use serde::{Deserialize, Serialize};

use crate::{Field, Indices, Metadata, Span, SubphaseTimes, home_of_packed_id};

/// Metadata of the rank and the selected phases of one file.
#[derive(Debug, Default)]
pub struct FileRows {
    /// Metadata of the rank and its phases.
    pub metadata: Metadata,
    /// Members of the document in document order, including `phases`; empty if records are not kept.
    pub fields: Vec<Field>,
    /// Members of the `metadata` object in document order; empty if records are not kept.
    pub metadata_fields: Vec<Field>,
    /// Selected phases, and entries that they repeat, in the order of the file.
    pub phases: Vec<PhaseRows>,
    /// Ids of all phases with an entry in the file, selected or not, in the order of the file.
    pub phase_ids: Vec<u64>,
    /// True if reading stopped after the last selected phase.
    pub is_partial: bool,
    /// Generation of the file format.
    pub generation: Generation,
    /// Objects with a load in a text file, ascending, each with the lowest of its phases, selected or not. The home of
    /// an object is the rank whose file has the object in the lowest phase. Empty for other generations, which state
    /// homes.
    pub first_phases: Vec<(u64, u64)>,
    /// Warnings about valid but unusual content, one sentence each.
    pub warnings: Vec<String>,
}

impl FileRows {
    /// Returns the generation, derived from the selected tasks and the members of the document. `says_what_it_is` is
    /// true if the document has a `type` or metadata of a generation.
    pub(crate) fn generation(&self, says_what_it_is: bool) -> Generation {
        let states_migratable = || self.phases.iter().any(|phase| phase.n_unstated < phase.tasks.len());
        if self.phases.iter().any(|phase| phase.n_sequences > 0) {
            Generation::SeqId
        } else if says_what_it_is || states_migratable() {
            Generation::LbData
        } else {
            Generation::NodeStats
        }
    }

    /// Sets the working memory of the rank in the phases for which the metadata state it.
    pub(crate) fn state_rank_bytes(&mut self) {
        for phase in &mut self.phases {
            let stated = self.metadata.rank_working_bytes.get(&phase.id);
            phase.rank_working_bytes = stated.copied().unwrap_or(phase.rank_working_bytes);
        }
    }

    /// True for a text file without lines. A rank that never owned an object writes an empty file.
    pub fn is_nothing(&self) -> bool {
        self.generation == Generation::Text && self.phase_ids.is_empty()
    }
}

/// Largest phase number. Larger numbers cannot stem from a run, and their successors could overflow.
pub(crate) const LAST_PHASE: u64 = 1 << 62;

/// Generations of the format, oldest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Generation {
    /// Lines of text.
    Text,
    /// JSON without `type`, `metadata` and `migratable`.
    NodeStats,
    /// JSON with packed ids.
    #[default]
    LbData,
    /// JSON with some objects identified by sequence number.
    SeqId,
}

impl Generation {
    /// Returns the name shown to users.
    pub fn name(self) -> &'static str {
        match self {
            Generation::Text => "text",
            Generation::NodeStats => "NodeStats",
            Generation::LbData => "LB data",
            Generation::SeqId => "LB data with seq_id",
        }
    }
}

/// Content of one phase of one file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct PhaseRows {
    /// Number of the phase in the run.
    pub id: u64,
    /// Members of the phase in document order, including `tasks` and `communications`; empty if records are not kept.
    pub fields: Vec<Field>,
    /// Objects that ran on this rank, in the order of the file.
    pub tasks: Vec<TaskRow>,
    /// Spans of the task records; empty if records are not kept.
    pub task_places: Vec<TaskPlace>,
    /// Positions of the objects in their collections, if requested.
    pub indices: Indices,
    /// Times of the tasks in each subphase, if requested.
    pub subphases: SubphaseTimes,
    /// Distinct combinations of memory quantities of the tasks, in order of first occurrence.
    pub memory: Vec<MemoryRow>,
    /// Distinct memory blocks as described by the tasks, in order of first occurrence.
    pub blocks: Vec<BlockRow>,
    /// Communication logged on this rank, in the order of the file.
    pub communications: Vec<CommunicationRow>,
    /// Working memory of the rank in bytes: the value in the metadata for the phase, or else the maximum over its
    /// tasks.
    pub rank_working_bytes: f64,
    /// Number of `lb_iterations` recorded with the phase.
    pub n_iterations: usize,
    /// Number of tasks whose [`TaskRow::id`] is a sequence number.
    pub n_sequences: usize,
    /// Number of tasks that do not state `migratable`.
    pub n_unstated: usize,
    /// Number of tasks whose `home` differs from the home packed into their id.
    pub n_home_disagreements: usize,
    /// Largest `home` among the entities of tasks and communications.
    pub largest_home: Option<u32>,
}

impl PhaseRows {
    /// Adds a task of an object. `memory` is the position of its memory row, and `rank_working_bytes` the working
    /// memory of the rank that the task states.
    pub(crate) fn add_task(&mut self, object: &Endpoint, load: f64, memory: u32, rank_working_bytes: f64) {
        self.rank_working_bytes = self.rank_working_bytes.max(rank_working_bytes);
        self.n_sequences += usize::from(object.is_sequence);
        self.n_unstated += usize::from(!object.states_migratable);
        self.n_home_disagreements += usize::from(object.home_disagrees());
        self.largest_home = self.largest_home.max(object.stated_home());
        let &Endpoint { id, is_sequence, migratable, .. } = object;
        self.tasks.push(TaskRow { id, load, memory, is_sequence, migratable });
    }
}

/// Marks an absent home, block or rank.
pub const NONE: u32 = u32::MAX;

/// Marks the unknown home of an object in a text file. Ids in text files contain no home, so the home stays unknown if
/// no rank ever owned the object.
pub const UNKNOWN: u32 = u32::MAX - 1;

/// Record of a task: one object in one phase. Kept small, because files have millions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// `id`, or `seq_id` if there is no `id`.
    pub id: u64,
    /// Measured seconds in the phase.
    pub load: f64,
    /// Position in [`PhaseRows::memory`].
    pub memory: u32,
    /// True if the file states a sequence number (`seq_id`) and no `id`.
    pub is_sequence: bool,
    /// True if the object is migratable.
    pub migratable: bool,
}

/// Spans of a task record and of its `node`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPlace {
    /// Span of the whole record.
    pub record: Span,
    /// Span of the value of `node`, which may include white space after it; empty if the record has none.
    pub node: Span,
}

/// Combination of memory quantities, shared by one or more tasks of a rank.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MemoryRow {
    /// Footprint of the object, in bytes.
    pub footprint_bytes: f64,
    /// Working memory of the object: additional bytes while it runs.
    pub working_bytes: f64,
    /// Serialized size: bytes that are sent when the object migrates.
    pub serialized_bytes: f64,
    /// Working memory of the rank in bytes; 0 if the task does not state it.
    pub rank_working_bytes: f64,
    /// Position in [`PhaseRows::blocks`], or [`NONE`].
    pub block: u32,
}

/// Memory block as described by a task.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockRow {
    /// `shared_id`.
    pub id: u64,
    /// `shared_bytes`.
    pub size_bytes: f64,
    /// `home_rank`, or [`NONE`].
    pub home: u32,
}

/// Record of a communication.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommunicationRow {
    /// Total bytes in the phase.
    pub bytes: f64,
    /// Number of messages in the phase.
    pub messages: u64,
    /// Sender.
    pub from: Endpoint,
    /// Receiver.
    pub to: Endpoint,
    /// Span of the whole record; empty if records are not kept.
    pub record: Span,
    /// Kind of communication.
    pub kind: CommunicationKind,
}

/// Endpoint of a communication.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    /// `id`, or `seq_id` if there is no `id`; number of the rank for [`EndpointKind::Node`].
    pub id: u64,
    /// `home`, or [`NONE`] if absent, or [`UNKNOWN`] for objects in text files until all files are read.
    pub home: u32,
    /// Kind of the entity that `id` identifies.
    pub kind: EndpointKind,
    /// True if the file states a sequence number (`seq_id`) and no `id`.
    pub is_sequence: bool,
    /// True if the object is migratable.
    pub migratable: bool,
    /// True if the file states `migratable`; false if it was inferred.
    pub states_migratable: bool,
}

impl Endpoint {
    /// True if the home of an object differs from the home in its packed id.
    fn home_disagrees(&self) -> bool {
        !self.is_sequence
            && self.home != NONE
            && home_of_packed_id(self.id).is_some_and(|home| home != self.home)
    }

    /// Returns the home if it is known.
    pub(crate) fn stated_home(&self) -> Option<u32> {
        (self.home < UNKNOWN).then_some(self.home)
    }
}

/// Kind of the entity at an endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum EndpointKind {
    /// An object.
    #[default]
    Object,
    /// A rank, called node in files.
    Node,
    /// A memory block.
    SharedBlock,
    /// An unknown kind, kept in the record and ignored by the model.
    Other,
}

/// Kinds of communication that vt records. The numbers 1 to 7 are those of vt; its text files contain 1 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// An unknown kind, kept in the record and ignored by the model.
    Other,
}

impl CommunicationKind {
    /// All named kinds, in order.
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

    /// Returns the name in files.
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

    /// True if the sender of this kind is a rank.
    pub fn sender_is_rank(self) -> bool {
        matches!(self, CommunicationKind::NodeToCollection | CommunicationKind::NodeToCollectionBcast)
    }

    /// True if the receiver of this kind is a rank.
    pub fn receiver_is_rank(self) -> bool {
        matches!(self, CommunicationKind::CollectionToNode | CommunicationKind::CollectionToNodeBcast)
    }

    /// Returns the kind with this name, or [`CommunicationKind::Other`] for an unknown name.
    pub fn from_name(name: &str) -> Self {
        Self::NAMED.into_iter().find(|kind| kind.name() == name).unwrap_or(CommunicationKind::Other)
    }
}
