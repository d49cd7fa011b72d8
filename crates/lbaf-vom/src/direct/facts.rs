// SPDX-License-Identifier: MIT OR Apache-2.0
//! Facts of a record while it is read. Each number of a record belongs to a [`Field`].

use super::number::{integer, is_scalar, magnitude, unsigned};
use crate::memory_facts::MemoryFacts;
use crate::rows::{CommunicationKind, Endpoint, EndpointKind, NONE};

/// Use of a number in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    /// The number is not used, but must be valid.
    Ignored,
    /// Rank of a task, of which only the place is used.
    Node,
    Entity(End, OfEntity),
    /// Seconds of a task.
    Load,
    Memory(OfMemory),
    /// Number of a subphase, by its position in the list.
    Subphase(usize),
    /// Seconds of a subphase, by its position in the list.
    SubphaseSeconds(usize),
    /// Bytes of a communication.
    Bytes,
    /// Messages of a communication.
    Messages,
}

/// Entity of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum End {
    /// The sender, or the object of a task.
    From,
    To,
}

/// Number of an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OfEntity {
    Id,
    Sequence,
    Home,
}

/// Memory quantity of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum OfMemory {
    RankWorking,
    BlockBytes,
    Block,
    Footprint,
    Serialized,
    Working,
    Home,
}

/// Record whose numbers can be replaced.
pub(super) trait Record {
    /// Sets a number. Returns `None` if the text lacks the form of the field or the record lacks the field.
    fn set(&mut self, field: Field, text: &[u8]) -> Option<()>;
}

/// Facts of an entity.
pub(super) struct EntityFacts {
    id: Option<u64>,
    sequence: Option<u64>,
    home: u32,
    pub(super) in_collection: bool,
    pub(super) migratable: Option<bool>,
    pub(super) kind: EndpointKind,
}

impl Default for EntityFacts {
    fn default() -> Self {
        EntityFacts {
            id: None,
            sequence: None,
            home: NONE,
            in_collection: false,
            migratable: None,
            kind: EndpointKind::Object,
        }
    }
}

impl EntityFacts {
    pub(super) fn set(&mut self, number: OfEntity, text: &[u8]) -> Option<()> {
        match number {
            OfEntity::Id => self.id = Some(unsigned(text)?),
            OfEntity::Sequence => self.sequence = Some(unsigned(text)?),
            OfEntity::Home => self.home = rank(text)?,
        }
        Some(())
    }

    pub(super) fn endpoint(&self) -> Option<Endpoint> {
        Some(Endpoint {
            id: self.id.or(self.sequence)?,
            home: self.home,
            kind: self.kind,
            is_sequence: self.id.is_none(),
            migratable: self.migratable.unwrap_or(self.in_collection),
            states_migratable: self.migratable.is_some(),
        })
    }
}

/// Facts of a task.
#[derive(Default)]
pub(super) struct TaskFacts {
    pub(super) entity: Option<EntityFacts>,
    pub(super) load: Option<f64>,
    pub(super) memory: MemoryFacts,
    /// Number and seconds of each subphase; `None` if the task does not list them or they are not requested.
    pub(super) subphases: Option<Vec<(Option<u32>, Option<f64>)>>,
}

impl TaskFacts {
    fn subphase(&mut self, at: usize) -> Option<&mut (Option<u32>, Option<f64>)> {
        self.subphases.as_mut()?.get_mut(at)
    }
}

impl Record for TaskFacts {
    #[inline]
    fn set(&mut self, field: Field, text: &[u8]) -> Option<()> {
        match field {
            Field::Ignored | Field::Node => is_scalar(text).then_some(())?,
            Field::Entity(_, number) => self.entity.as_mut()?.set(number, text)?,
            Field::Load => self.load = Some(magnitude(text)?),
            Field::Memory(quantity) => set_memory(&mut self.memory, quantity, text)?,
            Field::Subphase(at) => self.subphase(at)?.0 = Some(u32::try_from(unsigned(text)?).ok()?),
            Field::SubphaseSeconds(at) => self.subphase(at)?.1 = Some(magnitude(text)?),
            Field::Bytes | Field::Messages => return None,
        }
        Some(())
    }
}

/// Facts of a communication.
pub(super) struct CommunicationFacts {
    pub(super) from: Option<EntityFacts>,
    pub(super) to: Option<EntityFacts>,
    pub(super) bytes: Option<f64>,
    pub(super) messages: u64,
    pub(super) kind: Option<CommunicationKind>,
}

impl Default for CommunicationFacts {
    fn default() -> Self {
        CommunicationFacts { from: None, to: None, bytes: None, messages: 1, kind: None }
    }
}

impl Record for CommunicationFacts {
    #[inline]
    fn set(&mut self, field: Field, text: &[u8]) -> Option<()> {
        match field {
            Field::Ignored => is_scalar(text).then_some(())?,
            Field::Entity(End::From, number) => self.from.as_mut()?.set(number, text)?,
            Field::Entity(End::To, number) => self.to.as_mut()?.set(number, text)?,
            Field::Bytes => self.bytes = Some(magnitude(text)?),
            Field::Messages => self.messages = unsigned(text)?,
            Field::Node | Field::Load | Field::Memory(_) | Field::Subphase(_) | Field::SubphaseSeconds(_) => {
                return None;
            }
        }
        Some(())
    }
}

fn set_memory(memory: &mut MemoryFacts, quantity: OfMemory, text: &[u8]) -> Option<()> {
    match quantity {
        OfMemory::RankWorking => memory.rank_working_bytes = magnitude(text)?,
        OfMemory::BlockBytes => memory.block_bytes = magnitude(text)?,
        // A negative number means no block.
        OfMemory::Block => memory.block = u64::try_from(integer(text)?).ok(),
        OfMemory::Footprint => memory.footprint_bytes = magnitude(text)?,
        OfMemory::Serialized => memory.serialized_bytes = magnitude(text)?,
        OfMemory::Working => memory.working_bytes = magnitude(text)?,
        OfMemory::Home => memory.home = Some(rank(text)?),
    }
    Some(())
}

/// Reads a rank; negative numbers mean "none".
fn rank(text: &[u8]) -> Option<u32> {
    match integer(text)? {
        negative if negative < 0 => Some(NONE),
        rank => u32::try_from(rank).ok().filter(|&rank| rank != NONE),
    }
}
