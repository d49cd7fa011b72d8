// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `lbaf provenance`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::anomalies::LabellingArgs;
use crate::arguments::{CommonArgs, DataArgs, NewStemArg, ReplaceFilesArg, StemArg};

#[derive(Debug, Args)]
pub(crate) struct ProvenanceArgs {
    #[command(subcommand)]
    pub(crate) command: ProvenanceCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProvenanceCommand {
    /// Write a provenance database from a data set: anomalies, normal executions for comparison, statistics
    /// and models.
    Export(ExportArgs),
    /// Make a data set from a provenance database. It is incomplete, because the database is a sample of the
    /// executions.
    Import(ImportArgs),
    /// Summarize a provenance database: functions by the severity of their anomalies, counters, ranks and hosts.
    Report(DumpArgs),
    /// Compare the provenance databases of two runs: functions and the distributions of their times.
    Compare(CompareArgs),
}

impl ProvenanceCommand {
    /// Returns the common options.
    pub(crate) fn common(&self) -> CommonArgs {
        match self {
            ProvenanceCommand::Export(args) => args.common,
            ProvenanceCommand::Import(args) => args.common,
            ProvenanceCommand::Report(args) => args.common,
            ProvenanceCommand::Compare(args) => args.common,
        }
    }
}

/// Database to read.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArg {
    /// Database: a directory, or a file of any of its forms.
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
}

/// Form of a report.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FullJsonArg {
    /// Print all results as JSON instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) data_set: StemArg,
    /// Directory of the new database.
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Write one file for each collection instead of one for each rank and step.
    #[arg(long)]
    pub(crate) flat: bool,
    /// Number of executions written before and after each anomaly.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) window: usize,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) labelling: LabellingArgs,
    /// Replace an existing database.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command are independent")]
pub(crate) struct ImportArgs {
    #[command(flatten)]
    pub(crate) database: DatabaseArg,
    #[command(flatten)]
    pub(crate) new_files: NewStemArg,
    /// Program to import, if there are several. Default: the lowest PID.
    #[arg(long, value_name = "PID")]
    pub(crate) pid: Option<i64>,
    /// Unit that becomes an object: a function on a thread, a function on a rank, or every execution.
    #[arg(long, value_name = "UNIT", default_value = "thread")]
    pub(crate) object: ObjectKind,
    /// Include the time of called functions.
    #[arg(long)]
    pub(crate) total_time: bool,
    /// Make the objects migratable, for what-if studies.
    #[arg(long)]
    pub(crate) migratable: bool,
    /// Leave out steps without executions, and number the other steps from 0. Default: steps keep their numbers, and
    /// steps without executions are empty phases.
    #[arg(long)]
    pub(crate) compact_phases: bool,
    /// Include executions that are only in the windows of other executions.
    #[arg(long)]
    pub(crate) use_windows: bool,
    /// Leave out the original records. The data set can then not be exported to the same database again.
    #[arg(long)]
    pub(crate) no_records: bool,
    /// Compress with this brotli quality, 0 to 11. Default: plain JSON.
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u32).range(0..=11))]
    pub(crate) quality: Option<u32>,
    #[command(flatten)]
    pub(crate) replace: ReplaceFilesArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Unit that becomes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ObjectKind {
    /// A function on a thread.
    Thread,
    /// A function on a rank.
    Rank,
    /// Every execution.
    Event,
}

#[derive(Debug, Args)]
pub(crate) struct DumpArgs {
    #[command(flatten)]
    pub(crate) database: DatabaseArg,
    /// Number of functions, counters, ranks and anomalies to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) form: FullJsonArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Database of the first run.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// Database of the second run.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Number of functions to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Also show the histograms of functions, bin by bin.
    #[arg(long)]
    pub(crate) histograms: bool,
    #[command(flatten)]
    pub(crate) form: FullJsonArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
