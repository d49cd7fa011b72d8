// SPDX-License-Identifier: MIT OR Apache-2.0
//! The best placement as the answer to a mixed-integer program.
//!
//! [`Formulated`] writes a phase and a work model down as a [`Program`]: columns, rows, and a largest work to be made
//! small. [`to_lp`] and [`to_mps`] are its files, which every solver reads; [`Answer`] is what a solver wrote, and
//! [`Formulated::placement`] makes an assignment of it. What cannot be written down is an error, never left out.
//!
//! No solver is here, no file and no clock.
#![forbid(unsafe_code)]

mod answer;
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
mod units;

pub use answer::{Answer, Value};
pub use error::{AnswerError, FormulationError};
pub use form::Form;
pub use formulated::Formulated;
pub use lp::to_lp;
pub use mps::to_mps;
pub use program::{Column, ColumnId, Program, Relation, Row};
pub use size::Size;
