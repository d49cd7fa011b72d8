// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of strategies as JSON: values, schemas, and additions to the published algorithm.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Map, Value};

/// Additions to published algorithms that have an effect only with `homeward: true`.
const WITH_HOMEWARD: [&str; 2] = ["tolerance", "migration_weight"];

/// Returns parameters as a JSON object.
pub(crate) fn parameters(parameters: &impl Serialize) -> Value {
    serde_json::to_value(parameters).expect("invariant: parameters are plain data")
}

/// Returns the parameters that change the published algorithm, as `key` for true, otherwise as `key: value`.
///
/// `published` lists all parameters that extend the algorithm, with the values at which they have no effect.
pub(crate) fn beyond(parameters: &Value, published: &[(&str, Value)]) -> Vec<String> {
    let is_homeward = parameters.get("homeward") == Some(&Value::Bool(true));
    let addition = |(key, published): &(&str, Value)| {
        // Without this check, a renamed parameter would silently vanish from labels.
        debug_assert!(parameters.get(key).is_some(), "there is no parameter `{key}`");
        let value = parameters.get(key)?;
        let counts = is_homeward || !WITH_HOMEWARD.contains(key);
        (counts && value != published).then(|| match value {
            Value::Bool(true) => (*key).to_owned(),
            Value::String(text) => format!("{key}: {text}"),
            value => format!("{key}: {value}"),
        })
    };
    published.iter().filter_map(addition).collect()
}

/// Returns the schema of the parameters, titled with the name of the strategy, with subschemas inlined.
pub(crate) fn schema<T: JsonSchema>(name: &str) -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    let mut members = match schema {
        Value::Object(members) => members,
        other => return other,
    };
    // The most important keys come first.
    let mut ordered = Map::new();
    members.insert("title".to_owned(), name.into());
    for key in ["$schema", "title", "description"] {
        ordered.extend(members.remove(key).map(|value| (key.to_owned(), value)));
    }
    ordered.extend(members);
    Value::Object(ordered)
}

#[cfg(test)]
mod tests {
    use crate::{
        Concurrency, InformAndTransfer, KarmarkarKarp, Strategy, StrategyConfig, TemperedLB, TemperedWMin,
    };

    /// By default, `HierarchicalLB` exchanges objects within groups of ranks; vt's balancer does not.
    #[test]
    fn defaults_are_the_published_algorithms_except_for_hierarchical_exchanges() {
        let defaults = StrategyConfig::defaults();
        let labels = defaults.iter().map(|config| (config.strategy().label(), config.name()));
        let others: Vec<String> =
            labels.filter(|(label, name)| *label != name.to_string()).map(|(label, _)| label).collect();
        assert_eq!(others, ["HierarchicalLB (exchange)"]);
    }

    #[test]
    fn active_additions_are_named() {
        let tempered = |homeward| TemperedLB {
            homeward,
            migration_weight: Some(0.5),
            concurrency: Concurrency::Live,
            ..TemperedLB::default()
        };
        let strategies: [&dyn Strategy; 6] = [
            &TemperedLB { homeward: true, ..TemperedLB::default() },
            &TemperedWMin(tempered(true)),
            &tempered(false),
            &KarmarkarKarp { homeward: true, tolerance: 1.05 },
            &KarmarkarKarp { homeward: false, tolerance: 1.05 },
            &InformAndTransfer::default(),
        ];
        assert_eq!(
            strategies.map(Strategy::label),
            [
                "TemperedLB (homeward)",
                "TemperedWMin (concurrency: live, homeward, migration_weight: 0.5)",
                "TemperedLB (concurrency: live)",
                "KarmarkarKarp (homeward, tolerance: 1.05)",
                "KarmarkarKarp",
                "InformAndTransfer",
            ]
        );
    }
}
