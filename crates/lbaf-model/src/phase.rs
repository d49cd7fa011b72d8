// SPDX-License-Identifier: MIT OR Apache-2.0
//! One measured step of the application: its objects as columns, its ranks, blocks and communication.

mod builder;

use std::sync::Arc;

pub use builder::{Object, PhaseBuilder};

use crate::shared::shared;
use crate::{
    Assignment, BlockIdx, CommGraph, Coordinates, Dictionary, ModelError, NodeId, ObjectIdx, Objects,
    PhaseId, RankId, Slot, Subphases,
};

/// Properties of a rank in a phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rank {
    /// Seconds of work per second of load: 1 at normal speed, 2 at half the speed.
    pub alpha: f64,
    /// The node of the rank.
    pub node: NodeId,
    /// Bytes that the rank needs independently of its objects.
    pub working_bytes: f64,
}

/// A memory block that objects share. Each rank with at least one of them holds the block once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Number in the files.
    pub id: u64,
    /// Size in bytes.
    pub size_bytes: f64,
    /// Home of the block.
    pub home: RankId,
}

/// Memory requirements of an object, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ObjectMemory {
    /// Bytes that the object always holds.
    pub footprint_bytes: f64,
    /// Additional bytes while the object runs.
    pub working_bytes: f64,
    /// Bytes sent when the object migrates.
    pub serialized_bytes: f64,
    /// The block that the object works on.
    pub block: Option<BlockIdx>,
}

/// The columns of a phase: objects and their values by [`Slot`], ranks by [`RankId`], blocks by [`BlockIdx`]. Copies
/// share all columns except loads, ranks and blocks.
#[derive(Clone, Debug)]
pub struct PhaseColumns {
    /// The objects of the phase, strictly ascending.
    pub objects: Objects,
    /// Measured loads in seconds.
    pub load: Vec<f64>,
    /// Memory requirements.
    pub memory: Dictionary<ObjectMemory>,
    /// True for migratable objects.
    pub migratable: Arc<[bool]>,
    /// The recorded placement.
    pub recorded: Arc<Assignment>,
    /// All ranks, including those without objects.
    pub ranks: Vec<Rank>,
    /// All blocks.
    pub blocks: Vec<Block>,
    /// The communication graph.
    pub communication: CommGraph,
}

/// One measured step of the application, immutable. Copies share its columns.
#[derive(Clone, Debug)]
pub struct Phase {
    id: PhaseId,
    columns: Arc<PhaseColumns>,
    coordinates: Option<Arc<Coordinates>>,
    subphases: Option<Arc<Subphases>>,
}

impl ObjectMemory {
    /// Returns the bytes that migrate with the object, without its block: its serialized size or, if that is
    /// unknown, its footprint.
    pub fn migration_bytes(&self) -> f64 {
        if self.serialized_bytes > 0.0 { self.serialized_bytes } else { self.footprint_bytes }
    }

    /// Returns footprint, working memory and serialized size.
    fn bytes(&self) -> [f64; 3] {
        [self.footprint_bytes, self.working_bytes, self.serialized_bytes]
    }
}

impl PhaseColumns {
    /// Returns the columns. Columns that equal those of `earlier` share their memory, except loads, ranks and blocks.
    /// Phases of an iterative application often differ in their loads only. O(objects + edges).
    #[must_use]
    pub fn sharing(self, earlier: &PhaseColumns) -> Self {
        let has_same_objects = self.objects == earlier.objects;
        PhaseColumns {
            objects: if has_same_objects { earlier.objects.clone() } else { self.objects },
            memory: self.memory.sharing(&earlier.memory),
            migratable: shared(self.migratable, &earlier.migratable),
            recorded: shared(self.recorded, &earlier.recorded),
            communication: self.communication.sharing(&earlier.communication),
            load: self.load,
            ranks: self.ranks,
            blocks: self.blocks,
        }
    }
}

impl Phase {
    /// Creates a phase after checking that its columns are consistent.
    ///
    /// # Errors
    /// If columns have different lengths, objects are out of order, ranks or blocks are out of range, a load,
    /// size, volume or alpha is negative or not finite, or a sum over the phase is too large for a floating-point
    /// number. Dictionary values are checked even if no object uses them.
    pub fn new(id: PhaseId, columns: PhaseColumns) -> Result<Self, ModelError> {
        check(&columns).map_err(|message| ModelError::Phase { phase: id, message })?;
        Ok(Phase { id, columns: Arc::new(columns), coordinates: None, subphases: None })
    }

    /// Adds the indices of the objects in their collections, which only a few strategies use.
    ///
    /// # Errors
    /// If the number of objects differs.
    pub fn with_coordinates(self, coordinates: impl Into<Arc<Coordinates>>) -> Result<Self, ModelError> {
        let coordinates = coordinates.into();
        if coordinates.len() != self.n_objects() {
            let message = format!(
                "there are coordinates for {} objects, but the phase has {}",
                coordinates.len(),
                self.n_objects()
            );
            return Err(ModelError::Phase { phase: self.id, message });
        }
        Ok(Phase { coordinates: Some(coordinates), ..self })
    }

    /// Adds the times of the objects in each subphase. Their sum may differ from the load of the object.
    ///
    /// # Errors
    /// If the number of objects differs, a time is negative or not finite, or the sum of all times is too
    /// large for a floating-point number.
    pub fn with_subphases(self, subphases: Subphases) -> Result<Self, ModelError> {
        let checked = if subphases.n_objects() == self.n_objects() {
            check_subphases(&subphases, &self.columns.ranks)
        } else {
            Err(format!(
                "there are subphases for {} objects, but the phase has {}",
                subphases.n_objects(),
                self.n_objects()
            ))
        };
        checked.map_err(|message| ModelError::Phase { phase: self.id, message })?;
        Ok(Phase { subphases: Some(Arc::new(subphases)), ..self })
    }

    /// Returns the same phase with another number, for phases recorded as identical to an earlier one.
    #[must_use]
    pub fn repeated_as(&self, id: PhaseId) -> Self {
        Phase { id, ..self.clone() }
    }

    /// Returns the same phase with other loads, such as predicted ones, by slot. O(objects + edges): the
    /// edges are shared, but their bytes are summed for a check.
    ///
    /// The times of an object in subphases are scaled with its load. If their sum exceeds the old load, they
    /// are scaled to sum up to the new load. Objects with an unchanged load keep their times.
    ///
    /// # Errors
    /// If the number of loads is not the number of objects, a load is negative or not finite, or their sum is
    /// too large for a floating-point number.
    pub fn with_loads(&self, load: Vec<f64>) -> Result<Self, ModelError> {
        self.with_columns(PhaseColumns { load, ..(*self.columns).clone() })
    }

    /// Returns the same phase with other columns, such as objects on other ranks. Indices of objects stay, and times
    /// in subphases are scaled as by [`with_loads`](Self::with_loads).
    ///
    /// # Errors
    /// As for [`Phase::new`], and if the number of objects changes.
    pub fn with_columns(&self, columns: PhaseColumns) -> Result<Self, ModelError> {
        let mut phase = Phase::new(self.id, columns)?;
        if phase.n_objects() != self.n_objects() {
            let message = format!(
                "there are columns for {} objects, but the phase has {}",
                phase.n_objects(),
                self.n_objects()
            );
            return Err(ModelError::Phase { phase: self.id, message });
        }
        phase.coordinates.clone_from(&self.coordinates);
        let Some(subphases) = &self.subphases else { return Ok(phase) };
        let subphases = subphases.rescaled(|slot| (self.load(slot), phase.load(slot)));
        phase.with_subphases(subphases)
    }

    /// Returns the number of the phase in the run.
    pub fn id(&self) -> PhaseId {
        self.id
    }

    /// Returns the columns.
    pub fn columns(&self) -> &PhaseColumns {
        &self.columns
    }

    /// Returns the number of objects.
    pub fn n_objects(&self) -> usize {
        self.columns.objects.len()
    }

    /// Returns the number of ranks.
    pub fn n_ranks(&self) -> usize {
        self.columns.ranks.len()
    }

    /// Returns all slots, ascending.
    pub fn slots(&self) -> impl ExactSizeIterator<Item = Slot> + Clone + use<> {
        (0..self.n_objects()).map(Slot::from)
    }

    /// Returns all ranks, ascending.
    pub fn rank_ids(&self) -> impl ExactSizeIterator<Item = RankId> + Clone + use<> {
        (0..self.n_ranks()).map(RankId::from)
    }

    /// Returns the object in a slot.
    pub fn object(&self, slot: Slot) -> ObjectIdx {
        self.columns.objects.at(slot)
    }

    /// Returns the slot of an object; `None` if it has no task in this phase. O(1) if the phase has all
    /// objects, else O(log n).
    pub fn slot_of(&self, object: ObjectIdx) -> Option<Slot> {
        self.columns.objects.slot_of(object)
    }

    /// Returns the load of an object in seconds.
    #[inline]
    pub fn load(&self, slot: Slot) -> f64 {
        self.columns.load[slot.index()]
    }

    /// Returns the memory requirements of an object.
    #[inline]
    pub fn memory(&self, slot: Slot) -> &ObjectMemory {
        &self.columns.memory[slot]
    }

    /// True if an object is migratable.
    #[inline]
    pub fn is_migratable(&self, slot: Slot) -> bool {
        self.columns.migratable[slot.index()]
    }

    /// Returns the indices of objects in their collections; `None` if they are unknown or were not requested
    /// when reading.
    pub fn coordinates(&self) -> Option<&Coordinates> {
        self.coordinates.as_deref()
    }

    /// Returns the times of objects in each subphase; `None` if they are unknown or were not requested when
    /// reading.
    pub fn subphases(&self) -> Option<&Subphases> {
        self.subphases.as_deref()
    }

    /// Returns the communication graph.
    pub fn communication(&self) -> &CommGraph {
        &self.columns.communication
    }

    /// Returns the properties of all ranks.
    pub fn ranks(&self) -> &[Rank] {
        &self.columns.ranks
    }

    /// Returns the blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.columns.blocks
    }

    /// Returns the recorded placement.
    pub fn recorded_assignment(&self) -> &Assignment {
        &self.columns.recorded
    }
}

fn check(columns: &PhaseColumns) -> Result<(), String> {
    let n = columns.objects.len();
    let lengths =
        [columns.load.len(), columns.memory.len(), columns.migratable.len(), columns.recorded.len()];
    if lengths.iter().any(|&length| length != n) {
        return Err(format!("the columns have the lengths {lengths:?}, but the phase has {n} objects"));
    }
    if !columns.objects.ascend() {
        return Err("objects are not strictly ascending".to_owned());
    }
    // Folds without early exit can be vectorized, so this check is cheap.
    let recorded = columns.recorded.as_slice().iter().map(|rank| rank.0).fold(0, u32::max);
    let homes = columns.blocks.iter().map(|block| block.home.0).fold(0, u32::max);
    let last_rank = recorded.max(homes) as usize;
    if last_rank >= columns.ranks.len() && !(columns.recorded.is_empty() && columns.blocks.is_empty()) {
        return Err(format!(
            "an object or block is on rank {last_rank}, but the phase has {} ranks",
            columns.ranks.len()
        ));
    }
    let memory = columns.memory.values();
    if memory.iter().filter_map(|memory| memory.block).any(|block| block.index() >= columns.blocks.len()) {
        return Err("the memory of an object names a block that does not exist".to_owned());
    }
    let of_ranks = columns.ranks.iter().flat_map(|rank| [rank.alpha, rank.working_bytes]);
    let of_blocks = columns.blocks.iter().map(|block| block.size_bytes);
    let of_memory = memory.iter().flat_map(ObjectMemory::bytes);
    let others: Vec<f64> = of_ranks.chain(of_blocks).chain(of_memory).collect();
    largest(&others)?;
    let mut volumes = columns.communication.volumes().iter().map(|volume| volume.bytes);
    if let Some(wrong) = volumes.find(|bytes| bytes.is_nan() || *bytes < 0.0) {
        return Err(format!("the bytes of communication must be non-negative, but one volume is {wrong}"));
    }
    check_sums(columns, largest(&columns.load)?)
}

/// Returns an error if a sum over the phase overflows: means and imbalances would become nan.
fn check_sums(columns: &PhaseColumns, largest_load: f64) -> Result<(), String> {
    // The largest number times the count is an upper bound on the sum. If it is finite, no sum is needed.
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
        Some((name, _)) => Err(format!("the sum of {name} is too large for a floating-point number")),
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
    Err("the sum of the times of all subphases is too large for a floating-point number".to_owned())
}

/// Returns the largest of some numbers, which must be finite and non-negative.
fn largest(numbers: &[f64]) -> Result<f64, String> {
    // Negative, infinite and nan numbers have larger bit patterns than valid ones, and valid ones order as
    // their bit patterns. So one integer maximum finds the largest number and checks all of them.
    let largest = numbers.iter().map(|number| number.to_bits()).fold(0, u64::max);
    if largest < f64::INFINITY.to_bits() {
        return Ok(f64::from_bits(largest));
    }
    match numbers.iter().find(|number| !(0.0..f64::INFINITY).contains(*number)) {
        Some(wrong) => {
            Err(format!("loads, sizes and alphas must be finite and non-negative, but one is {wrong}"))
        }
        // All numbers are valid; the largest bit pattern is that of -0.
        None => Ok(numbers.iter().copied().fold(0.0, f64::max)),
    }
}
