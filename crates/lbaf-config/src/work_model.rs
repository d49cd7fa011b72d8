// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work models of configurations.

use std::collections::BTreeMap;

use lbaf_model::{
    Affine, AffineParameters, BoundScope, Ccm, CcmParameters, LoadOnly, ModelError, OnRankVolume, RankQoi,
    RankQuantity, UpperBound, WorkModel,
};
use lbaf_reader::NodeRule;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use serde_json::{Value, json};

use super::error::Keyed;
use super::raw::{self, Memory, WorkModelName, WorkModelParameters};
use crate::yaml;

/// Work model, and its parameters for the summary.
pub(super) type Described = (Box<dyn WorkModel>, Value);

/// Creates the configured work model. Errors hold their key.
pub(super) fn work_model(
    raw: &raw::WorkModel,
    bounds: Vec<UpperBound>,
    nodes: NodeRule,
    warnings: &mut Vec<String>,
) -> Keyed<Described> {
    let without = without_effect(raw, &bounds);
    warnings.extend(without.into_iter().map(|(key, why)| format!("`work_model.parameters.{key}`: {why}")));
    match raw.name {
        WorkModelName::LoadOnly => load_only(&raw.parameters),
        WorkModelName::AffineCombination => affine(&raw.parameters, bounds, nodes),
        WorkModelName::Ccm => ccm(&raw.parameters, bounds, nodes),
    }
}

/// Creates the work model that arguments of a strategy define.
pub(super) fn of_arguments(parameters: CcmParameters) -> Described {
    described(parameters, "rank").expect("invariant: the strategy checked its coefficients")
}

/// Returns the keys without effect on the model, each with the reason.
fn without_effect(raw: &raw::WorkModel, bounds: &[UpperBound]) -> Vec<(&'static str, &'static str)> {
    let WorkModelParameters { beta, gamma, delta, upper_bounds, epsilon, on_rank_volume, memory, .. } =
        &raw.parameters;
    let of_all = [
        ("beta", beta.is_some()),
        ("gamma", gamma.is_some()),
        ("delta", delta.is_some()),
        ("upper_bounds", upper_bounds.is_some()),
    ];
    let given = [
        ("epsilon", epsilon.is_some()),
        ("on_rank_volume", on_rank_volume.is_some()),
        ("memory", memory.is_some()),
    ];
    let of_ccm = given.into_iter().filter(|&(_, given)| given).map(|(key, _)| key);
    match raw.name {
        WorkModelName::LoadOnly => {
            let of_all = of_all.into_iter().filter(|&(_, given)| given);
            let of_all = of_all.map(|(key, _)| (key, "it has no effect in LoadOnly; use AffineCombination"));
            of_all.chain(of_ccm.map(|key| (key, "it has no effect in LoadOnly; use CCM"))).collect()
        }
        WorkModelName::AffineCombination => {
            let why = |key| match key {
                "epsilon" => {
                    "it has no effect because upper bounds of AffineCombination always apply; use CCM"
                }
                "memory" => {
                    "it has no effect because AffineCombination bounds the quantities in `upper_bounds`; use CCM"
                }
                _ => {
                    "it has no effect because gamma of AffineCombination is a constant, not a factor on a volume; use CCM"
                }
            };
            of_ccm.map(|key| (key, why(key))).collect()
        }
        WorkModelName::Ccm => {
            let is_unbounded = epsilon.is_some_and(|epsilon| epsilon.0 == 0.0);
            let counts = bounds.iter().any(|bound| bound.quantity == Memory::WithSerialized.quantity());
            let mut without = Vec::new();
            if is_unbounded && !bounds.is_empty() {
                without.push(("upper_bounds", "upper bounds have no effect with `epsilon: 0`"));
            }
            if *memory == Some(Memory::WithSerialized) && !counts {
                without.push(("memory", "it has no effect without an upper bound on `max_memory_usage`"));
            }
            without
        }
    }
}

/// Returns the constant that a work model adds to the work of every rank, from its name and parameters in a summary.
pub fn constant_work(name: &str, parameters: &Value) -> f64 {
    // Gamma is a constant in AffineCombination only.
    let name: Result<_, NameError> = WorkModelName::deserialize(name.into_deserializer());
    let is_affine = name.is_ok_and(|name| name == WorkModelName::AffineCombination);
    parameters["gamma"].as_f64().filter(|_| is_affine).unwrap_or(0.0)
}

/// Unit of work if the coefficients of the work model do not determine one.
pub const MODEL_UNITS: &str = "model units";

/// Returns the unit of work, from the parameters of a work model in a summary. Load is in seconds. If `alpha`, the
/// coefficient of load, is 1, work and all its terms are in seconds, too. Any other `alpha` may have a unit of its own.
pub fn work_unit(parameters: &Value) -> &'static str {
    if parameters["alpha"].as_f64().unwrap_or(1.0) == 1.0 { "s" } else { MODEL_UNITS }
}

fn load_only(raw: &WorkModelParameters) -> Keyed<Described> {
    let alpha = raw.alpha.unwrap_or(1.0);
    let model = LoadOnly::new(alpha).map_err(|error| keyed(&error))?;
    Ok((Box::new(model), json!({ "alpha": alpha })))
}

fn affine(raw: &WorkModelParameters, bounds: Vec<UpperBound>, nodes: NodeRule) -> Keyed<Described> {
    let parameters = AffineParameters {
        alpha: raw.alpha.unwrap_or(1.0),
        beta: raw.beta.unwrap_or(0.0),
        gamma: raw.gamma.unwrap_or(0.0),
        delta: raw.delta.unwrap_or(0.0),
        bounds,
    };
    let summary = json!({
        "alpha": parameters.alpha,
        "beta": parameters.beta,
        "gamma": parameters.gamma,
        "delta": parameters.delta,
        "upper_bounds": limits(&parameters.bounds),
        "bounds_hold_for": hold_for(nodes),
    });
    let model = Affine::new(parameters).map_err(|error| keyed(&error))?;
    Ok((Box::new(model), summary))
}

fn ccm(raw: &WorkModelParameters, bounds: Vec<UpperBound>, nodes: NodeRule) -> Keyed<Described> {
    let default = CcmParameters::default();
    let parameters = CcmParameters {
        alpha: raw.alpha.unwrap_or(default.alpha),
        beta: raw.beta.unwrap_or(default.beta),
        gamma: raw.gamma.unwrap_or(default.gamma),
        delta: raw.delta.unwrap_or(default.delta),
        epsilon: raw.epsilon.map_or(default.epsilon, |epsilon| epsilon.0),
        on_rank_volume: raw.on_rank_volume.map_or(default.on_rank_volume, |volume| match volume {
            raw::OnRankVolume::Paper => OnRankVolume::Paper,
            raw::OnRankVolume::Vt => OnRankVolume::Vt,
        }),
        bounds,
    };
    described(parameters, hold_for(nodes))
}

/// Creates the model, and its parameters for the summary.
fn described(parameters: CcmParameters, hold_for: &str) -> Keyed<Described> {
    let mut summary = json!({
        "alpha": parameters.alpha,
        "beta": parameters.beta,
        "gamma": parameters.gamma,
        "delta": parameters.delta,
        // JSON has no infinity.
        "epsilon": if parameters.epsilon == 0.0 { json!(0.0) } else { json!("inf") },
        "on_rank_volume": match parameters.on_rank_volume {
            OnRankVolume::Paper => "paper",
            OnRankVolume::Vt => "vt",
        },
        "bounds_hold_for": hold_for,
    });
    let model = Ccm::new(parameters).map_err(|error| keyed(&error))?;
    summary["upper_bounds"] = json!(limits(model.bounds()));
    Ok((Box::new(model), summary))
}

fn keyed(error: &ModelError) -> (String, String) {
    let key = match error {
        ModelError::BadParameter { name, .. } => name,
        ModelError::BadEpsilon { .. } => "epsilon",
        _ => "upper_bounds",
    };
    (key.to_owned(), error.to_string())
}

fn limits(bounds: &[UpperBound]) -> BTreeMap<&'static str, f64> {
    bounds.iter().map(|bound| (bound.quantity.name(), bound.limit)).collect()
}

/// Returns the scope of upper bounds: a rank if `ranks_per_node` is 1, otherwise a node.
fn scope(nodes: NodeRule) -> BoundScope {
    if nodes == NodeRule::RanksPerNode(1) { BoundScope::Rank } else { BoundScope::Node }
}

fn hold_for(nodes: NodeRule) -> &'static str {
    match scope(nodes) {
        BoundScope::Rank => "rank",
        BoundScope::Node => "node",
    }
}

impl Memory {
    /// Returns the quantity for upper bounds on memory.
    fn quantity(self) -> RankQuantity {
        match self {
            Memory::WithoutSerialized => RankQuantity::MaxMemoryUsage,
            Memory::WithSerialized => RankQuantity::MemoryWithSerialized,
        }
    }
}

/// Adds an upper bound on the memory of nodes, which replaces a configured bound on the same quantity.
pub(super) fn bound_memory(raw: &raw::WorkModel, bounds: &mut Vec<UpperBound>, limit: f64, nodes: NodeRule) {
    let quantity =
        raw.parameters.memory.filter(|_| raw.name == WorkModelName::Ccm).unwrap_or_default().quantity();
    bounds.retain(|bound| bound.quantity != quantity);
    bounds.push(UpperBound { quantity, limit, scope: scope(nodes) });
}

/// Returns the upper bounds of a model; none for `LoadOnly`, which supports none. Errors hold the name of the quantity.
pub(super) fn upper_bounds(raw: &raw::WorkModel, nodes: NodeRule) -> Keyed<Vec<UpperBound>> {
    if raw.name == WorkModelName::LoadOnly {
        return Ok(Vec::new());
    }
    let memory = raw.parameters.memory.filter(|_| raw.name == WorkModelName::Ccm).unwrap_or_default();
    let known: Vec<&str> = RankQuantity::ALL.iter().map(|quantity| quantity.name()).collect();
    let mut bounds: Vec<UpperBound> = Vec::new();
    for (name, &limit) in raw.parameters.upper_bounds.iter().flatten() {
        // LBAF names upper bounds after its getters, not after quantities.
        let listed = name.replacen("number_of_", "num_", 1);
        let quantity = yaml::meant(&listed, &known).and_then(|name| name.parse::<RankQuantity>().ok());
        let refuse = |message: String| Err((name.clone(), message));
        let Some(quantity) = quantity else {
            let others: Vec<&str> = RankQoi::all().map(RankQoi::name).collect();
            return refuse(match yaml::meant(name, &others) {
                Some("work") => "`work` cannot be bounded: strategies minimize it".to_owned(),
                Some(other) => {
                    format!("`{other}` cannot be bounded: it does not depend on the objects of a rank")
                }
                None => format!("`{name}` is not a quantity of a rank{}", yaml::instead(name, &known)),
            });
        };
        let quantity = if quantity == RankQuantity::MaxMemoryUsage { memory.quantity() } else { quantity };
        if bounds.iter().any(|bound| bound.quantity == quantity) {
            return refuse(format!("`{quantity}` is bounded twice"));
        }
        bounds.push(UpperBound { quantity, limit, scope: scope(nodes) });
    }
    Ok(bounds)
}
