// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf_rs._core`: the engine of `lbaf` for the Python package `lbaf_rs`.
//!
//! This module passes data and calls; the Python files in `lbaf_rs` have the names, documentation and defaults for
//! users. Structured results are passed as JSON, columns as arrays of NumPy.

mod arrow;
mod balance;
mod call;
mod charts;
mod columns;
mod data_set;
mod engine;
mod failure;
mod own_strategy;
mod phase;
mod phase_builder;
mod run;
mod simulate;
mod strategies;
mod study;
mod work_model;

use pyo3::prelude::*;

/// Module `lbaf_rs._core`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::{
        arrow::arrow_stream,
        balance::{Result, balance},
        call::end,
        charts::{chart_names, charts, report},
        data_set::{DataSet, read},
        engine::panic,
        own_strategy::OwnStrategy,
        phase::Phase,
        phase_builder::build_phase,
        run::run,
        simulate::{Simulation, simulate},
        strategies::{is_strategy_name, strategies},
        study::{CellComputer, Study, open_study},
        work_model::WorkModel,
    };

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::engine::keep_panics_silent();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
