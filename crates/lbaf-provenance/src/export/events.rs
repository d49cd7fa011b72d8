// SPDX-License-Identifier: MIT OR Apache-2.0
//! Records of executions.

use std::collections::BTreeMap;

use lbaf_model::{Vertex, Volume};
use lbaf_noise::microseconds;

use super::timeline::whole;
use super::{Export, PROGRAM, Place, Timeline, counters};
use crate::record::{
    Event, EventWindow, Execution, GpuLocation, Message, ModelRecord, NodeField, NodeState, StackFrame,
};

/// Input for creating records of executions. 8 bytes for each task.
pub(super) struct Events<'a> {
    export: &'a Export<'a>,
    timeline: Timeline,
    /// For each rank and phase, the position of the first task of the phase among all tasks of the rank.
    firsts: Vec<Vec<usize>>,
    /// For each rank, the start of each task in microseconds, in the order in which tasks run.
    entries: Vec<Vec<f64>>,
    /// Number of each counter by name.
    indices: BTreeMap<&'a str, i64>,
}

/// Number of the function that represents a phase on call stacks. No other function has it.
const PHASE: i64 = -1;
/// Version written to records of executions.
const VERSION: i64 = 2;

impl<'a> Events<'a> {
    pub(super) fn new(export: &'a Export<'a>) -> Self {
        let timeline = Timeline::of(export.labels.data());
        let (mut firsts, mut entries) = (Vec::new(), Vec::new());
        for facts in export.ranks {
            let n_tasks = facts.tasks.iter().map(Vec::len).sum();
            let (mut first, mut begins) = (Vec::new(), Vec::with_capacity(n_tasks));
            for (at, tasks) in facts.tasks.iter().enumerate() {
                first.push(begins.len());
                let [mut now, _] = timeline.phase(at);
                for task in tasks {
                    begins.push(now);
                    now += microseconds(export.labels.data().phases()[at].load(task.slot));
                }
            }
            firsts.push(first);
            entries.push(begins);
        }
        Events { export, timeline, firsts, entries, indices: counters::indices(export) }
    }

    /// Creates the record of an execution.
    pub(super) fn event(&self, place: Place) -> Event {
        let export = self.export;
        let phase = &export.labels.data().phases()[place.at()];
        let task = export.task(place);
        let took = microseconds(phase.load(task.slot));
        let [begin, end] = self.timeline.phase(place.at());
        let function = export.function(place);
        let execution = self.execution(place);
        let facts = &export.ranks[place.rank()];
        let caller = StackFrame {
            entry: whole(begin),
            event_id: self.phase_id(place),
            exit: whole(end),
            fid: PHASE,
            func: format!("phase {}", phase.id()),
            is_anomaly: false,
        };
        let itself = StackFrame {
            entry: execution.entry,
            event_id: execution.event_id.clone(),
            exit: execution.exit,
            fid: execution.fid,
            func: execution.func.clone(),
            is_anomaly: execution.is_anomaly,
        };
        Event {
            algo_params: ModelRecord::of(&export.labels.models()[function]),
            call_stack: vec![itself, caller],
            counter_events: counters::events(export, &self.indices, place, execution.exit),
            entry: execution.entry,
            event_id: execution.event_id,
            event_window: self.window(place),
            exit: execution.exit,
            fid: execution.fid,
            func: execution.func,
            gpu_location: task.is_gpu.then_some(GpuLocation {
                context: -1,
                device: -1,
                stream: -1,
                thread: 0,
            }),
            gpu_parent: None,
            hostname: facts.hostname.clone(),
            io_step: export.step(place.at()),
            io_step_tend: whole(end),
            io_step_tstart: whole(begin),
            is_gpu_event: task.is_gpu,
            node_state: (!facts.node_state.is_empty()).then(|| NodeState {
                data: facts
                    .node_state
                    .iter()
                    .map(|(field, value)| NodeField { field: field.clone(), value: *value })
                    .collect(),
                timestamp: whole(begin),
            }),
            outlier_score: export.labels.of_phase(place.at())[task.slot.index()].score,
            outlier_severity: took,
            pid: PROGRAM,
            rid: i64::from(place.rank),
            runtime_exclusive: took,
            runtime_total: took,
            tid: 0,
            version: VERSION,
        }
    }

    /// Returns the id of the execution that represents the phase on call stacks.
    fn phase_id(&self, place: Place) -> String {
        format!("{}:{}:-1", place.rank, self.export.step(place.at()))
    }

    /// Returns the position of a task among those of its rank.
    fn position(&self, place: Place) -> usize {
        self.firsts[place.rank()][place.at()] + place.index as usize
    }

    /// Returns the task at a position among all tasks of a rank. Its phase is the last one whose first task is at or
    /// before this position.
    fn place(&self, rank: usize, position: usize) -> Place {
        let firsts = &self.firsts[rank];
        let at = firsts.partition_point(|&first| first <= position) - 1;
        Place::new(at, rank, position - firsts[at])
    }

    /// Returns the start and end of an execution.
    pub(super) fn times(&self, place: Place) -> [i64; 2] {
        let entry = self.entries[place.rank()][self.position(place)];
        let load = self.export.labels.data().phases()[place.at()].load(self.export.task(place).slot);
        [whole(entry), whole(entry + microseconds(load))]
    }

    fn execution(&self, place: Place) -> Execution {
        let export = self.export;
        let [entry, exit] = self.times(place);
        let function = export.function(place);
        Execution {
            entry,
            event_id: export.event_id(place),
            exit,
            fid: i64::from(function as u32),
            func: export.labels.functions().keys()[function].to_string(),
            is_anomaly: export.labels.is_outlier(place.at(), export.task(place).slot),
            parent_event_id: self.phase_id(place),
        }
    }

    /// Returns the window of an execution: the execution itself, the executions before and after it on its rank, even
    /// in other phases, and the communication of all of them.
    fn window(&self, place: Place) -> EventWindow {
        let n_tasks = self.entries[place.rank()].len();
        let at = self.position(place);
        let first = at.saturating_sub(self.export.window);
        let last = at.saturating_add(self.export.window).saturating_add(1).min(n_tasks);
        let mut window = EventWindow::default();
        for position in first..last {
            let place = self.place(place.rank(), position);
            let execution = self.execution(place);
            self.messages(place, &execution, &mut window.comm_window);
            window.exec_window.push(execution);
        }
        window
    }

    /// Appends the communication of a task, with one message for each edge.
    fn messages(&self, place: Place, execution: &Execution, messages: &mut Vec<Message>) {
        let slot = self.export.task(place).slot;
        let here = i64::from(place.rank);
        for &(tag, data) in self.export.communication {
            let phase = &data.phases()[place.at()];
            let rank_of = |vertex: Vertex| -> i64 {
                match vertex {
                    Vertex::Object(slot) => i64::from(phase.recorded_assignment().rank_of(slot).0),
                    Vertex::Rank(rank) => i64::from(rank.0),
                }
            };
            let message = |kind: &str, src: i64, tar: i64, volume: Volume| Message {
                bytes: volume.bytes.round() as i64,
                execdata_key: execution.event_id.clone(),
                pid: PROGRAM,
                rid: here,
                src,
                tag,
                tar,
                tid: 0,
                timestamp: execution.entry,
                kind: kind.to_owned(),
            };
            let graph = phase.communication();
            messages
                .extend(graph.outgoing(slot).map(|(to, volume)| message("SEND", here, rank_of(to), volume)));
            messages.extend(
                graph.incoming(slot).map(|(from, volume)| message("RECV", rank_of(from), here, volume)),
            );
        }
    }
}
