// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lbaf simulate`: a whole run in time, beside what it is compared with.

mod charts;
mod console;
mod coverage;
mod examination;
mod machine;
mod results;

use std::borrow::Cow;
use std::time::Instant;

use coverage::Coverage;
use lbaf_config::{Layers, Overrides, RunConfig, When, ranges};
use lbaf_model::{DataSet, Phase, PhaseId, WorkModel};
use lbaf_reader::Recorded;
use lbaf_run::Noise;
use lbaf_run::Prepared;
use lbaf_run::is_even;
use lbaf_run::summary;
use lbaf_strategies::{Cancel, Checked, Problem, StrategyError};
use lbaf_study::{
    Adaptive, Costs, Knowledge, PhaseBound, Placements, Schedule, Simulated, Simulation, SimulationError,
    StrategyCost, balanced_by,
};
use rayon::prelude::*;
use results::Results;
use serde::{Serialize, Serializer};

use crate::cli::SimulateArgs;
use crate::error::Error;
use crate::inputs;
use crate::progress::Messages;
use crate::restore;

/// Names of the outputs.
const RESULTS: &str = "simulation.json";
const PHASES: &str = "simulation.csv";
const LOAD_MODELS: &str = "load_models.csv";

/// In which way a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Each phase where its objects were recorded.
    Recorded,
    /// From where the first phase was recorded, without any balancing.
    Never,
    /// As the configuration says.
    Simulated,
    /// The same, but loads are predicted from recorded times without noise.
    Denoised,
    /// The same for whoever knows the next phase, and pays nothing.
    Perfect,
}

impl Way {
    /// All of them, in the order in which they are shown.
    const ALL: [Way; 5] = [Way::Recorded, Way::Never, Way::Simulated, Way::Denoised, Way::Perfect];

    /// Those in which a run goes: without noise only if somebody knows what is noise.
    fn of(run: &RunConfig) -> impl Iterator<Item = Way> {
        let is_denoised = run.denoise.is_some();
        Way::ALL.into_iter().filter(move |way| is_denoised || *way != Way::Denoised)
    }

    /// Its name in files.
    fn key(self) -> &'static str {
        match self {
            Way::Recorded => "recorded",
            Way::Never => "never",
            Way::Simulated => "configured",
            Way::Denoised => "denoised",
            Way::Perfect => "perfect",
        }
    }

    /// What tables call it.
    fn name(self) -> &'static str {
        match self {
            Way::Recorded => "as recorded",
            Way::Never => "never balanced",
            Way::Simulated => "as configured",
            Way::Denoised => "denoised",
            Way::Perfect => "perfect knowledge",
        }
    }

    /// The same where there is little room.
    fn short_name(self) -> &'static str {
        match self {
            Way::Recorded | Way::Simulated | Way::Denoised => self.name(),
            Way::Never => "never",
            Way::Perfect => "perfect",
        }
    }
}

impl Serialize for Way {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

/// Simulates what the configuration says, and says what came of it.
pub(crate) fn simulate(args: &SimulateArgs, messages: Messages) -> Result<String, Error> {
    let overrides = Overrides::from(&args.overrides);
    let (mut prepared, _) = crate::run::prepare(&args.configurations, &overrides, false, messages)?;
    let noise = prepared.noise.take();
    let (phases, machine) = Phases::new(&prepared.run, &prepared.layers, &prepared.recorded, noise.as_ref())?;
    let Prepared { run, recorded, layers, .. } = &prepared;
    let staging = restore::staging(&run.output_dir)?;
    check_schedule(run, recorded, layers)?;
    let simulated = simulated(run, &phases, layers)?;
    let mut results = Results::new(run, machine, &simulated);
    results.add_data(run, recorded, &phases.data);
    results.notes.extend(noise.as_ref().map(|noise| noise.findings.simulated.clone()));
    results.is_noise_known = noise.as_ref().is_some_and(|noise| noise.findings.doubt.is_none());
    results.load_models = examination::examine(run, &phases.data, layers)?;
    if let Some(plots) = &run.plots {
        let drawn = charts::draw(&simulated, plots)?;
        for (name, bytes) in &drawn.files {
            staging.put(name, bytes)?;
        }
        results.notes.extend(drawn.refused);
    }
    staging.put(PHASES, results.to_csv().as_bytes())?;
    if let Some(examined) = &results.load_models {
        staging.put(LOAD_MODELS, examined.to_csv().as_bytes())?;
    }
    results.outputs = summary::digests(&staging);
    let json = summary::pretty(&results);
    staging.put(RESULTS, &json)?;
    let stale = summary::unchanged(&run.output_dir, summary::outputs_of(&run.output_dir.join(RESULTS)));
    staging.publish(Some(RESULTS), &inputs::all(), &stale)?;
    if args.overrides.json {
        return Ok(String::from_utf8_lossy(&json).into_owned());
    }
    Ok(console::report(&results, run))
}

/// A run in several ways.
type Ways = Vec<(Way, Simulated)>;

/// A run in all ways on the machine that the configuration assumes, and what is to be known of it in sentences; for a study,
/// which promises the same results on every machine.
///
/// # Errors
/// If the run pays what strategies take here, or for the reasons of [`simulated`].
pub(crate) fn for_study(
    run: &RunConfig,
    (recorded, noise): (&Recorded, Option<&Noise>),
    layers: &Layers,
) -> Result<(Ways, Vec<String>), Error> {
    if run.simulation.costs.strategy == StrategyCost::Measured {
        let message = "what strategies take here differs from time to time; cells of a study need seconds, or \
                       `message_latency`";
        let at = layers.tree.error_at("simulation.costs.strategy_seconds", message);
        return Err(layers.error(&at).into());
    }
    check_schedule(run, recorded, layers)?;
    let (phases, _) = Phases::new(run, layers, recorded, noise)?;
    let mut sentences = recorded.findings.warnings.clone();
    sentences.extend(Coverage::new(run, recorded).sentences());
    sentences.extend(run.simulation.collections_without_objects(&phases.data));
    sentences.extend(noise.map(|noise| noise.findings.simulated.clone()));
    Ok((simulated(run, &phases, layers)?, sentences))
}

/// The phases that run, on the machine that the configuration assumes.
struct Phases<'a> {
    /// As they were measured.
    data: Cow<'a, DataSet>,
    /// Without noise, if somebody knows what is noise.
    denoised: Option<Cow<'a, DataSet>>,
}

impl<'a> Phases<'a> {
    fn new(
        run: &RunConfig,
        layers: &Layers,
        recorded: &'a Recorded,
        noise: Option<&'a Noise>,
    ) -> Result<(Self, Option<machine::Machine>), Error> {
        let on_machine = |data: &'a DataSet| {
            let assumed = machine::assumed(run, layers, data)?;
            Ok::<_, Error>(match assumed {
                Some((data, machine)) => (Cow::Owned(data), Some(machine)),
                None => (Cow::Borrowed(data), None),
            })
        };
        let Some(noise) = noise else {
            let (data, machine) = on_machine(&recorded.data)?;
            return Ok((Phases { data, denoised: None }, machine));
        };
        let (data, machine) = on_machine(&noise.measured)?;
        let (denoised, _) = on_machine(&recorded.data)?;
        Ok((Phases { data, denoised: Some(denoised) }, machine))
    }
}

/// A run in all ways, without a word and without a file. They go in parallel, unless the clock counts.
///
/// # Errors
/// If a strategy refuses its parameters, where they were written; the error of the first way that has one.
fn simulated(run: &RunConfig, phases: &Phases<'_>, layers: &Layers) -> Result<Ways, Error> {
    let data = &*phases.data;
    check_subphases(run, data, layers)?;
    // The machine may be another one than in the data that were read, and have another work model.
    lbaf_config::check_work(work_model(run), data, layers)?;
    run.strategies
        .check(data.phases().iter().map(|phase| phase.id().0).filter(|&phase| may_want(run, phase)))?;
    let bounds = PhaseBound::of_all(data, work_model(run));
    let all: Vec<Way> = Way::of(run).collect();
    let go = |way: &Way| simulated_in(run, phases, &bounds, *way).map(|simulated| (*way, simulated));
    let ways: Vec<_> = if run.simulation.costs.strategy == StrategyCost::Measured {
        all.iter().map(go).collect()
    } else {
        all.par_iter().map(go).collect()
    };
    ways.into_iter().map(|way| way.map_err(|error| refused(error, run, layers))).collect()
}

/// Phases that the schedule names one by one must be there.
fn check_schedule(run: &RunConfig, recorded: &Recorded, layers: &Layers) -> Result<(), Error> {
    let When::Phases(phases) = &run.simulation.schedule else { return Ok(()) };
    let is_there = |phase: u64| recorded.data.phase(PhaseId(phase)).is_some();
    let Some(phase) = phases.missing_from(is_there) else { return Ok(()) };
    let there: Vec<u64> = recorded.data.phases().iter().map(|phase| phase.id().0).collect();
    let message = format!("phase {phase} is not in the run, which has {}", ranges(&there));
    Err(layers.error(&layers.tree.error_at("simulation.schedule.phases", message)).into())
}

/// Where subphases count, they have to be known in every phase in which there is something to do.
fn check_subphases(run: &RunConfig, data: &DataSet, layers: &Layers) -> Result<(), Error> {
    let has_load = |phase: &Phase| phase.columns().load.iter().any(|&load| load > 0.0);
    let is_unknown = |phase: &&Phase| phase.subphases().is_none() && has_load(phase);
    match data.phases().iter().find(is_unknown) {
        Some(phase) if run.simulation.needs_subphases() => {
            let path =
                if run.simulation.subphases { "simulation.subphases" } else { "simulation.load_model" };
            let message = format!("no task of phase {} says what it took in `subphases`", phase.id());
            Err(layers.error(&layers.tree.error_at(path, message)).into())
        }
        _ => Ok(()),
    }
}

/// Whether a run may be balanced behind a phase.
fn may_want(run: &RunConfig, phase: u64) -> bool {
    match &run.simulation.schedule {
        When::Never => false,
        When::Algorithm => run.balancing.contains(phase) && run.strategies.at(phase).is_some(),
        When::Every(period) => phase.is_multiple_of(*period),
        When::Phases(phases) => phases.contains(phase),
        When::Specification(specification) => specification.contains(phase),
        When::Threshold(_) | When::Adaptive(_) | When::Criterion(_) | When::Best => true,
    }
}

/// What a placement costs, on the machine that is assumed if there is one.
fn work_model(run: &RunConfig) -> &dyn WorkModel {
    run.simulation.machine.model.as_deref().unwrap_or(&*run.model)
}

/// A run in one of the ways.
fn simulated_in(
    run: &RunConfig,
    phases: &Phases<'_>,
    bounds: &[PhaseBound],
    way: Way,
) -> Result<Simulated, SimulationError> {
    let chosen = |phase: u64| may_want(run, phase);
    let schedule = match (way, &run.simulation.schedule) {
        (Way::Recorded | Way::Never, _) | (_, When::Never) => Schedule::Never,
        (_, When::Algorithm | When::Phases(_) | When::Specification(_)) => Schedule::Chosen(&chosen),
        (_, When::Every(period)) => Schedule::Every(*period),
        // Whoever pays nothing waits for nothing.
        (Way::Perfect, When::Adaptive(_) | When::Criterion(_)) => {
            Schedule::Adaptive(Adaptive { first_cost: 0.0 })
        }
        (_, When::Threshold(most)) => Schedule::Threshold(*most),
        (_, When::Adaptive(adaptive)) => Schedule::Adaptive(*adaptive),
        (_, When::Criterion(criterion)) => Schedule::Criterion(*criterion),
        (_, When::Best) => Schedule::Best,
    };
    let simulation = Simulation {
        data: &phases.data,
        believed: phases.denoised.as_deref().filter(|_| way == Way::Denoised),
        bounds,
        model: work_model(run),
        placements: if way == Way::Recorded { Placements::Recorded } else { Placements::Carried },
        knowledge: match way {
            Way::Perfect => Knowledge::Perfect,
            _ => Knowledge::Predicted(run.simulation.load_model.clone()),
        },
        schedule,
        costs: if way == Way::Perfect { Costs::default() } else { run.simulation.costs },
        subphases: run.simulation.subphases,
        cancel: Cancel::new(),
    };
    simulation.run(&|phase, problem| balance(run, phase, problem))
}

/// The strategy of the configuration at work, and the seconds that it took; nothing where it has none, or what is even
/// enough is left alone.
fn balance(
    run: &RunConfig,
    phase: PhaseId,
    problem: &Problem<'_>,
) -> Result<Option<(Checked, f64)>, StrategyError> {
    let is_even = || {
        let totals = lbaf_model::rank_totals(problem.phase, problem.initial);
        is_even(run, &lbaf_model::works(problem.model, problem.phase, &totals))
    };
    // Whether it is costs as much as a cheap strategy, and mostly nobody wants to know.
    let Some(strategy) = run.strategy_at(phase).filter(|_| run.balancing.min_imbalance == 0.0 || !is_even())
    else {
        return Ok(None);
    };
    let began = Instant::now();
    let clock = || began.elapsed().as_secs_f64();
    balanced_by(strategy, run.seed, &clock, &Cancel::new())(phase, problem)
}

/// Why there is no simulation, where the user wrote what is wrong.
fn refused(error: SimulationError, run: &RunConfig, layers: &Layers) -> Error {
    match error {
        SimulationError::Strategy { phase, source } => run.strategies.refused(phase.0, source, layers).into(),
        SimulationError::Cancelled(cancelled) => StrategyError::from(cancelled).into(),
        SimulationError::TooManyPhases { .. } => {
            layers.error(&layers.tree.error_at("simulation.schedule", error.to_string())).into()
        }
        SimulationError::Prediction { .. } => {
            layers.error(&layers.tree.error_at("simulation.load_model", error.to_string())).into()
        }
    }
}
