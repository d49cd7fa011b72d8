// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `lbaf study`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::arguments::{CommonArgs, OutputDirArg};
use lbaf_run::study::Shard;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct StudyArgs {
    /// File of the study.
    #[arg(required = true, value_name = "STUDY")]
    study: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) overrides: StudyOverrideArgs,
    /// Compute only a part of the cells, for example `2/8` for the second of eight parts. A hash assigns each cell to
    /// a part. `lbaf study merge` combines the parts.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Shard>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
    #[command(subcommand)]
    pub(crate) command: Option<StudyCommand>,
}

impl StudyArgs {
    /// Returns the file of the study, which is given unless there is a subcommand.
    pub(crate) fn study(&self) -> &Path {
        self.study.as_deref().expect("invariant: a study is required without a subcommand")
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum StudyCommand {
    /// Combine parts that were computed with `--shard`, for example on several machines. The results are the same as
    /// those of a single process.
    Merge(MergeArgs),
    /// Report the progress of a study: cells, failures, rate, remaining time, and processes.
    ///
    /// Numbers of a process are as of the last renewal of its lease, that many seconds after the process joined. Its
    /// state is `running`, `ended` (killed) or `expired` (no sign of life); others take its cells over.
    Status(StatusArgs),
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Output directory of the study.
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Print the status as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// File of the study.
    #[arg(value_name = "STUDY")]
    pub(crate) study: PathBuf,
    /// Output directories of the parts.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) parts: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) overrides: StudyOverrideArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Changes to a study.
#[derive(Clone, Debug, Args)]
pub(crate) struct StudyOverrideArgs {
    /// Set a key of the configuration that all cells share.
    #[arg(long, value_name = "KEY.PATH=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) output: OutputDirArg,
    /// Print `study.json` instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}
