// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of a data set: CSV or Parquet.

use std::path::{Path, PathBuf};

use lbaf_columns::{ColumnsError, Format, Options, Tables};
use lbaf_config::Selection;
use lbaf_reader::{Located, Recorded, Request};
use lbaf_writer::{Staging, Stream};

use crate::data;
use crate::directories;
use crate::error::Error;
use crate::inputs;
use crate::memory;
use crate::new_files;
use crate::progress::Messages;

/// Written tables.
#[derive(Debug)]
pub(crate) struct Written {
    /// Tables in the order of [`Tables`].
    pub(crate) tables: Vec<Table>,
    /// Warnings about the data and about values that no table contains, one sentence each.
    pub(crate) warnings: Vec<String>,
}

/// Written table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// `tasks`, `subphases`, `communications` or `ranks`.
    pub(crate) name: &'static str,
    pub(crate) path: PathBuf,
    pub(crate) n_rows: u64,
    pub(crate) n_bytes: u64,
}

/// Writes tables of the selected phases of a data set: `<output>.tasks.csv` and so on. Publishes all or none, never
/// over an input, and over existing tables only with `force`.
pub(crate) fn write(
    located: &Located,
    phases: &Selection,
    output: &Path,
    format: Format,
    force: bool,
    messages: Messages,
) -> Result<Written, Error> {
    let (directory, stem) = new_files::parts(output)?;
    let file_of = |table: &str| format!("{stem}.{table}.{}", format.extension());
    directories::restore(directory)?;
    let present = Tables::NAMES.into_array().map(|table| output.with_file_name(file_of(table)));
    if let Some(first) = present.into_iter().find(|path| !force && path.symlink_metadata().is_ok()) {
        return Err(Error::Present(first));
    }
    // An unwritable directory is reported before the work.
    let staging = Staging::new(directory)?;
    let recorded = read(located, phases, messages)?;
    let mut streams = Tables::NAMES.try_map(|table| staging.stream(&file_of(table)))?;
    let written = lbaf_columns::write(&recorded, Options::new(format), &mut streams);
    let written = written.map_err(|error| with_file(error, &streams))?;
    let table = |((name, n_rows), stream): ((&'static str, u64), Stream<'_>)| {
        let path = output.with_file_name(stream.name());
        Table { name, path, n_rows, n_bytes: stream.finish().bytes }
    };
    let rows = Tables::NAMES.into_array().into_iter().zip(written.rows.into_array());
    let tables = rows.zip(streams.into_array()).map(table).collect();
    staging.publish(None, &inputs::all(), &[])?;
    let warnings = recorded.findings.warnings.into_iter().chain(written.left_out).collect();
    Ok(Written { tables, warnings })
}

/// Returns the Parquet format, which this build may lack.
pub(crate) fn parquet() -> Result<Format, Error> {
    Format::PARQUET.ok_or_else(|| {
        let message = "this build does not support Parquet; build with `--features parquet`, or use --to csv";
        Error::Usage(message.to_owned())
    })
}

fn read(located: &Located, phases: &Selection, messages: Messages) -> Result<Recorded, Error> {
    let request = Request { phases: &|phase| phases.contains(phase), records: true, ..memory::request() };
    let recorded = data::read(located, &request, messages)?;
    data::check_selection(phases, &recorded.findings)?;
    Ok(recorded)
}

/// Adds the path of the file to the error of a table.
fn with_file(error: ColumnsError, streams: &Tables<Stream<'_>>) -> Error {
    let Tables { tasks, subphases, communications, ranks } = streams;
    let streams = [tasks, subphases, communications, ranks];
    match error {
        ColumnsError::Read(error) => Error::Read(error),
        ColumnsError::Write { table, source } => {
            let position = Tables::NAMES.into_array().iter().position(|name| *name == table);
            Error::Write(streams[position.expect("invariant: errors name tables")].failed(source))
        }
        error => Error::Input(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use clap::Parser as _;
    use serde_json::Value;
    use tempfile::TempDir;

    use super::*;
    use crate::cli::{Cli, Command};
    use crate::error::exit;
    use crate::progress::Verbosity;

    const QUIET: Messages = Messages { verbosity: Verbosity::Quiet };
    const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/machine/data");

    /// Returns a data set of two phases on one rank, with an object whose home has no file.
    fn two_phases() -> (TempDir, Located) {
        let directory = TempDir::new().unwrap();
        let task = r#"{"entity":{"id":23,"migratable":true,"home":5},"node":0,"time":1.5,"subphases":[{"id":0,"time":1.5}]}"#;
        let phase = |id: u64| format!(r#"{{"id":{id},"tasks":[{task}],"lb_iterations":[]}}"#);
        let document = format!(r#"{{"phases":[{},{}]}}"#, phase(0), phase(4));
        fs::write(directory.path().join("d.0.json"), document).unwrap();
        let located = data::locate(&directory.path().join("d"), None).unwrap();
        (directory, located)
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = directory.read_dir().unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Returns the sum of a column over the rows of each phase.
    fn sums(path: &Path, column: &str) -> BTreeMap<String, f64> {
        let mut reader = csv::Reader::from_path(path).unwrap();
        let position = reader.headers().unwrap().iter().position(|name| name == column).unwrap();
        let mut sums = BTreeMap::new();
        for row in reader.records() {
            let row = row.unwrap();
            *sums.entry(row[0].to_owned()).or_default() += row[position].parse::<f64>().unwrap();
        }
        sums
    }

    #[test]
    fn tables_add_up_to_the_totals_of_info() {
        let directory = TempDir::new().unwrap();
        let located = data::locate(Path::new(EXAMPLE), None).unwrap();
        let output = directory.path().join("deep/out");
        let written = write(&located, &Selection::All, &output, Format::Csv, true, QUIET).unwrap();
        assert_eq!(written.warnings, [""; 0]);
        let parsed = Cli::parse_from(["lbaf", "info", "--json", "--quiet", EXAMPLE]);
        let Some(Command::Info(arguments)) = parsed.command else { panic!("{parsed:?}") };
        let info: Value = serde_json::from_str(&crate::info::info(&arguments, QUIET).unwrap()).unwrap();
        let phases = info["phases"].as_array().unwrap();
        let [tasks, subphases, communications, ranks] = &written.tables[..] else { panic!("{written:?}") };
        let sum = |key: &str| phases.iter().map(|phase| phase[key].as_u64().unwrap()).sum::<u64>();
        assert_eq!((tasks.n_rows, subphases.n_rows), (sum("n_objects"), 0));
        assert_eq!(ranks.n_rows, phases.len() as u64 * info["n_ranks"].as_u64().unwrap());
        let counts = |phase: &Value| {
            let counts = phase["communications"].as_object().unwrap().values();
            counts
                .flat_map(|kinds| kinds.as_object().unwrap().values())
                .map(|n| n.as_u64().unwrap())
                .sum::<u64>()
        };
        assert_eq!(communications.n_rows, phases.iter().map(counts).sum::<u64>());
        let of_tasks = sums(&tasks.path, "time_s");
        let loads = sums(&ranks.path, "load_s");
        let sent = sums(&ranks.path, "sent_bytes");
        for phase in phases {
            let id = phase["phase"].to_string();
            assert_eq!(loads[&id], phase["load_sum"].as_f64().unwrap());
            assert_eq!(sent[&id], phase["off_rank_bytes"].as_f64().unwrap());
            // Loads of ranks are summed in another order than rows of tasks, so sums differ by rounding.
            assert!((of_tasks[&id] / loads[&id] - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn returned_tables_match_the_written_files() {
        let (directory, located) = two_phases();
        for &format in Format::ALL {
            let output = directory.path().join("t/out");
            let written = write(&located, &Selection::All, &output, format, true, QUIET).unwrap();
            let rows: Vec<(&str, u64)> =
                written.tables.iter().map(|table| (table.name, table.n_rows)).collect();
            assert_eq!(rows, [("tasks", 2), ("subphases", 2), ("communications", 0), ("ranks", 2)]);
            for table in &written.tables {
                let name = format!("out.{}.{}", table.name, format.extension());
                assert_eq!(table.path, directory.path().join("t").join(name));
                assert_eq!(fs::metadata(&table.path).unwrap().len(), table.n_bytes);
            }
            assert_eq!(written.warnings.len(), 2);
            assert!(written.warnings[0].contains("home"));
            assert_eq!(
                written.warnings[1],
                "`phases.lb_iterations` is not in any table (number of phase entries with it: 2)"
            );
        }
        assert_eq!(names(&directory.path().join("t")).len(), 4 * Format::ALL.len());
    }

    #[test]
    fn a_build_without_parquet_names_the_remedy() {
        let found = parquet().map(Format::extension).map_err(|error| (error.to_string(), error.exit_code()));
        let message = "this build does not support Parquet; build with `--features parquet`, or use --to csv";
        let missed = Err((message.to_owned(), exit::USAGE));
        assert_eq!(found, if cfg!(feature = "parquet") { Ok("parquet") } else { missed });
    }

    #[test]
    fn phases_are_selected() {
        let (directory, located) = two_phases();
        let output = directory.path().join("out");
        let four = Selection::parse("4").unwrap();
        write(&located, &four, &output, Format::Csv, true, QUIET).unwrap();
        let text = fs::read_to_string(directory.path().join("out.subphases.csv")).unwrap();
        assert_eq!(text, "phase,rank,id,seq_id,migratable,subphase,time_s,other\n4,0,23,,true,0,1.5,\n");
        let error =
            write(&located, &Selection::parse("3").unwrap(), &output, Format::Csv, true, QUIET).unwrap_err();
        assert_eq!(error.exit_code(), exit::CONFIGURATION);
        assert_eq!(error.to_string(), "--phases: phase 3 is not in the data, which hold phases 0, 4");
    }

    #[test]
    fn all_tables_appear_or_none() {
        let (directory, located) = two_phases();
        fs::create_dir(directory.path().join("out.ranks.csv")).unwrap();
        fs::write(directory.path().join("out.tasks.csv"), "old").unwrap();
        let before = names(directory.path());
        let output = directory.path().join("out");
        let error = write(&located, &Selection::All, &output, Format::Csv, true, QUIET).unwrap_err();
        assert_eq!(error.exit_code(), exit::OUTPUT);
        assert_eq!(names(directory.path()), before);
        assert_eq!(fs::read_to_string(directory.path().join("out.tasks.csv")).unwrap(), "old");
    }

    #[test]
    fn an_input_is_never_replaced() {
        let (directory, _) = two_phases();
        let input = directory.path().join("d.0.tasks.csv");
        fs::rename(directory.path().join("d.0.json"), &input).unwrap();
        let before = fs::read(&input).unwrap();
        let located = data::locate(&directory.path().join("d"), Some("tasks.csv")).unwrap();
        let output = directory.path().join("d.0");
        let error = write(&located, &Selection::All, &output, Format::Csv, true, QUIET).unwrap_err();
        assert_eq!(error.exit_code(), exit::OUTPUT);
        assert!(error.to_string().contains("is an input"), "{error}");
        assert_eq!(names(directory.path()), ["d.0.tasks.csv"]);
        assert_eq!(fs::read(&input).unwrap(), before);
    }

    #[test]
    fn an_error_of_a_table_names_its_file() {
        let (directory, _) = two_phases();
        let staging = Staging::new(directory.path()).unwrap();
        let streams = Tables::NAMES.try_map(|table| staging.stream(&format!("out.{table}.csv"))).unwrap();
        let source = std::io::ErrorKind::StorageFull.into();
        let error = with_file(ColumnsError::Write { table: "ranks", source }, &streams);
        let file = directory.path().join("out.ranks.csv");
        assert_eq!(error.to_string(), format!("cannot write {}: no storage space", file.display()));
        assert_eq!(error.exit_code(), exit::OUTPUT);
        assert_eq!(with_file(ColumnsError::NoRecords, &streams).exit_code(), exit::INPUT);
    }
}
