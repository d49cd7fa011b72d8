// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments that several commands share.

use std::path::PathBuf;

use clap::Args;
use lbaf_config::Overrides;

use crate::data;
use crate::error::Error;
use crate::memory::{self, parse_size};

/// Options of every command.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct CommonArgs {
    /// Print no messages except errors. The outputs of `info`, `init`, `tasks`, `spec`, `strategies`, `--json`,
    /// `--dry-run` and `--print-schema`, and the program of `milp`, are still printed.
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// Number of threads; 0 means one per processor that the process may use. Results do not depend on it.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=4096))]
    pub(crate) threads: u16,
    /// Memory for data, for example `4GB`, `500MB` or `4GiB`. Some commands keep data that need more in temporary
    /// files. Default: 80% of the memory of the machine, or of its control group if that has less. Results do not
    /// depend on it.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_limit: Option<u64>,
}

/// Options of commands that can report their steps.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct StepArgs {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    /// Report each step.
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// One or more configurations.
#[derive(Clone, Debug, Args)]
pub(crate) struct ConfigurationArgs {
    /// Configuration files; later ones override earlier ones.
    #[arg(required = true, value_name = "CONFIG")]
    pub(crate) configurations: Vec<PathBuf>,
}

/// Data set to read.
#[derive(Clone, Debug, Args)]
pub(crate) struct StemArg {
    /// Path of the data files up to the rank: `dir/data` for `dir/data.0.json`.
    #[arg(value_name = "STEM")]
    pub(crate) stem: PathBuf,
}

/// Data set to write.
#[derive(Clone, Debug, Args)]
pub(crate) struct NewStemArg {
    /// Path of the new files up to the rank: `dir/data` for `dir/data.0.json`.
    #[arg(value_name = "STEM")]
    pub(crate) stem: PathBuf,
}

/// Suffix of a data set.
#[derive(Clone, Debug, Args)]
pub(crate) struct SuffixArg {
    /// Suffix of the data files, needed if files with several suffixes match the stem.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix: Option<String>,
}

/// Part of a data set to read.
#[derive(Clone, Debug, Args)]
pub(crate) struct DataArgs {
    /// Phases to read, for example `3`, `0-10`, `0-3,7`, `%100 -3 3` (every 100th phase with three
    /// neighbours on each side) or `all`.
    #[arg(long, value_name = "PHASES", default_value = "all", allow_negative_numbers = true)]
    pub(crate) phases: String,
    #[command(flatten)]
    pub(crate) files: SuffixArg,
}

/// Format of the output.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct JsonArg {
    /// Print JSON instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Output directory.
#[derive(Clone, Debug, Args)]
pub(crate) struct OutputDirArg {
    /// Output directory, relative to the working directory.
    #[arg(long, value_name = "DIR")]
    pub(crate) output_dir: Option<PathBuf>,
}

/// Compression of new files.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct QualityArg {
    /// Brotli quality, 0 to 11.
    #[arg(long, value_name = "Q", default_value_t = 9, value_parser = clap::value_parser!(u32).range(0..=11))]
    pub(crate) quality: u32,
}

/// Replacement of a data set.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ReplaceFilesArg {
    /// Replace existing files of the data set. All files of a stem are replaced together: files of ranks that the new
    /// data do not have are removed.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Replacement of the file that `--output` names.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ReplaceOutputArg {
    /// Replace the file if it exists.
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

/// Changes to the configuration.
#[derive(Clone, Debug, Args)]
pub(crate) struct OverrideArgs {
    /// Set a key of the configuration, for example `--set algorithm.parameters.pool=excess`. Paths are relative to
    /// the last configuration file.
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    output: OutputDirArg,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = seed)]
    seed: Option<u64>,
    #[command(flatten)]
    data: SuffixArg,
    /// Phases to read, for example `3`, `0-10`, `0-3,7`, `%100 -3 3` (every 100th phase with three
    /// neighbours on each side) or `all`.
    #[arg(long, value_name = "PHASES", allow_negative_numbers = true)]
    phases: Option<String>,
    /// Print the summary as JSON instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses a seed.
///
/// # Errors
/// If the text is not a number of 64 bits without a sign.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a whole number from 0 to {}", u64::MAX))
}

impl OverrideArgs {
    /// Returns the changes.
    ///
    /// # Errors
    /// If `--phases` is malformed.
    pub(crate) fn overrides(&self) -> Result<Overrides, Error> {
        let OverrideArgs { set, output, seed, data, phases, .. } = self.clone();
        let (OutputDirArg { output_dir }, SuffixArg { suffix }) = (output, data);
        phases.as_deref().map(data::selection).transpose()?;
        Ok(Overrides { set, output_dir, seed, suffix, phases, memory_bytes: Some(memory::limit()) })
    }
}
