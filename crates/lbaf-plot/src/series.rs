// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a chart compares: states of one run, or the results of several.

use crate::legend::{Entry, Sample};
use crate::palette::{AFTER, BEFORE, Look, run};

/// One of the things that a chart compares.
#[derive(Debug, Clone, PartialEq)]
pub struct Series<T> {
    /// What the legend calls it.
    pub name: String,
    /// What it is, which decides how it looks.
    pub state: State,
    /// Its data.
    pub values: T,
}

/// What a series is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Data as they came.
    Before,
    /// What a strategy made of them.
    After,
    /// What the run of this number made of them, where several are compared.
    Run(usize),
}

impl<T> Series<T> {
    /// A state of a single run, which its legend calls what it is.
    pub fn before(values: T) -> Self {
        Self { name: "before".to_owned(), state: State::Before, values }
    }

    /// See [`Series::before`].
    pub fn after(values: T) -> Self {
        Self { name: "after".to_owned(), state: State::After, values }
    }

    /// How the legend names an area or its edge.
    pub(crate) fn edge(&self) -> Entry {
        Entry { sample: Sample::Edge(self.state.look()), text: self.name.clone() }
    }
}

impl State {
    pub(crate) fn look(self) -> Look {
        match self {
            Self::Before => BEFORE,
            Self::After => AFTER,
            Self::Run(number) => run(number),
        }
    }
}
