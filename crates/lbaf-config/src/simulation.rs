// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of simulations: the section `simulation`.

mod report;

use std::collections::BTreeSet;

use crate::vt_files::{ScheduleFile, Specification};
use crate::yaml;
use lbaf_model::{Coordinates, DataSet, Phase};
use lbaf_study::{Adaptive, BalancingCriterion, Costs, LoadModel, MigrationCost, Published, StrategyCost};
use lbaf_text::Shown as _;

use super::error::Keyed;
pub use super::raw::simulation::TrialName;
use super::raw::simulation::{
    LoadModel as RawModel, LoadModelName, LoadModelSettings, Schedule as RawSchedule, ScheduleSettings,
    Simulation as Raw, StrategySeconds,
};
use super::{Layers, MachineConfig, Selection};
use report::Report;

/// Settings of a simulation.
pub struct SimulationConfig {
    /// Prediction of loads.
    pub load_model: LoadModel,
    /// Phases after which the run is balanced.
    pub schedule: When,
    /// Costs of balancing: strategy and migrations.
    pub costs: Costs,
    /// Simulated machine.
    pub machine: MachineConfig,
    /// Report on load models.
    pub report: Option<Report>,
    /// True if ranks synchronize after every subphase.
    pub subphases: bool,
}

/// Phases after which the run is balanced.
pub enum When {
    /// No phase.
    Never,
    /// All phases that `algorithm` selects and for which it has a balancer.
    Algorithm,
    /// Multiples of a number.
    Every(u64),
    /// Selected phases.
    Phases(Selection),
    /// Phases of a vt specification file.
    Specification(Specification),
    /// Phases with an imbalance of work larger than this number.
    Threshold(f64),
    /// Phases after which waiting longer would cost more than balancing.
    Adaptive(Adaptive),
    /// Phases chosen by a published criterion.
    Criterion(BalancingCriterion),
    /// The schedule with the shortest simulated run.
    Best,
}

impl SimulationConfig {
    /// Checks the section. By default, the run is balanced after each phase that the algorithm balances, the loads of
    /// that phase predict the next one, and balancing costs nothing.
    pub(super) fn new(raw: &Raw, machine: MachineConfig, layers: &Layers) -> Keyed<Self> {
        let load_model = match &raw.load_model {
            Some(model) => load_model(model, "load_model")?,
            None => LoadModel::naive(),
        };
        let schedule =
            raw.schedule.as_ref().map_or(Ok(When::Algorithm), |schedule| when(schedule, layers))?;
        let costs = costs(raw)?;
        Ok(SimulationConfig {
            report: Report::new(&raw.report, &load_model)?,
            load_model,
            schedule: repeatable(schedule, &costs)?,
            costs,
            machine,
            subphases: raw.subphases,
        })
    }

    /// Returns the specification file of the schedule, as written.
    pub(super) fn schedule_file(raw: &Raw) -> Option<&str> {
        match raw.schedule.as_ref()? {
            RawSchedule::By(settings) => settings.specification.as_deref(),
            RawSchedule::Never | RawSchedule::Best | RawSchedule::Algorithm => None,
        }
    }

    /// True if the simulation needs loads of subphases.
    pub fn needs_subphases(&self) -> bool {
        self.subphases || self.load_models().any(LoadModel::needs_subphases)
    }

    /// True if load models need the collections of objects.
    pub fn needs_collections(&self) -> bool {
        self.load_models().any(|model| matches!(model, LoadModel::PerCollection { .. }))
    }

    /// Returns a sentence on collections that load models name, but in which the data have no objects.
    pub fn collections_without_objects(&self, data: &DataSet) -> Option<String> {
        let known: BTreeSet<u64> = (data.phases().iter())
            .filter_map(Phase::coordinates)
            .flat_map(Coordinates::collections)
            .collect();
        let named = self.load_models().flat_map(|model| match model {
            LoadModel::PerCollection { collections, .. } => collections.keys().copied().collect(),
            _ => Vec::new(),
        });
        let unknown: BTreeSet<u64> = named.filter(|collection| !known.contains(collection)).collect();
        let unknown: Vec<String> = unknown.iter().map(u64::to_string).collect();
        (!unknown.is_empty())
            .then(|| format!("load models name collections without objects: {}", unknown.join(", ")))
    }

    /// Returns all load models with their inner models.
    fn load_models(&self) -> impl Iterator<Item = &LoadModel> {
        let reported = self.report.iter().flat_map(|report| &report.load_models);
        [&self.load_model].into_iter().chain(reported).flat_map(LoadModel::parts)
    }
}

fn load_model(RawModel(raw): &RawModel, path: &str) -> Keyed<LoadModel> {
    let LoadModelSettings {
        name,
        n,
        per_message,
        per_byte,
        alpha,
        beta,
        gamma,
        p,
        subphases,
        of,
        collections,
        default,
    } = raw;
    let given = [
        ("n", n.is_some()),
        ("per_message", per_message.is_some()),
        ("per_byte", per_byte.is_some()),
        ("alpha", alpha.is_some()),
        ("beta", beta.is_some()),
        ("gamma", gamma.is_some()),
        ("p", p.is_some()),
        ("subphases", subphases.is_some()),
        ("of", of.is_some()),
        ("collections", collections.is_some()),
        ("default", default.is_some()),
    ];
    let taken = keys_of(*name);
    if let Some((key, _)) = given.iter().find(|(key, is_given)| *is_given && !taken.contains(key)) {
        let message = format!("{name:?} has no key `{key}`{}", yaml::instead(key, taken));
        return Err((format!("{path}.{key}"), message));
    }
    let number = |key: &str, value: Option<f64>, default: f64| match value.unwrap_or(default) {
        value if value >= 0.0 && value.is_finite() => Ok(value),
        value => Err((format!("{path}.{key}"), format!("expected a non-negative number, not {value}"))),
    };
    let count = || match n {
        Some(0) => Err((format!("{path}.n"), "expected a number of phases from 1 on, not 0".to_owned())),
        Some(n) => Ok(*n),
        None => Err((path.to_owned(), format!("{name:?} needs the key `n`, a number of phases"))),
    };
    let inner = format!("{path}.of");
    let of = |default: LoadModel| match of {
        Some(model) => load_model(model, &inner).map(Box::new),
        None => Ok(Box::new(default)),
    };
    let measured = || of(LoadModel::Measured);
    let costs = || -> Keyed<(f64, f64)> {
        Ok((number("per_message", *per_message, 0.0)?, number("per_byte", *per_byte, 0.0)?))
    };
    Ok(match name {
        LoadModelName::NaivePersistence => LoadModel::NaivePersistence(measured()?),
        LoadModelName::PersistenceMedianLastN => {
            LoadModel::PersistenceMedianLastN { n: count()?, of: measured()? }
        }
        LoadModelName::LinearModel => LoadModel::LinearModel { n: count()?, of: measured()? },
        LoadModelName::MultiplePhases => {
            let n_phases = u32::try_from(count()?)
                .map_err(|_| (format!("{path}.n"), "the number of phases is too large".to_owned()))?;
            LoadModel::MultiplePhases { n_phases, of: of(LoadModel::naive())? }
        }
        LoadModelName::CommOverhead => {
            let (per_message, per_byte) = costs()?;
            LoadModel::CommOverhead { per_message, per_byte, of: of(LoadModel::naive())? }
        }
        LoadModelName::WeightedMessages => {
            let (per_message, per_byte) = costs()?;
            LoadModel::WeightedMessages { per_message, per_byte }
        }
        LoadModelName::WeightedCommunicationVolume => {
            let (per_message, per_byte) = costs()?;
            LoadModel::WeightedCommunicationVolume {
                alpha: number("alpha", *alpha, 1.0)?,
                beta: number("beta", *beta, 0.0)?,
                gamma: number("gamma", *gamma, 0.0)?,
                of: of(LoadModel::naive())?,
                messages: Box::new(LoadModel::WeightedMessages { per_message, per_byte }),
            }
        }
        LoadModelName::PerCollection => {
            let Some(collections) = collections else {
                let message = "PerCollection needs the key `collections`, which maps the numbers of collections to \
                               load models";
                return Err((path.to_owned(), message.to_owned()));
            };
            let of_collection = |(&collection, model): (&u64, &RawModel)| {
                Ok((collection, load_model(model, &format!("{path}.collections.{collection}"))?))
            };
            let usual = || Ok(LoadModel::naive());
            let default = default.as_deref();
            LoadModel::PerCollection {
                collections: collections.iter().map(of_collection).collect::<Keyed<_>>()?,
                default: Box::new(
                    default.map_or_else(usual, |model| load_model(model, &format!("{path}.default")))?,
                ),
            }
        }
        LoadModelName::Norm => norm(*p, path)?,
        LoadModelName::SelectSubphases => selection(subphases.as_deref(), path)?,
    })
}

/// Returns the keys that a load model accepts in addition to its name.
fn keys_of(name: LoadModelName) -> &'static [&'static str] {
    match name {
        LoadModelName::NaivePersistence => &["of"],
        LoadModelName::PersistenceMedianLastN
        | LoadModelName::LinearModel
        | LoadModelName::MultiplePhases => &["n", "of"],
        LoadModelName::CommOverhead => &["per_message", "per_byte", "of"],
        LoadModelName::WeightedMessages => &["per_message", "per_byte"],
        LoadModelName::WeightedCommunicationVolume => {
            &["per_message", "per_byte", "alpha", "beta", "gamma", "of"]
        }
        LoadModelName::PerCollection => &["collections", "default"],
        LoadModelName::Norm => &["p"],
        LoadModelName::SelectSubphases => &["subphases"],
    }
}

fn norm(p: Option<f64>, path: &str) -> Keyed<LoadModel> {
    match p {
        Some(p) if p >= 1.0 => Ok(LoadModel::Norm { p }),
        Some(p) => Err((format!("{path}.p"), format!("expected a number from 1 on or `.inf`, not {p}"))),
        None => Err((path.to_owned(), "Norm needs the key `p`, a number from 1 on or `.inf`".to_owned())),
    }
}

fn selection(subphases: Option<&[u32]>, path: &str) -> Keyed<LoadModel> {
    let message = "SelectSubphases needs the key `subphases`, a list of numbers of subphases";
    let numbers = subphases.filter(|numbers| !numbers.is_empty());
    let numbers = numbers.ok_or_else(|| (path.to_owned(), message.to_owned()))?;
    Ok(LoadModel::SelectSubphases { subphases: numbers.to_vec() })
}

fn when(raw: &RawSchedule, layers: &Layers) -> Keyed<When> {
    let settings = match raw {
        RawSchedule::Never => return Ok(When::Never),
        RawSchedule::Best => return Ok(When::Best),
        RawSchedule::Algorithm => return Ok(When::Algorithm),
        RawSchedule::By(settings) => &**settings,
    };
    let ScheduleSettings { every, phases, threshold, adaptive, specification, .. } = settings;
    let refuse = |key: &str, message: String| Err((format!("schedule{key}"), message));
    let given = [
        every.map(|every| match every {
            0 => refuse(".every", "the period must be 1 or more, not 0".to_owned()),
            every => Ok(When::Every(every)),
        }),
        phases.as_ref().map(|phases| Ok(When::Phases(phases.clone()))),
        specification.as_ref().map(|file| match read_specification(file, layers) {
            Ok(specification) => Ok(When::Specification(specification)),
            Err(message) => refuse(".specification", message),
        }),
        threshold.map(|most| match most {
            most if most >= 0.0 && most.is_finite() => Ok(When::Threshold(most)),
            most => refuse(".threshold", format!("an imbalance must be a finite number from 0, not {most}")),
        }),
        adaptive.map(|cost| Ok(When::Adaptive(Adaptive { first_cost: first_cost("adaptive", cost)? }))),
    ];
    let criterion = criterion(settings)?.map(Ok);
    let mut given = given.into_iter().chain([criterion]).flatten();
    match (given.next(), given.next()) {
        (Some(when), None) => when,
        _ => refuse(
            "",
            "expected exactly one of the keys `every`, `phases`, `specification`, `threshold`, `adaptive`, `menon`, \
             `procassini`, `zhai` and `boulmier`"
                .to_owned(),
        ),
    }
}

/// Returns the published criterion of the settings.
fn criterion(settings: &ScheduleSettings) -> Keyed<Option<When>> {
    let ScheduleSettings { menon, procassini, factor, zhai, boulmier, .. } = *settings;
    let factor = match factor {
        Some(_) if procassini.is_none() => {
            return Err(("schedule.factor".to_owned(), "this key requires `procassini`".to_owned()));
        }
        Some(factor) if !(factor > 0.0 && factor.is_finite()) => {
            return Err(("schedule.factor".to_owned(), format!("expected a number above 0, not {factor}")));
        }
        factor => factor.unwrap_or(1.0),
    };
    let criteria = [
        ("menon", menon, Published::Menon),
        ("procassini", procassini, Published::Procassini { factor }),
        ("zhai", zhai, Published::Zhai),
        ("boulmier", boulmier, Published::Boulmier),
    ];
    let mut given = criteria.into_iter().filter_map(|(key, cost, published)| Some((key, cost?, published)));
    let Some((key, cost, published)) = given.next() else { return Ok(None) };
    if let Some((other, ..)) = given.next() {
        return Err((format!("schedule.{other}"), format!("give either this key or `{key}`")));
    }
    Ok(Some(When::Criterion(BalancingCriterion { published, first_cost: first_cost(key, cost)? })))
}

/// Checks the cost in seconds that a schedule assumes before the first balancing.
fn first_cost(key: &str, cost: f64) -> Keyed<f64> {
    if cost >= 0.0 && cost.is_finite() {
        Ok(cost)
    } else {
        Err((format!("schedule.{key}"), format!("expected seconds from 0, not {cost}")))
    }
}

/// Rejects measured costs with the best schedule, whose search needs reproducible costs.
fn repeatable(schedule: When, costs: &Costs) -> Keyed<When> {
    match (schedule, costs.strategy) {
        (When::Best, StrategyCost::Measured) => {
            let message =
                "measured seconds vary; the best schedule needs fixed seconds, or `message_latency`";
            Err(("costs.strategy_seconds".to_owned(), message.to_owned()))
        }
        (schedule, _) => Ok(schedule),
    }
}

fn costs(raw: &Raw) -> Keyed<Costs> {
    let raw = &raw.costs;
    let at = |key: &str, message: String| (format!("costs.{key}"), message);
    let seconds = |key: &str, value: Option<f64>| match value {
        Some(value) if !(value >= 0.0 && value.is_finite()) => {
            Err(at(key, format!("expected seconds from 0, not {value}")))
        }
        value => Ok(value),
    };
    let strategy = match (raw.strategy_seconds, seconds("message_latency", raw.message_latency)?) {
        (Some(_), Some(_)) => {
            return Err(at("message_latency", "give either this key or `strategy_seconds`".to_owned()));
        }
        (Some(StrategySeconds::Measured), None) => StrategyCost::Measured,
        (Some(StrategySeconds::Fixed(fixed)), None) => {
            StrategyCost::Fixed(seconds("strategy_seconds", Some(fixed))?.unwrap_or_default())
        }
        (None, Some(latency)) => StrategyCost::Messages { latency },
        (None, None) => StrategyCost::Nothing,
    };
    let usual = MigrationCost::default();
    let bandwidth = raw.bandwidth.unwrap_or(usual.bandwidth);
    if bandwidth.is_nan() || bandwidth <= 0.0 {
        return Err(at("bandwidth", format!("expected bytes per second above 0, not {bandwidth}")));
    }
    // The migration of an object is one message, so `message_latency` is the default.
    let object_latency = raw.object_latency.or(raw.message_latency);
    let latency = seconds("object_latency", object_latency)?.unwrap_or(usual.latency);
    Ok(Costs { strategy, migration: MigrationCost { latency, bandwidth } })
}

/// Reads a vt specification file, relative to the configuration.
fn read_specification(written: &str, layers: &Layers) -> Result<Specification, String> {
    let path = layers.path(written);
    let file = path.shown();
    let bytes = lbaf_reader::read_file(&path).map_err(|error| format!("cannot read {file}: {error}"))?;
    match ScheduleFile::parse(&bytes).map_err(|error| format!("{file}: {error}"))? {
        ScheduleFile::Specification(specification) => Ok(specification),
        ScheduleFile::Balancers(_) => Err(format!(
            "{file} is an LB configuration file: give it as `algorithm.lb_config`, with `schedule: algorithm`"
        )),
    }
}
