// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf diff`: comparison of two data sets, or of two placements of one.

mod comparison;
mod console;
mod difference;
mod facts;
mod name;
mod phase;
mod sentences;
mod totals;

use std::path::{Path, PathBuf};

use clap::Args;
use comparison::{Comparison, Found};
use lbaf_config::Selection;
use lbaf_reader::{Located, Recorded, Request};
use lbaf_run::Messages as _;
use lbaf_vom::CommunicationKind;

use crate::arguments::CommonArgs;
use crate::data;
use crate::error::Error;
use crate::memory;
use crate::progress::{Messages, Verbosity};

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// First data set: path of its files up to the rank.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// Second data set: path of its files up to the rank. For the output of a run, this is DIR/STEM: the output
    /// directory and the `output_file_stem` of the run.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Phases to compare, for example `3`, `0-10`, `%100 -3 3` (every 100th phase with three
    /// neighbours on each side) or `all`.
    #[arg(long, value_name = "PHASES", default_value = "all", allow_negative_numbers = true)]
    pub(crate) phases: String,
    /// Suffix of the data files of both data sets, needed if files with several suffixes match a stem.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix: Option<String>,
    /// Suffix of the data files of A.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_a: Option<String>,
    /// Suffix of the data files of B.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_b: Option<String>,
    /// Number of differing objects to show; 0 for none.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Print all differences as JSON instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Text to print, and the result of the comparison.
pub(crate) struct Verdict {
    pub(crate) text: String,
    pub(crate) equal: bool,
}

/// Compares two data sets. The text is empty if the command is quiet and JSON is not requested.
pub(crate) fn diff(args: &DiffArgs, messages: Messages) -> Result<Verdict, Error> {
    let phases = data::selection(&args.phases)?;
    let suffix = args.suffix.as_deref();
    let (located_a, a) = read(&args.a, args.suffix_a.as_deref().or(suffix), &phases, messages)?;
    let (located_b, b) = read(&args.b, args.suffix_b.as_deref().or(suffix), &phases, messages)?;
    check(&phases, &a, &b)?;
    let (stem_a, stem_b) = (located_a.stem.display().to_string(), located_b.stem.display().to_string());
    let comparison = Comparison::new(
        Found { stem: &stem_a, suffix: &located_a.suffix, recorded: &a },
        Found { stem: &stem_b, suffix: &located_b.suffix, recorded: &b },
    );
    let text = if args.json {
        let json =
            serde_json::to_string_pretty(&comparison).expect("invariant: plain data with finite numbers");
        json + "\n"
    } else if messages.verbosity > Verbosity::Quiet {
        for (name, recorded) in [("A", &a), ("B", &b)] {
            recorded
                .findings
                .warnings
                .iter()
                .for_each(|warning| messages.warning(&format!("{name}: {warning}")));
        }
        console::report(&comparison, args.limit)
    } else {
        String::new()
    };
    Ok(Verdict { text, equal: comparison.equal })
}

/// Reads a data set with communication of every type.
fn read(
    stem: &Path,
    suffix: Option<&str>,
    phases: &Selection,
    messages: Messages,
) -> Result<(Located, Recorded), Error> {
    let located = data::locate(stem, suffix)?;
    let request = Request {
        phases: &|phase| phases.contains(phase),
        communication_kinds: &CommunicationKind::NAMED,
        ..memory::request()
    };
    let recorded = data::read(&located, &request, messages)?;
    Ok((located, recorded))
}

/// Checks that every phase selected by its number is in at least one of the data sets.
fn check(phases: &Selection, a: &Recorded, b: &Recorded) -> Result<(), Error> {
    let (in_a, in_b) = (&a.findings.phases_recorded, &b.findings.phases_recorded);
    let there = |phase| in_a.binary_search(&phase).is_ok() || in_b.binary_search(&phase).is_ok();
    match phases.missing_from(there) {
        Some(phase) => Err(Error::Configuration(format!(
            "--phases: phase {phase} is in neither data set; A has {}; B has {}",
            lbaf_config::named_phases(in_a),
            lbaf_config::named_phases(in_b)
        ))),
        None => Ok(()),
    }
}
