// SPDX-License-Identifier: MIT OR Apache-2.0
//! Placement problems as mixed-integer programs.
//!
//! [`Formulated`] expresses a phase and a work model as a [`Program`]: variables, constraints, and the maximum work to
//! be minimized. [`to_lp`] and [`to_mps`] print a program in file formats that common solvers read. [`Solution`]
//! parses the solution file of a solver, and [`Formulated::placement`] turns a solution into an assignment. If a
//! formulation cannot express a term or an upper bound of the work model, [`Formulated::new`] returns an error.
//!
//! The crate contains no solver and accesses neither files nor the clock.
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
