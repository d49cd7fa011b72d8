// SPDX-License-Identifier: MIT OR Apache-2.0
//! Import of a database as load-balancing data.
//!
//! A database is a sample: anomalies, some normal executions, and the executions around them. The imported data are
//! therefore marked as partial.

mod attributes;
mod carry;
mod executions;
mod messages;
mod objects;
mod options;
mod tasks;

use std::collections::BTreeSet;

use lbaf_vom::record::{DataFile, Metadata, PhaseGaps, PhaseRecord};

pub use carry::{CarriedRecords, carried};
use executions::Executions;
pub use messages::MessageCounts;
use objects::Objects;
pub use options::{ImportOptions, ObjectOf, TimeOf};

use crate::record::Event;
use crate::{Database, ProvenanceError};

/// Maximum number of phases of all ranks together. More indicate steps that are far apart, or a fault.
const MOST_PHASES: usize = 1 << 24;

/// Imported load-balancing data, with counts of the records.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// One file for each rank, from rank 0.
    pub files: Vec<DataFile>,
    /// Program of the files.
    pub pid: i64,
    /// Step of each phase.
    pub steps: Vec<u64>,
    /// Number of objects.
    pub n_objects: usize,
    /// Number of imported executions that have their own record, without duplicates.
    pub n_events: usize,
    /// Number of these executions that are anomalies.
    pub n_anomalies: usize,
    /// Number of duplicate records of executions. The record of an anomaly takes precedence.
    pub n_repeated_events: usize,
    /// Number of records of executions of other programs.
    pub n_events_of_others: usize,
    /// Number of records of executions with a negative rank, step or function.
    pub n_unplaced_events: usize,
    /// Number of imported executions that are only in windows; 0 unless their import was requested.
    pub n_window_executions: usize,
    /// Number of executions that are only in windows and could not be imported, although this was requested. They had
    /// not ended, or their rank, step or function is unknown or negative.
    pub n_unused_executions: usize,
    /// Number of times that are negative, not a number, or longer than 10^18 microseconds (about 30 000 years). They
    /// count as 0.
    pub n_unusable_times: usize,
    /// Counts of messages.
    pub messages: MessageCounts,
}

/// Converts the executions of one program to load-balancing data.
///
/// By default, an object is a function on a thread of a rank. Its load in a phase is the sum of the exclusive times of
/// its executions in the step. Ranks without records have empty phases.
///
/// # Errors
/// If the program has no executions, a rank is too large, or the steps require too many phases.
pub fn import(database: &Database, options: &ImportOptions) -> Result<Imported, ProvenanceError> {
    let pid = program(database, options)?;
    let executions = Executions::of(database, pid, options)?;
    if executions.occurrences.is_empty() {
        return Err(no_events(database, Some(pid)));
    }
    let n_ranks = n_ranks(database, pid, &executions)?;
    let steps = steps(&executions, n_ranks, options)?;
    let objects = Objects::of(&executions, options.migratable);

    let mut imported = Imported { pid, n_objects: objects.n_objects(), ..executions.counts.clone() };
    let (communications, messages) = messages::communications(database, &executions, &objects, n_ranks);
    imported.messages = messages;
    let mut load = carry::Load::of(database, &executions, n_ranks, options.carry_records);
    let mut attributes = attributes::of_ranks(database, pid, n_ranks);
    let mut tasks = tasks::of_steps(&executions, &objects, options.time, &mut load);
    let mut communications = communications;
    imported.files = (0..n_ranks)
        .map(|rank| {
            let rank = rank as u16;
            let phases = steps.iter().zip(0..).map(|(&step, id)| PhaseRecord {
                communications: communications.remove(&(rank, step)).unwrap_or_default(),
                id,
                tasks: tasks.remove(&(rank, step)).unwrap_or_default(),
            });
            let phases = phases.collect();
            let (mut about_rank, shared_node) = attributes.next().unwrap_or_default();
            if let Some(provenance) = load.of_rank(rank) {
                about_rank.insert("provenance".to_owned(), provenance);
            }
            let metadata = Metadata {
                attributes: Some(about_rank.into_iter().collect()),
                phases: Some(PhaseGaps::default()),
                rank: u32::from(rank),
                shared_node,
                ..Metadata::default()
            };
            DataFile { metadata, phases }
        })
        .collect();
    imported.steps = steps;
    Ok(imported)
}

fn events(database: &Database) -> impl Iterator<Item = &Event> {
    database.anomalies.iter().chain(&database.normalexecs).map(|event| &event.record)
}

fn program(database: &Database, options: &ImportOptions) -> Result<i64, ProvenanceError> {
    let lowest = events(database).map(|event| event.pid).min();
    options.pid.or(lowest).ok_or_else(|| no_events(database, None))
}

fn no_events(database: &Database, pid: Option<i64>) -> ProvenanceError {
    let present_pids: BTreeSet<i64> = events(database).map(|event| event.pid).collect();
    ProvenanceError::NoEvents { pid, present_pids: present_pids.into_iter().collect() }
}

fn n_ranks(database: &Database, pid: i64, executions: &Executions<'_>) -> Result<usize, ProvenanceError> {
    let of_executions = executions.occurrences.iter().map(|occurrence| i64::from(occurrence.key.rank));
    let entries = database.metadata.iter().map(|entry| &entry.record);
    // Metadata of ranks that are too large for ids of objects add no ranks; the file of the first rank carries them.
    let of_metadata = entries.filter(|entry| entry.pid == pid).map(|entry| entry.rid);
    let of_metadata = of_metadata.filter(|&rid| rid <= i64::from(u16::MAX));
    let last = of_executions.chain(of_metadata).max().unwrap_or(0).max(0);
    executions::rank_of(pid, last).map(|rank| usize::from(rank) + 1)
}

fn steps(
    executions: &Executions<'_>,
    n_ranks: usize,
    options: &ImportOptions,
) -> Result<Vec<u64>, ProvenanceError> {
    let used: BTreeSet<u64> = executions.occurrences.iter().map(|occurrence| occurrence.step).collect();
    let last_step = used.last().copied().unwrap_or(0);
    let n_phases = if options.compact_phases { used.len() as u64 } else { last_step.saturating_add(1) };
    if n_phases.saturating_mul(n_ranks as u64) > MOST_PHASES as u64 {
        return Err(ProvenanceError::TooManyPhases { last_step, n_ranks });
    }
    Ok(if options.compact_phases { used.into_iter().collect() } else { (0..n_phases).collect() })
}
