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
    /// Write a provenance database from a data set: anomalies, normal executions beside them, statistics and models.
    Export(ExportArgs),
    /// Make a data set from a provenance database, as far as it goes: it is a sample of what ran.
    Import(ImportArgs),
    /// Say what is in a provenance database: functions by what their anomalies cost, counters, ranks and hosts.
    Report(DumpArgs),
    /// Compare the provenance databases of two runs: functions, and how their times are distributed.
    Compare(CompareArgs),
}

impl ProvenanceCommand {
    /// Options that all have.
    pub(crate) fn common(&self) -> CommonArgs {
        match self {
            ProvenanceCommand::Export(args) => args.common,
            ProvenanceCommand::Import(args) => args.common,
            ProvenanceCommand::Report(args) => args.common,
            ProvenanceCommand::Compare(args) => args.common,
        }
    }
}

/// A database to read.
#[derive(Debug, Args)]
pub(crate) struct DatabaseArg {
    /// The database: a directory, or a file of any of its forms.
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
}

/// Form of a report.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FullJsonArg {
    /// Print JSON with everything instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) data_set: StemArg,
    /// The directory of the database.
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Write one file for each collection instead of one for each rank and step.
    #[arg(long)]
    pub(crate) flat: bool,
    /// Executions before and after an anomaly that are written with it.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) window: usize,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) labelling: LabellingArgs,
    /// Replace the database that is there.
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
    /// The program, where there are several. Default: the lowest.
    #[arg(long, value_name = "PID")]
    pub(crate) pid: Option<i64>,
    /// What becomes an object: a function on a thread, a function on a rank, or every execution.
    #[arg(long, value_name = "WHAT", default_value = "thread")]
    pub(crate) object: ObjectKind,
    /// Count the time of called functions too.
    #[arg(long)]
    pub(crate) total_time: bool,
    /// Objects may migrate, for what-if studies.
    #[arg(long)]
    pub(crate) migratable: bool,
    /// Number only steps with executions, from 0 on. Default: steps keep their numbers, and those between are empty.
    #[arg(long)]
    pub(crate) compact_phases: bool,
    /// Take executions too that only windows know.
    #[arg(long)]
    pub(crate) use_windows: bool,
    /// Leave out the records themselves, without which the data set cannot become the same database again.
    #[arg(long)]
    pub(crate) no_records: bool,
    /// Brotli quality, 0 to 11; plain JSON without it.
    #[arg(long, value_name = "Q", value_parser = clap::value_parser!(u32).range(0..=11))]
    pub(crate) quality: Option<u32>,
    #[command(flatten)]
    pub(crate) replace: ReplaceFilesArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What becomes an object.
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
    /// How many functions, counters, ranks and anomalies to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) form: FullJsonArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The database of one run.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// That of the other.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// How many functions to show.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Show the histograms of functions too, bin by bin.
    #[arg(long)]
    pub(crate) histograms: bool,
    #[command(flatten)]
    pub(crate) form: FullJsonArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}
