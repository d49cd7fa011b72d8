// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf tasks`: the objects of every rank as YAML.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use lbaf_reader::{LoadedFile, Request};
use lbaf_run::Messages as _;
use lbaf_vom::PhaseRows;
use serde::Deserialize;

use crate::arguments::{CommonArgs, ReplaceOutputArg, StemArg, SuffixArg};
use crate::data;
use crate::error::Error;
use crate::memory;
use crate::new_files::NewFiles;
use crate::progress::Messages;

#[derive(Debug, Args)]
pub(crate) struct TasksArgs {
    #[command(flatten)]
    pub(crate) data_set: StemArg,
    /// Phase to list. Default: the last one.
    #[arg(long, value_name = "PHASE")]
    pub(crate) phase: Option<u64>,
    /// Iteration to list, if `lb_iterations` of the phase are recorded. Default: the last one; `none` lists the
    /// phase itself.
    #[arg(long, value_name = "N")]
    pub(crate) iteration: Option<String>,
    /// Leave out non-migratable objects.
    #[arg(long)]
    pub(crate) migratable: bool,
    /// Write to a file instead of printing.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceOutputArg,
    #[command(flatten)]
    pub(crate) data: SuffixArg,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Listed object.
struct Listed {
    number: u64,
    migratable: bool,
}

/// Entry of `lb_iterations`.
#[derive(Deserialize)]
struct Iteration {
    id: u64,
    #[serde(default)]
    tasks: Vec<Task>,
}

#[derive(Deserialize)]
struct Task {
    entity: Entity,
}

#[derive(Deserialize)]
struct Entity {
    id: Option<u64>,
    seq_id: Option<u64>,
    migratable: Option<bool>,
    collection_id: Option<serde::de::IgnoredAny>,
    index: Option<serde::de::IgnoredAny>,
}

/// Lists the objects of a phase. Returns the text to print, empty if it is written to a file.
pub(crate) fn tasks(args: &TasksArgs, messages: Messages) -> Result<String, Error> {
    let located = data::locate(&args.data_set.stem, args.data.suffix.as_deref())?;
    // The last phase is known only after the files are read.
    let wanted = |phase: u64| args.phase.is_none_or(|chosen| chosen == phase);
    let request = Request { phases: &wanted, records: true, ..memory::request() };
    let bar = messages.progress("reading", located.files.len());
    let files = lbaf_reader::load(&located.files, 0, &request, &|done| bar.set(done))?;
    let recorded = lbaf_reader::phases_of(&files);
    let Some(phase) = args.phase.or(recorded.last().copied()) else {
        return Err(Error::Input(format!("{}: the files contain no phase", args.data_set.stem.display())));
    };
    if !recorded.contains(&phase) {
        let hold = lbaf_config::named_phases(&recorded);
        return Err(Error::Configuration(format!(
            "--phase: phase {phase} is not in the data, which hold {hold}"
        )));
    }
    let iteration = iteration(args, &files, phase)?;
    let mut out = String::new();
    for (rank, file) in files.iter().enumerate() {
        let objects = objects(file, phase, iteration)?;
        let kept: Vec<String> = (objects.iter())
            .filter(|object| object.migratable || !args.migratable)
            .map(|object| object.number.to_string())
            .collect();
        let _ = writeln!(out, "{rank}: [{}]", kept.join(", "));
    }
    let Some(path) = &args.output else { return Ok(out) };
    let new = NewFiles::of_path(path, args.replace.force)?;
    new.put(out.as_bytes())?;
    new.publish()?;
    Ok(String::new())
}

/// Returns the entry of a phase in a file, or the last entry before it, which the phase then repeats.
fn rows(file: &LoadedFile, phase: u64) -> Option<&PhaseRows> {
    file.rows.phases.iter().filter(|rows| rows.id <= phase).max_by_key(|rows| rows.id)
}

/// Returns the iteration to list; `None` for the phase itself.
fn iteration(args: &TasksArgs, files: &[LoadedFile], phase: u64) -> Result<Option<u64>, Error> {
    let chosen = match args.iteration.as_deref() {
        Some("none") => return Ok(None),
        Some("last") | None => None,
        Some(number) => Some(number.parse().map_err(|_| {
            Error::Usage(format!("--iteration: expected a number, `last` or `none`, found {number:?}"))
        })?),
    };
    let mut ids = BTreeSet::new();
    for file in files {
        ids.extend(iterations(file, phase)?.into_iter().map(|iteration| iteration.id));
    }
    match chosen {
        None if ids.is_empty() && args.iteration.is_some() => {
            Err(Error::Configuration(format!("--iteration: phase {phase} has no `lb_iterations`")))
        }
        None => Ok(ids.last().copied()),
        Some(id) if ids.contains(&id) => Ok(Some(id)),
        Some(id) => {
            let ids: Vec<u64> = ids.into_iter().collect();
            let has = lbaf_config::ranges(&ids);
            Err(Error::Configuration(format!(
                "--iteration: phase {phase} has no iteration {id}; it has {has}"
            )))
        }
    }
}

/// Returns the recorded iterations of a phase in a file.
fn iterations(file: &LoadedFile, phase: u64) -> Result<Vec<Iteration>, Error> {
    let field =
        rows(file, phase).and_then(|rows| rows.fields.iter().find(|field| field.key == "lb_iterations"));
    let Some(field) = field else { return Ok(Vec::new()) };
    let document = file.document.as_ref().expect("invariant: the file was read with records");
    serde_json::from_slice(field.value.of(&document.bytes()?)).map_err(|error| {
        Error::Input(format!("{}: phase {phase}: `lb_iterations`: {error}", file.path.display()))
    })
}

/// Returns the objects of a phase or iteration in the order of the file.
fn objects(file: &LoadedFile, phase: u64, iteration: Option<u64>) -> Result<Vec<Listed>, Error> {
    let Some(id) = iteration else {
        let tasks = rows(file, phase).map_or(&[][..], |rows| &rows.tasks);
        return Ok(tasks
            .iter()
            .map(|task| Listed { number: task.id, migratable: task.migratable })
            .collect());
    };
    let iterations = iterations(file, phase)?.into_iter().filter(|iteration| iteration.id == id);
    let entities = iterations.flat_map(|iteration| iteration.tasks).map(|task| task.entity);
    let listed = |entity: Entity| {
        let in_collection = entity.collection_id.is_some() || entity.index.is_some();
        let number = entity.id.or(entity.seq_id)?;
        Some(Listed { number, migratable: entity.migratable.unwrap_or(in_collection) })
    };
    Ok(entities.filter_map(listed).collect())
}
