// SPDX-License-Identifier: MIT OR Apache-2.0
//! Synthetic data sets, drawn from distributions or listed in a specification.
//!
//! [`populate`] creates a [`Population`] from a [`SampledSpec`] and a seed, whose files can be created rank by rank;
//! [`sample`] creates all files. [`ListedSpec::population`] creates the population of listed objects. [`shapes`] builds
//! small data sets with a known communication graph, for tests.
//!
//! ```
//! use lbaf_synth::{SampledSpec, populate};
//!
//! let spec: SampledSpec = serde_json::from_value(serde_json::json!({
//!     "n_ranks": 4,
//!     "n_objects": 12,
//!     "n_mapped_ranks": 2,
//!     "load_sampler": { "name": "uniform", "parameters": [0.5, 1.5] },
//!     "communication_degree": 1,
//!     "volume_sampler": { "name": "uniform", "parameters": [1e3, 1e4] },
//! }))?;
//! let population = populate(&spec, 7)?;
//! assert_eq!((population.n_ranks(), population.n_migratable()), (4, 12));
//! assert_eq!(population.file(0), populate(&spec, 7)?.file(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same specification and seed give the same data set. Random numbers come from the `ChaCha` cipher, whose stream
//! never changes, and exponentials, logarithms and powers from the crate `libm`, so values do not depend on the
//! platform.
#![forbid(unsafe_code)]
#![cfg_attr(
    test,
    allow(clippy::disallowed_methods, reason = "expected values do not come from the crate `libm`")
)]

mod by_id;
mod coins;
mod error;
mod evolution;
mod grid;
mod links;
mod listed;
mod owner;
mod population;
mod sampled;
mod sampler;
pub mod shapes;
mod spec;
mod stream;

pub use by_id::ById;
pub use error::SynthError;
pub use evolution::{HotSpot, Places, Wave};
pub use listed::{BlockSpec, CommunicationSpec, ListedSpec, RankSpec, TaskSpec};
pub use owner::Owner;
pub use population::Population;
pub use sampled::{populate, sample};
pub use sampler::{Law, Sampler};
pub use spec::{Amount, SampledSpec, SharedBlocks};

/// Maximum number of ranks: packed ids hold the home rank in 16 bits.
pub(crate) const MAX_RANKS: u32 = 1 << 16;
