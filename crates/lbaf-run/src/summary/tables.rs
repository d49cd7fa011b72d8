// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of a run as CSV: `ranks.csv`, `migrations.csv`, `iterations.csv` and `front.csv`.

mod object_loads;
mod volumes;

use std::io::{self, Write};

use lbaf_model::{Assignment, ObjectKey, Phase, PhaseId, RankTotals, Work, WorkParts, WorkTerms};
use lbaf_strategies::{FrontPoint, IterationStats, Locks};

use super::rounding::ROUNDING;

pub use object_loads::ObjectLoadsTable;
pub use volumes::{VolumesTable, ranks_per_group};

/// Totals and work of every rank, ascending by rank.
pub type RankState<'a> = (&'a [RankTotals], &'a [Work]);

/// `ranks.csv`: one row per phase and rank.
pub struct RanksTable {
    table: csv::Writer<Vec<u8>>,
    /// Terms of work; `None` if the work model does not state them.
    terms: Option<WorkTerms>,
}

impl RanksTable {
    /// Returns a table without rows, with columns for `terms`.
    pub fn new(terms: Option<WorkTerms>) -> Self {
        let mut table = csv::Writer::from_writer(Vec::new());
        let mut header: Vec<String> = ["phase", "rank", "node", "alpha"].map(str::to_owned).to_vec();
        let parts = terms.iter().flat_map(|_| PARTS.iter().map(|(name, _)| *name));
        for name in COLUMNS.iter().map(|(name, _)| *name).chain(parts) {
            header.extend([format!("{name}_before"), format!("{name}_after")]);
        }
        record(&mut table, &header);
        RanksTable { table, terms }
    }

    /// Adds the rows of a phase.
    pub fn add(&mut self, phase: &Phase, before: RankState<'_>, after: RankState<'_>) {
        for (rank, facts) in phase.ranks().iter().enumerate() {
            let mut row = vec![
                phase.id().to_string(),
                rank.to_string(),
                facts.node.to_string(),
                facts.alpha.to_string(),
            ];
            for (_, value) in COLUMNS {
                let of = |(totals, works): RankState<'_>| value(&totals[rank], works[rank]).to_string();
                row.extend([of(before), of(after)]);
            }
            if let Some(terms) = &self.terms {
                let parts = [before, after].map(|(totals, _)| terms.parts(&totals[rank]));
                for (_, value) in PARTS {
                    row.extend(parts.iter().map(|parts| value(parts).to_string()));
                }
            }
            record(&mut self.table, &row);
        }
    }

    /// Returns the table as CSV text.
    pub fn into_bytes(self) -> Vec<u8> {
        into_bytes(self.table)
    }
}

type Part = (&'static str, fn(&WorkParts) -> f64);

/// Terms of work, without the constant, which is the same on every rank.
const PARTS: [Part; 3] = [
    ("work_load", |parts| parts.load),
    ("work_communication", |parts| parts.communication),
    ("work_homing", |parts| parts.homing),
];

type Column = (&'static str, fn(&RankTotals, Work) -> f64);

const COLUMNS: [Column; 8] = [
    ("load_s", |totals, _| totals.load),
    ("work", |_, work| work.cost()),
    // An empty sum is -0; adding 0 makes it 0.
    ("excess_over_bounds", |_, work| work.excess() + 0.0),
    ("sent_bytes", |totals, _| totals.sent_bytes),
    ("received_bytes", |totals, _| totals.received_bytes),
    ("memory_bytes", |totals, _| totals.memory_bytes()),
    ("homing_bytes", |totals, _| totals.homing_bytes),
    ("objects", |totals, _| f64::from(totals.n_objects)),
];

/// `migrations.csv`: one row per object that changed rank. It is written piece by piece, because it may have millions
/// of rows.
pub struct MigrationsTable<W: Write>(csv::Writer<W>);

impl<W: Write> MigrationsTable<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(writer: W) -> io::Result<Self> {
        let mut table = csv::Writer::from_writer(writer);
        table.write_record([
            "phase",
            "id_kind",
            "object",
            "from_rank",
            "to_rank",
            "load_s",
            "serialized_bytes",
            "migration_bytes",
        ])?;
        Ok(MigrationsTable(table))
    }

    /// Writes the rows of a phase. `keys` are the keys of all objects of the data set.
    ///
    /// # Errors
    /// If a row cannot be written.
    pub fn add(
        &mut self,
        phase: &Phase,
        keys: &[ObjectKey],
        initial: &Assignment,
        last: &Assignment,
    ) -> io::Result<()> {
        for migration in last.migrations_from(initial) {
            let key = keys[phase.object(migration.slot).index()];
            let memory = phase.memory(migration.slot);
            // The csv crate writes millions of tuples much faster than lists of strings.
            self.0.serialize((
                phase.id().0,
                if key.is_sequence { "seq_id" } else { "id" },
                key.number,
                migration.from.0,
                migration.to.0,
                phase.load(migration.slot),
                memory.serialized_bytes,
                memory.migration_bytes(),
            ))?;
        }
        Ok(())
    }

    /// Completes the table and returns the writer.
    ///
    /// # Errors
    /// If the last rows cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.0.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// `iterations.csv`: one row per phase and iteration.
pub struct IterationsTable(csv::Writer<Vec<u8>>);

impl Default for IterationsTable {
    /// Returns a table without rows.
    fn default() -> Self {
        let mut table = csv::Writer::from_writer(Vec::new());
        let header = [
            "phase",
            "iteration",
            "load_imbalance",
            "max_work",
            "largest_excess",
            "transfers",
            "rejections",
            "messages",
            "knowledge",
            "lock_rounds",
            "lock_requests",
            "lock_conflicts",
            "lock_retries",
            "strategy",
            "gap",
        ];
        record(&mut table, &header);
        IterationsTable(table)
    }
}

impl IterationsTable {
    /// Adds the iterations of a phase. `bound` returns the lower bound for the placement of an iteration.
    pub fn add(
        &mut self,
        phase: PhaseId,
        strategy: &str,
        bound: impl Fn(&IterationStats) -> f64,
        iterations: &[IterationStats],
    ) {
        for stats in iterations {
            let locks =
                |of: fn(Locks) -> u64| stats.locks.map_or_else(String::new, |locks| of(locks).to_string());
            let row = [
                phase.to_string(),
                stats.iteration.to_string(),
                stats.load_imbalance.to_string(),
                stats.max_work.to_string(),
                stats.largest_excess.to_string(),
                stats.n_transfers.to_string(),
                stats.n_rejections.to_string(),
                stats.n_messages.to_string(),
                stats.knowledge.map_or_else(String::new, |knowledge| knowledge.to_string()),
                locks(|locks| locks.n_rounds),
                locks(|locks| locks.n_requests),
                locks(|locks| locks.n_conflicts),
                locks(|locks| locks.n_retries),
                strategy.to_owned(),
                gap(stats.max_work, bound(stats)),
            ];
            record(&mut self.0, &row);
        }
    }

    /// Returns the table as CSV text.
    pub fn into_bytes(self) -> Vec<u8> {
        into_bytes(self.0)
    }
}

/// Returns the gap of maximum work; empty without a lower bound.
fn gap(work: f64, bound: f64) -> String {
    let gap = work / bound - 1.0;
    match bound > 0.0 {
        true if gap.abs() < ROUNDING => "0".to_owned(),
        true => gap.to_string(),
        false => String::new(),
    }
}

/// `front.csv`: one row per phase and point of the Pareto front.
pub struct FrontTable(csv::Writer<Vec<u8>>);

impl Default for FrontTable {
    /// Returns a table without rows.
    fn default() -> Self {
        let mut table = csv::Writer::from_writer(Vec::new());
        record(&mut table, &["phase", "migrations", "max_work", "load_imbalance"]);
        FrontTable(table)
    }
}

impl FrontTable {
    /// Adds the Pareto front of a phase.
    pub fn add(&mut self, phase: PhaseId, front: &[FrontPoint]) {
        for point in front {
            let row = [
                phase.to_string(),
                point.n_migrations.to_string(),
                point.max_work.to_string(),
                point.load_imbalance.to_string(),
            ];
            record(&mut self.0, &row);
        }
    }

    /// Returns the table as CSV text.
    pub fn into_bytes(self) -> Vec<u8> {
        into_bytes(self.0)
    }
}

fn record(table: &mut csv::Writer<Vec<u8>>, row: &[impl AsRef<[u8]>]) {
    table.write_record(row).expect("invariant: rows have equal lengths and go to memory");
}

fn into_bytes(table: csv::Writer<Vec<u8>>) -> Vec<u8> {
    table.into_inner().expect("invariant: flushing to memory does not fail")
}
