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

use std::path::Path;

use comparison::{Comparison, Found};
use lbaf_config::Selection;
use lbaf_reader::{Recorded, Request};
use lbaf_run::Messages as _;
use lbaf_vom::CommunicationKind;

use crate::cli::DiffArgs;
use crate::data;
use crate::error::Error;
use crate::progress::{Messages, Verbosity};

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
