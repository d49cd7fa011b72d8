// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report of a run, and the form of all console tables.

mod subphases;

use std::path::Path;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use lbaf_config::ranges;
use lbaf_model::Limit;
use lbaf_run::summary::bounds::{Bound, RestrictedBound};
use lbaf_run::summary::subphases::Subphases;
use lbaf_run::summary::{BalancerRuns, Iteration, Locks, Moments, PhaseResult, Snapshot, Start, Summary};
use lbaf_text::number::{bytes, counted, percent, significant, significant_to};
use lbaf_text::{Shown as _, line};

/// Returns the report that a run prints at its end.
pub(crate) fn report(summary: &Summary, data: &str, output_dir: &Path) -> String {
    let input = &summary.input;
    let mut out = format!(
        "{}: {}, {}, {}; {} on {}\n{}\n",
        line(data),
        counted(input.n_ranks, "rank"),
        counted(input.n_objects, "object"),
        counted(input.phases_read.len(), "phase"),
        line(summary.strategy_label()),
        summary.work_model.name,
        balancers(&summary.balancers),
    );
    match &summary.phases[..] {
        [phase] => out += &one_phase(phase),
        phases => {
            out += &many_phases(phases);
            out += &subphases::table(phases);
            let work = |phase: &&PhaseResult| phase.before.work.max;
            if let Some(worst) = phases.iter().max_by(|a, b| work(a).total_cmp(&work(b))) {
                out += "\nDetails of the phase with the largest maximum work before balancing. ";
                out += &one_phase(worst);
            }
        }
    }
    out.push('\n');
    for sentence in &summary.sentences {
        out += &line(sentence);
        out.push('\n');
    }
    // The summary and the timings are not in the list of files.
    out + &format!("\n{} in {}\n", counted(summary.files.len() + 2, "file"), output_dir.shown())
}

/// Returns a table of the lines of an LB configuration file and their phases; empty without such a file.
fn balancers(balancers: &[BalancerRuns]) -> String {
    if balancers.is_empty() {
        return String::new();
    }
    let mut table = new_table(&["balancer", "line", "phases"]);
    for column in table.column_iter_mut() {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for BalancerRuns { line, balancer, phases, .. } in balancers {
        table.add_row([
            balancer.clone().unwrap_or_else(|| "none".to_owned()),
            line.map_or_else(String::new, |line| line.to_string()),
            ranges(phases),
        ]);
    }
    format!("\n{}\n", layout(&table))
}

/// Quantity of ranks: name, formatter of values, and accessor of the moments over ranks.
type Quantity = (&'static str, fn(f64) -> String, fn(&Snapshot) -> &Moments);

/// Returns the report on a phase: quantities of ranks before and after balancing, iterations, migrations, lower bounds
/// and subphases.
fn one_phase(phase: &PhaseResult) -> String {
    let mut table = new_table(&[
        "over ranks",
        "",
        "min",
        "mean",
        "max",
        "imbalance",
        "deviation",
        "skewness",
        "kurtosis",
    ]);
    let quantities: [Quantity; 7] = [
        ("load (s)", significant, |snapshot| &snapshot.load),
        ("work", significant, |snapshot| &snapshot.work),
        ("sent off-rank", bytes, |snapshot| &snapshot.sent_volume),
        ("received", bytes, |snapshot| &snapshot.received_volume),
        ("memory", bytes, |snapshot| &snapshot.memory),
        ("homing", bytes, |snapshot| &snapshot.homing),
        ("objects", significant, |snapshot| &snapshot.num_objects),
    ];
    for (name, print, quantity) in quantities {
        let (before, after) = (quantity(&phase.before), quantity(&phase.after));
        // Quantities that the data lack would be rows of zeros.
        if before.max == 0.0 && after.max == 0.0 && name != "load (s)" {
            continue;
        }
        table.add_row(row(name, "before", print, before));
        table.add_row(row("", "after", print, after));
    }
    let bound = &phase.lower_bound;
    format!(
        "Phase {}{}\n{}\n\n{}Migrations: {} of {} ({} s of load{}). Lower bound of the maximum work: {} ({}){}.\n{}",
        phase.phase,
        if phase.strategy.is_some() { "" } else { ", without a balancer" },
        layout(&table),
        iterations(phase),
        phase.migrations.count,
        counted(phase.n_objects, "object"),
        significant(phase.migrations.load),
        migrated(", ", phase.migrations.bytes),
        significant(bound.work),
        bound.limit,
        phase.restricted_bound.as_ref().map_or_else(String::new, restricted),
        phase.subphases.as_ref().map_or_else(String::new, Subphases::in_words),
    )
}

/// Formats the lower bound under the restriction of the strategy, to follow the bound for all placements.
fn restricted(restricted: &RestrictedBound) -> String {
    let bound = &restricted.bound;
    format!("; {}: {} ({})", restricted.condition(), significant(bound.work), bound.limit)
}

/// Formats the volume of migrations after the text `before`; empty if it is 0, because then sizes are unknown or
/// nothing migrates.
fn migrated(before: &str, volume: f64) -> String {
    if volume > 0.0 { format!("{before}{}", bytes(volume)) } else { String::new() }
}

/// Summarizes the iterations of gossip, with migration reduction, and of external commands; empty for other strategies.
fn iterations(phase: &PhaseResult) -> String {
    let has_knowledge = |iteration: &Iteration| iteration.knowledge.is_some();
    // A command need not state the knowledge of its iterations, and none of them is a migration reduction.
    let is_external = phase.strategy.as_deref() == Some(lbaf_strategies::External::NAME);
    let (iterations, others): (Vec<_>, Vec<_>) =
        phase.iterations.iter().partition(|iteration| is_external || has_knowledge(iteration));
    if iterations.is_empty() {
        return String::new();
    }
    let moved: usize = others.iter().map(|iteration| iteration.transfers).sum();
    let result = match phase.best_iteration {
        0 => "; none improved on the start".to_owned(),
        best if best > iterations.len() && moved == 0 => String::new(),
        best if best > iterations.len() => {
            format!("; then migration reduction moved {}", counted(moved, "object"))
        }
        best if best == iterations.len() => "; the last one is the result".to_owned(),
        best => format!("; iteration {best} is the result"),
    };
    let sum = |of: fn(&Iteration) -> usize| iterations.iter().map(|iteration| of(iteration)).sum();
    let messages = phase.messages();
    format!(
        "{}: {} transferred, {} rejected, {messages} messages{}{result}.\n{}",
        counted(iterations.len(), "iteration"),
        counted(sum(|iteration| iteration.transfers), "object"),
        counted(sum(|iteration| iteration.rejections), "transfer"),
        known(&iterations),
        locks(&iterations),
    )
}

/// Formats the mean knowledge of iterations, to follow other numbers; empty if no iteration states it.
fn known(iterations: &[&Iteration]) -> String {
    let known: Vec<f64> = iterations.iter().filter_map(|iteration| iteration.knowledge).collect();
    if known.is_empty() {
        return String::new();
    }
    let mean = percent(known.iter().sum::<f64>() / known.len() as f64);
    let stated = if known.len() < iterations.len() {
        format!(" (stated for {})", counted(known.len(), "iteration"))
    } else {
        String::new()
    };
    format!(", {mean} of the other ranks known on average{stated}")
}

/// Summarizes lock requests; empty if ranks do not lock each other.
fn locks(iterations: &[&Iteration]) -> String {
    let locks: Vec<_> = iterations.iter().filter_map(|iteration| iteration.locks).collect();
    if locks.is_empty() {
        return String::new();
    }
    let sum = |of: fn(&Locks) -> u64| locks.iter().map(of).sum::<u64>();
    format!(
        "Locks: {} requested in {} rounds, {} refused because a rank was in another exchange, {} requested again.\n",
        sum(|locks| locks.requests),
        sum(|locks| locks.rounds),
        sum(|locks| locks.conflicts),
        sum(|locks| locks.retries),
    )
}

fn row(name: &str, when: &str, print: fn(f64) -> String, moments: &Moments) -> Vec<String> {
    let Moments { min, mean, max, imbalance, deviation, skewness, kurtosis, .. } = *moments;
    // Further decimals are rounding errors.
    let shape = |number: f64| format!("{number:.3}").replace("-0.000", "0.000");
    vec![
        name.to_owned(),
        when.to_owned(),
        print(min),
        print(mean),
        print(max),
        significant(imbalance),
        print(deviation),
        shape(skewness),
        shape(kurtosis),
    ]
}

/// Returns a table with a line for each phase and one with the sums, for terminals of 100 columns, and a sentence on
/// the numbers of balanced phases and migrations.
fn many_phases(phases: &[PhaseResult]) -> String {
    let number = |number: f64| significant_to(number, 5);
    let mut table = new_table(&[
        "\nphase",
        "max work\nbefore",
        "\nafter",
        "lower\nbound",
        "limited\nby",
        "imbalance\nbefore",
        "of work\nafter",
        "imbalance\nbefore",
        "of load\nafter",
        "\nmigrations",
    ]);
    for phase in phases {
        table.add_row([
            phase.phase.to_string(),
            number(phase.before.work.max),
            number(phase.after.work.max),
            number(phase.lower_bound.work),
            limited_by(&phase.lower_bound),
            significant(phase.before.work.imbalance),
            significant(phase.after.work.imbalance),
            significant(phase.before.load.imbalance),
            significant(phase.after.load.imbalance),
            match phase {
                PhaseResult { already_balanced: true, .. } => "already balanced".to_owned(),
                PhaseResult { strategy: None, .. } => "none".to_owned(),
                phase => phase.migrations.count.to_string(),
            },
        ]);
    }
    let sum = |value: fn(&PhaseResult) -> f64| number(phases.iter().map(value).sum());
    let mut last = vec!["all".to_owned()];
    last.extend([
        sum(|phase| phase.before.work.max),
        sum(|phase| phase.after.work.max),
        sum(|phase| phase.lower_bound.work),
    ]);
    last.extend(vec![String::new(); 5]);
    let n_migrations: usize = phases.iter().map(|phase| phase.migrations.count).sum();
    last.push(n_migrations.to_string());
    table.add_row(last);
    let n_already = phases.iter().filter(|phase| phase.already_balanced).count();
    let already = if n_already > 0 { format!(", {n_already} already balanced") } else { String::new() };
    let n_without = phases.iter().filter(|phase| phase.strategy.is_none()).count();
    let without = if n_without > 0 { format!(", {n_without} without a balancer") } else { String::new() };
    let n_balanced = counted(phases.len() - n_already - n_without, "phase");
    let migrations = counted(n_migrations, "migration");
    let volume = migrated(" of ", phases.iter().map(|phase| phase.migrations.bytes).sum());
    let starts = starts(phases);
    format!("{}\n\n{n_balanced} balanced{already}{without}, {migrations}{volume}.{starts}\n", layout(&table))
}

/// Returns the limiting factor of a lower bound in a word or two.
fn limited_by(bound: &Bound) -> String {
    match (bound.limit, bound.rank) {
        (Limit::Sentinels, Some(rank)) => format!("rank {rank}"),
        (Limit::LargestObject, _) => "object".to_owned(),
        (Limit::LargestBlock, _) => "block".to_owned(),
        (Limit::LargeObjects | Limit::FastestRanks, _) => "objects".to_owned(),
        (Limit::LargeBlocks, _) => "blocks".to_owned(),
        (Limit::Communication, _) => "volume".to_owned(),
        (Limit::Search, _) => "search".to_owned(),
        (limit, _) => limit.to_string(),
    }
}

/// Returns a sentence on the placements from which phases start; empty if all are the recorded ones.
fn starts(phases: &[PhaseResult]) -> &'static str {
    if phases.iter().all(|phase| phase.start == Start::Recorded) {
        return "";
    }
    " Each phase but the first starts from the placement of the previous one."
}

/// Creates a table without rules. The first column is left-aligned, all others are right-aligned.
pub(crate) fn new_table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Formats a table without trailing blanks.
pub(crate) fn layout(table: &Table) -> String {
    table.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}
