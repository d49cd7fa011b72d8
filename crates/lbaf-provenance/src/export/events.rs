// SPDX-License-Identifier: MIT OR Apache-2.0
//! Executions as records.

use std::collections::BTreeMap;

use lbaf_model::{Vertex, Volume};

use super::timeline::whole;
use super::{Export, PROGRAM, Place, Timeline, counters};
use crate::record::{
    Event, EventWindow, Execution, Frame, GpuLocation, Message, ModelRecord, NodeField, NodeState,
};
use crate::samples::microseconds;

/// What records of executions are made from.
pub(super) struct Events<'a> {
    export: &'a Export<'a>,
    timeline: &'a Timeline,
    /// By rank, all its tasks in the order in which they run.
    places: Vec<Vec<Place>>,
    /// By rank, there by position of the phase, where its tasks are among those.
    firsts: Vec<Vec<usize>>,
    /// By rank, there in the order in which tasks run, when each begins.
    entries: Vec<Vec<f64>>,
    /// The numbers of counters by name.
    indices: BTreeMap<&'a str, i64>,
    /// By function, what was learnt.
    models: Vec<Option<ModelRecord>>,
}

/// The number of the function that stands for a phase on call stacks: no function has it.
const PHASE: i64 = -1;
/// The version of records that has a version.
const VERSION: i64 = 2;

impl<'a> Events<'a> {
    pub(super) fn new(export: &'a Export<'a>, timeline: &'a Timeline) -> Self {
        let (mut places, mut firsts, mut entries) = (Vec::new(), Vec::new(), Vec::new());
        for (rank, facts) in export.ranks.iter().enumerate() {
            let (mut of_rank, mut first, mut begins) = (Vec::new(), Vec::new(), Vec::new());
            for (at, tasks) in facts.tasks.iter().enumerate() {
                first.push(of_rank.len());
                let [mut now, _] = timeline.phase(at);
                for (index, task) in tasks.iter().enumerate() {
                    of_rank.push(Place { at, rank, index });
                    begins.push(now);
                    now += microseconds(export.labels.data().phases()[at].load(task.slot));
                }
            }
            places.push(of_rank);
            firsts.push(first);
            entries.push(begins);
        }
        let models = export.labels.models().iter().map(crate::Model::record).collect();
        Events { export, timeline, places, firsts, entries, indices: counters::indices(export), models }
    }

    /// The record of an execution.
    pub(super) fn event(&self, place: Place) -> Event {
        let export = self.export;
        let phase = &export.labels.data().phases()[place.at];
        let task = export.task(place);
        let took = microseconds(phase.load(task.slot));
        let [begin, end] = self.timeline.phase(place.at);
        let function = export.function(place);
        let execution = self.execution(place);
        let facts = &export.ranks[place.rank];
        let caller = Frame {
            entry: whole(begin),
            event_id: self.phase_id(place),
            exit: whole(end),
            fid: PHASE,
            func: format!("phase {}", phase.id()),
            is_anomaly: false,
        };
        let itself = Frame {
            entry: execution.entry,
            event_id: execution.event_id.clone(),
            exit: execution.exit,
            fid: execution.fid,
            func: execution.func.clone(),
            is_anomaly: execution.is_anomaly,
        };
        Event {
            algo_params: self.models[function].clone(),
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
            io_step: export.step(place.at),
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
            outlier_score: export.labels.of_phase(place.at)[task.slot.index()].score,
            outlier_severity: took,
            pid: PROGRAM,
            rid: i64::from(place.rank as u32),
            runtime_exclusive: took,
            runtime_total: took,
            tid: 0,
            version: VERSION,
        }
    }

    /// What stands for the phase on call stacks.
    fn phase_id(&self, place: Place) -> String {
        format!("{}:{}:-1", place.rank, self.export.step(place.at))
    }

    /// Where a task is among those of its rank.
    fn position(&self, place: Place) -> usize {
        self.firsts[place.rank][place.at] + place.index
    }

    fn execution(&self, place: Place) -> Execution {
        let export = self.export;
        let phase = &export.labels.data().phases()[place.at];
        let slot = export.task(place).slot;
        let entry = self.entries[place.rank][self.position(place)];
        let function = export.function(place);
        Execution {
            entry: whole(entry),
            event_id: export.event_id(place),
            exit: whole(entry + microseconds(phase.load(slot))),
            fid: i64::from(function as u32),
            func: export.labels.functions().keys()[function].to_string(),
            is_anomaly: export.labels.is_outlier(place.at, slot),
            parent_event_id: self.phase_id(place),
        }
    }

    /// What the same rank ran before and after, also in other phases, and what these tasks sent and received.
    fn window(&self, place: Place) -> EventWindow {
        let places = &self.places[place.rank];
        let at = self.position(place);
        let first = at.saturating_sub(self.export.window);
        let last = at.saturating_add(self.export.window).saturating_add(1).min(places.len());
        let mut window = EventWindow::default();
        for &place in &places[first..last] {
            let execution = self.execution(place);
            self.messages(place, &execution, &mut window.comm_window);
            window.exec_window.push(execution);
        }
        window
    }

    /// What a task sent and received, all messages of an edge as one.
    fn messages(&self, place: Place, execution: &Execution, messages: &mut Vec<Message>) {
        let slot = self.export.task(place).slot;
        let here = i64::from(place.rank as u32);
        for &(tag, data) in self.export.communication {
            let phase = &data.phases()[place.at];
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
