// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies as external programs, written in any language. A command reads the problem as JSON on standard input and
//! prints a placement as JSON on standard output.
//!
//! [`External`] contains the parameters, [`Processes`] starts commands, and [`ExternalStrategy`] combines both into a
//! [`Strategy`](lbaf_strategies::Strategy). A Rust program that uses this crate and exits by [`std::process::exit`]
//! must call [`kill_all`] first. `docs/external.md` describes problem and answer key by key; [`request_schema`] and
//! [`answer_schema`] are their JSON Schemas.
//!
//! ```
//! use std::sync::Arc;
//!
//! use lbaf_external::{External, ExternalStrategy, Processes};
//! use lbaf_strategies::Strategy;
//!
//! let parameters = External { time_limit: 5.0, ..External::of(["python3", "lpt.py"]) };
//! let processes = Arc::new(Processes::new("examples/external"));
//! processes.listen(Arc::new(|line: &str| println!("{line}")));
//! let strategy = ExternalStrategy::new(parameters, &processes)?;
//! assert_eq!(strategy.name(), "External");
//! # Ok::<(), lbaf_external::ExternalError>(())
//! ```
#![forbid(unsafe_code)]

mod answer;
mod digest;
mod error;
mod mapping;
mod process;
mod processes;
mod request;
mod standard_error;
mod strategy;

pub use lbaf_strategies::{External, Promise};

pub use answer::answer_schema;
pub use digest::digest;
pub use error::ExternalError;
pub use process::kill_all;
pub use processes::Processes;
pub use request::request_schema;
pub use standard_error::Listener;
pub use strategy::ExternalStrategy;
