// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf init`: a commented configuration that fits recorded data.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lbaf_model::rank_totals;
use lbaf_reader::Recorded;
use lbaf_text::Shown as _;
use lbaf_text::number::{bytes, counted};

use crate::arguments::{CommonArgs, ReplaceOutputArg, StemArg, SuffixArg};
use crate::data;
use crate::error::Error;
use crate::memory;
use crate::new_files::NewFiles;
use crate::progress::Messages;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    #[command(flatten)]
    data_set: StemArg,
    #[command(flatten)]
    files: SuffixArg,
    /// File of the configuration. Without it, the configuration is printed.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    replace: ReplaceOutputArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Writes the configuration to a file and returns a report; without `--output`, returns the configuration.
pub(crate) fn init(args: &InitArgs, messages: Messages) -> Result<String, Error> {
    let stem = &args.data_set.stem;
    let suffix = args.files.suffix.as_deref();
    let located = data::locate(stem, suffix)?;
    let recorded = data::read(&located, &memory::request(), messages)?;
    let name = located.stem.file_name().unwrap_or_default().to_string_lossy();
    let Some(file) = &args.output else { return Ok(configuration(stem, suffix, &name, &recorded)) };
    // Paths in a configuration are relative to its file.
    let is_beside = file.parent().is_none_or(|directory| directory == Path::new(""));
    let absolute = std::path::absolute(stem).unwrap_or_else(|_| stem.clone());
    let text = configuration(if is_beside { stem } else { &absolute }, suffix, &name, &recorded);
    let files = NewFiles::of_path(file, args.replace.force)?;
    files.put(text.as_bytes())?;
    files.publish()?;
    let file = file.shown();
    Ok(format!("Wrote {file}. `lbaf run {file} --dry-run` checks it, `lbaf run {file}` runs it.\n"))
}

/// Returns a configuration with comments on the data. `name` is the part of the file names before the rank.
fn configuration(stem: &Path, suffix: Option<&str>, name: &str, recorded: &Recorded) -> String {
    let Recorded { data, findings, .. } = recorded;
    let quoted = |path: &str| serde_json::json!(path).to_string();
    let phases: Vec<u64> = data.phases().iter().map(|phase| phase.id().0).collect();
    let (ranks, objects) = (counted(data.n_ranks(), "rank"), counted(data.n_objects(), "object"));
    let mut text = format!(
        "# Configuration for {}: {ranks}, {objects}, {}.\n\
         # `lbaf run FILE` runs it. configs/default.yaml explains all keys, `lbaf strategies` all strategies.\n\
         # Editors complete and check keys after `lbaf config --schema > run.schema.json` in this directory.\n\
         # yaml-language-server: $schema=run.schema.json\n\n\
         from_data:\n  data_stem: {}\n\
         \x20 # Phases to read, for example 3, 0-9, or [0, 5].\n  phase_ids: all\n",
        stem.shown(),
        lbaf_config::named_phases(&phases),
        quoted(&stem.display().to_string()),
    );
    let mut add = |lines: &str| text.push_str(lines);
    if let Some(suffix) = suffix {
        add(&format!("  suffix: {}\n", quoted(suffix)));
    }
    let others: BTreeSet<&str> = (findings.communications.values())
        .flat_map(|counts| counts.other_kinds.keys().map(|kind| kind.name()))
        .collect();
    let others: Vec<&str> = others.into_iter().collect();
    add("  # Types of communication that count as volume.");
    add(&if others.is_empty() {
        "\n".to_owned()
    } else {
        format!(" The data also have {}.\n", others.join(", "))
    });
    add("  communication_types: [SendRecv]\n");
    if findings.shared_nodes.iter().any(Option::is_some) {
        add("  # The files name the nodes of ranks. With this key, upper bounds apply to nodes.\n");
        add("  # ranks_per_node: from_files\n");
    }
    let has_communication = data.phases().iter().any(|phase| phase.communication().n_edges() > 0);
    let memory = |phase: &lbaf_model::Phase| {
        let totals = rank_totals(phase, phase.recorded_assignment());
        totals.iter().map(lbaf_model::RankTotals::memory_bytes).fold(0.0, f64::max)
    };
    let largest = data.phases().iter().map(memory).fold(0.0, f64::max);
    add("\nwork_model:\n");
    add(if has_communication {
        "  # Work of a rank: alpha x load + beta x max(sent, received). The communication of these data counts if beta\n  \
         # (seconds per byte, for example 1.0e-9) is above 0.\n"
    } else {
        "  # Work is load: the data have no communication.\n"
    });
    // LoadOnly has no upper bounds.
    add(if has_communication || largest > 0.0 {
        "  name: AffineCombination\n  parameters:\n    alpha: 1.0\n    beta: 0.0\n"
    } else {
        "  name: LoadOnly\n  parameters: {}\n"
    });
    if largest > 0.0 {
        let n_blocks = data.phases().iter().map(|phase| phase.blocks().len()).max().unwrap_or(0);
        if n_blocks > 0 {
            let blocks = counted(n_blocks, "memory block");
            let _ =
                writeln!(text, "    # Objects share {blocks}. A rank needs the blocks of all its objects.");
        }
        let _ = write!(
            text,
            "    # Upper bound on the memory of a rank in bytes. The recorded placement needs up to {}.\n    \
             # upper_bounds: {{max_memory_usage: {:.0}}}\n",
            bytes(largest),
            largest.ceil(),
        );
    }
    let _ = write!(
        text,
        "\nalgorithm:\n  \
         # LocalSearch changes the present placement little and keeps upper bounds; Refine changes it little, too. LPT\n  \
         # and MULTIFIT place all objects anew, which moves most of them. `lbaf compare --data STEM` compares all.\n  \
         name: LocalSearch\n  # Phases to balance.\n  phase_id: all\n\n\
         # Directory of all outputs.\noutput_dir: {}\n\n\
         # Data files with the new placements, which vt can read. Remove the section to write none.\n\
         write_JSON:\n  compressed: true\n",
        quoted(&format!("output/{name}")),
    );
    text
}
