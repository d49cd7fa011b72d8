// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the main database: executions of functions, and metadata of ranks.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::ModelRecord;
use super::number::{or_default, score_or_null, whole, whole_if_exact, whole_or_null};

/// Execution of a function, in the collections `anomalies` and `normalexecs`. Times are microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Model by which the detector judged this execution; `None` if not recorded.
    #[serde(default)]
    pub algo_params: Option<ModelRecord>,
    /// This execution, then its callers, outermost last.
    #[serde(default, deserialize_with = "or_default")]
    pub call_stack: Vec<StackFrame>,
    /// Counters read on the thread during the execution.
    #[serde(default, deserialize_with = "or_default")]
    pub counter_events: Vec<CounterEvent>,
    /// Start.
    #[serde(deserialize_with = "whole")]
    pub entry: i64,
    /// `rank:step:index`, unique within a program.
    pub event_id: String,
    /// Executions and messages around this execution on the same thread.
    #[serde(default, deserialize_with = "or_default")]
    pub event_window: EventWindow,
    /// End.
    #[serde(deserialize_with = "whole")]
    pub exit: i64,
    /// Number of the function, unique within a run.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Name of the function.
    pub func: String,
    /// Location on a GPU; null on a CPU.
    #[serde(default)]
    pub gpu_location: Option<GpuLocation>,
    /// Function on a CPU that started this execution on a GPU; null for executions on a CPU.
    #[serde(default)]
    pub gpu_parent: Option<GpuParent>,
    /// Host.
    #[serde(default, deserialize_with = "or_default")]
    pub hostname: String,
    /// Step in which it was judged.
    #[serde(deserialize_with = "whole")]
    pub io_step: i64,
    /// End of the step in which it was judged.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub io_step_tend: i64,
    /// Start of the step in which it was judged.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub io_step_tstart: i64,
    /// True if it ran on a GPU.
    #[serde(default, deserialize_with = "or_default")]
    pub is_gpu_event: bool,
    /// State of the node; null if it was not monitored.
    #[serde(default)]
    pub node_state: Option<NodeState>,
    /// Score: how unlikely the execution is. -1 if it was not scored. Null, which Chimbuko writes for a score that is
    /// not a number, is also read as -1.
    #[serde(deserialize_with = "score_or_null")]
    pub outlier_score: f64,
    /// Severity: the exclusive time.
    #[serde(default, deserialize_with = "or_default")]
    pub outlier_severity: f64,
    /// Program.
    #[serde(deserialize_with = "whole")]
    pub pid: i64,
    /// Rank.
    #[serde(deserialize_with = "whole")]
    pub rid: i64,
    /// Exclusive time, without called functions.
    #[serde(serialize_with = "whole_if_exact")]
    pub runtime_exclusive: f64,
    /// Inclusive time, with called functions.
    #[serde(serialize_with = "whole_if_exact")]
    pub runtime_total: f64,
    /// Thread.
    #[serde(deserialize_with = "whole")]
    pub tid: i64,
    /// Version of the format of the record; 1 if the record does not state it.
    #[serde(default = "first_version", deserialize_with = "whole")]
    pub version: i64,
}

/// Version of records that do not state it.
fn first_version() -> i64 {
    1
}

/// Execution on a call stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StackFrame {
    /// Start.
    #[serde(deserialize_with = "whole")]
    pub entry: i64,
    /// Identity of the execution.
    pub event_id: String,
    /// End; 0 if it had not ended when the record was written.
    #[serde(deserialize_with = "whole_or_null")]
    pub exit: i64,
    /// Number of the function.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Name of the function.
    pub func: String,
    /// True if it is an anomaly.
    #[serde(default, deserialize_with = "or_default")]
    pub is_anomaly: bool,
}

/// Counter read on a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterEvent {
    /// Number of the counter.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub counter_idx: i64,
    /// Name of the counter.
    pub counter_name: String,
    /// Value.
    #[serde(serialize_with = "whole_if_exact")]
    pub counter_value: f64,
    /// Program.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub pid: i64,
    /// Rank.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub rid: i64,
    /// Thread.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tid: i64,
    /// Time of the reading.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub ts: i64,
}

/// Events on the same thread around an execution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventWindow {
    /// Messages sent and received.
    #[serde(default, deserialize_with = "or_default")]
    pub comm_window: Vec<Message>,
    /// Executions in the order of their starts, including the execution itself.
    #[serde(default, deserialize_with = "or_default")]
    pub exec_window: Vec<Execution>,
}

/// Execution in a window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// Start.
    #[serde(deserialize_with = "whole")]
    pub entry: i64,
    /// Identity of the execution.
    pub event_id: String,
    /// End; 0 if it had not ended when the record was written.
    #[serde(deserialize_with = "whole_or_null")]
    pub exit: i64,
    /// Number of the function.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Name of the function.
    pub func: String,
    /// True if it is an anomaly.
    #[serde(default, deserialize_with = "or_default")]
    pub is_anomaly: bool,
    /// Caller.
    #[serde(default, deserialize_with = "or_default")]
    pub parent_event_id: String,
}

/// Message in a window, as recorded by its sender or receiver.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Message {
    /// Size in bytes.
    #[serde(deserialize_with = "whole")]
    pub bytes: i64,
    /// Execution that sent or received it.
    #[serde(default, deserialize_with = "or_default")]
    pub execdata_key: String,
    /// Program.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub pid: i64,
    /// Rank that recorded it.
    #[serde(deserialize_with = "whole")]
    pub rid: i64,
    /// Sender.
    #[serde(deserialize_with = "whole")]
    pub src: i64,
    /// Tag.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tag: i64,
    /// Receiver.
    #[serde(deserialize_with = "whole")]
    pub tar: i64,
    /// Thread that recorded it.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tid: i64,
    /// Time.
    #[serde(deserialize_with = "whole")]
    pub timestamp: i64,
    /// `SEND` or `RECV`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Location of an execution on a GPU; -1 for unknown values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuLocation {
    /// Context.
    #[serde(deserialize_with = "whole_or_null")]
    pub context: i64,
    /// Device.
    #[serde(deserialize_with = "whole_or_null")]
    pub device: i64,
    /// Stream.
    #[serde(deserialize_with = "whole_or_null")]
    pub stream: i64,
    /// Thread that represents context, device and stream.
    #[serde(deserialize_with = "whole_or_null")]
    pub thread: i64,
}

/// Origin of an execution on a GPU, or the reason why it is unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum GpuParent {
    /// Function on a CPU.
    Function(GpuParentFunction),
    /// Message of Chimbuko.
    Unknown(String),
}

/// Function on a CPU that started an execution on a GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuParentFunction {
    /// The function that started the execution, then its callers.
    #[serde(default, deserialize_with = "or_default")]
    pub call_stack: Vec<StackFrame>,
    /// Identity of the execution of this function.
    pub event_id: String,
    /// Thread of the function.
    #[serde(deserialize_with = "whole")]
    pub tid: i64,
}

impl<'de> Deserialize<'de> for GpuParent {
    /// Reads an object or a string. The derived implementation would report a fault inside an object as a mismatch of
    /// both variants.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = GpuParent;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object that describes a function, or a string")
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<GpuParent, E> {
                Ok(GpuParent::Unknown(value.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<GpuParent, A::Error> {
                GpuParentFunction::deserialize(MapAccessDeserializer::new(map)).map(GpuParent::Function)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// State of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeState {
    /// Monitored quantities.
    #[serde(default, deserialize_with = "or_default")]
    pub data: Vec<NodeField>,
    /// Time of the measurement.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub timestamp: i64,
}

/// Monitored quantity of a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeField {
    /// Name, with its unit.
    pub field: String,
    /// Value.
    #[serde(serialize_with = "whole_if_exact")]
    pub value: f64,
}

/// Metadata of a program or a rank, in the collection `metadata`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetadataEntry {
    /// Description.
    pub descr: String,
    /// Program.
    #[serde(deserialize_with = "whole")]
    pub pid: i64,
    /// Rank.
    #[serde(deserialize_with = "whole")]
    pub rid: i64,
    /// Thread; 0 except for threads that represent a GPU.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tid: i64,
    /// Value, always a string.
    pub value: String,
}
