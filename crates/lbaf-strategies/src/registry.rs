// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registry: names of strategies, and strategies with parameters as data.
//!
//! A new strategy needs a file with its struct, an export in `lib.rs`, and an entry in `registry!`.

use std::fmt;
use std::str::FromStr;

use serde::de::DeserializeSeed;
use serde::{Deserialize, Deserializer, Serialize};

use crate::parameters::schema;
use crate::{
    BruteForce, CentralizedPrefixOptimizer, Diffusion, External, Greedy, GreedyRefine, HierarchicalLB,
    InformAndTransfer, KarmarkarKarp, LocalSearch, Lpt, Milp, Multifit, Multilevel, OfflineLB, PhaseStepper,
    PrescribedPermutation, RandomLB, RecursiveCoordinateBisection, Refine, RotateLB, SpaceFillingCurve,
    Strategy, StrategyError, TemperedLB, TemperedWMin, WorkStealing, ZoltanLB,
};

macro_rules! registry {
    ($($(#[doc = $doc:literal])+ $variant:ident: $names:expr;)*) => {
        /// Name of a strategy. As a [`DeserializeSeed`], it deserializes the parameters of the strategy.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StrategyName {
            $($(#[doc = $doc])+ $variant,)*
        }

        /// Strategy with its parameters, as data.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum StrategyConfig {
            $($(#[doc = $doc])+ $variant($variant),)*
        }

        impl StrategyName {
            /// All strategies.
            pub const ALL: &[StrategyName] = &[$(StrategyName::$variant,)*];

            /// Returns the name, followed by its aliases.
            pub fn names(self) -> &'static [&'static str] {
                match self {
                    $(StrategyName::$variant => &$names,)*
                }
            }

            /// Returns a summary of the strategy in one line.
            pub fn summary(self) -> &'static str {
                match self {
                    $(StrategyName::$variant => concat!($($doc),+).trim(),)*
                }
            }

            /// Returns the parameters as a JSON Schema: types, defaults and descriptions. The description of the
            /// schema is the description of the strategy. Descriptions are Markdown.
            pub fn schema(self) -> serde_json::Value {
                match self {
                    $(StrategyName::$variant => schema::<$variant>(self.name()),)*
                }
            }
        }

        impl StrategyConfig {
            /// Returns the strategy.
            pub fn strategy(&self) -> &dyn Strategy {
                match self {
                    $(StrategyConfig::$variant(strategy) => strategy,)*
                }
            }

            /// Returns a mutable reference to the strategy, for example to set its seed.
            pub fn strategy_mut(&mut self) -> &mut dyn Strategy {
                match self {
                    $(StrategyConfig::$variant(strategy) => strategy,)*
                }
            }

            /// Returns a copy of the strategy as a trait object.
            pub fn build(&self) -> Box<dyn Strategy> {
                match self {
                    $(StrategyConfig::$variant(parameters) => Box::new(parameters.clone()),)*
                }
            }

            /// Returns the name of the strategy.
            pub fn name(&self) -> StrategyName {
                match self {
                    $(StrategyConfig::$variant(_) => StrategyName::$variant,)*
                }
            }

            /// Returns all strategies with default parameters.
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
    /// Keeps every object on its rank, for statistics of the recorded placement.
    PhaseStepper: ["PhaseStepper", "NoLB"];
    /// Places every object on the rank that you prescribe.
    PrescribedPermutation: ["PrescribedPermutation"];
    /// Replays a placement: that of the next phase, of another data set, or of a file.
    OfflineLB: ["OfflineLB"];
    /// Moves every object to the next rank.
    RotateLB: ["RotateLB"];
    /// Places every object on a random rank.
    RandomLB: ["RandomLB"];
    /// Largest object first, to the rank that finishes it first.
    Greedy: ["Greedy", "GreedyLB"];
    /// Longest processing time first: largest object first, to the rank with the least work after receiving it.
    Lpt: ["LPT"];
    /// Bin packing: searches for the smallest capacity of ranks that holds all objects.
    Multifit: ["MULTIFIT"];
    /// Largest differencing: joins the partial partitions with the largest differences until one remains.
    KarmarkarKarp: ["KarmarkarKarp", "KK", "LDM"];
    /// LPT with fewer migrations: an object stays unless its rank would exceed the maximum work of LPT.
    GreedyRefine: ["GreedyRefine", "GreedyRefineLB"];
    /// Moves objects away from overloaded ranks; all other objects stay.
    Refine: ["Refine", "RefineLB"];
    /// Greedy on a tree of ranks: within groups of ranks, groups of groups, and so on.
    HierarchicalLB: ["HierarchicalLB"];
    /// Cuts space recursively into boxes of equal load, by the `index` of objects.
    RecursiveCoordinateBisection: ["RecursiveCoordinateBisection", "RCB"];
    /// Cuts a space-filling curve into pieces of equal load, by the `index` of objects.
    SpaceFillingCurve: ["SpaceFillingCurve", "SFC"];
    /// Gossip as in LBAF: ranks spread information, then transfer objects to ranks they have heard of.
    InformAndTransfer: ["InformAndTransfer"];
    /// Gossip as in vt: underloaded ranks announce themselves, overloaded ranks transfer objects to them.
    TemperedLB: ["TemperedLB"];
    /// Gossip on the work of each object, which includes its communication.
    TemperedWMin: ["TemperedWMin"];
    /// Moves objects that share a memory block from the most loaded rank to others, within memory bounds.
    CentralizedPrefixOptimizer: ["CentralizedPrefixOptimizer"];
    /// Improves a placement by exchanges, close to the optimum and with few migrations.
    LocalSearch: ["LocalSearch"];
    /// Moves load between communicating ranks, step by step.
    Diffusion: ["Diffusion", "DiffusionLB"];
    /// Simulates work stealing: idle ranks steal objects or clusters.
    WorkStealing: ["WorkStealing"];
    /// Partitions the communication graph into parts of equal load with little volume between ranks.
    Multilevel: ["Multilevel"];
    /// Repartitions the communication graph from the current placement, with few migrations.
    ZoltanLB: ["ZoltanLB"];
    /// Finds an optimal placement and proves that it is optimal, for small problems.
    BruteForce: ["BruteForce"];
    /// Solves a mixed-integer program for the best placement and reports the gap of the result.
    Milp: ["Milp"];
    /// Runs a command that computes a placement: strategies in any language.
    External: ["External"];
}

impl StrategyConfig {
    /// Creates a strategy from one of its names and its parameters as a JSON object. Missing parameters have their
    /// defaults, except for `command` of `External` and `permutation` of `PrescribedPermutation`, which are required.
    ///
    /// ```
    /// use lbaf_strategies::StrategyConfig;
    /// use serde_json::json;
    ///
    /// let strategy = StrategyConfig::named("TemperedLB", json!({"iters": 4, "trials": 2}))?.build();
    /// assert_eq!(strategy.parameters()["trials"], 2);
    /// # Ok::<(), lbaf_strategies::StrategyError>(())
    /// ```
    ///
    /// # Errors
    /// If the strategy or a parameter is unknown, a required parameter is missing, or a value cannot be deserialized.
    pub fn named(name: &str, parameters: serde_json::Value) -> Result<Self, StrategyError> {
        let name: StrategyName = name.parse()?;
        let wrong = |error: serde_json::Error| StrategyError::Parameters {
            strategy: name.name(),
            message: error.to_string(),
        };
        name.deserialize(parameters).map_err(wrong)
    }
}

impl StrategyName {
    fn listed() -> String {
        let names = StrategyName::ALL.iter().flat_map(|strategy| strategy.names());
        names.copied().collect::<Vec<_>>().join(", ")
    }

    /// Returns a Markdown table of all strategies, which `docs/strategies.md` contains.
    pub fn table() -> String {
        let row = |strategy: &StrategyName| {
            let names: Vec<String> = strategy.names().iter().map(|name| format!("`{name}`")).collect();
            let aliases = match &names[1..] {
                [] => String::new(),
                aliases => format!(" ({})", aliases.join(", ")),
            };
            format!("| {}{aliases} | {} |\n", names[0], strategy.summary())
        };
        let rows: String = StrategyName::ALL.iter().map(row).collect();
        format!("| strategy | summary |\n|---|---|\n{rows}")
    }

    /// True if the strategy balances any data with its default parameters in reasonable time: it needs no further input
    /// and does not search for a proof.
    pub fn is_for_any_data(self) -> bool {
        use StrategyName::{BruteForce, External, Milp, OfflineLB, PrescribedPermutation};
        !matches!(self, BruteForce | External | Milp | OfflineLB | PrescribedPermutation)
    }

    /// Returns the name in configurations.
    pub fn name(self) -> &'static str {
        self.names()[0]
    }
}

impl fmt::Display for StrategyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses a name or an alias. Case, characters other than ASCII letters and digits, and a trailing `LB`, `Algorithm` or
/// `LBAlgorithm` after other letters are ignored.
impl FromStr for StrategyName {
    type Err = StrategyError;

    fn from_str(name: &str) -> Result<Self, StrategyError> {
        let all = || {
            StrategyName::ALL
                .iter()
                .flat_map(|&strategy| strategy.names().iter().map(move |&known| (known, strategy)))
        };
        let asked = bare(name);
        if let Some((_, strategy)) = all().find(|(known, _)| bare(known) == asked) {
            return Ok(strategy);
        }
        let likeness = |known: &str| strsim::jaro_winkler(&bare(known), &asked);
        // `max_by` returns the last of equal elements. In reverse order, that is the first of equally similar names in
        // the list.
        let known = all().rev().map(|(known, _)| known);
        let closest = known.map(|known| (likeness(known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
        let suggestion = closest.filter(|&(likeness, _)| likeness > 0.85);
        Err(StrategyError::UnknownName {
            name: name.to_owned(),
            instead: suggestion.map_or_else(
                || format!("known are {}", StrategyName::listed()),
                |(_, known)| format!("did you mean `{known}`?"),
            ),
        })
    }
}

/// Returns the part of a name that identifies a strategy: in lower case, without suffixes, which differ between
/// configurations and classes, and between LBAF and vt.
fn bare(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let mut bare = letters.collect::<String>().to_ascii_lowercase();
    for end in ["algorithm", "lb"] {
        if let Some(rest) = bare.strip_suffix(end).filter(|rest| !rest.is_empty()) {
            bare.truncate(rest.len());
        }
    }
    bare
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If names of two strategies were equal without suffixes, one of them could not be selected.
    #[test]
    fn bare_names_belong_to_one_strategy() {
        let mut seen: Vec<String> = Vec::new();
        for names in StrategyName::ALL.iter().map(|strategy| strategy.names()) {
            let mut own: Vec<String> = names.iter().map(|name| bare(name)).collect();
            own.dedup();
            assert!(own.iter().all(|name| !seen.contains(name)), "{names:?}");
            seen.extend(own);
        }
    }

    #[test]
    fn a_suffix_that_is_the_whole_name_is_kept() {
        let names = ["LB", "Algorithm", "AlgorithmLB", "RotateLBAlgorithm", "phase_stepper", "Work-Stealing"];
        assert_eq!(
            names.map(bare),
            ["lb", "algorithm", "algorithm", "rotate", "phasestepper", "workstealing"]
        );
    }
}
