// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units of placement: an object, or the objects of a block.

use std::collections::BTreeMap;

use lbaf_model::{Assignment, ObjectKey, Phase, RankId, Slot, Vertex};

/// Objects that may migrate, and go to the same rank.
pub(crate) struct Unit {
    /// Its name in files: the id of its first object.
    pub(crate) name: String,
    /// Its objects, ascending.
    pub(crate) slots: Vec<Slot>,
}

/// Place of an end of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On this rank, whatever is decided.
    Fixed(RankId),
    /// Wherever this unit is.
    With(usize),
}

/// All objects that may migrate.
pub(crate) struct Units {
    pub(crate) units: Vec<Unit>,
    /// The place of every object, by slot.
    places: Vec<Place>,
}

impl Units {
    /// Every object by itself, or the objects of each block together.
    pub(crate) fn new(phase: &Phase, initial: &Assignment, keys: &[ObjectKey], whole_clusters: bool) -> Self {
        let mut units: Vec<Unit> = Vec::new();
        let mut of_block = BTreeMap::new();
        let mut places = Vec::with_capacity(phase.n_objects());
        for slot in phase.slots() {
            if !phase.is_migratable(slot) {
                places.push(Place::Fixed(initial.rank_of(slot)));
                continue;
            }
            let next = units.len();
            let block = phase.memory(slot).block.filter(|_| whole_clusters);
            let unit = block.map_or(next, |block| *of_block.entry(block).or_insert(next));
            if unit == next {
                units.push(Unit { name: name(phase, keys, slot), slots: Vec::new() });
            }
            units[unit].slots.push(slot);
            places.push(Place::With(unit));
        }
        Units { units, places }
    }

    /// Place of an end of a message.
    pub(crate) fn place(&self, vertex: Vertex) -> Place {
        match vertex {
            Vertex::Object(slot) => self.places[slot.index()],
            Vertex::Rank(rank) => Place::Fixed(rank),
        }
    }
}

/// `id17` or `seq17`, as files number the object; `slot17` if no file does.
fn name(phase: &Phase, keys: &[ObjectKey], slot: Slot) -> String {
    match keys.get(phase.object(slot).index()) {
        Some(key) if key.is_sequence => format!("seq{}", key.number),
        Some(key) => format!("id{}", key.number),
        None => format!("slot{slot}"),
    }
}
