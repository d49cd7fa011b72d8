// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf diff`: what is not the same in two data sets, or in two placements of one.

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
use lbaf_reader::{Recorded, Request};
use lbaf_run::Messages as _;
use lbaf_vom::CommunicationKind;

use crate::arguments::CommonArgs;
use crate::data;
use crate::error::Error;
use crate::progress::{Messages, Verbosity};

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// One data set: path of its files up to the rank.
    #[arg(value_name = "A")]
    pub(crate) a: PathBuf,
    /// The other, for example the output of a run: its directory and `output_file_stem`.
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,
    /// Phases to compare, for example `3`, `0-10`, `%100 -3 3` or `all`.
    #[arg(long, value_name = "PHASES", default_value = "all", allow_negative_numbers = true)]
    pub(crate) phases: String,
    /// Suffix of the data files of both, where several match a stem.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix: Option<String>,
    /// Suffix of the data files of A.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_a: Option<String>,
    /// Suffix of the data files of B.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix_b: Option<String>,
    /// How many objects that differ to show, 0 for none.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) limit: usize,
    /// Print JSON with everything that differs instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// What there is to print, and whether the data sets are equal.
pub(crate) struct Verdict {
    pub(crate) text: String,
    pub(crate) equal: bool,
}

/// Reads two data sets and compares them; what there is to print is empty where nothing shall be said.
pub(crate) fn diff(args: &DiffArgs, messages: Messages) -> Result<Verdict, Error> {
    let phases = Selection::parse(&args.phases)
        .map_err(|message| Error::Configuration(format!("--phases: {message}")))?;
    let suffix = args.suffix.as_deref();
    let (suffix_a, a) = read(&args.a, args.suffix_a.as_deref().or(suffix), &phases, messages)?;
    let (suffix_b, b) = read(&args.b, args.suffix_b.as_deref().or(suffix), &phases, messages)?;
    check(&phases, &a, &b)?;
    let (stem_a, stem_b) = (args.a.display().to_string(), args.b.display().to_string());
    let comparison = Comparison::new(
        Found { stem: &stem_a, suffix: &suffix_a, recorded: &a },
        Found { stem: &stem_b, suffix: &suffix_b, recorded: &b },
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

/// Communication of every type is compared.
fn read(
    stem: &Path,
    suffix: Option<&str>,
    phases: &Selection,
    messages: Messages,
) -> Result<(String, Recorded), Error> {
    let located = data::locate(stem, suffix)?;
    let request = Request {
        phases: &|phase| phases.contains(phase),
        communication_kinds: &CommunicationKind::NAMED,
        ..Request::default()
    };
    let recorded = data::read(&located, &request, messages)?;
    Ok((located.suffix, recorded))
}

/// A phase that is named by itself is in one of the data sets at least.
fn check(phases: &Selection, a: &Recorded, b: &Recorded) -> Result<(), Error> {
    let (in_a, in_b) = (&a.findings.phases_recorded, &b.findings.phases_recorded);
    let there = |phase| in_a.binary_search(&phase).is_ok() || in_b.binary_search(&phase).is_ok();
    match phases.missing_from(there) {
        Some(phase) => Err(Error::Configuration(format!(
            "--phases: phase {phase} is in neither data set; A holds {}, B holds {}",
            lbaf_config::ranges(in_a),
            lbaf_config::ranges(in_b)
        ))),
        None => Ok(()),
    }
}
