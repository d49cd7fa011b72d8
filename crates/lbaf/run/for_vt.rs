// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether vt can take the files that were written for its OfflineLB, as `lbaf validate --vt` sees it, before anybody
//! else sees them.

use lbaf_reader::{FileGroup, FileReport, RankFile, Validation, group_files};
use lbaf_vom::Severity;
use lbaf_writer::{EmptyRanks, Options, Staging};

use super::input::Input;
use crate::config::Run;
use crate::error::Error;
use crate::report::number::counted;

/// Findings that are shown.
const FEW: usize = 3;

const CHECKS: Validation = Validation { limit: FEW, strict_links: false, vt: true };

/// Checks the staged files, if they are for vt. Returns warnings.
pub(super) fn check(run: &Run, input: &Input, staging: &Staging) -> Result<Vec<String>, Error> {
    let Some(options) = run.files.as_ref().filter(|options| options.offline_lb_compatible) else {
        return Ok(Vec::new());
    };
    verdict(&Found::of(staging, options, input.n_ranks()), options.empty_ranks, || is_wrong(input))
}

/// Records are copied, so that vt minds in them what it would mind in the data, and ranks may be empty if the user
/// says so. What else is wrong with the files is our own doing.
fn verdict(
    found: &Found,
    empty_ranks: EmptyRanks,
    data_are_wrong: impl FnOnce() -> bool,
) -> Result<Vec<String>, Error> {
    let Found { n_errors, n_warnings, first } = found;
    let warnings = counted(*n_warnings, "warning");
    if *n_errors == 0 {
        let warning =
            format!("`lbaf validate --vt` has {warnings} about the files for OfflineLB; the first: {first}");
        return Ok(if *n_warnings == 0 { Vec::new() } else { vec![warning] });
    }
    let mut counts = counted(*n_errors, "error");
    if *n_warnings > 0 {
        counts += &format!(", {warnings}");
    }
    let why = if data_are_wrong() {
        " and neither do the data, whose records are in them"
    } else if empty_ranks == EmptyRanks::Warn {
        ""
    } else {
        return Err(Error::NotForVt { counts, first: first.clone() });
    };
    Ok(vec![format!(
        "the files for OfflineLB do not pass `lbaf validate --vt`{why} ({counts}); the first: {first}"
    )])
}

/// Whether the files of the data do not pass themselves.
fn is_wrong(input: &Input) -> bool {
    let reports = lbaf_reader::validate(&group_files(input.files().to_vec()), CHECKS, &|_| {});
    reports.iter().any(|report| report.findings.n_errors > 0)
}

/// What was found in all files together.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    n_errors: usize,
    n_warnings: usize,
    /// The first findings, errors before warnings.
    first: String,
}

impl Found {
    fn of(staging: &Staging, options: &Options, n_ranks: usize) -> Self {
        let file = |rank: usize| RankFile {
            path: staging.hidden(&options.file_name(rank)),
            rank: Some(rank as u64),
            is_padded: false,
        };
        let group = FileGroup { files: (0..n_ranks).map(file).collect() };
        let reports = lbaf_reader::validate(&[group], CHECKS, &|_| {});
        let lines = |report: &FileReport| {
            let path = report.path.display().to_string();
            report
                .findings
                .kept
                .iter()
                .map(|finding| (finding.severity, format!("{path}: {finding}")))
                .collect()
        };
        let mut lines: Vec<_> = reports.iter().flat_map::<Vec<_>, _>(lines).collect();
        lines.sort_by_key(|&(severity, _)| severity != Severity::Error);
        // Users do not know the hidden directory.
        let hidden = staging.hidden("").display().to_string();
        let first: Vec<String> =
            lines.into_iter().take(FEW).map(|(_, line)| line.replace(&hidden, "")).collect();
        Found {
            n_errors: reports.iter().map(|report| report.findings.n_errors).sum(),
            n_warnings: reports.iter().map(|report| report.findings.n_warnings).sum(),
            first: first.join("; "),
        }
    }
}
