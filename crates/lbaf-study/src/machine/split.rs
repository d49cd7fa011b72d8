// SPDX-License-Identifier: MIT OR Apache-2.0
//! Splitting of objects: see [`Regrouping::Split`](super::Regrouping).

use lbaf_model::{
    Assignment, CommGraph, Communication, Coordinates, DataSet, Dictionary, ObjectIdx, ObjectKey,
    ObjectMemory, Objects, Phase, PhaseColumns, Slot, Vertex, Volume,
};

use super::places::Places;
use super::{MachineError, Regrouped, each_phase};

/// Pieces of each object.
struct Pieces {
    n: u32,
    along: usize,
    /// Number of the first piece of each object, followed by the total number of pieces. An object that is
    /// not split is one piece.
    first: Vec<usize>,
}

/// Returns the data with each migratable object whose index has the dimension `along` split into `n` pieces.
///
/// # Errors
/// If no object can be split, the index of a piece overflows, or there are too many objects.
pub(super) fn split(data: &DataSet, n: u32, along: usize) -> Result<(DataSet, Regrouped), MachineError> {
    const KEY: &str = "split";
    let n_pieces = u16::try_from(n).map_err(|_| MachineError::NumberOfPieces { key: KEY, n })?;
    let places = Places::of(data, along);
    // Objects are counted before keys are created: too many keys would exhaust memory.
    let is_taken = |object: &usize| places.of_object(ObjectIdx::from(*object)).is_some();
    let n_taken = (0..data.n_objects()).filter(is_taken).count();
    if n_taken == 0 {
        return Err(MachineError::NoIndex { key: KEY, along });
    }
    check_number(data.n_objects(), n_taken, n)?;
    let mut first = vec![0];
    let mut keys: Vec<ObjectKey> = Vec::new();
    for (object, key) in data.keys().iter().enumerate() {
        match places.of_object(ObjectIdx::from(object)) {
            Some((_, index)) => {
                let last =
                    index[along].checked_mul(i64::from(n)).and_then(|i| i.checked_add(i64::from(n) - 1));
                last.ok_or(MachineError::IndexTooLarge { object: *key, n })?;
                keys.extend((0..n_pieces).map(|piece| key.piece(piece)));
            }
            None => keys.push(*key),
        }
        first.push(keys.len());
    }
    let pieces = Pieces { n, along, first };
    let phases = each_phase(data, |phase| pieces.of_phase(phase))?;
    Ok((DataSet::new(keys, data.n_ranks(), phases), places.regrouped(n_taken, n_taken * n as usize)))
}

/// Checks the number of objects after splitting.
///
/// # Errors
/// If it exceeds 2^31 - 1.
fn check_number(n_objects: usize, n_taken: usize, n: u32) -> Result<(), MachineError> {
    let n_objects = n_objects - n_taken + n_taken.saturating_mul(n as usize);
    if n_objects > (u32::MAX / 2) as usize {
        return Err(MachineError::TooManyObjects { n_objects });
    }
    Ok(())
}

impl Pieces {
    fn n_of(&self, object: ObjectIdx) -> usize {
        self.first[object.index() + 1] - self.first[object.index()]
    }

    fn of_phase(&self, phase: &Phase) -> Result<Phase, MachineError> {
        let columns = phase.columns();
        // Original slot of every piece, and slot of the first piece of every object.
        let (mut whole, mut first_slot) = (Vec::new(), Vec::with_capacity(phase.n_objects()));
        for slot in phase.slots() {
            first_slot.push(whole.len());
            whole.extend(std::iter::repeat_n(slot, self.n_of(phase.object(slot))));
        }
        let n_of = |slot: Slot| self.n_of(phase.object(slot));
        let recorded = whole.iter().map(|&slot| columns.recorded.rank_of(slot));
        let split = PhaseColumns {
            objects: self.objects(phase),
            load: whole.iter().map(|&slot| phase.load(slot) / n_of(slot) as f64).collect(),
            memory: self.memory(phase, &whole),
            migratable: whole.iter().map(|&slot| phase.is_migratable(slot)).collect(),
            recorded: Assignment::new(recorded.collect()).into(),
            ranks: columns.ranks.clone(),
            blocks: columns.blocks.clone(),
            communication: self.communication(phase, &first_slot, whole.len()),
        };
        let split = Phase::new(phase.id(), split)?;
        let split = match phase.subphases() {
            Some(subphases) => {
                let of_piece = |&slot: &Slot| {
                    let n = n_of(slot) as f64;
                    subphases.numbered(slot).map(move |(number, seconds)| (number, seconds / n))
                };
                split.with_subphases(whole.iter().map(of_piece).collect())?
            }
            None => split,
        };
        Ok(match phase.coordinates() {
            Some(coordinates) => split.with_coordinates(self.coordinates(phase, coordinates))?,
            None => split,
        })
    }

    /// Returns the communication of all `n_slots` pieces. `first_slot` holds the slot of each object's first
    /// piece.
    fn communication(&self, phase: &Phase, first_slot: &[usize], n_slots: usize) -> CommGraph {
        let n_of = |vertex: Vertex| match vertex {
            Vertex::Object(slot) => self.n_of(phase.object(slot)),
            Vertex::Rank(_) => 1,
        };
        let piece_of = |vertex: Vertex, piece: usize| match vertex {
            Vertex::Object(slot) => {
                let piece = if n_of(vertex) > 1 { piece } else { 0 };
                Vertex::Object(Slot::from(first_slot[slot.index()] + piece))
            }
            Vertex::Rank(_) => vertex,
        };
        let mut edges: Vec<Communication> = Vec::new();
        for (from, to, volume) in phase.communication().edges() {
            let n = n_of(from).max(n_of(to));
            let volume = Volume { bytes: volume.bytes / n as f64, ..volume };
            edges.extend((0..n).map(|piece| Communication {
                from: piece_of(from, piece),
                to: piece_of(to, piece),
                volume,
            }));
        }
        CommGraph::from_vec(n_slots, phase.n_ranks(), edges)
    }

    fn objects(&self, phase: &Phase) -> Objects {
        match phase.columns().objects {
            Objects::All(n) => Objects::All(self.first[n]),
            Objects::Listed(ref listed) => {
                let pieces = |object: &ObjectIdx| self.first[object.index()]..self.first[object.index() + 1];
                listed.iter().flat_map(pieces).map(ObjectIdx::from).collect()
            }
        }
    }

    /// Returns the memory of all pieces. Its dictionary contains all original values, then each of them
    /// divided by `n`.
    fn memory(&self, phase: &Phase, whole: &[Slot]) -> Dictionary<ObjectMemory> {
        let memory = &phase.columns().memory;
        let n = f64::from(self.n);
        let of_piece = |memory: &ObjectMemory| ObjectMemory {
            footprint_bytes: memory.footprint_bytes / n,
            working_bytes: memory.working_bytes / n,
            serialized_bytes: memory.serialized_bytes / n,
            block: memory.block,
        };
        let values = memory.values();
        let position = |&slot: &Slot| {
            let offset = if self.n_of(phase.object(slot)) > 1 { values.len() } else { 0 };
            memory.positions()[slot.index()] + offset as u32
        };
        let all = values.iter().copied().chain(values.iter().map(of_piece)).collect();
        Dictionary::new(all, whole.iter().map(position).collect())
            .expect("invariant: positions are below twice the number of values")
    }

    fn coordinates(&self, phase: &Phase, coordinates: &Coordinates) -> Coordinates {
        let place = |slot: Slot| {
            let (space, index) = coordinates.of(slot)?;
            Some((coordinates.spaces()[space].collection, index))
        };
        let mut numbers: Vec<i64> = Vec::new();
        let mut places = Vec::new();
        for slot in phase.slots() {
            let is_split = self.n_of(phase.object(slot)) > 1;
            for piece in 0..if is_split { i64::from(self.n) } else { 1 } {
                let place = place(slot);
                let from = numbers.len();
                if let Some((_, index)) = place {
                    numbers.extend_from_slice(index);
                    if is_split && index.len() > self.along {
                        let along = &mut numbers[from + self.along];
                        // Indices were checked in the first phase of each object, so only an index that
                        // differs in a later phase could overflow.
                        *along = along.saturating_mul(i64::from(self.n)).saturating_add(piece);
                    }
                }
                places.push(place.map(|(collection, _)| (collection, from..numbers.len())));
            }
        }
        let place = |place: Option<(Option<u64>, std::ops::Range<usize>)>| {
            place.map(|(collection, range)| (collection, &numbers[range]))
        };
        places.into_iter().map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_objects_are_refused() {
        assert_eq!(check_number(10, 5, 4), Ok(()));
        let half = 1 << 31;
        assert_eq!(check_number(half - 1, 0, 1), Ok(()));
        assert_eq!(
            check_number(1, 1, u32::MAX),
            Err(MachineError::TooManyObjects { n_objects: u32::MAX as usize })
        );
        assert_eq!(
            check_number(half / 2, half / 2, 2),
            Err(MachineError::TooManyObjects { n_objects: half })
        );
    }
}
