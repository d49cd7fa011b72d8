// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checks of the set of files: vt reads one file for each rank, and all files must end at the same phase.

use lbaf_vom::{Finding, Severity};

use super::super::checked::Checked;

pub(super) fn check(files: &mut [Checked], limit: usize) {
    check_numbers(files, limit);
    check_last_phases(files, limit);
}

fn check_numbers(files: &mut [Checked], limit: usize) {
    let mut next = 0;
    for file in files {
        let Some(rank) = file.rank else { continue };
        if rank != next {
            let missing = if rank == next + 1 {
                format!("file of rank {next} is")
            } else {
                format!("files of ranks {next}-{} are", rank - 1)
            };
            file.report.findings.add(limit, Severity::Error, || {
                Finding::error(format!(
                    "the {missing} missing before this one; vt reads one file for each rank"
                ))
            });
        }
        next = rank.saturating_add(1);
    }
}

/// Reports files that end at another phase than the first file. vt reduces lists with one element per phase over all
/// ranks, so the lengths must agree.
fn check_last_phases(files: &mut [Checked], limit: usize) {
    let last = |file: &Checked| Some(file.vt.as_ref()?.last_phase().unwrap_or(0));
    let first = files.iter().find_map(|file| Some((last(file)?, file.report.path.clone())));
    let Some((expected, path)) = first else { return };
    for file in files {
        if let Some(last) = last(file).filter(|&last| last != expected) {
            file.report.findings.add(limit, Severity::Error, || {
                Finding::error(format!(
                    "the last phase, including phases without an entry, is {last} here and {expected} in {}; vt aborts \
                     unless the last phase is the same on all ranks",
                    path.display()
                ))
            });
        }
    }
}
