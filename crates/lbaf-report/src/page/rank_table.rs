// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of columns of `ranks.csv`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lbaf_run::summary::saved::RANKS;
use lbaf_writer::Inputs;

use crate::ReportError;
use crate::saved_run;

/// Columns of the table, by phase.
#[derive(Debug, Default)]
pub(super) struct RankTable {
    /// Columns by phase number and name, each with one number per rank.
    phases: BTreeMap<u64, BTreeMap<String, Vec<f64>>>,
}

impl RankTable {
    /// Reads the columns in `columns` and ignores others. Returns `None` if the file does not exist.
    ///
    /// # Errors
    /// If the table is unreadable, lacks the column `phase` or `rank`, contains an invalid number, or does not list the
    /// ranks in order.
    pub(super) fn read(
        run_dir: &Path,
        columns: &[String],
        inputs: &mut Inputs,
    ) -> Result<Option<Self>, ReportError> {
        let path = run_dir.join(RANKS);
        let Some(bytes) = saved_run::file(&path, inputs)? else { return Ok(None) };
        let mut reader = csv::Reader::from_reader(&*bytes);
        let header = reader.headers().map_err(|error| unreadable(&path, &error))?.clone();
        let place = |name: &str| header.iter().position(|column| column == name);
        let (Some(phase_at), Some(rank_at)) = (place("phase"), place("rank")) else {
            let message = format!("{}: the columns `phase` and `rank` are required", path.display());
            return Err(ReportError::Input(message));
        };
        let wanted: Vec<(usize, &String)> =
            columns.iter().filter_map(|name| Some((place(name)?, name))).collect();
        let mut table = RankTable::default();
        let mut row = csv::StringRecord::new();
        while reader.read_record(&mut row).map_err(|error| unreadable(&path, &error))? {
            let phase = table.phases.entry(number(&path, &row, phase_at)?).or_default();
            let rank: usize = number(&path, &row, rank_at)?;
            for &(at, name) in &wanted {
                let column = phase.entry(name.clone()).or_default();
                if column.len() != rank {
                    let message = format!("rank {rank} does not follow the previous rank");
                    return Err(wrong(&path, &row, &message));
                }
                column.push(number(&path, &row, at)?);
            }
        }
        Ok(Some(table))
    }

    /// Returns a column of a phase; `None` if it is missing or does not have one number per rank.
    pub(super) fn column(&self, phase: u64, name: &str, n_ranks: usize) -> Option<&[f64]> {
        let column = self.phases.get(&phase)?.get(name)?;
        (column.len() == n_ranks).then_some(&column[..])
    }

    /// True if a column has a nonzero number in any phase.
    pub(super) fn says(&self, name: &str) -> bool {
        let columns = self.phases.values().filter_map(|phase| phase.get(name));
        columns.flatten().any(|&number| number != 0.0)
    }
}

/// Parses a cell as a number.
pub(super) fn number<T: std::str::FromStr>(
    path: &Path,
    row: &csv::StringRecord,
    at: usize,
) -> Result<T, ReportError> {
    let cell = row.get(at).unwrap_or_default();
    cell.parse().map_err(|_| wrong(path, row, &format!("`{cell}` is not a number")))
}

fn wrong(path: &Path, row: &csv::StringRecord, message: &str) -> ReportError {
    let line = row.position().map_or(0, csv::Position::line);
    ReportError::Input(format!(
        "{}, line {line}: {message}; repeat the run to restore the file",
        path.display()
    ))
}

/// Returns the error of a malformed table.
pub(super) fn unreadable(path: &Path, error: &csv::Error) -> ReportError {
    let path: PathBuf = path.into();
    ReportError::Input(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(table: &str) -> Result<Option<RankTable>, ReportError> {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(RANKS), table).unwrap();
        RankTable::read(
            directory.path(),
            &["load_s_after".to_owned(), "absent".to_owned()],
            &mut Inputs::none(),
        )
    }

    #[test]
    fn columns_are_found_by_name() {
        let table = read("rank,newer,load_s_after,phase\n0,x,1.5,7\n1,y,2.5,7\n0,z,0,9\n").unwrap().unwrap();
        assert_eq!(table.column(7, "load_s_after", 2), Some(&[1.5, 2.5][..]));
        assert_eq!(table.column(9, "load_s_after", 2), None);
        assert_eq!(table.column(7, "absent", 2), None);
        assert!(table.says("load_s_after") && !table.says("absent"));
    }

    #[test]
    fn errors_name_the_line() {
        let said = read("phase,rank,load_s_after\n0,0,1\n0,1,much\n").unwrap_err().to_string();
        assert!(said.contains("ranks.csv, line 3: `much` is not a number"), "{said}");
        let said = read("phase,rank,load_s_after\n0,1,1\n").unwrap_err().to_string();
        assert!(said.contains("rank 1 does not follow"), "{said}");
    }

    #[test]
    fn a_run_without_the_table_has_none() {
        let directory = tempfile::tempdir().unwrap();
        assert!(RankTable::read(directory.path(), &[], &mut Inputs::none()).unwrap().is_none());
    }
}
