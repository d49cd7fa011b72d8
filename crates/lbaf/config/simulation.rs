// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a run is simulated in time.

use lbaf_study::{Adaptive, Costs, LoadModel, MigrationCost, StrategyCost};

use super::raw::simulation::{
    LoadModel as RawModel, LoadModelName, LoadModelSettings, Schedule as RawSchedule, ScheduleSettings,
    Simulation as Raw, StrategySeconds,
};
use super::resolve::Keyed;
use super::{Machine, Selection};

/// What to simulate.
pub(crate) struct Simulation {
    pub(crate) load_model: LoadModel,
    pub(crate) schedule: When,
    pub(crate) costs: Costs,
    pub(crate) machine: Machine,
}

/// Behind which phases the run is balanced.
pub(crate) enum When {
    Never,
    /// Where the algorithm has a balancer for the phase.
    Algorithm,
    Every(u64),
    Phases(Selection),
    Threshold(f64),
    Adaptive(Adaptive),
}

impl Simulation {
    /// Checks what the user wrote; without it, the run is balanced behind each phase that the algorithm balances, on the
    /// loads of the phase that ended, and pays nothing.
    pub(super) fn new(raw: &Raw, machine: Machine) -> Keyed<Self> {
        Ok(Simulation {
            load_model: raw
                .load_model
                .as_ref()
                .map_or_else(|| Ok(LoadModel::naive()), |model| load_model(model, "load_model"))?,
            schedule: raw.schedule.as_ref().map_or(Ok(When::Algorithm), when)?,
            costs: costs(raw)?,
            machine,
        })
    }
}

fn load_model(RawModel(raw): &RawModel, path: &str) -> Keyed<LoadModel> {
    let LoadModelSettings { name, n, per_message, per_byte, alpha, beta, gamma, of } = raw;
    let given = [
        ("n", n.is_some()),
        ("per_message", per_message.is_some()),
        ("per_byte", per_byte.is_some()),
        ("alpha", alpha.is_some()),
        ("beta", beta.is_some()),
        ("gamma", gamma.is_some()),
        ("of", of.is_some()),
    ];
    let taken: &[&str] = match name {
        LoadModelName::NaivePersistence => &["of"],
        LoadModelName::PersistenceMedianLastN
        | LoadModelName::LinearModel
        | LoadModelName::MultiplePhases => &["n", "of"],
        LoadModelName::CommOverhead => &["per_message", "per_byte", "of"],
        LoadModelName::WeightedMessages => &["per_message", "per_byte"],
        LoadModelName::WeightedCommunicationVolume => {
            &["per_message", "per_byte", "alpha", "beta", "gamma", "of"]
        }
    };
    if let Some((key, _)) = given.iter().find(|(key, is_given)| *is_given && !taken.contains(key)) {
        let message = format!("{name:?} takes {}, not {key}", taken.join(", "));
        return Err((format!("{path}.{key}"), message));
    }
    let number = |key: &str, value: Option<f64>, usual: f64| match value.unwrap_or(usual) {
        value if value >= 0.0 && value.is_finite() => Ok(value),
        value => Err((format!("{path}.{key}"), format!("a number that is not negative, not {value}"))),
    };
    let count = || match n {
        Some(0) => Err((format!("{path}.n"), "a number of phases from 1 on, not 0".to_owned())),
        Some(n) => Ok(*n),
        None => Err((path.to_owned(), format!("{name:?} needs n, a number of phases"))),
    };
    let inner = format!("{path}.of");
    let of = |usual: LoadModel| match of {
        Some(model) => load_model(model, &inner).map(Box::new),
        None => Ok(Box::new(usual)),
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
                .map_err(|_| (format!("{path}.n"), "as many phases as that never come".to_owned()))?;
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
    })
}

fn when(raw: &RawSchedule) -> Keyed<When> {
    let settings = match raw {
        RawSchedule::Never => return Ok(When::Never),
        RawSchedule::Algorithm => return Ok(When::Algorithm),
        RawSchedule::By(settings) => settings,
    };
    let refuse = |key: &str, message: String| Err((format!("schedule{key}"), message));
    match &**settings {
        ScheduleSettings { every: Some(0), .. } => {
            refuse(".every", "phases are divisible by numbers from 1 on, not by 0".to_owned())
        }
        ScheduleSettings { every: Some(every), phases: None, threshold: None, adaptive: None } => {
            Ok(When::Every(*every))
        }
        ScheduleSettings { every: None, phases: Some(phases), threshold: None, adaptive: None } => {
            Ok(When::Phases(phases.clone()))
        }
        ScheduleSettings { every: None, phases: None, threshold: Some(most), adaptive: None } => {
            if *most >= 0.0 && most.is_finite() {
                Ok(When::Threshold(*most))
            } else {
                refuse(".threshold", format!("an imbalance is a number that is not negative, not {most}"))
            }
        }
        ScheduleSettings { every: None, phases: None, threshold: None, adaptive: Some(first_cost) } => {
            if *first_cost >= 0.0 && first_cost.is_finite() {
                Ok(When::Adaptive(Adaptive { first_cost: *first_cost }))
            } else {
                refuse(".adaptive", format!("seconds that are not negative, not {first_cost}"))
            }
        }
        _ => refuse("", "one of every, phases, threshold and adaptive".to_owned()),
    }
}

fn costs(raw: &Raw) -> Keyed<Costs> {
    let raw = &raw.costs;
    let at = |key: &str, message: String| (format!("costs.{key}"), message);
    let seconds = |key: &str, value: Option<f64>| match value {
        Some(value) if !(value >= 0.0 && value.is_finite()) => {
            Err(at(key, format!("seconds that are not negative, not {value}")))
        }
        value => Ok(value),
    };
    let strategy = match (raw.strategy_seconds, seconds("message_latency", raw.message_latency)?) {
        (Some(_), Some(_)) => {
            return Err(at("message_latency", "either this or strategy_seconds".to_owned()));
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
        return Err(at("bandwidth", format!("bytes per second above 0, not {bandwidth}")));
    }
    let latency = seconds("object_latency", raw.object_latency)?.unwrap_or(usual.latency);
    Ok(Costs { strategy, migration: MigrationCost { latency, bandwidth } })
}
