// SPDX-License-Identifier: MIT OR Apache-2.0
//! A phase to be balanced.

use lbaf_model::{Assignment, ObjectKey, Phase, WorkModel};

/// A phase to be balanced. Nothing in it ever changes.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    /// Objects, loads, communication, ranks.
    pub phase: &'a Phase,
    /// The rank of every object at the start.
    pub initial: &'a Assignment,
    /// The cost of a placement, and the bounds that it must keep.
    pub model: &'a dyn WorkModel,
    /// Identity of the objects of the data set, by [`ObjectIdx`](lbaf_model::ObjectIdx).
    pub keys: &'a [ObjectKey],
}

impl<'a> Problem<'a> {
    /// A phase that starts from its recorded placement.
    pub fn recorded(phase: &'a Phase, model: &'a dyn WorkModel, keys: &'a [ObjectKey]) -> Self {
        Problem { phase, initial: phase.recorded_assignment(), model, keys }
    }
}
