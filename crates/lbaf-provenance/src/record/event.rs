// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of the main database: executions of functions, and what is known of ranks.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use super::ModelRecord;
use super::number::{or_default, score_or_null, whole, whole_if_exact, whole_or_null};

/// An execution of a function, in the collections `anomalies` and `normalexecs`. Times are microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// What the detector knew when it judged this execution; none where that was not written.
    #[serde(default)]
    pub algo_params: Option<ModelRecord>,
    /// This execution, then who called it, outermost last.
    #[serde(default, deserialize_with = "or_default")]
    pub call_stack: Vec<StackFrame>,
    /// Counters read on the thread meanwhile.
    #[serde(default, deserialize_with = "or_default")]
    pub counter_events: Vec<CounterEvent>,
    /// When it began.
    #[serde(deserialize_with = "whole")]
    pub entry: i64,
    /// `rank:step:index`, unique within a program.
    pub event_id: String,
    /// What ran before and after it on the same thread.
    #[serde(default, deserialize_with = "or_default")]
    pub event_window: EventWindow,
    /// When it ended.
    #[serde(deserialize_with = "whole")]
    pub exit: i64,
    /// Number of the function, unique within a run.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Name of the function.
    pub func: String,
    /// Where on a GPU it ran; null on a processor.
    #[serde(default)]
    pub gpu_location: Option<GpuLocation>,
    /// Who started it on the GPU; null on a processor.
    #[serde(default)]
    pub gpu_parent: Option<GpuParent>,
    /// The host.
    #[serde(default, deserialize_with = "or_default")]
    pub hostname: String,
    /// The step in which it was judged.
    #[serde(deserialize_with = "whole")]
    pub io_step: i64,
    /// When that step ended.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub io_step_tend: i64,
    /// When that step began.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub io_step_tstart: i64,
    /// Whether it ran on a GPU.
    #[serde(default, deserialize_with = "or_default")]
    pub is_gpu_event: bool,
    /// How the node was; null if nobody watched it.
    #[serde(default)]
    pub node_state: Option<NodeState>,
    /// How unlikely it is, -1 if that was never asked, or if the answer was not a number and written as null.
    #[serde(deserialize_with = "score_or_null")]
    pub outlier_score: f64,
    /// How much it matters: its exclusive time.
    #[serde(default, deserialize_with = "or_default")]
    pub outlier_severity: f64,
    /// The program.
    #[serde(deserialize_with = "whole")]
    pub pid: i64,
    /// The rank.
    #[serde(deserialize_with = "whole")]
    pub rid: i64,
    /// Time without that of functions it called.
    #[serde(serialize_with = "whole_if_exact")]
    pub runtime_exclusive: f64,
    /// Time with it.
    #[serde(serialize_with = "whole_if_exact")]
    pub runtime_total: f64,
    /// The thread.
    #[serde(deserialize_with = "whole")]
    pub tid: i64,
    /// Version of the record: 2, or 1 in files that have none.
    #[serde(default = "first_version", deserialize_with = "whole")]
    pub version: i64,
}

/// What records have that say nothing of their version.
fn first_version() -> i64 {
    1
}

/// An execution on a call stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StackFrame {
    /// When it began.
    #[serde(deserialize_with = "whole")]
    pub entry: i64,
    /// Which execution it is.
    pub event_id: String,
    /// When it ended, 0 if it had not when this was written.
    #[serde(deserialize_with = "whole_or_null")]
    pub exit: i64,
    /// Number of the function.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Its name.
    pub func: String,
    /// Whether it is an anomaly.
    #[serde(default, deserialize_with = "or_default")]
    pub is_anomaly: bool,
}

/// A counter read on a thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CounterEvent {
    /// Number of the counter.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub counter_idx: i64,
    /// Its name.
    pub counter_name: String,
    /// What it said.
    #[serde(serialize_with = "whole_if_exact")]
    pub counter_value: f64,
    /// The program.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub pid: i64,
    /// The rank.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub rid: i64,
    /// The thread.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tid: i64,
    /// When.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub ts: i64,
}

/// What happened on the same thread around an execution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EventWindow {
    /// What was sent and received.
    #[serde(default, deserialize_with = "or_default")]
    pub comm_window: Vec<Message>,
    /// What ran, in the order in which it began, the execution itself too.
    #[serde(default, deserialize_with = "or_default")]
    pub exec_window: Vec<Execution>,
}

/// An execution in a window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Execution {
    /// When it began.
    #[serde(deserialize_with = "whole")]
    pub entry: i64,
    /// Which execution it is.
    pub event_id: String,
    /// When it ended, 0 if it had not when this was written.
    #[serde(deserialize_with = "whole_or_null")]
    pub exit: i64,
    /// Number of the function.
    #[serde(deserialize_with = "whole")]
    pub fid: i64,
    /// Its name.
    pub func: String,
    /// Whether it is an anomaly.
    #[serde(default, deserialize_with = "or_default")]
    pub is_anomaly: bool,
    /// Who called it.
    #[serde(default, deserialize_with = "or_default")]
    pub parent_event_id: String,
}

/// A message in a window, as one of its ends saw it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Message {
    /// Its size.
    #[serde(deserialize_with = "whole")]
    pub bytes: i64,
    /// The execution that sent or received it.
    #[serde(default, deserialize_with = "or_default")]
    pub execdata_key: String,
    /// The program.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub pid: i64,
    /// The rank that saw it.
    #[serde(deserialize_with = "whole")]
    pub rid: i64,
    /// The rank that sent it.
    #[serde(deserialize_with = "whole")]
    pub src: i64,
    /// Its tag.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tag: i64,
    /// The rank that received it.
    #[serde(deserialize_with = "whole")]
    pub tar: i64,
    /// The thread that saw it.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tid: i64,
    /// When.
    #[serde(deserialize_with = "whole")]
    pub timestamp: i64,
    /// `SEND` or `RECV`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Where on a GPU something ran; -1 where that is unknown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuLocation {
    /// The context.
    #[serde(deserialize_with = "whole_or_null")]
    pub context: i64,
    /// The device.
    #[serde(deserialize_with = "whole_or_null")]
    pub device: i64,
    /// The stream.
    #[serde(deserialize_with = "whole_or_null")]
    pub stream: i64,
    /// The thread that stands for all of these.
    #[serde(deserialize_with = "whole_or_null")]
    pub thread: i64,
}

/// Who started something on a GPU, or why that is not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum GpuParent {
    /// A function on a processor.
    Function(GpuParentFunction),
    /// A sentence of Chimbuko.
    Unknown(String),
}

/// The function on a processor that started something on a GPU.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GpuParentFunction {
    /// It, then who called it.
    #[serde(default, deserialize_with = "or_default")]
    pub call_stack: Vec<StackFrame>,
    /// Which execution it is.
    pub event_id: String,
    /// Its thread.
    #[serde(deserialize_with = "whole")]
    pub tid: i64,
}

impl<'de> Deserialize<'de> for GpuParent {
    /// The derived form would say of whatever is wrong inside that it is none of the two.
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

/// How a node was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeState {
    /// What was watched.
    #[serde(default, deserialize_with = "or_default")]
    pub data: Vec<NodeField>,
    /// When.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub timestamp: i64,
}

/// Something that was watched on a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NodeField {
    /// Its name, with its unit.
    pub field: String,
    /// Its value.
    #[serde(serialize_with = "whole_if_exact")]
    pub value: f64,
}

/// Something known of a program or a rank, in the collection `metadata`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetadataEntry {
    /// What it is.
    pub descr: String,
    /// The program.
    #[serde(deserialize_with = "whole")]
    pub pid: i64,
    /// The rank.
    #[serde(deserialize_with = "whole")]
    pub rid: i64,
    /// The thread, 0 but for those that stand for a GPU.
    #[serde(default, deserialize_with = "whole_or_null")]
    pub tid: i64,
    /// Its value, always a string.
    pub value: String,
}
