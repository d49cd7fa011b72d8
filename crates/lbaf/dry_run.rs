// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf run --dry-run`: description of a run after a check of its configuration, data and output directory.

use std::fmt::Write as _;

use lbaf_run::{Messages as _, Prepared, summary};
use lbaf_text::Shown as _;
use lbaf_text::number::counted;
use serde_json::Value;

use crate::error::Error;
use crate::progress::Messages;
use crate::{directories, inputs};

/// Describes a run, and prints the warnings about its data. Changes nothing.
///
/// # Errors
/// If the outputs could not be written, or a replacement of files in the output directory is unfinished.
pub(crate) fn describe(prepared: &Prepared, messages: Messages) -> Result<String, Error> {
    let Prepared { run, input, recorded, .. } = prepared;
    directories::check_whole(&run.output_dir)?;
    prepared.check_outputs(&inputs::all())?;
    prepared.data_warnings().iter().for_each(|warning| messages.warning(warning));
    let data = &recorded.data;
    let read: Vec<u64> = data.phases().iter().map(|phase| phase.id().0).collect();
    let balanced: Vec<u64> = read.iter().copied().filter(|&phase| run.balancing.contains(phase)).collect();
    let mut labels: Vec<String> = run.strategies.all().iter().map(|strategy| strategy.label()).collect();
    labels.dedup();
    let (ranks, objects) = (counted(data.n_ranks(), "rank"), counted(data.n_objects(), "object"));
    let read = lbaf_config::named_phases(&read);
    let mut text = format!("data              {input}: {ranks}, {objects}, {read}\n");
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "{name:<17} {value}");
    };
    line("phases to balance", lbaf_config::ranges(&balanced));
    line("strategy", labels.join(", "));
    line("work model", format!("{}{}", run.model.name(), parameters("", &run.model_parameters)));
    line("seed", run.seed.to_string());
    let earlier = run.output_dir.join(summary::FILE).is_file();
    let replaced = if earlier { ", whose earlier result will be replaced" } else { "" };
    line("output directory", format!("{}{replaced}", run.output_dir.shown()));
    let mut outputs = vec!["summary and tables".to_owned()];
    if let Some(files) = &run.files {
        let name = format!("{}.<rank>.{}", files.stem, files.suffix);
        outputs.push(format!("{} {name}", counted(data.n_ranks(), "file")));
    }
    if run.plots.is_some() {
        outputs.push("charts and paper tables".to_owned());
    }
    if run.visualization.is_some() {
        outputs.push("pictures of ranks and objects".to_owned());
    }
    line("outputs", outputs.join(", "));
    text.push_str("Configuration and data are valid. Nothing was written.\n");
    Ok(text)
}

/// Lists parameters with their values, each after a comma, without those that are null.
fn parameters(path: &str, value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let dot = if path.is_empty() { "" } else { "." };
            members.iter().map(|(key, value)| parameters(&format!("{path}{dot}{key}"), value)).collect()
        }
        Value::Null => String::new(),
        value => format!(", {path} {value}"),
    }
}
