// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was measured so far.

use std::borrow::Cow;

use lbaf_model::{Assignment, ObjectIdx, Phase, Vertex, Volume};

/// A phase that ran, and where its objects were meanwhile.
#[derive(Clone, Debug)]
pub struct Measured<'a> {
    /// The phase.
    pub phase: &'a Phase,
    /// Where its objects were.
    pub assignment: Cow<'a, Assignment>,
}

/// All phases that ran so far, the last one last.
#[derive(Clone, Debug, Default)]
pub struct History<'a> {
    measured: Vec<Measured<'a>>,
}

impl<'a> History<'a> {
    /// Adds what was measured in the phase that ended.
    pub fn push(&mut self, measured: Measured<'a>) {
        self.measured.push(measured);
    }

    /// Number of phases that ran.
    pub fn len(&self) -> usize {
        self.measured.len()
    }

    /// Whether nothing ran yet.
    pub fn is_empty(&self) -> bool {
        self.measured.is_empty()
    }

    /// The phase that ended last.
    pub fn last(&self) -> Option<&Measured<'a>> {
        self.measured.last()
    }

    /// The phase that ended `back` phases ago: 1 is the last one.
    fn back(&self, back: usize) -> Option<&Measured<'a>> {
        self.measured.len().checked_sub(back).and_then(|at| self.measured.get(at))
    }

    /// Seconds that an object took `back` phases ago, if it was there.
    pub(crate) fn load(&self, object: ObjectIdx, back: usize) -> Option<f64> {
        let Measured { phase, .. } = self.back(back)?;
        phase.slot_of(object).map(|slot| phase.load(slot))
    }

    /// What an object exchanged with other ranks `back` phases ago: received and sent. Nothing if it was not there.
    pub(crate) fn off_rank(&self, object: ObjectIdx, back: usize) -> Option<[Volume; 2]> {
        let Measured { phase, assignment } = self.back(back)?;
        let slot = phase.slot_of(object)?;
        let here = assignment.rank_of(slot);
        let is_away = |vertex: &Vertex| match *vertex {
            Vertex::Object(other) => assignment.rank_of(other) != here,
            Vertex::Rank(rank) => rank != here,
        };
        let sum = |edges: &mut dyn Iterator<Item = (Vertex, Volume)>| {
            edges.filter(|(vertex, _)| is_away(vertex)).fold(Volume::default(), |sum, (_, volume)| Volume {
                bytes: sum.bytes + volume.bytes,
                messages: sum.messages + volume.messages,
            })
        };
        let graph = phase.communication();
        Some([sum(&mut graph.incoming(slot)), sum(&mut graph.outgoing(slot))])
    }
}
