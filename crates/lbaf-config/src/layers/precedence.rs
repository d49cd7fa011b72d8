// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys of lower layers that a key of a higher layer replaces.

use lbaf_strategies::StrategyName;

use crate::yaml::{self, Node, Value};

const NAME: &str = "algorithm.name";
pub(super) const LB_CONFIG: &str = "algorithm.lb_config";
const SETTINGS: [&str; 2] = ["algorithm.parameters", "algorithm.args"];

/// Removes the parameters and arguments of a strategy from lower layers if `layer` names another strategy or an LB
/// configuration file. Also, a strategy for all phases replaces an LB configuration file of a lower layer, and vice
/// versa.
pub(super) fn forget(base: &mut Node, layer: &Node) {
    let strategy = |name: &Node| match &name.value {
        Value::String(name) => name.parse::<StrategyName>().ok(),
        _ => None,
    };
    let given = |path| layer.get(path).filter(|node| node.value != Value::Null);
    let (name, lb_config) = (given(NAME), given(LB_CONFIG));
    let another = |name: &Node| {
        let same = |base: &Node| {
            base.value == name.value || strategy(base).is_some() && strategy(base) == strategy(name)
        };
        base.get(NAME).is_some_and(|base| !same(base))
    };
    let gives_way = name.is_none() && lb_config.is_some();
    if gives_way || name.is_some_and(another) {
        for settings in SETTINGS {
            base.take(settings);
        }
    }
    if gives_way {
        base.take(NAME);
    } else if name.is_some() && lb_config.is_none() {
        base.take(LB_CONFIG);
    }
}

pub(super) const MODEL: &str = "work_model.name";

/// Removes gamma from lower layers if `layer` changes the work model from `AffineCombination` to CCM or vice versa.
/// Gamma is a constant in `AffineCombination`, but a factor on a volume in CCM. Returns a note on a removed gamma
/// unless `layer` also sets gamma. The other parameters that both models have mean the same in both.
pub(super) fn forget_gamma(base: &mut Node, layer: &Node) -> Option<String> {
    const GAMMA: &str = "work_model.parameters.gamma";
    let model = |name: &Node| match &name.value {
        Value::String(name) => yaml::meant(name, &["AffineCombination", "CCM"]),
        _ => None,
    };
    let (above, below) = (layer.get(MODEL).and_then(model)?, base.get(MODEL).and_then(model)?);
    if above == below {
        return None;
    }
    base.take(GAMMA).filter(|_| layer.get(GAMMA).is_none())?;
    Some(format!("`{GAMMA}` is ignored: it was given for {below}, and has another meaning in {above}"))
}
