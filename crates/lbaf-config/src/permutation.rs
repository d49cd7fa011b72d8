// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files with prescribed placements of objects.

use std::collections::BTreeMap;
use std::path::Path;

use lbaf_model::RankId;
use lbaf_strategies::{Permutation, PrescribedMigration};
use lbaf_text::number::counted;

use crate::ConfigError;
use crate::error::Invalid;
use crate::yaml::{self, Place, SourceId, Sources};

/// Reads a permutation in YAML or JSON, or a table of migrations, which has the suffix `csv` or the column `to_rank`.
///
/// # Errors
/// If the file cannot be read or is invalid, or if its directory has an unfinished replacement of files.
pub(super) fn read(path: &Path) -> Result<Permutation, ConfigError> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Some(unfinished) = lbaf_writer::unfinished(directory) {
        return Err(ConfigError::Unfinished(unfinished));
    }
    let bytes = lbaf_reader::read_file(path)
        .map_err(|source| ConfigError::File { path: path.to_path_buf(), source })?;
    let mut sources = Sources::default();
    let read = sources.add_bytes(path.display().to_string(), &bytes).and_then(|source| {
        let text = sources.text(source);
        let header = cells(text.lines().next().unwrap_or_default());
        if header.contains(&TO_RANK) || path.extension().is_some_and(|suffix| suffix == "csv") {
            return Table { source, text }.migrations();
        }
        yaml::from_node(&yaml::parse(source, &sources)?)
    });
    read.map_err(|error| ConfigError::Invalid(Invalid::in_other_file(&sources, &error)))
}

const TO_RANK: &str = "to_rank";

/// Columns of `migrations.csv`. The last three are ignored.
const COLUMNS: [&str; 8] =
    ["phase", "id_kind", "object", "from_rank", TO_RANK, "load_s", "serialized_bytes", "migration_bytes"];

/// Table of migrations with cells separated by commas.
struct Table<'a> {
    source: SourceId,
    text: &'a str,
}

/// Cells of a line.
struct Row<'a> {
    names: &'a [&'a str],
    cells: Vec<&'a str>,
}

impl Table<'_> {
    fn migrations(&self) -> Result<Permutation, yaml::Error> {
        let mut lines = (1..).zip(self.text.lines());
        let (_, header) = lines.next().unwrap_or_default();
        let names = cells(header);
        for (at, name) in names.iter().enumerate() {
            if !COLUMNS.contains(name) {
                let known = COLUMNS.join("`, `");
                let message = format!("`{name}` is not a column of migrations; known columns are `{known}`");
                return Err(self.error(1, message));
            }
            if names[..at].contains(name) {
                return Err(self.error(1, format!("the column `{name}` occurs twice")));
            }
        }
        if let Some(missing) = ["phase", "object", TO_RANK].into_iter().find(|needed| !names.contains(needed))
        {
            return Err(self.error(1, format!("the column `{missing}` is missing")));
        }
        let mut phases: BTreeMap<u64, Vec<PrescribedMigration>> = BTreeMap::new();
        let mut seen = BTreeMap::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            let row = Row { names: &names, cells: cells(text) };
            let (phase, migration) = row.migration(line).map_err(|message| self.error(line, message))?;
            if let Some(first) = seen.insert((phase, migration.is_sequence, migration.number), line) {
                let message =
                    format!("object {} migrates twice in phase {phase}; see line {first}", migration.number);
                return Err(self.error(line, message));
            }
            phases.entry(phase).or_default().push(migration);
        }
        Ok(Permutation::Migrations(phases))
    }

    fn error(&self, line: u64, message: String) -> yaml::Error {
        let line = usize::try_from(line).expect("invariant: the lines are in memory");
        let text = self.text.lines().nth(line - 1).unwrap_or_default();
        yaml::Error::new(
            message,
            Place { source: self.source, line, column: 1, length: text.chars().count() },
        )
    }
}

impl Row<'_> {
    /// Returns the phase and the migration of a row.
    fn migration(&self, line: u64) -> Result<(u64, PrescribedMigration), String> {
        if self.cells.len() != self.names.len() {
            let [cells, columns] =
                [(self.cells.len(), "cell"), (self.names.len(), "column")].map(|(n, noun)| counted(n, noun));
            return Err(format!("the line has {cells}, but the table has {columns}"));
        }
        let is_sequence = match self.cell("id_kind") {
            None => None,
            Some("id") => Some(false),
            Some("seq_id") => Some(true),
            Some(other) => return Err(format!("`id_kind` must be `id` or `seq_id`, not {other:?}")),
        };
        let migration = PrescribedMigration {
            number: self.number("object")?,
            is_sequence,
            from: self.cell("from_rank").map(|_| self.rank("from_rank")).transpose()?,
            to: self.rank(TO_RANK)?,
            line,
        };
        Ok((self.number("phase")?, migration))
    }

    fn cell(&self, name: &str) -> Option<&str> {
        self.names.iter().position(|known| *known == name).map(|at| self.cells[at])
    }

    fn number(&self, name: &str) -> Result<u64, String> {
        let cell = self.cell(name).unwrap_or_default();
        cell.parse().map_err(|_| format!("`{name}` must be a whole number from 0 on, not {cell:?}"))
    }

    fn rank(&self, name: &str) -> Result<RankId, String> {
        let number = self.number(name)?;
        u32::try_from(number).map(RankId).map_err(|_| format!("`{name}` {number} is too large for a rank"))
    }
}

/// Splits a line into cells without the quotes that some programs write around them.
fn cells(line: &str) -> Vec<&str> {
    line.split(',').map(|cell| cell.trim().trim_matches('"')).collect()
}
