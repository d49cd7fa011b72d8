// SPDX-License-Identifier: MIT OR Apache-2.0
//! Attributes that written files add to tasks, under `user_defined`.

use lbaf_model::{DataSet, ObjectQuantity, Phase, PhaseId, RankId, Slot};
use lbaf_writer::Member;
use serde_json::{Value, json};

use crate::denoise::Noise;

/// Quantities that LBAF writes as floating-point numbers, independent of the placement.
const QUANTITIES: [ObjectQuantity; 6] = [
    ObjectQuantity::Load,
    ObjectQuantity::ObjectMemory,
    ObjectQuantity::OverheadMemory,
    ObjectQuantity::ReceivedVolume,
    ObjectQuantity::SentVolume,
    ObjectQuantity::MaxVolume,
];

/// Value in LBAF of a quantity that an object lacks.
const NONE: i64 = -1;

/// Attributes of tasks: results of `denoise`, LBAF's quantities, or both.
#[derive(Clone, Copy)]
pub(crate) struct Carried<'a> {
    pub data: &'a DataSet,
    pub noise: Option<&'a Noise>,
    pub object_quantities: bool,
}

impl Carried<'_> {
    /// True if there are no attributes to add.
    pub(crate) fn is_empty(self) -> bool {
        self.noise.is_none() && !self.object_quantities
    }

    /// Returns the attributes to add to a task in the file of `rank`.
    pub(crate) fn of_task(self, phase: PhaseId, slot: Slot, rank: RankId) -> Vec<Member> {
        let mut members = Vec::new();
        if let Some(noise) = self.noise {
            let numbers = noise.of_task(phase, slot);
            members.extend(numbers.into_iter().map(|(name, number)| (name, number.into())));
        }
        if let Some(phase) = self.data.phase(phase).filter(|_| self.object_quantities) {
            members.extend(self.quantities(phase, slot, rank));
        }
        members
    }

    fn quantities(self, phase: &Phase, slot: Slot, rank: RankId) -> impl Iterator<Item = Member> {
        let of = move |quantity: ObjectQuantity| {
            let value = quantity.of(slot, phase, phase.recorded_assignment(), self.data.keys());
            (quantity.name(), value.map_or(json!(NONE), Value::from))
        };
        let block = phase.memory(slot).block.map(|block| phase.blocks()[block.index()].id);
        let block = block.map_or(json!(NONE), Value::from);
        let placed = [(ObjectQuantity::RankId, json!(rank.0)), (ObjectQuantity::SharedId, block)];
        let placed = placed.map(|(quantity, value)| (quantity.name(), value));
        QUANTITIES.map(of).into_iter().chain(placed)
    }
}
