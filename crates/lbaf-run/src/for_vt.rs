// SPDX-License-Identifier: MIT OR Apache-2.0
//! Check of unpublished files for vt's OfflineLB by the rules of `lbaf validate --vt`.

use lbaf_config::RunConfig;
use lbaf_reader::{FileGroup, FileReport, ForVt, RankFile, ReadError, Recorded, Validation, group_files};
use lbaf_text::number::counted;
use lbaf_vom::{Generation, Severity};
use lbaf_writer::{EmptyRanks, Options, Staging};

use crate::RunError;
use crate::input::Input;

/// Maximum number of findings in a message.
const FEW: usize = 3;

/// Returns the rules of `lbaf validate --vt`.
fn checks(allows_empty_ranks: bool) -> Validation {
    Validation { limit: FEW, vt: Some(ForVt { allows_empty_ranks }), ..Validation::default() }
}

/// Checks staged files for OfflineLB, and returns warnings; none if no such files are configured.
pub(crate) fn check(
    run: &RunConfig,
    input: &Input,
    recorded: &Recorded,
    staging: &Staging,
) -> Result<Vec<String>, RunError> {
    let Some(options) = run.files.as_ref().filter(|options| options.offline_lb_compatible) else {
        return Ok(Vec::new());
    };
    let is_older = has_older_ids(recorded);
    verdict(&Found::of(staging, options, input.n_ranks())?, is_older, || is_wrong(input))
}

/// Returns a warning if there are any, or an error if the files are invalid. Records are copied, so a fault of the data
/// recurs in the files. If the data are valid, the fault is a defect of lbaf.
fn verdict(
    found: &Found,
    is_older: bool,
    data_are_wrong: impl FnOnce() -> Result<bool, ReadError>,
) -> Result<Vec<String>, RunError> {
    let Found { n_errors, n_warnings, first, is_communication } = found;
    let warnings = counted(*n_warnings, "warning");
    if *n_errors == 0 {
        let warning = format!(
            "`lbaf validate --vt` reports {warnings} on the files for OfflineLB; the first findings: {first}"
        );
        return Ok(if *n_warnings == 0 { Vec::new() } else { vec![warning] });
    }
    let errors = counted(*n_errors, "error");
    let counts = if *n_warnings == 0 { errors } else { format!("{errors}, {warnings}") };
    if !data_are_wrong()? {
        return Err(RunError::NotForVt { counts, first: first.clone() });
    }
    let way_out = if is_older {
        "convert data of an older form first: `lbaf convert STEM NEW --to lb-data --ids packed`"
    } else if *is_communication {
        "`write_JSON.communications: false` omits communication"
    } else {
        "`write_JSON.offline_lb_compatible: false` writes files that are not for vt"
    };
    Err(RunError::Input(format!(
        "vt cannot read the files for OfflineLB because it cannot read the data, so nothing was written ({counts}); \
         correct the data (`lbaf validate --vt` lists all findings), or {way_out}; the first findings: {first}"
    )))
}

/// True if object ids have an older form, which current vt would misread.
pub(crate) fn has_older_ids(recorded: &Recorded) -> bool {
    recorded.findings.generations.iter().any(|generation| *generation < Generation::LbData)
}

/// True if the input files also fail the check. Here, ranks without a migratable object are no fault, because the
/// writer treats them as [`EmptyRanks`] requires.
fn is_wrong(input: &Input) -> Result<bool, ReadError> {
    let reports = lbaf_reader::validate(&group_files(input.files().to_vec()), checks(true), &|_| {})?;
    Ok(reports.iter().any(|report| report.findings.n_errors > 0))
}

/// Findings of all files for OfflineLB.
#[derive(Debug, PartialEq, Eq)]
struct Found {
    n_errors: usize,
    n_warnings: usize,
    /// The first findings, errors before warnings.
    first: String,
    /// True if all of the first errors are in communication.
    is_communication: bool,
}

impl Found {
    fn of(staging: &Staging, options: &Options, n_ranks: usize) -> Result<Self, ReadError> {
        let file = |rank: usize| RankFile {
            path: staging.hidden(&options.file_name(rank)),
            rank: Some(rank as u64),
            is_padded: false,
        };
        let group = FileGroup { files: (0..n_ranks).map(file).collect() };
        let allows_empty_ranks = options.empty_ranks == EmptyRanks::Warn;
        let reports = lbaf_reader::validate(&[group], checks(allows_empty_ranks), &|_| {})?;
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
        Ok(Found {
            n_errors: reports.iter().map(|report| report.findings.n_errors).sum(),
            n_warnings: reports.iter().map(|report| report.findings.n_warnings).sum(),
            first: first.join("; "),
            is_communication: reports.iter().flat_map(|report| &report.findings.kept).all(|finding| {
                let pointer = finding.pointer.as_deref().unwrap_or_default();
                finding.severity != Severity::Error || pointer.contains("/communications/")
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECT: &str = r#"{"entity": {"collection_id": 7, "home": 0, "id": 262147, "migratable": true, "type": "object"}, "node": 0, "resource": "cpu", "time": 1.0}"#;

    fn options() -> Options {
        Options {
            stem: "new".to_owned(),
            suffix: "json".to_owned(),
            brotli_quality: None,
            communications: true,
            offline_lb_compatible: true,
            empty_ranks: EmptyRanks::Insert,
            lb_iterations: false,
        }
    }

    /// Returns the findings for a phase with these tasks on each rank.
    fn found(tasks: [&str; 2]) -> Found {
        let directory = tempfile::tempdir().expect("a directory");
        let staging = Staging::new(directory.path()).expect("a staging");
        for (rank, tasks) in tasks.iter().enumerate() {
            let file = format!(
                r#"{{"metadata": {{"rank": {rank}, "type": "LBDatafile"}}, "phases": [{{"id": 0, "tasks": [{tasks}]}}]}}"#
            );
            staging.put(&options().file_name(rank), file.as_bytes()).expect("it is written");
        }
        Found::of(&staging, &options(), 2).unwrap()
    }

    #[test]
    fn files_that_vt_can_read_cause_no_warning() {
        let found = found([OBJECT, &OBJECT.replace("262147", "524291")]);
        let warnings = verdict(&found, false, || panic!("without errors the data are not checked"));
        assert_eq!(warnings.expect("no error"), Vec::<String>::new());
    }

    /// Messages use the published names of files, also in the middle of a sentence.
    #[test]
    fn errors_of_written_files_alone_are_a_defect() {
        let found = found([OBJECT, OBJECT]);
        let error = verdict(&found, false, || Ok(false)).expect_err("an object has two tasks");
        assert!(matches!(error, RunError::NotForVt { .. }));
        insta::assert_snapshot!(error, @"the files for OfflineLB fail `lbaf validate --vt`, although the data pass it: a defect of lbaf, so nothing was written (1 error); the first findings: new.1.json: line 1, column 80, at /phases/0/tasks/0: the object with vt's id 262147 already has a task in phase 0: task 0 of new.0.json");
    }

    #[test]
    fn errors_that_the_data_also_have_are_errors_of_the_data() {
        let error =
            verdict(&found([OBJECT, OBJECT]), false, || Ok(true)).expect_err("an object has two tasks");
        assert!(matches!(error, RunError::Input(_)));
        insta::assert_snapshot!(error, @"vt cannot read the files for OfflineLB because it cannot read the data, so nothing was written (1 error); correct the data (`lbaf validate --vt` lists all findings), or `write_JSON.offline_lb_compatible: false` writes files that are not for vt; the first findings: new.1.json: line 1, column 80, at /phases/0/tasks/0: the object with vt's id 262147 already has a task in phase 0: task 0 of new.0.json");
    }

    #[test]
    fn warnings_are_counted_and_the_first_ones_are_shown() {
        let odd = OBJECT.replace(r#""home": 0"#, r#""home": 1"#);
        let found = found([&odd, &odd.replace("262147", "524291")]);
        let warnings = verdict(&found, false, || Ok(false)).expect("no error");
        insta::assert_snapshot!(warnings.concat(), @"`lbaf validate --vt` reports 2 warnings on the files for OfflineLB; the first findings: new.0.json: line 1, column 120, at /phases/0/tasks/0/entity/home: warning: the home is 1 here but 0 in the id, which vt uses; new.1.json: line 1, column 120, at /phases/0/tasks/0/entity/home: warning: the home is 1 here but 0 in the id, which vt uses");
    }
}
