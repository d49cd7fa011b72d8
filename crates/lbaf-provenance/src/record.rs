// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the six collections of a provenance database, with the names of its schema.
//!
//! Fields are in the alphabetical order of their keys, as in Chimbuko's files. Numeric fields accept integers and
//! floating-point numbers, because the database may convert one to the other.

mod detector;
mod event;
mod global;
mod model;
mod number;

pub use event::{
    CounterEvent, Event, EventWindow, Execution, GpuLocation, GpuParent, GpuParentFunction, Message,
    MetadataEntry, NodeField, NodeState, StackFrame,
};
pub use global::{AdModel, AnomalyMetrics, CounterStats, FunctionStats, RuntimeProfile};
pub use model::{HistogramRecord, ModelRecord, StatisticsRecord};

/// Collection of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Collection {
    /// Executions that are anomalies: [`Event`].
    Anomalies,
    /// Normal executions, for comparison: [`Event`].
    Normalexecs,
    /// Metadata of programs and ranks: [`MetadataEntry`].
    Metadata,
    /// Times of functions, and their anomalies: [`FunctionStats`].
    FuncStats,
    /// Counters: [`CounterStats`].
    CounterStats,
    /// Model of each function: [`AdModel`].
    AdModel,
}

impl Collection {
    /// All collections: those of the main database, then those of the global one.
    pub const ALL: [Collection; 6] = [
        Collection::Anomalies,
        Collection::Normalexecs,
        Collection::Metadata,
        Collection::FuncStats,
        Collection::CounterStats,
        Collection::AdModel,
    ];

    /// Returns the name in the schema.
    pub fn name(self) -> &'static str {
        match self {
            Collection::Anomalies => "anomalies",
            Collection::Normalexecs => "normalexecs",
            Collection::Metadata => "metadata",
            Collection::FuncStats => "func_stats",
            Collection::CounterStats => "counter_stats",
            Collection::AdModel => "ad_model",
        }
    }

    /// Returns the collection with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|collection| collection.name() == name)
    }
}
