// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf info`: description of a data set or a statistics file.

mod statistics;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use lbaf_model::{DataSet, Phase, PhaseId, RankTotals, Slot, Statistics, Synchronised, rank_totals};
use lbaf_reader::{Findings, PhaseFindings, Request, Visited};
use lbaf_run::summary::Communications;
use lbaf_text::line;
use lbaf_text::number::{bytes, counted, significant};
use serde::Serialize;

use crate::arguments::{CommonArgs, DataArgs, JsonArg};
use crate::console::{layout, new_table};
use crate::data;
use crate::error::Error;
use crate::memory;
use crate::progress::Messages;

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// Path of the data files up to the rank: `dir/data` for `dir/data.0.json`, `dir/data.1.json`, ..; or an LB
    /// statistics file.
    #[arg(value_name = "STEM")]
    pub(crate) stem: PathBuf,
    #[command(flatten)]
    pub(crate) data: DataArgs,
    #[command(flatten)]
    pub(crate) output_form: JsonArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Serialize)]
struct Info {
    stem: String,
    suffix: String,
    /// Generations of the files, oldest first.
    generations: Vec<&'static str>,
    n_ranks: usize,
    n_nodes: Option<usize>,
    n_objects: usize,
    phases_recorded: Vec<u64>,
    /// True if a file was read only up to the last selected phase; `phases_recorded` may then lack later phases.
    has_later_phases: bool,
    /// First 1000 phases between the first and the last phase that are neither recorded nor listed as skipped.
    gaps: Vec<u64>,
    /// Phases that files list as skipped, as inclusive ranges.
    phases_skipped: Vec<(u64, u64)>,
    file_bytes: u64,
    document_bytes: u64,
    phases: Vec<PhaseInfo>,
    warnings: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct PhaseInfo {
    phase: u64,
    repeats: Option<u64>,
    n_objects: usize,
    n_sentinels: usize,
    /// Placeholders of vt: sentinels with id 0 and load 0. vt writes one on every rank in phase 0.
    n_placeholders: usize,
    n_blocks: usize,
    n_edges: usize,
    /// Bytes and messages between different objects or ranks, on-rank and off-rank.
    volume_bytes: f64,
    messages: u64,
    /// Maximum number of recorded `lb_iterations` over ranks.
    n_iterations: usize,
    communications: Communications,
    load_sum: f64,
    max_rank_load: f64,
    load_imbalance: f64,
    off_rank_bytes: f64,
    max_rank_memory_bytes: f64,
    /// Present if tasks have subphases.
    #[serde(skip_serializing_if = "Option::is_none")]
    subphases: Option<SubphasesInfo>,
}

/// Times with the recorded placement and a barrier after every subphase.
#[derive(Clone, Debug, Serialize)]
struct SubphasesInfo {
    /// Numbers of the subphases in the files.
    numbers: Vec<u32>,
    /// Seconds of the slowest rank in each subphase.
    maxima: Vec<f64>,
    sum_of_maxima: f64,
    imbalance: f64,
    /// Imbalance with a single barrier at the end of the phase.
    whole_imbalance: f64,
}

/// Describes a data set or a statistics file, in tables or as JSON.
pub(crate) fn info(args: &InfoArgs, messages: Messages) -> Result<String, Error> {
    let selection = data::selection(&args.data.phases)?;
    if let Some(file) = statistics::read(&args.stem)? {
        return statistics::describe(file, &args.stem, &selection, args.output_form.json);
    }
    let located = data::locate(&args.stem, args.data.files.suffix.as_deref())?;
    let request = Request {
        phases: &|phase| selection.contains(phase),
        last_phase: selection.last(),
        subphases: true,
        ..memory::request()
    };
    let visited = data::visit(&located, &request, messages, &describe_phase)?;
    data::check_selection(&selection, &visited.findings)?;
    let info = describe(&visited, located.stem.display().to_string(), located.suffix);
    if args.output_form.json {
        let mut json =
            serde_json::to_string_pretty(&info).expect("invariant: plain data with finite numbers");
        json.push('\n');
        return Ok(json);
    }
    Ok(table(&info, &visited.findings))
}

fn describe(visited: &Visited<PhaseInfo>, stem: String, suffix: String) -> Info {
    let findings = &visited.findings;
    let phase_info = |info: &PhaseInfo| PhaseInfo {
        repeats: findings.repeats.get(&PhaseId(info.phase)).map(|base| base.0),
        n_iterations: findings.iterations.get(&PhaseId(info.phase)).copied().unwrap_or(0),
        ..info.clone()
    };
    let mut nodes: Vec<u64> = findings.shared_nodes.iter().flatten().map(|node| node.id).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let recorded_phases = &findings.phases_recorded;
    let gap = |pair: &[u64]| pair[0] + 1..pair[1];
    let skipped = &findings.phases_skipped;
    let is_skipped = |phase: u64| skipped.iter().any(|&(first, last)| (first..=last).contains(&phase));
    Info {
        stem,
        suffix,
        generations: findings.generations.iter().map(|generation| generation.name()).collect(),
        n_ranks: visited.n_ranks,
        n_nodes: Some(nodes.len()).filter(|&n| n > 0),
        n_objects: visited.n_objects,
        phases_recorded: recorded_phases.clone(),
        has_later_phases: findings.has_later_phases,
        gaps: recorded_phases
            .windows(2)
            .flat_map(gap)
            .filter(|&phase| !is_skipped(phase))
            .take(1000)
            .collect(),
        phases_skipped: findings.phases_skipped.clone(),
        file_bytes: findings.file_bytes,
        document_bytes: findings.document_bytes,
        phases: visited.results.iter().map(phase_info).collect(),
        warnings: findings.warnings.clone(),
    }
}

/// Describes the only phase of `data`. `describe` adds facts of the files.
fn describe_phase(data: &DataSet, findings: &PhaseFindings) -> PhaseInfo {
    let phase = &data.phases()[0];
    let totals = rank_totals(phase, phase.recorded_assignment());
    let loads = Statistics::of(totals.iter().map(|rank| rank.load));
    let volume = phase.communication().total();
    let migratable = phase.slots().zip(&phase.columns().migratable[..]);
    let sentinels: Vec<Slot> =
        migratable.filter(|(_, migratable)| !**migratable).map(|(slot, _)| slot).collect();
    let is_placeholder = |&slot: &Slot| {
        let key = data.key(phase.object(slot));
        (key.is_sequence, key.number) == (false, 0) && phase.load(slot) == 0.0
    };
    PhaseInfo {
        phase: phase.id().0,
        repeats: None,
        n_objects: phase.n_objects(),
        n_sentinels: sentinels.len(),
        n_placeholders: sentinels.into_iter().filter(is_placeholder).count(),
        n_blocks: phase.blocks().len(),
        n_edges: phase.communication().n_edges(),
        volume_bytes: volume.bytes,
        messages: volume.messages,
        n_iterations: 0,
        communications: Communications::from(&findings.counts),
        load_sum: loads.sum,
        max_rank_load: loads.max,
        load_imbalance: loads.imbalance(),
        off_rank_bytes: totals.iter().map(|rank| rank.sent_bytes).sum(),
        max_rank_memory_bytes: totals.iter().map(RankTotals::memory_bytes).fold(0.0, f64::max),
        subphases: describe_subphases(phase),
    }
}

fn describe_subphases(phase: &Phase) -> Option<SubphasesInfo> {
    let synchronised = Synchronised::of(phase, phase.recorded_assignment())?;
    Some(SubphasesInfo {
        numbers: phase.subphases()?.numbers().to_vec(),
        sum_of_maxima: synchronised.seconds(),
        imbalance: synchronised.imbalance(),
        whole_imbalance: synchronised.whole_imbalance(),
        maxima: synchronised.maxima,
    })
}

fn table(info: &Info, findings: &Findings) -> String {
    let nodes = info.n_nodes.map_or_else(String::new, |n| format!(" on {}", counted(n, "node")));
    let phases = findings.named_phases_recorded();
    let mut out = format!(
        "{}.<rank>.{}: {}\n{}{nodes}, {}, {phases}\n{} in files, {} decompressed{}\n\n",
        line(&info.stem),
        line(&info.suffix),
        info.generations.join(" and "),
        counted(info.n_ranks, "rank"),
        counted(info.n_objects, "object"),
        bytes(info.file_bytes as f64),
        bytes(info.document_bytes as f64),
        if info.has_later_phases { " up to the last selected phase" } else { "" },
    );
    let mut table = new_table(&[
        "\nphase",
        "\nobjects",
        "non-\nmigratable",
        "\nblocks",
        "\nedges",
        "load (s)\nof all ranks",
        "\nlargest",
        "\nimbalance",
        "\noff-rank",
        "largest\nmemory",
    ]);
    for phase in &info.phases {
        table.add_row([
            phase.phase.to_string(),
            phase.n_objects.to_string(),
            phase.n_sentinels.to_string(),
            phase.n_blocks.to_string(),
            phase.n_edges.to_string(),
            significant(phase.load_sum),
            significant(phase.max_rank_load),
            significant(phase.load_imbalance),
            bytes(phase.off_rank_bytes),
            bytes(phase.max_rank_memory_bytes),
        ]);
    }
    out += &layout(&table);
    out.push('\n');
    out += &subphases_table(info);
    out += &communication_table(info);
    let notes = notes(info);
    if !notes.is_empty() {
        out.push('\n');
        out += &notes.join("\n");
        out.push('\n');
    }
    out
}

/// Returns a table of the times with a barrier after every subphase; empty if no task has subphases.
fn subphases_table(info: &Info) -> String {
    let mut table = new_table(&[
        "\nphase",
        "\nsubphases",
        "sum of\nmaxima (s)",
        "imbalance\nof subphases",
        "\nas a whole",
    ]);
    for phase in &info.phases {
        let Some(subphases) = &phase.subphases else { continue };
        table.add_row([
            phase.phase.to_string(),
            subphases.numbers.len().to_string(),
            significant(subphases.sum_of_maxima),
            significant(subphases.imbalance),
            significant(subphases.whole_imbalance),
        ]);
    }
    if table.row_count() == 0 { String::new() } else { format!("\n{}\n", layout(&table)) }
}

/// Returns a table of the communication entries of all phases. For each type it has the number of entries, the number
/// that counts as volume, and the numbers that do not count, by reason.
fn communication_table(info: &Info) -> String {
    let mut by_type: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
    for communications in info.phases.iter().map(|phase| &phase.communications) {
        let columns =
            [&communications.counted, &communications.other_types, &communications.absent_endpoints];
        for (column, counts) in columns.into_iter().enumerate() {
            for (kind, count) in counts {
                by_type.entry(kind).or_default()[column] += count;
            }
        }
    }
    if by_type.is_empty() {
        return String::new();
    }
    let mut table = new_table(&[
        "\ncommunication",
        "\nentries",
        "counted\nas volume",
        "other\ntype",
        "missing\nendpoint",
    ]);
    for (kind, counts) in by_type {
        let total: u64 = counts.iter().sum();
        let [counted, other, absent] = counts.map(|count| count.to_string());
        table.add_row([kind.to_owned(), total.to_string(), counted, other, absent]);
    }
    format!("\n{}\n", layout(&table))
}

fn notes(info: &Info) -> Vec<String> {
    let mut notes = Vec::new();
    let repeats: Vec<u64> =
        info.phases.iter().filter(|phase| phase.repeats.is_some()).map(|phase| phase.phase).collect();
    if !repeats.is_empty() {
        notes.push(format!("note: phases that repeat an earlier phase: {}", lbaf_config::ranges(&repeats)));
    }
    for phase in info.phases.iter().filter(|phase| phase.n_placeholders > 0) {
        notes.push(format!(
            "note: {} of the objects of phase {} are placeholders of vt (id 0, load 0)",
            phase.n_placeholders, phase.phase
        ));
    }
    if !info.phases_skipped.is_empty() {
        let ranges = info
            .phases_skipped
            .iter()
            .map(|&(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") });
        let ranges: Vec<String> = ranges.collect();
        notes.push(format!("note: phases listed as skipped, without data: {}", ranges.join(", ")));
    }
    if !info.gaps.is_empty() {
        notes.push(format!(
            "note: phases neither recorded nor listed as skipped: {}",
            lbaf_config::ranges(&info.gaps)
        ));
    }
    let with_iterations: Vec<u64> =
        info.phases.iter().filter(|phase| phase.n_iterations > 0).map(|phase| phase.phase).collect();
    if !with_iterations.is_empty() {
        let phases = lbaf_config::ranges(&with_iterations);
        notes
            .push(format!("note: phases with recorded iterations of a strategy (`lb_iterations`): {phases}"));
    }
    notes.extend(info.warnings.iter().map(|warning| format!("warning: {}", line(warning))));
    notes
}
