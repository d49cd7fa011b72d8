// SPDX-License-Identifier: MIT OR Apache-2.0
//! Made data sets: sampled objects, loads and communication, seeded.
//!
//! [`populate`] turns a [`SampledSpec`] and a seed into a [`Population`], whose files can be taken rank by
//! rank; [`sample`] takes them all at once. [`shapes`] builds small data sets with a known communication
//! graph, for tests.
//!
//! The same specification and seed give the same data set. Random numbers come from the `ChaCha` cipher,
//! whose stream never changes; on another platform the last bit of a lognormal load may differ, because the exponential
//! function of its C library does.
#![forbid(unsafe_code)]

mod error;
mod population;
mod sampled;
mod sampler;
pub mod shapes;
mod spec;
mod stream;

pub use error::SynthError;
pub use population::Population;
pub use sampled::{populate, sample};
pub use sampler::{Law, Sampler};
pub use spec::{Amount, SampledSpec, SharedBlocks};
