// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf make`: generation of a data set from a specification.

mod specification;

use clap::Args;
use lbaf_config::Layers;
use lbaf_run::Messages as _;
use lbaf_text::Shown as _;
use lbaf_text::number::{bytes, counted};
use std::borrow::Cow;
use std::path::PathBuf;

use crate::arguments::{CommonArgs, NewStemArg, QualityArg, ReplaceFilesArg};
use crate::error::Error;
use crate::new_files::NewFiles;
use crate::progress::Messages;
use crate::{arguments, inputs};

pub(crate) use specification::{check, is_specification};

#[derive(Debug, Args)]
// Above quality 5, an encoder zeroes up to 32 MB for each file, but files are hardly smaller.
#[command(mut_arg("quality", |quality| quality.default_value("5")))]
pub(crate) struct MakeArgs {
    /// Specification, a YAML or JSON file. With the key `from_samplers`, data are drawn from distributions; with the
    /// keys `tasks` and `ranks`, every object is listed, in the format of LBAF's data maker.
    #[arg(value_name = "SPEC")]
    pub(crate) spec: PathBuf,
    #[command(flatten)]
    pub(crate) new_files: NewStemArg,
    /// Seed of the samples. Default: 0.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = arguments::seed)]
    pub(crate) seed: Option<u64>,
    #[command(flatten)]
    pub(crate) brotli_quality: QualityArg,
    /// Write plain JSON instead of brotli.
    #[arg(long)]
    pub(crate) plain: bool,
    #[command(flatten)]
    pub(crate) replace: ReplaceFilesArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Writes the files. Returns the text to print.
pub(crate) fn make(args: &MakeArgs, messages: Messages) -> Result<String, Error> {
    let layers = Layers::alone(&args.spec)?;
    inputs::note(&args.spec);
    let drawing = messages.progress("drawing samples", 1);
    let population = specification::population(&layers, args.seed, messages)?;
    drop(drawing);
    let new = NewFiles::of_stem(&args.new_files.stem, "json", args.replace.force)?;
    let quality = (!args.plain).then_some(args.brotli_quality.quality);
    new.print_ranks(population.n_ranks() as usize, quality, |rank| Cow::Owned(population.file(rank as u32)))?;
    let size = new.publish()?;
    let sentinels = match population.n_sentinels() {
        0 => String::new(),
        n_sentinels => format!(" and {}", counted(n_sentinels, "non-migratable object")),
    };
    Ok(format!(
        "{}.<rank>.json: {}, {}{sentinels}, {}; {}\n",
        args.new_files.stem.shown(),
        counted(population.n_ranks() as usize, "rank"),
        counted(population.n_migratable(), "object"),
        counted(population.n_phases(), "phase"),
        bytes(size as f64),
    ))
}
