// SPDX-License-Identifier: MIT OR Apache-2.0
//! The best placement as the answer to a mixed-integer program.
//!
//! [`Formulated`] writes a phase and a work model down as a [`Program`]: variables, constraints, and the
//! maximum work to be minimized. [`to_lp`] and [`to_mps`] write its files, which every solver reads; [`Solution`] is a solver's solution, and
//! [`Formulated::placement`] makes an assignment of it. What cannot be written down is an error, never left out.
//!
//! No solver is here, no file and no clock.
#![forbid(unsafe_code)]

mod communication;
mod error;
mod expression;
mod form;
mod formulated;
mod lp;
mod memory;
mod mps;
mod program;
mod quantity;
mod size;
mod solution;
mod units;

pub use error::{FormulationError, SolutionError};
pub use form::Form;
pub use formulated::Formulated;
pub use lp::to_lp;
pub use mps::to_mps;
pub use program::{Constraint, Program, Relation, Variable, VariableId};
pub use size::ProgramSize;
pub use solution::{Solution, Value};
