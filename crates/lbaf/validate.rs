// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf validate`: all faults of files, one per line.

mod configuration;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_reader::{FileReport, ForVt, Listing, ReadError, Validation, list_directory};
use lbaf_run::Messages as _;
use lbaf_run::summary;
use lbaf_text::number::counted;
use lbaf_text::{Shown as _, line};
use lbaf_vom::{Finding, Severity};
use serde::{Deserialize, Serialize};

use crate::arguments::CommonArgs;
use crate::data;
use crate::directories;
use crate::error::Error;
use crate::progress::{Messages, Verbosity};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command are independent")]
pub(crate) struct ValidateArgs {
    /// Files, directories, or paths of data files up to the rank: `dir/data` for `dir/data.0.json`. Files that end in
    /// .yaml or .yml are configurations of runs or studies.
    #[arg(value_name = "PATH", required_unless_present = "print_schema")]
    pub(crate) paths: Vec<PathBuf>,
    /// Also check that every object named in communication has a task in the same phase, in any file of its data
    /// set (the files of one directory, stem and suffix).
    #[arg(long)]
    pub(crate) strict_links: bool,
    /// Check for faults that make vt crash or misread the files; other violations of the schema are then warnings.
    #[arg(long)]
    pub(crate) vt: bool,
    /// Suffix of the files to check, where PATH is a directory or a path up to the rank.
    #[arg(long, value_name = "SUFFIX")]
    pub(crate) suffix: Option<String>,
    /// Number of findings to show per file. Default: 20, or all with --json.
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub(crate) limit: Option<usize>,
    /// Show all findings.
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON instead of lines.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the schema of a type, LBDatafile or LBStatsfile, as a JSON Schema, without checking files.
    #[arg(long, value_name = "TYPE", conflicts_with = "paths")]
    pub(crate) print_schema: Option<lbaf_vom::DocumentType>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Default number of findings shown per file.
const LIMIT: usize = 20;

/// Text to print, and the verdict: an error unless all files are valid.
pub(crate) struct Checked {
    pub(crate) text: String,
    pub(crate) verdict: Result<(), Error>,
}

/// Checks files, or prints a schema.
pub(crate) fn validate(args: &ValidateArgs, messages: Messages) -> Result<Checked, Error> {
    if let Some(document) = args.print_schema {
        return Ok(Checked { text: lbaf_vom::json_schema(document), verdict: Ok(()) });
    }
    let mut paths = Vec::new();
    let mut not_checked = NotChecked::default();
    for path in &args.paths {
        paths.extend(files_at(path, args.suffix.as_deref(), &mut not_checked)?);
    }
    let limit = match args.limit {
        Some(limit) => limit,
        None if args.all || args.json => usize::MAX,
        None => LIMIT,
    };
    let vt = args.vt.then(ForVt::default);
    not_checked.notes(limit).iter().for_each(|note| messages.note(note));
    let (configurations, paths) = paths.into_iter().partition(|path| configuration::is_configuration(path));
    let configurations = check_configurations(configurations);
    let reports =
        lbaf_run::validate(paths, Validation { limit, strict_links: args.strict_links, vt }, &messages);
    let totals = Totals::of(&reports, &configurations);
    let text = if args.json {
        json(&reports, &configurations, totals, not_checked.names())
    } else {
        lines(&reports, &configurations, totals, messages.verbosity)
    };
    let verdict = if totals.n_errors == 0 { Ok(()) } else { Err(Error::Invalid) };
    Ok(Checked { text, verdict })
}

fn check_configurations(paths: Vec<PathBuf>) -> Vec<configuration::Report> {
    paths.into_iter().map(configuration::check).collect()
}

/// Files in directories that are not checked.
#[derive(Default)]
struct NotChecked {
    /// Files that `lbaf run` writes beside its data.
    of_a_run: Vec<String>,
    /// Files not named like data files, and directories.
    others: Vec<String>,
}

impl NotChecked {
    /// Returns a sentence for each kind, with at most `limit` names.
    fn notes(&self, limit: usize) -> Vec<String> {
        let note = |names: &[String], reason: &str| {
            let n_more = names.len().saturating_sub(limit);
            let more =
                if n_more > 0 { format!(", and {n_more} more (--all shows them)") } else { String::new() };
            let shown = names[..names.len() - n_more].join(", ");
            (!names.is_empty()).then(|| format!("{} not checked ({reason}): {shown}{more}", names.len()))
        };
        let of_a_run = note(&self.of_a_run, "outputs of a run, not data");
        let others = note(&self.others, "not named like data files");
        of_a_run.into_iter().chain(others).collect()
    }

    fn names(self) -> Vec<String> {
        self.of_a_run.into_iter().chain(self.others).collect()
    }
}

/// Returns the files of a directory or stem, or the file itself. Adds all other entries of a directory to
/// `not_checked`.
fn files_at(path: &Path, suffix: Option<&str>, not_checked: &mut NotChecked) -> Result<Vec<PathBuf>, Error> {
    if path.is_dir() {
        directories::check_whole(path)?;
        let Listing { data: mut files, others } = list_directory(path, suffix)?;
        let of_a_run = files.extract_if(.., |file| is_of_a_run(file));
        not_checked.of_a_run.extend(of_a_run.map(|file| file.display().to_string()));
        let name = |path: PathBuf| format!("{}{}", path.display(), if path.is_dir() { "/" } else { "" });
        not_checked.others.extend(others.into_iter().map(name));
        if files.is_empty() {
            return Err(Error::Input(format!(
                "{}: found nothing to validate; data files are named <stem>.<rank>.<suffix>, or end in .json, \
                 .json.br or .vom",
                path.display()
            )));
        }
        return Ok(files);
    }
    if path.exists() {
        directories::check_whole_beside(path)?;
        return Ok(vec![path.to_path_buf()]);
    }
    match data::locate(path, suffix) {
        Ok(located) => Ok(located.files),
        Err(Error::Read(ReadError::NoFiles { .. } | ReadError::NoDirectory { .. })) => Err(Error::Input(
            format!("{0}: no such file or directory, and no files {0}.<rank>.*", path.display()),
        )),
        Err(error) => Err(error),
    }
}

/// True if a file is the summary of a run, or the timings beside a summary.
fn is_of_a_run(file: &Path) -> bool {
    #[derive(Deserialize)]
    struct Head {
        schema: String,
    }
    let name = file.file_name().unwrap_or_default();
    if name != summary::FILE && name != summary::TIMINGS {
        return false;
    }
    let head = lbaf_reader::read_file(&file.with_file_name(summary::FILE));
    let head = head.ok().and_then(|bytes| serde_json::from_slice::<Head>(&bytes).ok());
    head.is_some_and(|head| head.schema == summary::SCHEMA)
}

/// Counts over all files.
#[derive(Clone, Copy, Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the names are keys of the JSON report")]
struct Totals {
    n_files: usize,
    n_invalid: usize,
    n_errors: usize,
    n_warnings: usize,
}

impl Totals {
    fn of(reports: &[FileReport], configurations: &[configuration::Report]) -> Self {
        let of_data = reports.iter().map(|report| report.findings.n_errors);
        let of_configurations = configurations.iter().map(|report| report.errors.len());
        let n_errors: Vec<usize> = of_data.chain(of_configurations).collect();
        Totals {
            n_files: n_errors.len(),
            n_invalid: n_errors.iter().filter(|&&n_errors| n_errors > 0).count(),
            n_errors: n_errors.iter().sum(),
            n_warnings: reports.iter().map(|report| report.findings.n_warnings).sum(),
        }
    }

    fn sentence(self) -> String {
        let Totals { n_files, n_invalid, n_errors, n_warnings } = self;
        let files = counted(n_files, "file");
        let warnings =
            if n_warnings > 0 { format!(", {}", counted(n_warnings, "warning")) } else { String::new() };
        if n_errors == 0 {
            return format!("{files} {} valid{warnings}", if n_files == 1 { "is" } else { "are" });
        }
        format!("{files}: {n_invalid} invalid, {}{warnings}", counted(n_errors, "error"))
    }
}

fn lines(
    reports: &[FileReport],
    configurations: &[configuration::Report],
    totals: Totals,
    verbosity: Verbosity,
) -> String {
    let mut out = String::new();
    // The errors are rendered already, with their files and the faulty lines.
    for error in configurations.iter().flat_map(|report| &report.errors) {
        let _ = writeln!(out, "{error}\n");
    }
    let is_quiet = verbosity == Verbosity::Quiet;
    for report in reports {
        let path = report.path.shown();
        let kept = report.findings.kept.iter();
        for finding in kept.filter(|finding| !is_quiet || finding.severity == Severity::Error) {
            let _ = writeln!(out, "{path}: {}", line(&finding.to_string()));
        }
        let n_more = report.findings.n_more();
        if n_more > 0 {
            let _ = writeln!(out, "{path}: and {n_more} more; --all shows them");
        }
    }
    if !is_quiet || totals.n_errors > 0 {
        out += &totals.sentence();
        out.push('\n');
    }
    out
}

#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    totals: Totals,
    files: Vec<FileOfReport<'a>>,
    n_not_checked: usize,
    not_checked: Vec<String>,
}

#[derive(Serialize)]
struct FileOfReport<'a> {
    file: String,
    r#type: Option<&'static str>,
    n_errors: usize,
    n_warnings: usize,
    findings: Vec<FindingOfReport<'a>>,
}

#[derive(Serialize)]
struct FindingOfReport<'a> {
    severity: &'static str,
    line: Option<usize>,
    column: Option<usize>,
    pointer: Option<&'a str>,
    expected: Option<&'a str>,
    found: Option<&'a str>,
    message: &'a str,
}

fn json(
    reports: &[FileReport],
    configurations: &[configuration::Report],
    totals: Totals,
    not_checked: Vec<String>,
) -> String {
    let n_not_checked = not_checked.len();
    let files = configurations.iter().map(configuration).chain(reports.iter().map(file)).collect();
    let report = Report { totals, files, n_not_checked, not_checked };
    let mut json = serde_json::to_string_pretty(&report).expect("invariant: plain data");
    json.push('\n');
    json
}

fn file(report: &FileReport) -> FileOfReport<'_> {
    FileOfReport {
        file: report.path.display().to_string(),
        r#type: report.document.map(lbaf_vom::DocumentType::name),
        n_errors: report.findings.n_errors,
        n_warnings: report.findings.n_warnings,
        findings: report.findings.kept.iter().map(finding).collect(),
    }
}

/// The first line of an error holds its place and the message; the faulty line of the file follows.
fn configuration(report: &configuration::Report) -> FileOfReport<'_> {
    let finding = |error| FindingOfReport {
        severity: "error",
        line: None,
        column: None,
        pointer: None,
        expected: None,
        found: None,
        message: str::lines(error).next().unwrap_or_default(),
    };
    FileOfReport {
        file: report.path.display().to_string(),
        r#type: report.kind,
        n_errors: report.errors.len(),
        n_warnings: 0,
        findings: report.errors.iter().map(|error| finding(error)).collect(),
    }
}

fn finding(finding: &Finding) -> FindingOfReport<'_> {
    FindingOfReport {
        severity: match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        line: finding.position.map(|position| position.line),
        column: finding.position.map(|position| position.column),
        pointer: finding.pointer.as_deref(),
        expected: finding.expected.as_deref(),
        found: finding.found.as_deref(),
        message: &finding.message,
    }
}
