// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf provenance compare`: comparison of the databases of two runs.

use comfy_table::Table;
use lbaf_provenance::{
    DumpComparison, FunctionComparison, HistogramDifference, ModelDifference, RunOfFunction,
};
use lbaf_run::summary;
use lbaf_text::number::{percent, significant_to};
use lbaf_text::{Shown as _, line};

use super::arguments::CompareArgs;
use super::report::{table, totals};
use super::{dump, known_seconds, read, seconds, shown};
use crate::console::{layout, new_table};
use crate::error::Error;
use crate::progress::Messages;

/// Compares two databases, in tables or as JSON.
pub(super) fn compare(args: &CompareArgs, messages: Messages) -> Result<String, Error> {
    let [first, second] = [&args.a, &args.b].map(|path| read(path, messages));
    let (first, second) = (first?, second?);
    let comparison = DumpComparison::of(&dump(&first.database), &dump(&second.database));
    if args.form.json {
        return Ok(String::from_utf8_lossy(&summary::pretty(&comparison)).into_owned());
    }
    let mut lines = vec![
        format!("A, {}: {}", args.a.shown(), totals(&comparison.first)),
        format!("B, {}: {}", args.b.shown(), totals(&comparison.second)),
    ];
    let limit = args.limit;
    let compared: Vec<&FunctionComparison> = comparison.functions.iter().take(limit).collect();
    if !compared.is_empty() {
        let n = comparison.functions.len();
        lines.push(format!("\nFunctions by the severity of their anomalies{}:", shown(limit, n)));
        lines.push(layout(&functions(&compared)));
    }
    if args.histograms {
        for function in &compared {
            if let Some(ModelDifference::Histogram(difference)) = &function.model {
                lines.push(histogram(function, difference));
            }
        }
    }
    Ok(lines.join("\n") + "\n")
}

/// Returns the cells of a quantity in the columns `A` and `B`.
fn both(function: &FunctionComparison, of: impl Fn(&RunOfFunction) -> Option<String>) -> [String; 2] {
    [&function.first, &function.second].map(|run| run.as_ref().and_then(&of).unwrap_or_default())
}

fn functions(functions: &[&FunctionComparison]) -> Table {
    let mut table = table(
        &[
            "pid",
            "function",
            "severity (s) A",
            "B",
            "anomalies A",
            "B",
            "frequency A",
            "B",
            "anomalous time A",
            "B",
            "models",
        ],
        1,
    );
    for function in functions {
        let share = |percents: Option<f64>| percents.map(|percents| percent(percents / 100.0));
        let cells = [
            both(function, |run| run.accumulated_severity_us.map(|severity| known_seconds(Some(severity)))),
            both(function, |run| run.anomaly_count.map(|count| count.to_string())),
            both(function, |run| share(run.anomaly_frequency_percent)),
            both(function, |run| run.relative_anomalous_time.map(percent)),
        ];
        let name = line(&function.name);
        let name = match (&function.first, &function.second) {
            (Some(_), None) => format!("{name} (only in A)"),
            (None, Some(_)) => format!("{name} (only in B)"),
            _ => name.into_owned(),
        };
        let head = vec![function.pid.to_string(), name];
        table.add_row(
            [head, cells.concat(), vec![function.model.as_ref().map_or_else(String::new, model)]].concat(),
        );
    }
    table
}

/// Describes the difference of two distributions of times.
fn model(model: &ModelDifference) -> String {
    match model {
        ModelDifference::Histogram(difference) => {
            format!("differ by {}", percent(difference.total_variation))
        }
        ModelDifference::Statistics(moments) if moments.mean_difference_us == 0.0 => {
            "the same mean".to_owned()
        }
        ModelDifference::Statistics(moments) => {
            let mean = moments.mean_difference_us;
            let relative = moments.relative_mean_difference.map_or_else(String::new, |relative| {
                format!(" ({}{})", if relative < 0.0 { "-" } else { "+" }, percent(relative.abs()))
            });
            format!("mean {}{} s{relative}", if mean < 0.0 { "" } else { "+" }, seconds(mean))
        }
    }
}

/// Returns a table of the bins with executions.
fn histogram(function: &FunctionComparison, difference: &HistogramDifference) -> String {
    let mut table = new_table(&["from (s)", "to (s)", "A", "B", "B - A", "relative"]);
    let count = |count: f64| significant_to(count, 4);
    for bin in difference.bins.iter().filter(|bin| bin.first_count > 0.0 || bin.second_count > 0.0) {
        table.add_row([
            seconds(bin.start_us),
            seconds(bin.end_us),
            count(bin.first_count),
            count(bin.second_count),
            count(bin.difference),
            bin.relative_difference.map_or_else(String::new, |relative| format!("{:.0}%", relative * 100.0)),
        ]);
    }
    let coarsened = if difference.is_coarsened { ", in wider bins than those of either run" } else { "" };
    format!(
        "\n{} (program {}): the distributions of times differ by {} (total variation distance){coarsened}\n{}",
        line(&function.name),
        function.pid,
        percent(difference.total_variation),
        layout(&table)
    )
}
