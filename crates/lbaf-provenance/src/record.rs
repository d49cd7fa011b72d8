// SPDX-License-Identifier: MIT OR Apache-2.0
//! The records of the six collections of a provenance database, as its schema page names them.
//!
//! Fields are in alphabetical order, which is the order of keys that Chimbuko writes. Numbers are read as whole or
//! floating-point numbers whichever the field is, because those that passed through the database changed between the two.

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

/// The collections of a database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Collection {
    /// Executions that are anomalies: [`Event`].
    Anomalies,
    /// Executions that are not, for comparison: [`Event`].
    Normalexecs,
    /// What is known of programs and ranks: [`MetadataEntry`].
    Metadata,
    /// What functions took, and their anomalies: [`FunctionStats`].
    FuncStats,
    /// Counters: [`CounterStats`].
    CounterStats,
    /// What was learnt of each function: [`AdModel`].
    AdModel,
}

impl Collection {
    /// All of them: first those of the main database, then those of the global one.
    pub const ALL: [Collection; 6] = [
        Collection::Anomalies,
        Collection::Normalexecs,
        Collection::Metadata,
        Collection::FuncStats,
        Collection::CounterStats,
        Collection::AdModel,
    ];

    /// The name in the schema.
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

    /// The collection of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|collection| collection.name() == name)
    }
}
