// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf anomalies`: noise in recorded times, and the imbalance that remains without it.

mod arguments;
mod charts;
mod console;
mod hints;
mod host_names;
mod results;
mod tables;

pub(crate) use arguments::{AnomaliesArgs, LabellingArgs};
use lbaf_noise::{AnomalySummary, Decomposition, Doubt, Labels, SlowSpell, Slowness, Tolerance};
use lbaf_reader::{NodeRule, Recorded, Request};
use lbaf_run::summary;
use lbaf_writer::Staging;
use results::Results;

use crate::data;
use crate::directories;
use crate::error::Error;
use crate::inputs;
use crate::memory;
use crate::new_files::NewFiles;
use crate::progress::Messages;

/// Name of the JSON output.
pub(crate) const FILE: &str = "anomalies.json";
/// Value of its key `schema`.
pub(crate) const SCHEMA: &str = "lbaf-anomalies";

/// Findings in a data set.
struct Findings<'a> {
    recorded: &'a Recorded,
    labels: Labels<'a>,
    summary: AnomalySummary,
    decomposition: Decomposition,
    slowness: Slowness,
    slow_spells: Vec<SlowSpell>,
    doubt: Option<Doubt>,
    /// For each rank, the name of its node.
    hosts: Vec<String>,
}

/// Judges the tasks of a data set, and writes the requested files. Returns the text to print.
pub(crate) fn anomalies(args: &AnomaliesArgs, messages: Messages) -> Result<String, Error> {
    let labelling = args.labelling.labelling()?;
    let selection = data::selection(&args.data.phases)?;
    // The output directories may also hold the data.
    args.output_dir.as_deref().map_or(Ok(()), directories::restore)?;
    args.exclude_hosts.as_deref().map_or(Ok(()), directories::restore_beside)?;
    let located = data::locate(&args.data_set.stem, args.data.files.suffix.as_deref())?;
    // Unwritable outputs are reported before the work.
    let staging = args.output_dir.as_deref().map(Staging::new).transpose()?;
    let exclude = args.exclude_hosts.as_deref();
    let excluded = exclude.map(|path| NewFiles::of_path(path, args.force)).transpose()?;
    let request = Request {
        phases: &|phase| selection.contains(phase),
        nodes: NodeRule::FromFiles,
        // No result depends on communication, which would take most of the memory.
        communication_kinds: &[],
        // Coordinates identify siblings, whose times hint at slow ranks.
        coordinates: true,
        ..memory::request()
    };
    let recorded = data::read(&located, &request, messages)?;
    data::check_selection(&selection, &recorded.findings)?;
    let labels = labelling.label(&recorded.data, &recorded.findings.repeats);
    let tolerance =
        Tolerance { slowdown: args.slowdown, sockets_per_node: usize::from(args.sockets_per_node) };
    let findings = Findings {
        summary: AnomalySummary::of(&labels),
        decomposition: Decomposition::of(&labels),
        slowness: Slowness::of(&labels, tolerance),
        slow_spells: SlowSpell::of(&labels, tolerance.slowdown),
        doubt: Doubt::of(&labels),
        hosts: host_names::of_ranks(&recorded),
        recorded: &recorded,
        labels,
    };
    let mut results = Results::new(args, &labelling, &findings);
    if let Some(staging) = staging {
        let drawn = charts::draw(&findings, messages)?;
        for (name, bytes) in &drawn.files {
            staging.put(name, bytes)?;
        }
        results.notes.extend(drawn.refused);
        for (name, text) in tables::tables(&findings) {
            staging.put(name, text.as_bytes())?;
        }
        results.outputs = summary::digests(&staging);
        staging.put(FILE, &summary::pretty(&results))?;
        let directory = args.output_dir.as_deref().unwrap_or(std::path::Path::new("."));
        let stale = summary::unchanged(directory, summary::outputs_of(&directory.join(FILE)));
        staging.publish(Some(FILE), &inputs::all(), &stale)?;
    }
    if let Some(excluded) = excluded {
        let lines: String = results.exclude_hosts.iter().flat_map(|host| [host.as_str(), "\n"]).collect();
        excluded.put(lines.as_bytes())?;
        excluded.publish()?;
    }
    if args.output_form.json {
        return Ok(String::from_utf8_lossy(&summary::pretty(&results)).into_owned());
    }
    Ok(console::report(&results, args))
}
