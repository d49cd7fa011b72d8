// SPDX-License-Identifier: MIT OR Apache-2.0
//! One measured step of the application: its objects as columns, its ranks, blocks and communication.

mod builder;

use std::sync::Arc;

pub use builder::{Object, PhaseBuilder};

use crate::{
    Assignment, BlockIdx, CommGraph, Coordinates, Dictionary, ModelError, NodeId, ObjectIdx, Objects,
    PhaseId, RankId, Slot, Subphases,
};

/// A rank as a phase sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    /// Seconds of work per second of load: 1 for a rank of normal speed, 2 for one half as fast.
    pub alpha: f64,
    /// The host of the rank.
    pub node: NodeId,
    /// Bytes that the rank needs whatever objects it owns.
    pub working_bytes: f64,
}

/// A memory block that objects share: it is in memory once on each rank that owns one of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Number in the files.
    pub id: u64,
    /// Size in bytes.
    pub size_bytes: f64,
    /// The rank it belongs to.
    pub home: RankId,
}

/// What an object needs of memory, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObjectMemory {
    /// While it rests.
    pub footprint_bytes: f64,
    /// Further bytes while it runs.
    pub working_bytes: f64,
    /// On the wire when it migrates.
    pub serialized_bytes: f64,
    /// The block it works on.
    pub block: Option<BlockIdx>,
}

/// Everything a phase is made of, column by column; position = [`Slot`].
#[derive(Clone, Debug)]
pub struct PhaseColumns {
    /// The objects of the phase, strictly ascending.
    pub objects: Objects,
    /// Seconds measured.
    pub load: Vec<f64>,
    /// Its memory.
    pub memory: Dictionary<ObjectMemory>,
    /// Whether it may move.
    pub migratable: Vec<bool>,
    /// The rank that it was recorded on.
    pub recorded: Assignment,
    /// All ranks, those without objects too.
    pub ranks: Vec<Rank>,
    /// All blocks.
    pub blocks: Vec<Block>,
    /// Who talks to whom.
    pub communication: CommGraph,
}

/// One measured step of the application. It never changes after it is built; copies share its columns.
#[derive(Clone, Debug)]
pub struct Phase {
    id: PhaseId,
    columns: Arc<PhaseColumns>,
    coordinates: Option<Arc<Coordinates>>,
    subphases: Option<Arc<Subphases>>,
}

impl ObjectMemory {
    /// What goes over the wire when the object migrates: its serialized size, and where that is not stated, its
    /// footprint. Blocks are not in it.
    pub fn migration_bytes(&self) -> f64 {
        if self.serialized_bytes > 0.0 { self.serialized_bytes } else { self.footprint_bytes }
    }

    /// All three sizes.
    fn bytes(&self) -> [f64; 3] {
        [self.footprint_bytes, self.working_bytes, self.serialized_bytes]
    }
}

impl Phase {
    /// Checks the columns against each other.
    ///
    /// # Errors
    /// Columns of different lengths, objects out of order, ranks or blocks out of range, and numbers that are
    /// negative or not finite; in the values of a dictionary also if no object has them.
    pub fn new(id: PhaseId, columns: PhaseColumns) -> Result<Self, ModelError> {
        check(&columns).map_err(|message| ModelError::Phase { phase: id, message })?;
        Ok(Phase { id, columns: Arc::new(columns), coordinates: None, subphases: None })
    }

    /// The phase with the indices of its objects, which few strategies ask for.
    ///
    /// # Errors
    /// If they are those of another number of objects.
    pub fn with_coordinates(self, coordinates: Coordinates) -> Result<Self, ModelError> {
        if coordinates.len() != self.n_objects() {
            let message = format!("coordinates of {} objects for {}", coordinates.len(), self.n_objects());
            return Err(ModelError::Phase { phase: self.id, message });
        }
        Ok(Phase { coordinates: Some(Arc::new(coordinates)), ..self })
    }

    /// The phase with what its objects took in each subphase, which few runs ask for. They need not sum up to the loads.
    ///
    /// # Errors
    /// If they are those of another number of objects, or one is negative or not finite.
    pub fn with_subphases(self, subphases: Subphases) -> Result<Self, ModelError> {
        let checked = if subphases.n_objects() == self.n_objects() {
            check_subphases(&subphases, &self.columns.ranks)
        } else {
            Err(format!("subphases of {} objects for {}", subphases.n_objects(), self.n_objects()))
        };
        checked.map_err(|message| ModelError::Phase { phase: self.id, message })?;
        Ok(Phase { subphases: Some(Arc::new(subphases)), ..self })
    }

    /// The same measurements under another number, for phases recorded as identical to an earlier one.
    #[must_use]
    pub fn repeated_as(&self, id: PhaseId) -> Self {
        Phase { id, ..self.clone() }
    }

    /// The same phase with other loads, by slot: as it would be, or is predicted to be. O(objects); edges are shared.
    ///
    /// Subphases keep their shares of the load of an object, or of their sum where that is more. What had no time in any
    /// subphase has none then either.
    ///
    /// # Errors
    /// If they are not one for each object, or one is negative or not finite.
    pub fn with_loads(&self, load: Vec<f64>) -> Result<Self, ModelError> {
        self.with_columns(PhaseColumns { load, ..(*self.columns).clone() })
    }

    /// The same objects in the same phase, with other columns: on other ranks, say.
    ///
    /// # Errors
    /// As [`Phase::new`], and if it is another number of objects.
    pub fn with_columns(&self, columns: PhaseColumns) -> Result<Self, ModelError> {
        let mut phase = Phase::new(self.id, columns)?;
        if phase.n_objects() != self.n_objects() {
            let message = format!("columns of {} objects for {}", phase.n_objects(), self.n_objects());
            return Err(ModelError::Phase { phase: self.id, message });
        }
        phase.coordinates.clone_from(&self.coordinates);
        let Some(subphases) = &self.subphases else { return Ok(phase) };
        let subphases = subphases.rescaled(|slot| (self.load(slot), phase.load(slot)));
        phase.with_subphases(subphases)
    }

    /// Number of the phase in the run.
    pub fn id(&self) -> PhaseId {
        self.id
    }

    /// The columns.
    pub fn columns(&self) -> &PhaseColumns {
        &self.columns
    }

    /// Number of objects.
    pub fn n_objects(&self) -> usize {
        self.columns.objects.len()
    }

    /// Number of ranks.
    pub fn n_ranks(&self) -> usize {
        self.columns.ranks.len()
    }

    /// All slots, ascending.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = Slot> + Clone + use<> {
        (0..self.n_objects()).map(Slot::from)
    }

    /// All ranks, ascending.
    pub fn rank_ids(&self) -> impl ExactSizeIterator<Item = RankId> + Clone + use<> {
        (0..self.n_ranks()).map(RankId::from)
    }

    /// The object in a slot.
    pub fn object(&self, slot: Slot) -> ObjectIdx {
        self.columns.objects.at(slot)
    }

    /// The slot of an object, `None` if it has no task in this phase. O(1) if it has all objects, else O(log n).
    pub fn slot_of(&self, object: ObjectIdx) -> Option<Slot> {
        self.columns.objects.slot_of(object)
    }

    /// Load of an object in seconds.
    #[inline]
    pub fn load(&self, slot: Slot) -> f64 {
        self.columns.load[slot.index()]
    }

    /// Memory of an object.
    #[inline]
    pub fn memory(&self, slot: Slot) -> &ObjectMemory {
        &self.columns.memory[slot]
    }

    /// Whether an object may move.
    #[inline]
    pub fn is_migratable(&self, slot: Slot) -> bool {
        self.columns.migratable[slot.index()]
    }

    /// Where objects are in their collections; `None` if nobody asked for that.
    pub fn coordinates(&self) -> Option<&Coordinates> {
        self.coordinates.as_deref()
    }

    /// What objects took in each subphase; `None` if nobody asked for that, or nobody knows.
    pub fn subphases(&self) -> Option<&Subphases> {
        self.subphases.as_deref()
    }

    /// Who talks to whom.
    pub fn communication(&self) -> &CommGraph {
        &self.columns.communication
    }

    /// The ranks.
    pub fn ranks(&self) -> &[Rank] {
        &self.columns.ranks
    }

    /// The blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.columns.blocks
    }

    /// The placement that was recorded.
    pub fn recorded_assignment(&self) -> &Assignment {
        &self.columns.recorded
    }
}

fn check(columns: &PhaseColumns) -> Result<(), String> {
    let n = columns.objects.len();
    let lengths =
        [columns.load.len(), columns.memory.len(), columns.migratable.len(), columns.recorded.len()];
    if lengths.iter().any(|&length| length != n) {
        return Err(format!("columns of lengths {lengths:?} for {n} objects"));
    }
    if !columns.objects.ascend() {
        return Err("objects are not strictly ascending".to_owned());
    }
    // Folds without an early end take no time, and nearly always nothing is wrong.
    let recorded = columns.recorded.as_slice().iter().map(|rank| rank.0).fold(0, u32::max);
    let homes = columns.blocks.iter().map(|block| block.home.0).fold(0, u32::max);
    let last_rank = recorded.max(homes) as usize;
    if last_rank >= columns.ranks.len() && !(columns.recorded.is_empty() && columns.blocks.is_empty()) {
        return Err(format!("an object or block on rank {last_rank} of {}", columns.ranks.len()));
    }
    let memory = columns.memory.values();
    if memory.iter().filter_map(|memory| memory.block).any(|block| block.index() >= columns.blocks.len()) {
        return Err("memory names a block that does not exist".to_owned());
    }
    let of_ranks = columns.ranks.iter().flat_map(|rank| [rank.alpha, rank.working_bytes]);
    let of_blocks = columns.blocks.iter().map(|block| block.size_bytes);
    let of_memory = memory.iter().flat_map(ObjectMemory::bytes);
    let others: Vec<f64> = of_ranks.chain(of_blocks).chain(of_memory).collect();
    largest(&others)?;
    check_sums(columns, largest(&columns.load)?)
}

/// Sums that would overflow make nan of means and imbalances.
fn check_sums(columns: &PhaseColumns, largest_load: f64) -> Result<(), String> {
    // A bound that is not less than the sum, and most often enough to know.
    let bounded = |largest: f64, n: usize, sum: &dyn Fn() -> f64| {
        let bound = largest * n as f64;
        if bound.is_finite() { bound } else { sum() }
    };
    let load = bounded(largest_load, columns.load.len(), &|| columns.load.iter().sum());
    let all_bytes = |memory: &ObjectMemory| memory.bytes().iter().sum::<f64>();
    let largest_memory = columns.memory.values().iter().map(all_bytes).fold(0.0, f64::max);
    let memory =
        bounded(largest_memory, columns.memory.len(), &|| columns.memory.iter().map(all_bytes).sum());
    let slowest = columns.ranks.iter().map(|rank| rank.alpha).fold(1.0, f64::max);
    let bytes = columns.communication.total().bytes;
    let blocks: f64 = columns.blocks.iter().map(|block| block.size_bytes).sum();
    let own: f64 = columns.ranks.iter().map(|rank| rank.working_bytes).sum();
    let sums = [
        ("loads times alpha", load * slowest),
        ("communication volumes", bytes),
        ("memory", (memory + own) + blocks * columns.ranks.len() as f64),
    ];
    match sums.into_iter().find(|(_, sum)| !sum.is_finite()) {
        Some((what, _)) => Err(format!("the sum of {what} is too large for a floating-point number")),
        None => Ok(()),
    }
}

fn check_subphases(subphases: &Subphases, ranks: &[Rank]) -> Result<(), String> {
    let slowest = ranks.iter().map(|rank| rank.alpha).fold(1.0, f64::max);
    let most = largest(subphases.seconds())? * subphases.seconds().len() as f64;
    if most.is_finite() && (most * slowest).is_finite() {
        return Ok(());
    }
    if (subphases.seconds().iter().sum::<f64>() * slowest).is_finite() {
        return Ok(());
    }
    Err("the sum of times of subphases is too large for a floating-point number".to_owned())
}

/// The largest of some numbers, which have to be finite and not negative.
fn largest(numbers: &[f64]) -> Result<f64, String> {
    // Those that are not have larger patterns of bits than all that are, which are ordered as their patterns.
    // So the millions of right ones take one look each.
    let largest = numbers.iter().map(|number| number.to_bits()).fold(0, u64::max);
    if largest < f64::INFINITY.to_bits() {
        return Ok(f64::from_bits(largest));
    }
    match numbers.iter().find(|number| !(0.0..f64::INFINITY).contains(*number)) {
        Some(wrong) => {
            Err(format!("loads, sizes and alphas are finite and not negative, but one is {wrong}"))
        }
        // A zero with a sign.
        None => Ok(numbers.iter().copied().fold(0.0, f64::max)),
    }
}
