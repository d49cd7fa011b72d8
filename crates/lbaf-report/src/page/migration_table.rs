// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of `migrations.csv`: objects that changed rank.

use std::collections::BTreeMap;
use std::path::Path;

use lbaf_model::RankId;
use lbaf_run::summary::saved::MIGRATIONS;
use lbaf_writer::Inputs;

use super::rank_table::{number, unreadable};
use crate::ReportError;
use crate::saved_run;

/// An object that changed rank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Migrated {
    pub(super) is_sequence: bool,
    pub(super) number: u64,
    pub(super) from: RankId,
    pub(super) to: RankId,
    /// Load in seconds.
    pub(super) load: f64,
    /// Bytes on the wire.
    pub(super) bytes: f64,
}

/// Migrated objects by number of the phase.
pub(super) type Migrations = BTreeMap<u64, Vec<Migrated>>;

/// Reads the table. Returns `None` if the file does not exist.
///
/// # Errors
/// If the table cannot be read, lacks columns, or contains an invalid number.
pub(super) fn read(run_dir: &Path, inputs: &mut Inputs) -> Result<Option<Migrations>, ReportError> {
    let path = run_dir.join(MIGRATIONS);
    let Some(bytes) = saved_run::file(&path, inputs)? else { return Ok(None) };
    let mut reader = csv::Reader::from_reader(&*bytes);
    let header = reader.headers().map_err(|error| unreadable(&path, &error))?.clone();
    let place = |name: &str| {
        let found = header.iter().position(|column| column == name);
        found.ok_or_else(|| ReportError::Input(format!("{}: no column `{name}`", path.display())))
    };
    let [phase, kind, object, from, to, load, bytes] = [
        place("phase")?,
        place("id_kind")?,
        place("object")?,
        place("from_rank")?,
        place("to_rank")?,
        place("load_s")?,
        place("migration_bytes")?,
    ];
    let mut migrations = Migrations::new();
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(|error| unreadable(&path, &error))? {
        migrations.entry(number(&path, &row, phase)?).or_default().push(Migrated {
            is_sequence: row.get(kind) == Some("seq_id"),
            number: number(&path, &row, object)?,
            from: RankId(number(&path, &row, from)?),
            to: RankId(number(&path, &row, to)?),
            load: number(&path, &row, load)?,
            bytes: number(&path, &row, bytes)?,
        });
    }
    Ok(Some(migrations))
}
