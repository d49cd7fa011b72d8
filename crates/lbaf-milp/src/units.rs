// SPDX-License-Identifier: MIT OR Apache-2.0
//! Units of placement: a migratable object, or the migratable objects of a block.

use std::collections::BTreeMap;

use lbaf_model::{Assignment, ObjectKey, Phase, RankId, Slot, Vertex};

/// Migratable objects that are placed together.
pub(crate) struct Unit {
    /// Name of its first object in files: `id17`, `seq17` or `slot17`.
    pub(crate) name: String,
    /// Slots of its objects, ascending.
    pub(crate) slots: Vec<Slot>,
}

/// Place of an endpoint of communication.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// The endpoint is always on this rank.
    Fixed(RankId),
    /// The endpoint is on the rank of the unit at this position.
    With(usize),
}

/// All units of a phase.
pub(crate) struct Units {
    pub(crate) units: Vec<Unit>,
    /// Place of every object, by slot.
    places: Vec<Place>,
}

impl Units {
    /// Makes a unit of every migratable object. With `whole_clusters`, all migratable objects of a block form one unit.
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

    /// Returns the place of an endpoint of communication.
    pub(crate) fn place(&self, vertex: Vertex) -> Place {
        match vertex {
            Vertex::Object(slot) => self.places[slot.index()],
            Vertex::Rank(rank) => Place::Fixed(rank),
        }
    }
}

/// Returns the name of an object in files: `id17` or `seq17` with its number, or `slot17` with its slot if it has no
/// key.
fn name(phase: &Phase, keys: &[ObjectKey], slot: Slot) -> String {
    match keys.get(phase.object(slot).index()) {
        Some(key) if key.is_sequence => format!("seq{}", key.number),
        Some(key) => format!("id{}", key.number),
        None => format!("slot{slot}"),
    }
}
