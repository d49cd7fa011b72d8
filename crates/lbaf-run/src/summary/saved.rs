// SPDX-License-Identifier: MIT OR Apache-2.0
//! Saved tables of a run. Charts are drawn from them and the summary, so later charts are the same.

use std::collections::BTreeMap;

/// Table of ranks, before and after balancing.
pub const RANKS: &str = "ranks.csv";
/// Table of volumes between ranks.
pub const VOLUMES: &str = "rank_volumes.csv";
/// Table of objects that changed rank.
pub const MIGRATIONS: &str = "migrations.csv";
/// Table of the distribution of object loads.
pub const OBJECT_LOADS: &str = "object_loads.csv";

/// Columns of numbers, by name.
pub type Columns = BTreeMap<String, Vec<f64>>;

/// Tables of a run by name, with rows grouped by phase.
#[derive(Default)]
pub struct Tables(BTreeMap<&'static str, BTreeMap<u64, Columns>>);

impl Tables {
    /// Adds the table `name` from its CSV text.
    ///
    /// # Errors
    /// If the text is malformed or has no column `phase`; the error has the name and, unless the column is missing, the
    /// line.
    pub fn add(&mut self, name: &'static str, bytes: &[u8]) -> Result<(), String> {
        let table = by_phase(bytes).map_err(|reason| format!("{name}: {reason}"))?;
        self.0.insert(name, table);
        Ok(())
    }

    /// Returns a column of a phase, by row; `None` if the table, the column or the phase is missing, or the column has
    /// text.
    pub fn column(&self, table: &str, phase: u64, name: &str) -> Option<&[f64]> {
        self.0.get(table)?.get(&phase)?.get(name).map(Vec::as_slice)
    }
}

/// Returns the columns of numbers by phase. Columns with text are skipped.
fn by_phase(bytes: &[u8]) -> Result<BTreeMap<u64, Columns>, String> {
    let mut reader = csv::Reader::from_reader(bytes);
    let names: Vec<String> = reader.headers().map_err(of_csv)?.iter().map(str::to_owned).collect();
    let phase_at = names.iter().position(|name| name == "phase").ok_or("there is no column `phase`")?;
    let mut phases: BTreeMap<u64, Vec<Vec<f64>>> = BTreeMap::new();
    let mut is_number = vec![true; names.len()];
    let mut row = csv::StringRecord::new();
    while reader.read_record(&mut row).map_err(of_csv)? {
        let line = row.position().map_or(0, csv::Position::line);
        let phase =
            row[phase_at].parse().map_err(|_| format!("line {line}: invalid phase `{}`", &row[phase_at]))?;
        let columns = phases.entry(phase).or_insert_with(|| vec![Vec::new(); names.len()]);
        for (at, cell) in row.iter().enumerate() {
            match cell.parse::<f64>() {
                Ok(number) if number.is_finite() => columns[at].push(number),
                _ => is_number[at] = false,
            }
        }
    }
    let named = |columns: Vec<Vec<f64>>| {
        let columns = names.iter().cloned().zip(columns).zip(&is_number);
        columns.filter(|(_, is_number)| **is_number).map(|(column, _)| column).collect()
    };
    Ok(phases.into_iter().map(|(phase, columns)| (phase, named(columns))).collect())
}

#[allow(clippy::needless_pass_by_value, reason = "map_err passes the error by value")]
fn of_csv(error: csv::Error) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_phase_and_name() {
        let mut tables = Tables::default();
        tables.add(RANKS, b"phase,rank,kind,load_s\n3,0,id,0.5\n3,1,id,0.25\n7,0,seq_id,1\n").unwrap();
        assert_eq!(tables.column(RANKS, 3, "load_s"), Some(&[0.5, 0.25][..]));
        assert_eq!(tables.column(RANKS, 7, "rank"), Some(&[0.0][..]));
        for (table, phase, name) in [(RANKS, 3, "kind"), (RANKS, 4, "rank"), (VOLUMES, 3, "rank")] {
            assert_eq!(tables.column(table, phase, name), None, "{table} {phase} {name}");
        }
    }

    #[test]
    fn errors_have_the_table_and_the_cause() {
        let wrong = |text: &str| Tables::default().add(RANKS, text.as_bytes()).unwrap_err();
        assert_eq!(wrong("rank\n1\n"), "ranks.csv: there is no column `phase`");
        assert_eq!(wrong("phase,rank\n1,2\nx,3\n"), "ranks.csv: line 3: invalid phase `x`");
        assert!(
            wrong("phase,rank\n1\n").contains("found record with 1 fields"),
            "{}",
            wrong("phase,rank\n1\n")
        );
    }
}
