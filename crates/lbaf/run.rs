// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf run`: read, balance, write.

pub(crate) mod balance;
mod carried;
mod for_vt;
mod input;
mod offline_map;
mod outputs;
mod pictures;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use input::Input;
use lbaf_model::{Assignment, Phase};
use lbaf_reader::{NodeRule, Recorded, Request};
use lbaf_strategies::StrategyConfig;
use lbaf_writer::Staging;

use crate::config::{self, Layers, Overrides, Run};
use crate::error::Error;
use crate::progress::{self, Messages, Verbosity};
use crate::report::number::counted;
use crate::report::summary::{PhaseResult, Start, Summary};

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
    pub(crate) run: Run,
    pub(crate) layers: Layers,
    input: Input,
    pub(crate) recorded: Recorded,
    /// Where outputs are gathered, if there will be any.
    staging: Option<Staging>,
    messages: Messages,
    started: Instant,
    read: Duration,
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
        let mut run = config::resolve(&layers, overrides)?;
        let messages = messages.configured(&run.logging)?;
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
        let map = offline_map::locate(&run, &layers)?;
        run.other_inputs.extend(map.iter().flat_map(|map| map.files.iter().cloned()));
        let input = Input::find(&run, messages)?;
        config::check_rank_alpha(&run.rank_alpha, input.n_ranks(), &layers)?;
        let objection = run.visualization.as_ref().and_then(|picture| picture.objection(input.n_ranks()));
        if let Some(objection) = objection {
            messages.warning(&objection);
            run.visualization = None;
        }
        // Before the work, not after it.
        let staging = if writes { Some(Staging::new(&run.output_dir)?) } else { None };
        let request = Request {
            phases: &|phase| run.phases.contains(phase),
            communication_kinds: &run.communication_kinds,
            absent_endpoints: run.absent_endpoints,
            nodes: run.nodes,
            rank_alpha: &run.rank_alpha,
            records: writes && (run.files.is_some() || run.visualization.is_some()),
            coordinates: run.strategies.all().iter().any(|strategy| strategy.build().needs_coordinates()),
            record_memory_bytes: match run.files {
                Some(_) => Request::default().record_memory_bytes,
                None => PICTURE_MEMORY_BYTES,
            },
        };
        let recorded = input.read(&request, messages)?;
        check_phases(&run, &layers, overrides, &recorded)?;
        let balanced = recorded.data.phases().iter().map(|phase| phase.id().0);
        let balanced: Vec<u64> = balanced.filter(|&phase| run.balancing.contains(phase)).collect();
        run.strategies.check(balanced.iter().copied())?;
        if let Some(note) = config::work_by_arguments(&mut run, balanced.into_iter(), &layers)? {
            messages.note(&note);
        }
        warn_of_ends(&run, &recorded, messages);
        warn_of_modulus(&run, &recorded, messages);
        if let Some(warning) = node_contradiction(&run, &recorded) {
            messages.warning(&warning);
        }
        warn_of_migrations(&run, &recorded, messages);
        offline_map::complete(&mut run, map.as_ref(), &recorded, messages).map_err(|error| match error {
            Error::Configuration(message) => {
                let path = match layers.tree.get("algorithm.lb_config") {
                    Some(_) => "algorithm.lb_config",
                    None => "algorithm.parameters.map",
                };
                layers.error(&layers.tree.error_at(path, message))
            }
            error => error,
        })?;
        let read = started.elapsed();
        messages.detail(&format!("read {} in {read:.2?}", counted(input.n_ranks(), "file")));
        Ok(Prepared { run, layers, input, recorded, staging, messages, started, read })
    }

    /// Files that are no place for others.
    pub(crate) fn inputs(&self) -> &[PathBuf] {
        self.input.files()
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
        let Prepared { run, layers, input, recorded, staging, messages, started, read } = self;
        let reading_ended = Instant::now();
        let staging = staging.map_or_else(|| Staging::new(&run.output_dir), Ok)?;
        let (balanced, notes) = balance::balance(&run, &recorded.data)
            .map_err(|(phase, error)| run.strategies.refused(phase.0, error, &layers))?;
        let balance = reading_ended.elapsed();
        messages.detail(&format!("balanced {} in {balance:.2?}", counted(balanced.len(), "phase")));
        let mut clock = outputs::Clock { started, read, balance };
        let summary =
            outputs::write(&run, &input, &recorded, (&balanced, notes), staging, &mut clock, messages)?;
        for note in &summary.notes {
            messages.note(note);
        }
        for warning in &summary.warnings {
            messages.warning(warning);
        }
        progress::log(Verbosity::Normal, &format!("outputs are in {}", run.output_dir.display()));
        messages.detail(&format!("all done in {:.2?}", started.elapsed()));
        Ok(Finished {
            infeasible: infeasible(&summary),
            summary,
            data: input.to_string(),
            output_dir: run.output_dir,
        })
    }
}

/// Ranges of phases may have gaps, but should not go beyond the data.
fn warn_of_ends(run: &Run, recorded: &Recorded, messages: Messages) {
    let phases = &recorded.findings.phases_recorded;
    for (what, selection) in [("read", &run.phases), ("balance", &run.balancing.phases)] {
        let missing = selection.ends_missing_from(|phase| phases.binary_search(&phase).is_ok());
        if !missing.is_empty() {
            let (missing, phases) = (config::ranges(&missing), config::ranges(phases));
            messages.warning(&format!("the phases to {what} go on to {missing}, but the data hold {phases}"));
        }
    }
}

/// Phases that are named to be balanced and that `phase_modulus` leaves out.
fn warn_of_modulus(run: &Run, recorded: &Recorded, messages: Messages) {
    let named = |phase: &u64| run.balancing.phases.missing_from(|other| other != *phase).is_some();
    let phases = recorded.data.phases().iter().map(|phase| phase.id().0);
    let left_out: Vec<u64> =
        phases.filter(|&phase| !run.balancing.is_divisible(phase)).filter(named).collect();
    if !left_out.is_empty() {
        let phases = config::ranges(&left_out);
        messages.warning(&format!(
            "`algorithm.phase_id` names phases that `phase_modulus` does not divide ({phases}); they are not balanced"
        ));
    }
}

/// Ranks that the user puts on nodes other than those that their files name. One rank on a node says nothing of
/// nodes: it is the default, and makes bounds hold for ranks.
fn node_contradiction(run: &Run, recorded: &Recorded) -> Option<String> {
    let NodeRule::RanksPerNode(n) = run.nodes else { return None };
    if n == 1 {
        return None;
    }
    let named = recorded.findings.shared_nodes.iter().enumerate();
    let mut named = named.filter_map(|(rank, node)| Some((rank, rank / n as usize, node.as_ref()?.id)));
    // By what the user says and by what the files say, the first rank of each node.
    let (mut told, mut found) = (BTreeMap::new(), BTreeMap::new());
    named.find_map(|(rank, node, id)| {
        let &mut (mate, other) = told.entry(node).or_insert((rank, id));
        let &mut (stranger, other_node) = found.entry(id).or_insert((rank, node));
        let contradiction = if other != id {
            format!("ranks {mate} and {rank} on one node, but their files name nodes {other} and {id}")
        } else if other_node != node {
            format!("ranks {stranger} and {rank} on two nodes, but their files name node {id} for both")
        } else {
            return None;
        };
        Some(format!(
            "`from_data.ranks_per_node: {n}` puts {contradiction}; `from_files` takes the nodes of the files"
        ))
    })
}

/// A table of migrations may be about more phases than are balanced.
fn warn_of_migrations(run: &Run, recorded: &Recorded, messages: Messages) {
    let [strategy] = run.strategies.all()[..] else { return };
    let (key, phases) = match strategy {
        StrategyConfig::PrescribedPermutation(prescribed) => ("permutation", prescribed.permutation.phases()),
        StrategyConfig::OfflineLB(offline) => {
            ("map", offline.content.as_ref().and_then(|content| content.phases()))
        }
        _ => return,
    };
    let is_balanced = |phase: &u64| {
        run.balancing.contains(*phase) && recorded.data.phase(lbaf_model::PhaseId(*phase)).is_some()
    };
    let mut left_out = phases.unwrap_or_default();
    left_out.retain(|phase| !is_balanced(phase));
    if !left_out.is_empty() {
        let phases = config::ranges(&left_out);
        messages.warning(&format!(
            "`{key}` has migrations of phases that are not balanced ({phases}); they are left out"
        ));
    }
}

/// Phases that the configuration or the command line names must be there.
fn check_phases(run: &Run, layers: &Layers, overrides: &Overrides, recorded: &Recorded) -> Result<(), Error> {
    const READ: &str = "from_data.phase_ids";
    const BALANCED: &str = "algorithm.phase_id";
    const MODULUS: &str = "algorithm.phase_modulus";
    let there = |phase: u64| recorded.findings.phases_recorded.binary_search(&phase).is_ok();
    let read = |phase: u64| recorded.data.phase(lbaf_model::PhaseId(phase)).is_some();
    let error = |path: &str, message: String| match overrides.phases {
        Some(_) if path == READ => Error::Configuration(format!("--phases: {message}")),
        _ => layers.error(&layers.tree.error_at(path, message)),
    };
    let phases = config::ranges(&recorded.findings.phases_recorded);
    for (path, selection) in [(READ, &run.phases), (BALANCED, &run.balancing.phases)] {
        if let Some(phase) = selection.missing_from(there) {
            return Err(error(path, format!("phase {phase} is not in the data, which hold {phases}")));
        }
    }
    if let Some(phase) = run.balancing.phases.missing_from(read) {
        let message = format!("phase {phase} is in the data, but `from_data.phase_ids` leaves it out");
        return Err(error(BALANCED, message));
    }
    let any =
        |is_left: &dyn Fn(u64) -> bool| recorded.data.phases().iter().any(|phase| is_left(phase.id().0));
    if any(&|phase| run.balancing.contains(phase)) {
        return Ok(());
    }
    if any(&|phase| run.balancing.phases.contains(phase)) {
        return Err(error(MODULUS, "it divides none of the phases that are to be balanced".to_owned()));
    }
    Err(error(READ, format!("no phase is left; the data hold {phases}")))
}

fn infeasible(summary: &Summary) -> Option<Error> {
    let broken: Vec<_> = summary.phases.iter().filter(|phase| phase.infeasible).collect();
    let first = broken.first()?;
    let violation = first.violations.first().map(ToString::to_string).unwrap_or_default();
    Some(Error::Infeasible(format!(
        "no placement within the bounds of the work model was found for {}: in phase {}, {violation}{}; outputs \
         were written all the same",
        counted(broken.len(), "phase"),
        first.phase,
        way_out(summary, first),
    )))
}

/// What else may come within bounds, where nobody has proven that nothing can.
fn way_out(summary: &Summary, phase: &PhaseResult) -> &'static str {
    let is_limited = |key: &str| summary.strategy.parameters.get(key).is_some_and(|limit| !limit.is_null());
    match phase.strategy.as_deref() {
        _ if phase.infeasibility.is_some() => "",
        Some("LocalSearch") if is_limited("max_migrations") || is_limited("max_migrated_fraction") => {
            "; without the limit of migrations there may be one"
        }
        None | Some("LocalSearch" | "BruteForce" | "Milp") => "",
        Some(_) => "; `LocalSearch` also exchanges objects to come within them",
    }
}
