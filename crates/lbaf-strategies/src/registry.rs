// SPDX-License-Identifier: MIT OR Apache-2.0
//! The registry: names of strategies, and their parameters as data.
//!
//! A new strategy is one file, one variant here and one arm of each match that the compiler then asks for.

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
        /// A strategy by name. Read parameters with it as a seed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum StrategyName {
            $($(#[doc = $doc])+ $variant,)*
        }

        /// A strategy with its parameters, as data.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum StrategyConfig {
            $($(#[doc = $doc])+ $variant($variant),)*
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

            /// What it does, in a line.
            pub fn summary(self) -> &'static str {
                match self {
                    $(StrategyName::$variant => concat!($($doc),+).trim(),)*
                }
            }

            /// Its parameters as a JSON Schema: what each may be and is by default, and what it is for. The
            /// description of the whole is that of the strategy; descriptions are Markdown.
            pub fn schema(self) -> serde_json::Value {
                match self {
                    $(StrategyName::$variant => schema::<$variant>(self.name()),)*
                }
            }
        }

        impl StrategyConfig {
            /// The strategy.
            pub fn strategy(&self) -> &dyn Strategy {
                match self {
                    $(StrategyConfig::$variant(strategy) => strategy,)*
                }
            }

            /// The strategy, to settle what its parameters leave open.
            pub fn strategy_mut(&mut self) -> &mut dyn Strategy {
                match self {
                    $(StrategyConfig::$variant(strategy) => strategy,)*
                }
            }

            /// A strategy of its own.
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
    /// Keeps every object where it is: statistics of what was recorded.
    PhaseStepper: ["PhaseStepper", "NoLB"];
    /// Puts every object where you say.
    PrescribedPermutation: ["PrescribedPermutation"];
    /// Puts every object where a map says: the next phase, another data set, or a file.
    OfflineLB: ["OfflineLB"];
    /// Moves every object one rank further.
    RotateLB: ["RotateLB"];
    /// Puts every object on a random rank.
    RandomLB: ["RandomLB"];
    /// Largest object first, to the rank where it ends soonest.
    Greedy: ["Greedy", "GreedyLB"];
    /// Longest processing time first: largest object first, to the rank with least work with it.
    Lpt: ["LPT"];
    /// Packs objects into the least capacity of ranks that holds them all.
    Multifit: ["MULTIFIT"];
    /// Joins the tuples of parts that differ most, until one is left: largest differencing.
    KarmarkarKarp: ["KarmarkarKarp", "KK", "LDM"];
    /// Greedy, but an object stays unless its rank would have more than greedy comes to.
    GreedyRefine: ["GreedyRefine", "GreedyRefineLB"];
    /// Moves objects off overloaded ranks, and no others.
    Refine: ["Refine", "RefineLB"];
    /// Shares objects out in groups of ranks, and groups of groups, the largest first.
    HierarchicalLB: ["HierarchicalLB"];
    /// Cuts space into boxes of equal load, by the `index` of objects.
    RecursiveCoordinateBisection: ["RecursiveCoordinateBisection", "RCB"];
    /// Cuts a curve through space into pieces of equal load, by the `index` of objects.
    SpaceFillingCurve: ["SpaceFillingCurve", "SFC"];
    /// Gossip, then transfers to ranks that were heard of.
    InformAndTransfer: ["InformAndTransfer"];
    /// Gossip as vt does it: ranks below the target make themselves known, others give objects to them.
    TemperedLB: ["TemperedLB"];
    /// The same on what each object costs by itself, communication included.
    TemperedWMin: ["TemperedWMin"];
    /// Parts of memory blocks from the most loaded rank to others, within memory.
    CentralizedPrefixOptimizer: ["CentralizedPrefixOptimizer"];
    /// Exchange by exchange closer to the best possible, with few migrations.
    LocalSearch: ["LocalSearch"];
    /// Load flows between ranks that communicate, a step at a time.
    Diffusion: ["Diffusion", "DiffusionLB"];
    /// Lets idle ranks steal objects or clusters, in simulated time.
    WorkStealing: ["WorkStealing"];
    /// Cuts the communication graph into even parts: little volume between ranks.
    Multilevel: ["Multilevel"];
    /// Cuts it anew from where the objects are, with few migrations.
    ZoltanLB: ["ZoltanLB"];
    /// Finds the best arrangement there is, with a proof: for small cases.
    BruteForce: ["BruteForce"];
    /// Finds the best arrangement by a mixed-integer program, or says how far from it the result may be.
    Milp: ["Milp"];
    /// Asks a command for a placement: strategies in any language.
    External: ["External"];
}

impl StrategyConfig {
    /// A strategy by one of its names, with parameters as a JSON object. Those that are missing have their defaults.
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
    /// If there is no such strategy, no such parameter, or a value is wrong.
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

    /// Table of all strategies in Markdown, as README.md has it.
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
        format!("| strategy | what it does |\n|---|---|\n{rows}")
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

/// Reads a name, or one that differs in case alone, in `_` and `-`, or in an `LB` or `Algorithm` at its end.
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
        // The last of equals is taken.
        let known = all().rev().map(|(known, _)| known);
        let closest = known.map(|known| (likeness(known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
        let suggestion = closest.filter(|&(likeness, _)| likeness > 0.85);
        Err(StrategyError::UnknownName {
            name: name.to_owned(),
            suggestion: suggestion
                .map_or_else(String::new, |(_, known)| format!("; did you mean `{known}`?")),
            known: StrategyName::listed(),
        })
    }
}

/// A name without what users need not remember: LBAF and vt, and their classes, end names differently.
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

    /// Else one of two strategies could not be named.
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
    fn nothing_is_left_out_of_a_name_that_would_leave_nothing() {
        let names = ["LB", "Algorithm", "AlgorithmLB", "RotateLBAlgorithm", "phase_stepper", "Work-Stealing"];
        assert_eq!(
            names.map(bare),
            ["lb", "algorithm", "algorithm", "rotate", "phasestepper", "workstealing"]
        );
    }
}
