// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf provenance report`: summary of a database.

use comfy_table::{CellAlignment, Table};
use lbaf_provenance::{DumpReport, DumpTotals};
use lbaf_run::summary;
use lbaf_text::line;
use lbaf_text::number::{counted, percent, significant_to};

use super::arguments::DumpArgs;
use super::{dump, known_seconds, read, seconds, shown};
use crate::console::{layout, new_table};
use crate::error::Error;
use crate::progress::Messages;

/// Describes a database, in tables or as JSON.
pub(super) fn report(args: &DumpArgs, messages: Messages) -> Result<String, Error> {
    let read = read(&args.database.path, messages)?;
    let most_events = if args.form.json { usize::MAX } else { args.limit };
    let report = DumpReport::of(&dump(&read.database), most_events);
    if args.form.json {
        return Ok(String::from_utf8_lossy(&summary::pretty(&report)).into_owned());
    }
    let mut lines = vec![totals(&report.totals)];
    let limit = args.limit;
    let tables = [
        ("Functions by the severity of their anomalies", report.functions.len(), functions(&report, limit)),
        ("Longest anomalies", report.totals.anomaly_count, events(&report, limit)),
        ("Ranks by anomalies", report.ranks.len(), ranks(&report, limit)),
        ("Hosts", report.hosts.len(), hosts(&report, limit)),
        ("Counters", report.counters.len(), counters(&report, limit)),
    ];
    for (title, n_rows, table) in tables.iter().filter(|(_, n_rows, _)| *n_rows > 0 && limit > 0) {
        lines.push(format!("\n{title}{}:\n{}", shown(limit, *n_rows), layout(table)));
    }
    Ok(lines.join("\n") + "\n")
}

/// Returns a sentence with the totals of a database.
pub(super) fn totals(totals: &DumpTotals) -> String {
    let steps = match (totals.first_step, totals.last_step) {
        (Some(first), Some(last)) => format!(", steps {first} to {last}"),
        _ => String::new(),
    };
    let duplicates = match totals.duplicate_count {
        0 => String::new(),
        n => format!("; {} left out", counted(n, "duplicate")),
    };
    format!(
        "{} and {} on {} of {}{steps}{duplicates}.",
        counted(totals.anomaly_count, "anomalous execution"),
        counted(totals.normal_count, "normal one"),
        counted(totals.rank_count, "rank"),
        counted(totals.host_count, "host"),
    )
}

/// Creates a table whose first column and column number `text`, counted from 0, are left-aligned.
pub(super) fn table(header: &[&str], text: usize) -> Table {
    let mut table = new_table(header);
    if let Some(column) = table.column_mut(text) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    table
}

fn number(number: f64) -> String {
    significant_to(number, 4)
}

fn or_blank<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn functions(report: &DumpReport, limit: usize) -> Table {
    let mut table = table(
        &[
            "pid",
            "function",
            "severity (s)",
            "mean",
            "anomalies",
            "executions",
            "frequency",
            "exclusive (s)",
            "steps",
        ],
        1,
    );
    for function in report.functions.iter().take(limit) {
        let steps = match (function.first_step, function.last_step) {
            (Some(first), Some(last)) if first != last => format!("{first}-{last}"),
            (first, _) => or_blank(first),
        };
        table.add_row([
            function.pid.to_string(),
            line(&function.name).into_owned(),
            known_seconds(function.accumulated_severity_us),
            known_seconds(function.mean_severity_us),
            function.anomaly_count.to_string(),
            or_blank(function.execution_count),
            function.anomaly_frequency.map_or_else(String::new, percent),
            known_seconds(function.total_exclusive_us),
            steps,
        ]);
    }
    table
}

fn events(report: &DumpReport, limit: usize) -> Table {
    let mut table = table(
        &["pid", "rid", "tid", "function", "step", "exclusive (s)", "total (s)", "score", "severity (s)"],
        3,
    );
    for event in report.events.iter().take(limit) {
        table.add_row([
            event.pid.to_string(),
            event.rid.to_string(),
            event.tid.to_string(),
            line(&event.func).into_owned(),
            event.step.to_string(),
            seconds(event.exclusive_us),
            seconds(event.total_us),
            number(event.score),
            seconds(event.severity_us),
        ]);
    }
    table
}

fn ranks(report: &DumpReport, limit: usize) -> Table {
    let mut table = table(
        &["pid", "rid", "host", "anomalies", "normal", "severity (s)", "affected steps", "per step"],
        2,
    );
    let mut ranks: Vec<_> = report.ranks.iter().collect();
    ranks.sort_by_key(|rank| std::cmp::Reverse(rank.anomaly_count));
    for rank in ranks.into_iter().take(limit) {
        table.add_row([
            rank.pid.to_string(),
            rank.rid.to_string(),
            rank.hostname.as_deref().map(line).unwrap_or_default().into_owned(),
            rank.anomaly_count.to_string(),
            rank.normal_count.to_string(),
            seconds(rank.accumulated_severity_us),
            rank.steps_with_anomalies.to_string(),
            rank.anomalies_per_step.map_or_else(String::new, number),
        ]);
    }
    table
}

fn hosts(report: &DumpReport, limit: usize) -> Table {
    let mut table =
        new_table(&["host", "ranks", "anomalies", "normal", "severity (s)", "affected steps", "per step"]);
    for host in report.hosts.iter().take(limit) {
        table.add_row([
            host.hostname.as_deref().map_or("unknown".into(), line).into_owned(),
            host.rank_count.to_string(),
            host.anomaly_count.to_string(),
            host.normal_count.to_string(),
            seconds(host.accumulated_severity_us),
            host.steps_with_anomalies.to_string(),
            host.anomalies_per_step.map_or_else(String::new, number),
        ]);
    }
    table
}

fn counters(report: &DumpReport, limit: usize) -> Table {
    let mut table = table(&["pid", "counter", "count", "minimum", "maximum", "mean"], 1);
    for counter in report.counters.iter().take(limit) {
        table.add_row([
            counter.pid.to_string(),
            counter.counter.clone(),
            counter.count.to_string(),
            counter.minimum.map_or_else(String::new, number),
            counter.maximum.map_or_else(String::new, number),
            counter.mean.map_or_else(String::new, number),
        ]);
    }
    table
}
