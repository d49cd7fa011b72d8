// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registry: names of strategies, and their parameters as data.
//!
//! A new strategy is one file, one variant here and one arm of each match that the compiler then asks for.

use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeSeed;
use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    BruteForce, Greedy, PhaseStepper, PrescribedPermutation, RandomLB, RotateLB, Strategy, StrategyError,
};

macro_rules! registry {
    ($($(#[$doc:meta])* $variant:ident: $names:expr;)*) => {
        /// A strategy by name. Read parameters with it as a seed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StrategyName {
            $($(#[$doc])* $variant,)*
        }

        /// A strategy with its parameters, as data.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum StrategyConfig {
            $($(#[$doc])* $variant($variant),)*
        }

        impl StrategyName {
            /// All strategies.
            pub const ALL: &[StrategyName] = &[$(StrategyName::$variant,)*];

            /// The name, and the other names that mean the same.
            pub fn names(self) -> &'static [&'static str] {
                match self {
                    $(StrategyName::$variant => &$names,)*
                }
            }
        }

        impl StrategyConfig {
            /// The strategy itself.
            pub fn build(&self) -> Box<dyn Strategy> {
                match self {
                    $(StrategyConfig::$variant(parameters) => Box::new(parameters.clone()),)*
                }
            }

            /// Which strategy it is.
            pub fn name(&self) -> StrategyName {
                match self {
                    $(StrategyConfig::$variant(_) => StrategyName::$variant,)*
                }
            }

            /// Every strategy with default parameters.
            pub fn defaults() -> Vec<StrategyConfig> {
                vec![$(StrategyConfig::$variant($variant::default()),)*]
            }
        }

        impl<'de> DeserializeSeed<'de> for StrategyName {
            type Value = StrategyConfig;

            fn deserialize<D: Deserializer<'de>>(self, parameters: D) -> Result<StrategyConfig, D::Error> {
                match self {
                    $(StrategyName::$variant => {
                        $variant::deserialize(parameters).map(StrategyConfig::$variant)
                    })*
                }
            }
        }
    };
}

registry! {
    /// Keeps.
    PhaseStepper: ["PhaseStepper"];
    /// As the user says.
    PrescribedPermutation: ["PrescribedPermutation"];
    /// One rank further.
    RotateLB: ["RotateLB"];
    /// Anywhere.
    RandomLB: ["RandomLB"];
    /// Largest object first, to the least loaded rank.
    Greedy: ["Greedy", "GreedyLB"];
    /// The best there is.
    BruteForce: ["BruteForce"];
}

/// Strategies of LBAF and vt that users know and this version does not have.
const LATER: [&str; 7] = [
    "InformAndTransfer",
    "CentralizedPrefixOptimizer",
    "HierarchicalLB",
    "TemperedLB",
    "TemperedWMin",
    "OfflineLB",
    "ZoltanLB",
];

impl StrategyName {
    fn listed() -> String {
        let names = StrategyName::ALL.iter().flat_map(|strategy| strategy.names());
        names.copied().collect::<Vec<_>>().join(", ")
    }

    /// The name in configurations.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for StrategyName {
    type Err = StrategyError;

    fn from_str(name: &str) -> Result<Self, StrategyError> {
        let all = || {
            StrategyName::ALL
                .iter()
                .flat_map(|&strategy| strategy.names().iter().map(move |&known| (known, strategy)))
        };
        if let Some((_, strategy)) = all().find(|(known, _)| *known == name) {
            return Ok(strategy);
        }
        if LATER.contains(&name) {
            return Err(StrategyError::Later { name: name.to_owned(), known: StrategyName::listed() });
        }
        let likeness = |known: &str| strsim::jaro_winkler(&known.to_lowercase(), &name.to_lowercase());
        let closest = all().map(|(known, _)| (likeness(known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
        let suggestion = closest.filter(|&(likeness, _)| likeness > 0.85);
        Err(StrategyError::UnknownName {
            name: name.to_owned(),
            suggestion: suggestion
                .map_or_else(String::new, |(_, known)| format!("; did you mean `{known}`?")),
            known: StrategyName::listed(),
        })
    }
}
