// SPDX-License-Identifier: MIT OR Apache-2.0
//! Output of the file of one rank.
//!
//! Members of the document, its metadata and its phases keep their order, except that changed members of the metadata
//! and new `tasks`, `communications` and `lb_iterations` of a phase come last. Each task and communication has its own
//! line, for search and comparison by line.

use std::borrow::Cow;
use std::io::Write;

use lbaf_model::{PhaseId, RankId};
use lbaf_reader::{FileRecords, TaskRecord};
use lbaf_vom::{Field, Output};

use crate::Options;
use crate::changes::Changes;
use crate::compact::Copier;
use crate::facts::Facts;
use crate::layout::{Lines, Members};
use crate::members::{Annotations, print_task};
use crate::metadata::Metadata;
use crate::plan::Plan;
use crate::scatter::{Arrival, Scatter};

/// Phase prepared for output into every file.
pub(crate) struct PreparedPhase<'a> {
    pub(crate) id: PhaseId,
    /// Position of the source's records in each file.
    pub(crate) source: usize,
    /// Phase to which these records belong.
    pub(crate) recorded_as: PhaseId,
    pub(crate) placement: Scatter<'a>,
    pub(crate) facts: Facts<'a>,
    pub(crate) iterations: Vec<Scatter<'a>>,
    /// True if the phase is written as recorded, so that recorded iterations remain valid.
    pub(crate) is_as_recorded: bool,
}

/// Data shared by all files.
pub(crate) struct Printer<'a> {
    pub(crate) files: &'a [FileRecords],
    pub(crate) documents: &'a [Cow<'a, [u8]>],
    pub(crate) copiers: Vec<Copier<'a>>,
    pub(crate) plan: &'a Plan<'a>,
    pub(crate) phases: Vec<PreparedPhase<'a>>,
    pub(crate) changes: &'a Changes,
    pub(crate) options: &'a Options,
    pub(crate) annotations: Option<&'a Annotations<'a>>,
}

impl Printer<'_> {
    /// Prints the file of a rank.
    pub(crate) fn print<W: Write>(&self, out: &mut Output<W>, rank: usize) {
        let unstated = self
            .phases
            .iter()
            .filter_map(|phase| Some((phase.id.0, phase.facts.unstated(rank, phase.placement.tasks(rank))?)));
        let metadata =
            Metadata::new(rank, &self.files[rank], &self.documents[rank], self.plan, &unstated.collect());
        let fields = &self.files[rank].fields;
        out.text().push(b'{');
        let mut members = Members::default();
        if metadata.is_changed() && fields.iter().all(|field| field.key != "metadata") {
            members.key(out.text(), "metadata");
            metadata.print_alone(out.text());
        }
        for field in fields {
            members.key(out.text(), &field.key);
            match field.key.as_str() {
                "phases" => self.print_phases(out, rank),
                "metadata" if metadata.is_changed() => {
                    metadata.print(out.text(), |text, field| self.copy_field(text, rank, field));
                }
                _ => self.copy_field(out.text(), rank, field),
            }
        }
        out.text().extend_from_slice(b"}\n");
    }

    fn print_phases<W: Write>(&self, out: &mut Output<W>, rank: usize) {
        out.text().push(b'[');
        let mut lines = Lines::default();
        for phase in &self.phases {
            lines.next(out.text());
            self.print_phase(out, rank, phase);
        }
        lines.end(out.text());
    }

    fn print_phase<W: Write>(&self, out: &mut Output<W>, rank: usize, phase: &PreparedPhase<'_>) {
        let fields = &self.files[rank].phases[phase.source].fields;
        let has = |key: &str| fields.iter().any(|field| field.key == key);
        let iterations = !phase.iterations.is_empty();
        out.text().push(b'{');
        let mut members = Members::default();
        if !has("id") {
            members.key(out.text(), "id");
            let _ = write!(out.text(), "{}", phase.id);
        }
        for field in fields {
            match field.key.as_str() {
                "communications" if !self.options.communications => continue,
                // vt's reader crashes on this member, whatever its value.
                "user_defined" if self.options.offline_lb_compatible => continue,
                "lb_iterations" if iterations || !phase.is_as_recorded => continue,
                _ => members.key(out.text(), &field.key),
            }
            match field.key.as_str() {
                "id" => drop(write!(out.text(), "{}", phase.id)),
                "tasks" => self.print_tasks(out, rank, phase, &phase.placement),
                "communications" => {
                    self.print_communications(out, phase.source, phase.placement.communications(rank));
                }
                _ => self.copy_field(out.text(), rank, field),
            }
        }
        if !has("tasks")
            && (phase.placement.tasks(rank).next().is_some() || self.changes.dummies[rank].is_some())
        {
            members.key(out.text(), "tasks");
            self.print_tasks(out, rank, phase, &phase.placement);
        }
        let mut arriving = phase.placement.communications(rank).peekable();
        if self.options.communications && !has("communications") && arriving.peek().is_some() {
            members.key(out.text(), "communications");
            self.print_communications(out, phase.source, arriving);
        }
        if iterations {
            members.key(out.text(), "lb_iterations");
            self.print_iterations(out, rank, phase);
        }
        out.text().push(b'}');
    }

    fn print_iterations<W: Write>(&self, out: &mut Output<W>, rank: usize, phase: &PreparedPhase<'_>) {
        out.text().push(b'[');
        let mut lines = Lines::default();
        // As in LBAF, the first iteration has number 1.
        for (id, iteration) in (1..).zip(&phase.iterations) {
            lines.next(out.text());
            let _ = write!(out.text(), r#"{{"id":{id},"tasks":"#);
            self.print_tasks(out, rank, phase, iteration);
            let mut communications = iteration.communications(rank).peekable();
            if self.options.communications && communications.peek().is_some() {
                out.text().extend_from_slice(br#","communications":"#);
                self.print_communications(out, phase.source, communications);
            }
            out.text().push(b'}');
        }
        lines.end(out.text());
    }

    fn print_tasks<W: Write>(
        &self,
        out: &mut Output<W>,
        rank: usize,
        phase: &PreparedPhase<'_>,
        placement: &Scatter<'_>,
    ) {
        out.text().push(b'[');
        let mut lines = Lines::default();
        let mut moved = Vec::new();
        // Records are far apart in memory. They are read first, because a processor overlaps these reads.
        let tasks: Vec<(Arrival, TaskRecord)> = placement
            .tasks(rank)
            .map(|arrival| {
                let Arrival { origin, position } = arrival;
                (arrival, self.files[origin as usize].phases[phase.source].tasks[position as usize])
            })
            .collect();
        for (arrival, task) in tasks {
            lines.next(out.text());
            self.print_task(out.text(), rank, phase, (arrival, task), &mut moved);
            out.pass();
        }
        if let Some(dummy) = &self.changes.dummies[rank] {
            lines.next(out.text());
            out.text().extend_from_slice(&self.mended(phase.source, dummy));
        }
        lines.end(out.text());
    }

    /// Prints the record of a task; `moved` is memory for records that change.
    fn print_task(
        &self,
        text: &mut Vec<u8>,
        rank: usize,
        phase: &PreparedPhase<'_>,
        (arrival, task): (Arrival, TaskRecord),
        moved: &mut Vec<u8>,
    ) {
        let origin = arrival.origin;
        let copier = &self.copiers[origin as usize];
        let print = |text: &mut Vec<u8>| {
            if origin as usize == rank {
                copier.copy(text, task.record.start, task.record.end);
            } else {
                print_moved(text, copier, task, rank);
            }
        };
        let mut members = phase.facts.members(arrival, rank);
        if let Some(annotations) = self.annotations {
            members.extend(annotations(phase.recorded_as, task.slot, RankId::from(rank)));
        }
        if members.is_empty() && self.changes.for_vt.is_none() {
            return print(text);
        }
        moved.clear();
        print(moved);
        let mended = self.mended(phase.source, moved);
        if members.is_empty() {
            text.extend_from_slice(&mended);
        } else {
            print_task(text, &mended, &members);
        }
    }

    fn print_communications<W: Write>(
        &self,
        out: &mut Output<W>,
        source: usize,
        entries: impl Iterator<Item = Arrival>,
    ) {
        out.text().push(b'[');
        let mut lines = Lines::default();
        let copy = |text: &mut Vec<u8>, Arrival { origin, position }: Arrival| {
            let record = self.files[origin as usize].phases[source].communications[position as usize].record;
            self.copiers[origin as usize].copy(text, record.start, record.end);
        };
        if let Some(for_vt) = &self.changes.for_vt {
            let copies = entries.map(|entry| {
                let mut record = Vec::new();
                copy(&mut record, entry);
                record
            });
            for record in for_vt.communications(source, copies) {
                lines.next(out.text());
                out.text().extend_from_slice(&record);
                out.pass();
            }
        } else {
            for entry in entries {
                lines.next(out.text());
                copy(out.text(), entry);
                out.pass();
            }
        }
        lines.end(out.text());
    }

    /// Returns the record of a task, corrected if the files are meant for vt.
    fn mended<'r>(&self, source: usize, task: &'r [u8]) -> Cow<'r, [u8]> {
        self.changes.for_vt.as_ref().map_or(Cow::Borrowed(task), |for_vt| for_vt.task(source, task))
    }

    fn copy_field(&self, out: &mut Vec<u8>, rank: usize, field: &Field) {
        // The span of a scalar may end in white space, which compact output must not have.
        let value = field.value;
        let trimmed = value.of(&self.documents[rank]).trim_ascii_end().len() as u32;
        self.copiers[rank].copy(out, value.start, value.start + trimmed);
    }
}

/// Prints the record of a migrated object: `node` becomes the new rank, or is added; other members are unchanged.
fn print_moved(out: &mut Vec<u8>, copier: &Copier<'_>, task: TaskRecord, rank: usize) {
    let TaskRecord { record, node, .. } = task;
    if node.is_empty() {
        let _ = write!(out, r#"{{"node":{rank},"#);
        copier.copy(out, record.start + 1, record.end);
    } else {
        copier.copy(out, record.start, node.start);
        let _ = write!(out, "{rank}");
        copier.copy(out, node.end, record.end);
    }
}
