// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of `lbaf convert` and `lbaf extract`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use lbaf_reader::FileName;

use crate::arguments::{CommonArgs, QualityArg, ReplaceFilesArg, SuffixArg};

/// Suffix and compression of the new files.
#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    #[command(flatten)]
    pub(crate) data: SuffixArg,
    /// Suffix of the new files. Default: that of the data; `vom` for JSON converted to text, `json` for text
    /// converted to JSON.
    #[arg(long, value_name = "SUFFIX", value_parser = suffix)]
    pub(crate) output_suffix: Option<String>,
    /// Compress with brotli. Default: as in the data.
    #[arg(long, conflicts_with = "plain")]
    pub(crate) brotli: bool,
    /// Do not compress. Default: as in the data.
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) brotli_quality: QualityArg,
    #[command(flatten)]
    pub(crate) replace: ReplaceFilesArg,
}

/// Data and new files.
#[derive(Debug, Args)]
pub(crate) struct PathArgs {
    /// Path of the data files up to the rank: `dir/data` for `dir/data.0.json`; or a single file.
    #[arg(value_name = "STEM|FILE")]
    pub(crate) input: PathBuf,
    /// Path of the new files up to the rank, or of the new file if a single file is read.
    #[arg(value_name = "NEW_STEM|NEW_FILE")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,
    /// Form of the new files. Default: as in the data.
    #[arg(long, value_name = "FORM")]
    pub(crate) to: Option<Form>,
    /// Ids of objects in the new files.
    #[arg(long, value_name = "IDS", default_value = "keep")]
    pub(crate) ids: IdForm,
    /// Leave out non-migratable objects if the form has no mark for them. Default: such data are refused.
    #[arg(long)]
    pub(crate) lossy: bool,
    /// Phases to convert, for example `3`, `0-10`, `%100 -3 3` (every 100th phase with three
    /// neighbours on each side) or `all`.
    #[arg(long, value_name = "PHASES", default_value = "all", allow_negative_numbers = true)]
    pub(crate) phases: String,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) paths: PathArgs,
    /// Phases to extract, for example `3`, `0-10`, `0-3,7` or `%100 -3 3` (every 100th
    /// phase with three neighbours on each side).
    #[arg(long, value_name = "PHASES", allow_negative_numbers = true)]
    pub(crate) phases: String,
    /// Number the phases from 0. Default: phases keep their numbers, and the metadata list omitted phases as
    /// skipped.
    #[arg(long)]
    pub(crate) renumber: bool,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Forms to convert to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Lines of text, as vt wrote them before JSON.
    Text,
    /// JSON of the first generation, without metadata and `migratable`.
    NodeStats,
    /// JSON with `id`.
    LbData,
    /// JSON with `seq_id` instead of `id`.
    SeqId,
    /// Tables of tasks, subphases, communication and ranks, as CSV.
    Csv,
    /// The same tables as Parquet.
    Parquet,
}

/// Ids of objects in the new files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum IdForm {
    /// The numbers in the data, written as `id` or `seq_id`.
    #[default]
    Keep,
    /// Ids that pack sequence number and home, as vt expects them. They are computed from `seq_id` and home, or
    /// from the numbers in older files.
    Packed,
}

/// Parses a suffix: the part of a file name after the rank.
fn suffix(text: &str) -> Result<String, String> {
    let begins_well = text.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if begins_well && FileName::is_suffix(text) && !text.contains(['/', '\\']) {
        return Ok(text.to_owned());
    }
    Err("a suffix is a word such as `json` or `json.br`, without a leading dot and without a number between dots"
        .to_owned())
}
