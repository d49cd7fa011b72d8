// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf run`: read, balance, write.

mod annotations;
pub(crate) mod balance;
mod bounds;
pub(crate) mod carried;
pub(crate) mod denoise;
mod fit;
mod for_vt;
mod input;
mod offline_map;
mod outputs;
mod pictures;
mod source;
mod statistics_log;

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use denoise::Noise;
use input::Input;
use lbaf_model::{Assignment, Phase};
use lbaf_reader::{Recorded, Request};
use lbaf_writer::Staging;

pub(crate) use source::{Judged, Source};

use crate::error::Error;
use crate::progress::{self, Messages, Verbosity};
use crate::report::number::counted;
use crate::report::summary::{PhaseResult, Start, Summary};
use crate::{inputs, restore};
use lbaf_config::{Layers, Overrides, RunConfig};

/// Pictures read records once, so that keeping many documents for them would not pay.
const PICTURE_MEMORY_BYTES: u64 = 1 << 28;

/// What a run ends with.
pub(crate) struct Finished {
    pub(crate) summary: Summary,
    /// Where the data are, from here, or that they were drawn.
    pub(crate) data: String,
    pub(crate) output_dir: PathBuf,
    /// Set if bounds had to be kept and could not.
    pub(crate) infeasible: Option<Error>,
}

/// A configuration that was understood, with data that were read.
pub(crate) struct Prepared {
    pub(crate) run: RunConfig,
    pub(crate) layers: Layers,
    input: Input,
    pub(crate) recorded: Recorded,
    /// What was taken out of the recorded times, if the configuration says to.
    pub(crate) noise: Option<Noise>,
    /// Where outputs are gathered, if there will be any.
    staging: Option<Staging>,
    messages: Messages,
    started: Instant,
    read: Duration,
}

/// Reads what a run needs of its data, and takes noise out of it if that is wanted; `writes` says whether what comes of it
/// will be written.
fn read(
    run: &RunConfig,
    input: &Input,
    writes: bool,
    messages: Messages,
) -> Result<(Recorded, Option<Noise>), Error> {
    let request = Request {
        phases: &|phase| run.phases.contains(phase),
        communication_kinds: &run.communication_kinds,
        absent_endpoints: run.absent_endpoints,
        nodes: run.nodes,
        rank_alpha: &run.rank_alpha,
        records: writes && (run.files.is_some() || run.visualization.is_some()),
        coordinates: source::needs_coordinates(run),
        subphases: source::needs_subphases(run),
        record_memory_bytes: match run.files {
            Some(_) => Request::default().record_memory_bytes,
            None => PICTURE_MEMORY_BYTES,
        },
    };
    let mut recorded = input.read(&request, messages)?;
    let noise = denoise::denoise(run, input, &mut recorded, messages)?;
    Ok((recorded, noise))
}

/// Runs a configuration from the first file read to the last file written.
pub(crate) fn run(files: &[PathBuf], overrides: &Overrides, messages: Messages) -> Result<Finished, Error> {
    Prepared::new(files, overrides, true, messages)?.finish()
}

impl Prepared {
    /// Reads a configuration and its data; `writes` says whether what comes of it will be written.
    pub(crate) fn new(
        files: &[PathBuf],
        overrides: &Overrides,
        writes: bool,
        messages: Messages,
    ) -> Result<Self, Error> {
        let started = Instant::now();
        let layers = Layers::read(files, &overrides.set)?;
        let mut run = lbaf_config::resolve(&layers, overrides)?;
        inputs::note_all(layers.files.iter().chain(&run.other_inputs));
        let messages = messages.configured(&run.logging)?;
        layers.processes.listen(Arc::new(move |line: &str| messages.note(line)));
        progress::log(
            Verbosity::Normal,
            &format!("lbaf {}: {}", env!("CARGO_PKG_VERSION"), run.told.files.join(" ")),
        );
        if let Some(global) = &layers.global {
            messages.note(&format!("{} is merged below the configuration", global.display()));
        }
        for note in &run.notes {
            messages.note(note);
        }
        for warning in &run.warnings {
            messages.warning(warning);
        }
        // Before the work, not after it; and before data are read that may have to be restored there.
        let staging = if writes { Some(restore::staging(&run.output_dir)?) } else { None };
        let map = offline_map::locate(&run, &layers)?;
        run.other_inputs.extend(map.iter().flat_map(|map| map.files.iter().cloned()));
        let input = Input::find(&run, messages)?;
        lbaf_config::check_rank_alpha(&run.rank_alpha, input.n_ranks(), &layers)?;
        let objection = run.visualization.as_ref().and_then(|picture| picture.objection(input.n_ranks()));
        if let Some(objection) = objection {
            messages.warning(&objection);
            run.visualization = None;
        }
        let (recorded, noise) = read(&run, &input, writes, messages)?;
        let said = fit::fit(&mut run, &layers, overrides, &recorded)?;
        offline_map::complete(&mut run, map.as_ref(), &recorded, &layers, messages)?;
        for note in &said.notes {
            messages.note(note);
        }
        for warning in &said.warnings {
            messages.warning(warning);
        }
        let read = started.elapsed();
        messages.detail(&format!("read {} in {read:.2?}", counted(input.n_ranks(), "file")));
        run.foreknown.extend(noise.iter().map(|noise| noise.told.note.clone()));
        Ok(Prepared { run, layers, input, recorded, noise, staging, messages, started, read })
    }

    /// What the configuration makes of a phase, from its recorded placement.
    pub(crate) fn placement(&self, phase: &Phase) -> Result<Assignment, Error> {
        let Prepared { run, recorded, layers, .. } = self;
        let initial = Cow::Borrowed(phase.recorded_assignment());
        let strategy = run.strategy_at(phase.id());
        let balanced = balance::balance_one(run, &recorded.data, phase, strategy, (Start::Recorded, initial))
            .map_err(|(phase, error)| run.strategies.refused(phase.0, error, layers))?;
        Ok(balanced.after.outcome.assignment)
    }

    /// Balances and writes.
    pub(crate) fn finish(self) -> Result<Finished, Error> {
        let Prepared { run, layers, input, recorded, noise, staging, messages, started, read } = self;
        let reading_ended = Instant::now();
        let staging = staging.map_or_else(|| restore::staging(&run.output_dir), Ok)?;
        let (balanced, notes) = balance::balance(&run, &recorded.data)
            .map_err(|(phase, error)| run.strategies.refused(phase.0, error, &layers))?;
        let balance = reading_ended.elapsed();
        messages.detail(&format!("balanced {} in {balance:.2?}", counted(balanced.len(), "phase")));
        statistics_log::log(&recorded, &balanced);
        let mut clock = outputs::Clock { started, read, balance };
        let data = outputs::Data { input: &input, recorded: &recorded, noise: noise.as_ref() };
        let summary = outputs::write(&run, data, (&balanced, notes), staging, &mut clock, messages)?;
        for note in &summary.notes {
            messages.note(note);
        }
        for warning in &summary.warnings {
            messages.warning(warning);
        }
        progress::log(Verbosity::Normal, &format!("outputs are in {}", run.output_dir.display()));
        messages.detail(&format!("all done in {:.2?}", started.elapsed()));
        Ok(Finished {
            infeasible: infeasible(&summary, &run),
            summary,
            data: input.to_string(),
            output_dir: run.output_dir,
        })
    }
}

fn infeasible(summary: &Summary, run: &RunConfig) -> Option<Error> {
    let broken: Vec<_> = summary.phases.iter().filter(|phase| phase.infeasible).collect();
    let first = broken.first()?;
    let violation = first.violations.first().map(ToString::to_string).unwrap_or_default();
    Some(Error::Infeasible(format!(
        "no placement within the bounds of the work model was found for {}: in phase {}, {violation}{}; outputs \
         were written all the same",
        counted(broken.len(), "phase"),
        first.phase,
        way_out(run, first),
    )))
}

/// What else may come within bounds, where nobody has proven that nothing can.
fn way_out(run: &RunConfig, phase: &PhaseResult) -> &'static str {
    match run.strategies.at(phase.phase).filter(|_| phase.strategy.is_some()) {
        _ if phase.infeasibility.is_some() => "",
        Some(strategy) if strategy.limits_migrations() => {
            "; without the limit of migrations there may be one"
        }
        Some(strategy) if !strategy.repairs_bounds() => {
            "; `LocalSearch` also exchanges objects to come within them"
        }
        _ => "",
    }
}
