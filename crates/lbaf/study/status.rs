// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report on the status of a study.

use std::fmt::Write;

use comfy_table::CellAlignment;
use lbaf_run::study::{ProcessStatus, StudyStatus};
use lbaf_text::line;
use lbaf_text::number::counted;

use crate::bar::{count, duration};
use crate::console::{layout, new_table};

/// Returns the status as JSON.
pub(super) fn json(status: &StudyStatus) -> String {
    let text = serde_json::to_string_pretty(status).expect("invariant: keys are strings and numbers finite");
    text + "\n"
}

/// Returns the status as text.
pub(super) fn text(status: &StudyStatus) -> String {
    let StudyStatus { cells, stored, failed, is_written, cells_per_second, seconds_left, processes } = status;
    let mut out = match cells {
        Some(cells) => format!("{stored} of {} stored", counted(*cells, "cell")),
        None => format!("{} stored", counted(*stored, "cell")),
    };
    if *failed > 0 {
        let _ = write!(out, ", {failed} failed");
    }
    if let Some(rate) = cells_per_second {
        let _ = write!(out, ", {}/s", count(*rate));
    }
    if let Some(left) = seconds_left.filter(|_| !is_written) {
        let _ = write!(out, ", {} left", duration(left));
    }
    out.push('\n');
    if *is_written {
        out += "The results are written.\n";
    } else if !processes.iter().any(ProcessStatus::is_running) {
        out += "No process shares the study; `lbaf study` continues it. Processes with `--shard` are not listed.\n";
    }
    if processes.is_empty() {
        return out;
    }
    let mut table =
        new_table(&["process", "machine", "pid", "cells", "failed", "taken over", "seconds", "state"]);
    for process in processes {
        let progress = process.progress;
        let state = match (process.has_ended, process.is_expired) {
            (true, _) => "ended",
            (false, true) => "expired",
            (false, false) => "running",
        };
        table.add_row([
            line(&process.name).into_owned(),
            line(&process.host).into_owned(),
            process.pid.to_string(),
            progress.computed.to_string(),
            progress.failed.to_string(),
            progress.taken_over.to_string(),
            format!("{:.0}", process.seconds),
            state.to_owned(),
        ]);
    }
    for column in table.column_iter_mut().take(2) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    out + &format!("\n{}\n", layout(&table))
}
