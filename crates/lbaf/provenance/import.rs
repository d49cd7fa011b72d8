// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf provenance import`: a data set from a database.

use std::borrow::Cow;

use lbaf_provenance::{ImportOptions, Imported, ObjectOf, TimeOf};
use lbaf_text::Shown as _;
use lbaf_text::number::counted;

use super::arguments::{ImportArgs, ObjectKind};
use super::read;
use crate::error::Error;
use crate::inputs;
use crate::new_files::NewFiles;
use crate::progress::Messages;

/// Writes a data set. Returns the text to print.
pub(super) fn import(args: &ImportArgs, messages: Messages) -> Result<String, Error> {
    inputs::note(&args.database.path);
    let files = NewFiles::of_stem(&args.new_files.stem, "json", args.replace.force)?;
    let read = read(&args.database.path, messages)?;
    let options = ImportOptions {
        pid: args.pid,
        object: match args.object {
            ObjectKind::Thread => ObjectOf::Thread,
            ObjectKind::Rank => ObjectOf::Rank,
            ObjectKind::Event => ObjectOf::Event,
        },
        time: if args.total_time { TimeOf::Total } else { TimeOf::Exclusive },
        migratable: args.migratable,
        compact_phases: args.compact_phases,
        use_windows: args.use_windows,
        carry_records: !args.no_records,
    };
    let imported = lbaf_provenance::import(&read.database, &options)?;
    files.print_ranks(imported.files.len(), args.quality, |rank| Cow::Borrowed(&imported.files[rank]))?;
    files.publish()?;
    Ok(summary(&imported, args))
}

/// Returns a summary of the imported data and of the records left out.
fn summary(imported: &Imported, args: &ImportArgs) -> String {
    let mut lines = vec![format!(
        "{} on {} in {}, from {} of program {} ({} anomalous): {}.<rank>.json",
        counted(imported.n_objects, "object"),
        counted(imported.files.len(), "rank"),
        counted(imported.steps.len(), "phase"),
        counted(imported.n_events, "execution"),
        imported.pid,
        imported.n_anomalies,
        args.new_files.stem.shown()
    )];
    let messages = &imported.messages;
    if messages.n_ends > 0 {
        lines.push(format!(
            "{} message endpoints in windows form {}: {} between objects, {} to ranks, {} from ranks",
            messages.n_ends,
            counted(messages.n_paired + messages.n_sent + messages.n_received, "message"),
            messages.n_between_objects,
            messages.n_to_ranks,
            messages.n_from_ranks
        ));
    }
    let left_out = [
        (imported.n_repeated_events, "records of executions are duplicates"),
        (imported.n_events_of_others, "records of executions belong to other programs (--pid)"),
        (imported.n_unplaced_events, "records of executions have a negative rank, step or function"),
        (imported.n_window_executions, "executions are only in windows"),
        (
            imported.n_unused_executions,
            "executions in windows are unfinished, or their names contain no step",
        ),
        (imported.n_unusable_times, "times are negative or too large, and count as 0"),
        (messages.n_repeated, "message endpoints are in several windows and count once"),
        (messages.n_unusable, "message endpoints are neither sent nor received, or have a negative size"),
        (messages.n_dropped, "messages are left out: the objects of both endpoints are unknown"),
        (messages.n_beyond_ranks, "messages are left out: they are from or to a rank without a file"),
        (
            messages.n_ends_in_windows,
            "message endpoints belong to executions that are only in windows (--use-windows)",
        ),
    ];
    lines.extend(left_out.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")));
    lines.join("\n") + "\n"
}
