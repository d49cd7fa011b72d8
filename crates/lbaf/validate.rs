// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf validate`: all faults of files, one per line.

mod configuration;
mod results_files;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_config::InvalidValue;
use lbaf_reader::{FileReport, ForVt, Listing, ReadError, Validation, list_directory};
use lbaf_run::Messages as _;
use lbaf_text::number::counted;
use lbaf_text::{Shown as _, line};
use lbaf_vom::{Finding, Severity};
use serde::Serialize;

use crate::arguments::CommonArgs;
use crate::data;
use crate::directories;
use crate::error::Error;
use crate::memory;
use crate::progress::{Messages, Verbosity};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command are independent")]
pub(crate) struct ValidateArgs {
    /// Files, directories, or paths of data files up to the rank: `dir/data` for `dir/data.0.json`. A file that
    /// ends in .yaml or .yml is a configuration of a run or study, or a specification of data, unless it is found by
    /// `--suffix` or by a path up to the rank: then it is data.
    #[arg(value_name = "PATH", required_unless_present = "print_schema")]
    pub(crate) paths: Vec<PathBuf>,
    /// Also check that every object named in communication has a task in the same phase, in any file of its data
    /// set (the files of one directory, stem and suffix).
    #[arg(long)]
    pub(crate) strict_links: bool,
    /// Check for faults that make vt crash or misread the files; other violations of the schema are then warnings.
    #[arg(long)]
    pub(crate) vt: bool,
    /// Suffix of the files to check, if PATH is a directory or a path up to the rank.
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

/// Default number of findings per file.
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
    let mut files = Files::default();
    for path in &args.paths {
        files.add(path, args.suffix.as_deref())?;
    }
    let Files { data, configurations, not_checked } = files;
    let limit = match args.limit {
        Some(limit) => limit,
        None if args.all || args.json => usize::MAX,
        None => LIMIT,
    };
    let vt = args.vt.then(ForVt::default);
    not_checked.notes(limit).iter().for_each(|note| messages.note(note));
    if data.is_empty() && configurations.is_empty() {
        let message = "found nothing to validate: the paths contain only results of lbaf that are not data";
        return Err(Error::Input(message.to_owned()));
    }
    let configurations: Vec<_> = configurations.into_iter().map(configuration::check).collect();
    let with_data = |report: &&configuration::Report| {
        report.errors.is_empty() && report.kind != Some(configuration::Kind::Specification)
    };
    let n_without_data = configurations.iter().filter(with_data).count();
    if n_without_data > 0 {
        let configurations = counted(n_without_data, "configuration");
        messages.note(&format!(
            "the data of {configurations} were not checked; `lbaf run --dry-run` checks them"
        ));
    }
    let row_memory_bytes = memory::request().row_memory_bytes;
    let checks = Validation { limit, strict_links: args.strict_links, vt, row_memory_bytes };
    let reports = lbaf_run::validate(data, checks, &messages)?;
    let totals = Totals::of(&reports, &configurations);
    let text = if args.json {
        json(&reports, &configurations, limit, totals, not_checked.names())
    } else {
        lines(&reports, &configurations, limit, totals, messages.verbosity)
    };
    let verdict = if totals.n_errors == 0 { Ok(()) } else { Err(Error::Invalid) };
    Ok(Checked { text, verdict })
}

/// Files that directories contain but that are not checked.
#[derive(Default)]
struct NotChecked {
    /// Results files of `lbaf`.
    results: Vec<String>,
    /// Files not named like data files, and directories.
    others: Vec<String>,
}

impl NotChecked {
    /// Returns a sentence for each kind of file, with at most `limit` names.
    fn notes(&self, limit: usize) -> Vec<String> {
        let note = |names: &[String], kind: &str| {
            let n_more = names.len().saturating_sub(limit);
            let more =
                if n_more > 0 { format!(", and {n_more} more (--all shows them)") } else { String::new() };
            let shown = names[..names.len() - n_more].join(", ");
            (!names.is_empty()).then(|| format!("{kind} are not checked ({}): {shown}{more}", names.len()))
        };
        let results = note(&self.results, "results of lbaf that are not data");
        let others = note(&self.others, "files and directories that are not named like data files");
        results.into_iter().chain(others).collect()
    }

    fn names(self) -> Vec<String> {
        self.results.into_iter().chain(self.others).collect()
    }
}

/// Files to check.
#[derive(Default)]
struct Files {
    data: Vec<PathBuf>,
    configurations: Vec<PathBuf>,
    not_checked: NotChecked,
}

impl Files {
    /// Adds a file, or the files of a stem or directory. Without a suffix, a directory includes its configurations.
    fn add(&mut self, path: &Path, suffix: Option<&str>) -> Result<(), Error> {
        if path.is_dir() {
            return self.add_directory(path, suffix);
        }
        if path.exists() {
            directories::check_whole_beside(path)?;
            if results_files::is_one(path) {
                self.not_checked.results.push(path.display().to_string());
                return Ok(());
            }
            let files = if configuration::is_yaml(path) { &mut self.configurations } else { &mut self.data };
            files.push(path.to_path_buf());
            return Ok(());
        }
        let located = data::locate(path, suffix).map_err(|error| match error {
            Error::Read(ReadError::NoFiles { .. } | ReadError::NoDirectory { .. }) => Error::Input(format!(
                "{0}: no such file or directory, and no files {0}.<rank>.*",
                path.display()
            )),
            error => error,
        })?;
        self.data.extend(located.files);
        Ok(())
    }

    fn add_directory(&mut self, path: &Path, suffix: Option<&str>) -> Result<(), Error> {
        directories::check_whole(path)?;
        let Listing { mut data, mut others } = list_directory(path, suffix)?;
        let results: Vec<PathBuf> = data.extract_if(.., |file| results_files::is_one(file)).collect();
        let is_configuration = |file: &mut PathBuf| suffix.is_none() && configuration::is_recognized(file);
        let configurations: Vec<PathBuf> = others.extract_if(.., is_configuration).collect();
        let name = |path: PathBuf| format!("{}{}", path.display(), if path.is_dir() { "/" } else { "" });
        self.not_checked.others.extend(others.into_iter().map(name));
        if data.is_empty() && configurations.is_empty() && results.is_empty() {
            return Err(Error::Input(format!(
                "{}: found nothing to validate; data files are named <stem>.<rank>.<suffix>, or end in .json, \
                 .json.br or .vom",
                path.display()
            )));
        }
        self.not_checked.results.extend(results.into_iter().map(|file| file.display().to_string()));
        self.data.extend(data);
        self.configurations.extend(configurations);
        Ok(())
    }
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
    limit: usize,
    totals: Totals,
    verbosity: Verbosity,
) -> String {
    let mut out = String::new();
    // The texts of errors include their files and the faulty lines.
    for report in configurations {
        for error in report.errors.iter().take(limit) {
            let _ = writeln!(out, "{}\n", error.text);
        }
        let n_more = report.errors.len().saturating_sub(limit);
        if n_more > 0 {
            let _ = writeln!(out, "{}: and {n_more} more; --all shows them", report.path.shown());
        }
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
    pointer: Option<String>,
    expected: Option<&'a str>,
    found: Option<&'a str>,
    message: &'a str,
}

fn json(
    reports: &[FileReport],
    configurations: &[configuration::Report],
    limit: usize,
    totals: Totals,
    not_checked: Vec<String>,
) -> String {
    let n_not_checked = not_checked.len();
    let configurations = configurations.iter().map(|report| configuration(report, limit));
    let files = configurations.chain(reports.iter().map(file)).collect();
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

/// Keeps the first line of each error: its place and message, without the faulty line. A place in another file is only
/// in the message.
fn configuration(report: &configuration::Report, limit: usize) -> FileOfReport<'_> {
    let file = report.path.display().to_string();
    let findings = report.errors.iter().take(limit).map(|error| invalid_value(error, &file)).collect();
    FileOfReport {
        r#type: report.kind.map(configuration::Kind::name),
        n_errors: report.errors.len(),
        n_warnings: 0,
        findings,
        file,
    }
}

fn invalid_value<'a>(error: &'a InvalidValue, file: &str) -> FindingOfReport<'a> {
    let InvalidValue { text, place, path, .. } = error;
    let place = place.as_ref().filter(|(named, ..)| named == file);
    FindingOfReport {
        severity: "error",
        line: place.map(|(_, line, _)| *line),
        column: place.map(|(_, _, column)| *column),
        pointer: place.map(|_| pointer(path)),
        expected: None,
        found: None,
        message: str::lines(text).next().unwrap_or_default(),
    }
}

/// Returns a path of keys, such as `a.b[2].c`, as a JSON pointer; the pointer to the document is empty.
fn pointer(path: &str) -> String {
    let keys = path.replace('~', "~0").replace('/', "~1").replace('[', ".").replace(']', "");
    keys.split('.').filter(|key| !key.is_empty()).flat_map(|key| ["/", key]).collect()
}

fn finding(finding: &Finding) -> FindingOfReport<'_> {
    FindingOfReport {
        severity: match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        line: finding.position.map(|position| position.line),
        column: finding.position.map(|position| position.column),
        pointer: finding.pointer.clone(),
        expected: finding.expected.as_deref(),
        found: finding.found.as_deref(),
        message: &finding.message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_and_tildes_of_keys_are_escaped_in_pointers() {
        assert_eq!(pointer("axes[1].a/b.c~1"), "/axes/1/a~1b/c~01");
        assert_eq!(pointer(""), "");
    }
}
