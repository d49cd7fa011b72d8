// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands as strategies: their answers, errors and processes.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

mod answers;
mod digest;
mod document;
mod faults;
mod large;
mod lpt;
mod made_phase;
mod objective;
mod parameters;
mod persistent;
mod processes;
mod requests;
mod schemas;
