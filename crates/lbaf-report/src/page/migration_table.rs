// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of `migrations.csv`: objects that changed rank.

use std::collections::BTreeMap;
use std::path::Path;

use lbaf_model::RankId;
use lbaf_run::summary::saved::MIGRATIONS;
use lbaf_writer::Inputs;

use super::table_rows::for_each_row;
use crate::ReportError;

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
    let columns = ["phase", "id_kind", "object", "from_rank", "to_rank", "load_s", "migration_bytes"];
    let mut migrations = Migrations::new();
    let is_there = for_each_row(run_dir, (MIGRATIONS, columns), inputs, |row| {
        migrations.entry(row.number(0)?).or_default().push(Migrated {
            is_sequence: row.text(1) == "seq_id",
            number: row.number(2)?,
            from: RankId(row.number(3)?),
            to: RankId(row.number(4)?),
            load: row.number(5)?,
            bytes: row.number(6)?,
        });
        Ok(())
    })?;
    Ok(is_there.then_some(migrations))
}
