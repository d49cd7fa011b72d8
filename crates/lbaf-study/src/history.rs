// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measurements of past phases.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::OnceLock;

use lbaf_model::{Assignment, ObjectIdx, Objects, Phase, PhaseId, Slot, Vertex, Volume};

/// A completed phase with the placement of its objects.
#[derive(Clone, Debug)]
pub struct Measured<'a> {
    /// The phase.
    pub phase: &'a Phase,
    /// Placement of its objects.
    pub assignment: Cow<'a, Assignment>,
}

/// The most recent phases of a run, oldest first, up to a maximum number of phases.
#[derive(Clone, Debug)]
pub struct History<'a> {
    measured: VecDeque<Kept<'a>>,
    n_kept: usize,
    next: u64,
}

/// A phase, and an index from objects to slots, created at the first access.
#[derive(Clone, Debug)]
struct Kept<'a> {
    measured: Measured<'a>,
    slots: OnceLock<Vec<Slot>>,
}

/// Entry of the index for an object that the phase lacks.
const ABSENT: Slot = Slot(u32::MAX);

impl Default for History<'_> {
    /// Returns a history that keeps all phases.
    fn default() -> Self {
        History::keeping(usize::MAX)
    }
}

impl<'a> History<'a> {
    /// Creates a history that keeps up to `n_phases` phases, and at least one.
    pub fn keeping(n_phases: usize) -> Self {
        History { measured: VecDeque::new(), n_kept: n_phases.max(1), next: 0 }
    }

    /// Adds the phase that ended, and drops the oldest phase if the history is full.
    pub fn push(&mut self, measured: Measured<'a>) {
        if self.measured.len() == self.n_kept {
            self.measured.pop_front();
        }
        self.next = measured.phase.id().0.saturating_add(1);
        self.measured.push_back(Kept { measured, slots: OnceLock::new() });
    }

    /// Sets the number of the next phase, by default the number of the last phase plus 1. A larger number is
    /// needed if the data lack the phases in between.
    pub fn set_next(&mut self, next: PhaseId) {
        self.next = next.0;
    }

    /// Returns the number of phases kept.
    pub fn len(&self) -> usize {
        self.measured.len()
    }

    /// True if no phase was added.
    pub fn is_empty(&self) -> bool {
        self.measured.is_empty()
    }

    /// Returns the phase that ended last; `None` before the first one.
    pub fn last(&self) -> Option<&Measured<'a>> {
        self.measured.back().map(|kept| &kept.measured)
    }

    /// Returns the phases kept, the last one first.
    pub(crate) fn iter_back(&self) -> impl Iterator<Item = &Measured<'a>> {
        self.measured.iter().rev().map(|kept| &kept.measured)
    }

    /// Returns the phase that ended `back` phases ago: 1 is the last one. `None` if it is not kept.
    fn back(&self, back: usize) -> Option<&Kept<'a>> {
        self.measured.len().checked_sub(back).and_then(|at| self.measured.get(at))
    }

    /// Returns the time of the phase that ended `back` phases ago: its number minus the number of the next phase. If no
    /// phase is missing in the data, this is -1 for the last phase. `None` if the phase is not kept.
    pub(crate) fn time(&self, back: usize) -> Option<f64> {
        let id = self.back(back)?.measured.phase.id().0;
        Some(if id < self.next { -((self.next - id) as f64) } else { (id - self.next) as f64 })
    }

    /// Returns the load of an object `back` phases ago, in seconds; `None` if the object was absent or the phase is
    /// not kept.
    pub(crate) fn load(&self, object: ObjectIdx, back: usize) -> Option<f64> {
        let kept = self.back(back)?;
        kept.slot_of(object).map(|slot| kept.measured.phase.load(slot))
    }

    /// Returns the collection of an object in the last kept phase that contains the object, if known.
    pub(crate) fn collection(&self, object: ObjectIdx) -> Option<u64> {
        let (kept, slot) = self.measured.iter().rev().find_map(|kept| Some((kept, kept.slot_of(object)?)))?;
        kept.measured.phase.coordinates()?.collection(slot)
    }

    /// Returns the load of an object `back` phases ago, in seconds: the total, and a list of subphase numbers
    /// with their loads. The list is empty if subphases are unknown. `None` if the object was absent or the phase
    /// is not kept.
    pub(crate) fn subphases(&self, object: ObjectIdx, back: usize) -> Option<(f64, Vec<(u32, f64)>)> {
        let kept = self.back(back)?;
        let (phase, slot) = (kept.measured.phase, kept.slot_of(object)?);
        let times = phase.subphases().map_or_else(Vec::new, |subphases| subphases.numbered(slot).collect());
        Some((phase.load(slot), times))
    }

    /// Returns the volumes that an object received from and sent to other ranks `back` phases ago. `None` if
    /// the object was absent or the phase is not kept.
    pub(crate) fn off_rank(&self, object: ObjectIdx, back: usize) -> Option<[Volume; 2]> {
        let kept = self.back(back)?;
        let slot = kept.slot_of(object)?;
        let Measured { phase, assignment } = &kept.measured;
        let here = assignment.rank_of(slot);
        let is_away = |vertex: &Vertex| match *vertex {
            Vertex::Object(other) => assignment.rank_of(other) != here,
            Vertex::Rank(rank) => rank != here,
        };
        let sum = |edges: &mut dyn Iterator<Item = (Vertex, Volume)>| {
            edges.filter(|(vertex, _)| is_away(vertex)).fold(Volume::default(), |mut sum, (_, volume)| {
                sum += volume;
                sum
            })
        };
        let graph = phase.communication();
        Some([sum(&mut graph.incoming(slot)), sum(&mut graph.outgoing(slot))])
    }
}

impl Kept<'_> {
    /// Returns the slot of an object; `None` if the phase lacks it. O(1), except that the first call creates
    /// an index in O(objects) if the phase lacks some objects.
    fn slot_of(&self, object: ObjectIdx) -> Option<Slot> {
        match &self.measured.phase.columns().objects {
            Objects::All(n) => (object.index() < *n).then_some(Slot(object.0)),
            Objects::Listed(objects) => {
                let slots = self.slots.get_or_init(|| index(objects));
                slots.get(object.index()).copied().filter(|&slot| slot != ABSENT)
            }
        }
    }
}

/// Returns the slots of `objects`, indexed by the number of the object; [`ABSENT`] for all other objects.
fn index(objects: &[ObjectIdx]) -> Vec<Slot> {
    let mut slots = vec![ABSENT; objects.last().map_or(0, |last| last.index() + 1)];
    for (slot, object) in objects.iter().enumerate() {
        slots[object.index()] = Slot::from(slot);
    }
    slots
}
