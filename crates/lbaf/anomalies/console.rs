// SPDX-License-Identifier: MIT OR Apache-2.0
//! Console report of `lbaf anomalies`.

use comfy_table::CellAlignment;
use lbaf_text::Shown as _;
use lbaf_text::number::{counted, percent, signed_percent, significant_to};

use super::arguments::AnomaliesArgs;
use super::results::{PartsOf, RankOf, Results, SlowSpellOf, TallyOf};
use crate::console::{layout, new_table};

/// Returns sentences on the findings, notes and paths of files, and, unless `--worst` is 0, tables of the worst
/// anomalies, objects, phases, ranks and nodes.
pub(super) fn report(results: &Results, args: &AnomaliesArgs) -> String {
    let mut lines = vec![heading(results)];
    lines.extend(sentences(results));
    if args.worst > 0 {
        lines.extend(worst(results));
        lines.extend(objects(results, args.worst));
        lines.extend(phases(results, args.worst));
        lines.extend(ranks(results, args.worst));
        lines.extend(nodes(results, args.worst));
        lines.push(String::new());
    }
    lines.extend(results.notes.iter().cloned());
    if let Some(directory) = &args.output_dir {
        lines.push(format!("Results are in {}", directory.shown()));
    }
    if let Some(file) = &args.exclude_hosts {
        let hosts = counted(results.exclude_hosts.len(), "slow node");
        lines.push(format!("The names of {hosts} are in {}", file.shown()));
        let n_slow = results.nodes.iter().filter(|node| node.is_slow).count();
        if n_slow > results.exclude_hosts.len() {
            lines.push(
                "Slow nodes whose files state neither `Hostname` nor `shared_node` have no name and are missing there.".to_owned(),
            );
        }
    }
    lines.join("\n") + "\n"
}

fn heading(results: &Results) -> String {
    let repeated = match results.n_phases_repeated {
        0 => String::new(),
        n => format!(", and {n} that repeat others"),
    };
    let TallyOf { n_tasks, n_anomalies, rate, .. } = results.overall;
    let found = match results.n_tested {
        0 => format!("{}, none of them tested for anomalies", counted(n_tasks, "task")),
        n if 2 * n < n_tasks => {
            format!(
                "{n} of {} were tested, with {}",
                counted(n_tasks, "task"),
                counted(n_anomalies, "anomaly")
            )
        }
        _ => format!("{n_anomalies} of {} are anomalies ({})", counted(n_tasks, "task"), percent(rate)),
    };
    format!(
        "{found}: {} on {}, {}{repeated}.",
        counted(results.n_objects, "object"),
        counted(results.n_ranks, "rank"),
        counted(results.n_phases, "phase"),
    )
}

fn sentences(results: &Results) -> Vec<String> {
    let mut sentences = results.doubt.as_ref().map_or_else(|| noise(results), |doubt| vec![doubt.clone()]);
    if results.n_objects_changed > 0 {
        let objects = counted(results.n_objects_changed, "object");
        sentences.push(format!("The load of {objects} changes permanently, which is not noise."));
    }
    sentences.extend(slow_spells(results));
    let slow = results.nodes.iter().filter(|node| node.is_slow);
    let slow: Vec<String> = slow.map(|node| node.host.clone()).collect();
    if !slow.is_empty() {
        sentences.push(format!("Slow nodes: {}.", abridged(&slow)));
    }
    sentences.extend(slow_ranks(results));
    sentences.extend(results.hints.iter().cloned());
    sentences
}

/// Returns sentences on the components of the imbalance and the causes of anomalies.
fn noise(results: &Results) -> Vec<String> {
    let PartsOf { imbalance, noise, persistent, jitter, .. } = results.imbalance.overall;
    let mut sentences = vec![format!(
        "The mean imbalance of {} is the sum of {} noise, {} that persists and can be balanced away as far as the objects \
         permit, and {} jitter that changes from phase to phase.",
        signed_percent(imbalance),
        signed_percent(noise),
        signed_percent(persistent),
        signed_percent(jitter)
    )];
    let of = &results.imbalance;
    if of.seconds > of.denoised_seconds {
        sentences.push(format!(
            "Anomalies make the phases {} longer, and change the critical rank in {} of them.",
            percent(of.seconds / of.denoised_seconds.max(f64::MIN_POSITIVE) - 1.0),
            percent(of.critical_rank_changes)
        ));
    }
    sentences.extend(first_phase(results));
    sentences.extend(together(results));
    sentences
}

/// Returns a sentence that lists the slow ranks, slowest first.
fn slow_ranks(results: &Results) -> Option<String> {
    let mut slow: Vec<_> = results.ranks.iter().filter(|rank| rank.is_slow).collect();
    slow.sort_by(|one, other| other.slowness.unwrap_or(1.0).total_cmp(&one.slowness.unwrap_or(1.0)));
    let named = |rank: &&RankOf| format!("{} ({} times)", rank.rank, factor(rank.slowness));
    let named: Vec<String> = slow.iter().map(named).collect();
    (!named.is_empty()).then(|| {
        format!("Ranks on which the same objects take longer than on the median rank: {}.", abridged(&named))
    })
}

/// Returns a sentence on ranks that are slow in a part of the run.
fn slow_spells(results: &Results) -> Option<String> {
    let (first, last) = (results.phases.first()?.phase, results.phases.last()?.phase);
    let spell = |spell: &SlowSpellOf| {
        let phases = match (spell.first_phase, spell.last_phase) {
            (from, until) if until == last => format!("from phase {from} on"),
            (from, until) if from == first => format!("until phase {until}"),
            (from, until) if from == until => format!("in phase {from}"),
            (from, until) => format!("in phases {from} to {until}"),
        };
        let objects = counted(spell.n_objects, "object");
        format!(
            "rank {} ({}) {phases} ({objects} take {} times as long)",
            spell.rank,
            spell.host,
            significant_to(spell.factor, 3)
        )
    };
    let spells: Vec<String> = results.slow_spells.iter().map(spell).collect();
    (!spells.is_empty()).then(|| format!("Slow in a part of the run: {}.", abridged(&spells)))
}

/// Returns a sentence on the anomalies of the first phase, which first calls may cause; `None` for a single phase, or
/// if the first phase has fewer than two anomalies or at most half of all.
fn first_phase(results: &Results) -> Option<String> {
    let first = results.phases.first().filter(|_| results.n_phases > 1)?;
    (2 * first.tally.n_anomalies > results.overall.n_anomalies.max(2)).then(|| {
        format!(
            "{} of {} anomalies are in the first phase; `--skip-first 1` leaves first calls out.",
            first.tally.n_anomalies, results.overall.n_anomalies
        )
    })
}

/// Returns a sentence on the ranks on which, in a phase, at least two tasks are anomalous and the fraction of anomalous
/// tasks exceeds `--together`.
fn together(results: &Results) -> Option<String> {
    const CAUSE: &str = "the rank is the cause, not the tasks";
    let most = results.together.iter().rev().max_by_key(|found| found.tally.n_anomalies)?;
    Some(match results.together.len() {
        1 => format!(
            "In phase {}, more tasks of rank {} ({}) than `--together` allows are anomalies: {CAUSE}.",
            most.phase, most.rank, most.host
        ),
        n => format!(
            "In {n} cases, more tasks of a rank in a phase than `--together` allows are anomalies, for example on rank {} in \
             phase {}: {CAUSE}.",
            most.rank, most.phase
        ),
    })
}

/// Lists the first names and the number of further names.
fn abridged(names: &[String]) -> String {
    const MOST: usize = 8;
    let shown = names[..names.len().min(MOST)].join(", ");
    if names.len() > MOST { format!("{shown} and {} more", names.len() - MOST) } else { shown }
}

fn number(number: f64) -> String {
    significant_to(number, 4)
}

fn factor(factor: Option<f64>) -> String {
    factor.map_or_else(String::new, |factor| format!("{factor:.3}"))
}

fn titled(title: &str, table: &comfy_table::Table) -> String {
    format!("\n{title}\n{}", layout(table))
}

/// Returns a remark with the numbers of shown and of all rows; empty if all are shown.
fn more(shown: usize, all: usize) -> String {
    if all > shown { format!(" ({shown} of {all})") } else { String::new() }
}

fn worst(results: &Results) -> Option<String> {
    if results.worst.is_empty() {
        return None;
    }
    let mut table = new_table(&["phase", "rank", "object", "time (s)", "typical", "excess", "score"]);
    if let Some(column) = table.column_mut(2) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for anomaly in &results.worst {
        table.add_row([
            anomaly.phase.to_string(),
            anomaly.rank.to_string(),
            anomaly.object.clone(),
            number(anomaly.seconds),
            anomaly.typical_seconds.map_or_else(String::new, number),
            number(anomaly.excess_seconds),
            number(anomaly.score),
        ]);
    }
    let more = more(results.worst.len(), results.overall.n_anomalies);
    Some(titled(&format!("Anomalies with the largest excess{more}:"), &table))
}

fn objects(results: &Results, most: usize) -> Option<String> {
    if results.objects.is_empty() {
        return None;
    }
    let mut table = new_table(&["object", "tasks", "anomalies", "rate", "excess (s)", "score"]);
    for object in results.objects.iter().take(most) {
        table.add_row([vec![object.name.clone()], tally(&object.tally)].concat());
    }
    let more = more(results.objects.len().min(most), results.objects.len());
    Some(titled(&format!("Objects with anomalies{more}:"), &table))
}

fn tally(tally: &TallyOf) -> Vec<String> {
    vec![
        tally.n_tasks.to_string(),
        tally.n_anomalies.to_string(),
        percent(tally.rate),
        number(tally.excess_seconds),
        number(tally.largest_score),
    ]
}

/// Returns a table of the `most` phases with the largest noise, positive or negative, largest first.
fn phases(results: &Results, most: usize) -> Option<String> {
    let mut phases: Vec<_> = results.phases.iter().collect();
    phases.retain(|phase| phase.parts.noise.abs() > 1e-12);
    // Phases with equal noise stay in the order of the run.
    phases.sort_by(|one, other| other.parts.noise.abs().total_cmp(&one.parts.noise.abs()));
    let n_noisy = phases.len();
    phases.truncate(most);
    let mut table = new_table(&[
        "phase",
        "anomalies",
        "imbalance",
        "noise",
        "persistent",
        "jitter",
        "max load (s)",
        "denoised",
    ]);
    for phase in &phases {
        table.add_row([
            phase.phase.to_string(),
            phase.tally.n_anomalies.to_string(),
            signed_percent(phase.parts.imbalance),
            signed_percent(phase.parts.noise),
            signed_percent(phase.parts.persistent),
            signed_percent(phase.parts.jitter),
            number(phase.seconds),
            number(phase.denoised_seconds),
        ]);
    }
    let more = more(phases.len(), n_noisy);
    (n_noisy > 0).then(|| titled(&format!("Phases with the most noise{more}:"), &table))
}

/// Returns `yes` if the rank is slow, `maybe` if it may be slow, otherwise `None`.
fn is_slow(rank: &RankOf) -> Option<&'static str> {
    let maybe = rank.may_be_slow.then_some("maybe");
    if rank.is_slow { Some("yes") } else { maybe }
}

/// Returns a table of ranks that are slow, may be slow or have anomalies.
fn ranks(results: &Results, most: usize) -> Option<String> {
    let mut ranks: Vec<_> =
        results.ranks.iter().filter(|rank| is_slow(rank).is_some() || rank.tally.n_anomalies > 0).collect();
    if ranks.is_empty() {
        return None;
    }
    let all = ranks.len();
    ranks.sort_by(|one, other| {
        let by_slowness = is_slow(other).cmp(&is_slow(one));
        by_slowness.then(other.tally.rate.total_cmp(&one.tally.rate))
    });
    ranks.truncate(most);
    let mut table =
        new_table(&["rank", "host", "tasks", "anomalies", "rate", "excess (s)", "score", "slowness", "slow"]);
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Left);
    }
    for rank in &ranks {
        table.add_row(
            [
                vec![rank.rank.to_string(), rank.host.clone()],
                tally(&rank.tally),
                vec![factor(rank.slowness), is_slow(rank).unwrap_or("").to_owned()],
            ]
            .concat(),
        );
    }
    Some(titled(&format!("Ranks that are slow or have anomalies{}:", more(ranks.len(), all)), &table))
}

/// Returns a table of nodes that are slow or have anomalies; `None` also if each node has one rank.
fn nodes(results: &Results, most: usize) -> Option<String> {
    let mut nodes: Vec<_> =
        results.nodes.iter().filter(|node| node.is_slow || node.tally.n_anomalies > 0).collect();
    if nodes.is_empty() || results.nodes.len() == results.n_ranks {
        return None;
    }
    let all = nodes.len();
    nodes.sort_by(|one, other| {
        let by_slowness = other.is_slow.cmp(&one.is_slow);
        by_slowness.then(other.tally.rate.total_cmp(&one.tally.rate))
    });
    nodes.truncate(most);
    let mut table = new_table(&[
        "node",
        "ranks",
        "slow ranks",
        "tasks",
        "anomalies",
        "rate",
        "excess (s)",
        "score",
        "slowness",
        "slow",
    ]);
    for node in &nodes {
        let is_slow = if node.is_slow { "yes" } else { "" }.to_owned();
        table.add_row(
            [
                vec![node.host.clone(), node.n_ranks.to_string(), node.n_slow_ranks.to_string()],
                tally(&node.tally),
                vec![factor(node.slowness), is_slow],
            ]
            .concat(),
        );
    }
    Some(titled(&format!("Nodes that are slow or have anomalies{}:", more(nodes.len(), all)), &table))
}
