// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters that take a strategy beyond the algorithm published under its name.

use serde_json::{Value, json};

use crate::{StrategyConfig, StrategyName};

/// Parameters that the published algorithm of a name lacks, with the values that leave it as published.
fn published(strategy: StrategyName) -> Vec<(&'static str, Value)> {
    let homeward = ("homeward", json!(false));
    let tolerance = ("tolerance", json!(1.0));
    match strategy {
        StrategyName::Lpt => vec![homeward, tolerance, ("subphases", json!(false))],
        StrategyName::Multifit | StrategyName::KarmarkarKarp => vec![homeward, tolerance],
        StrategyName::GreedyRefine => vec![homeward],
        StrategyName::HierarchicalLB => vec![("exchange", json!(false))],
        StrategyName::InformAndTransfer => vec![
            ("preset", Value::Null),
            ("concurrency", json!("live")),
            homeward,
            ("migration_weight", json!(0.0)),
        ],
        StrategyName::TemperedLB | StrategyName::TemperedWMin => {
            vec![("concurrency", json!("snapshot")), homeward, ("migration_weight", Value::Null)]
        }
        _ => Vec::new(),
    }
}

/// What these mean depends on `homeward`.
const WITH_HOMEWARD: [&str; 2] = ["tolerance", "migration_weight"];

impl StrategyConfig {
    /// The parameters that are not as in the algorithm published under the name of the strategy: `homeward`,
    /// `migration_weight: 2`.
    ///
    /// # Panics
    /// Never: parameters are plain data.
    pub fn additions(&self) -> Vec<String> {
        let parameters = serde_json::to_value(self).expect("invariant: parameters are plain data");
        let is_homeward = parameters.get("homeward") == Some(&Value::Bool(true));
        let addition = |(key, published): (&str, Value)| {
            let value = parameters.get(key)?;
            let counts = is_homeward || !WITH_HOMEWARD.contains(&key);
            (counts && *value != published).then(|| match value {
                Value::Bool(true) => key.to_owned(),
                Value::String(text) => format!("{key}: {text}"),
                value => format!("{key}: {value}"),
            })
        };
        published(self.name()).into_iter().filter_map(addition).collect()
    }

    /// The name with the [additions](Self::additions): `TemperedLB (homeward)`.
    ///
    /// # Panics
    /// Never: parameters are plain data.
    pub fn label(&self) -> String {
        let additions = self.additions();
        if additions.is_empty() {
            return self.name().to_string();
        }
        format!("{} ({})", self.name(), additions.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Concurrency, InformAndTransfer, KarmarkarKarp, TemperedLB, TemperedWMin};

    /// Else an addition could be renamed and vanish from labels.
    #[test]
    fn additions_are_parameters_of_their_strategy() {
        for config in StrategyConfig::defaults() {
            let parameters = serde_json::to_value(&config).unwrap();
            for (key, _) in published(config.name()) {
                assert!(parameters.get(key).is_some(), "{}: {key}", config.name());
            }
        }
    }

    /// Exchanges in groups of ranks are no part of vt's balancer.
    #[test]
    fn defaults_are_the_published_algorithms_but_for_exchanges_of_the_tree() {
        let labels = StrategyConfig::defaults().into_iter().map(|config| (config.label(), config.name()));
        let others: Vec<String> =
            labels.filter(|(label, name)| *label != name.to_string()).map(|(label, _)| label).collect();
        assert_eq!(others, ["HierarchicalLB (exchange)"]);
    }

    #[test]
    fn additions_that_are_on_are_named() {
        let tempered = |homeward| TemperedLB {
            homeward,
            migration_weight: Some(0.5),
            concurrency: Concurrency::Live,
            ..TemperedLB::default()
        };
        let labels = [
            StrategyConfig::TemperedLB(TemperedLB { homeward: true, ..TemperedLB::default() }),
            StrategyConfig::TemperedWMin(TemperedWMin(tempered(true))),
            StrategyConfig::TemperedLB(tempered(false)),
            StrategyConfig::KarmarkarKarp(KarmarkarKarp { homeward: true, tolerance: 1.05 }),
            StrategyConfig::KarmarkarKarp(KarmarkarKarp { homeward: false, tolerance: 1.05 }),
            StrategyConfig::InformAndTransfer(InformAndTransfer::default()),
        ];
        assert_eq!(
            labels.map(|config| config.label()),
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
