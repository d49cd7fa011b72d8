// SPDX-License-Identifier: MIT OR Apache-2.0
//! What people look at, made from the summary of a run and its tables.

pub(crate) mod charts;
pub(crate) mod console;
pub(crate) mod illustration;
pub(crate) mod paper_tables;
mod pictures;
pub(crate) mod problem;
mod subphases;
