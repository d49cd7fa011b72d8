// SPDX-License-Identifier: MIT OR Apache-2.0
//! Balancers of vt and their arguments.

/// Balancer for LB configuration files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balancer {
    /// Name, in vt's upper and lower case.
    pub name: &'static str,
    /// Keys of its arguments.
    pub keys: &'static [&'static str],
}

const THRESHOLD: &[&str] = &["min", "max", "auto", "strategy"];

const TEMPERED: &[&str] = &[
    "knowledge",
    "fanout",
    "rounds",
    "iters",
    "trials",
    "criterion",
    "inform",
    "transfer",
    "ordering",
    "cmf",
    "deterministic",
    "rollback",
    "targetpole",
    "memory_threshold",
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
];

/// All balancers of vt.
///
/// `NoLB`, `RotateLB` and `OfflineLB` have no arguments. Arguments of `ZoltanLB`, `TestSerializationLB` and
/// `LoadSamplerLB` are rejected, too, because their keys are unknown here. `TemperedWMin` is `TemperedLB` with another
/// objective and the same keys.
pub const BALANCERS: [Balancer; 11] = [
    Balancer { name: "NoLB", keys: &[] },
    Balancer { name: "GreedyLB", keys: THRESHOLD },
    Balancer { name: "HierarchicalLB", keys: THRESHOLD },
    Balancer { name: "RotateLB", keys: &[] },
    Balancer { name: "TemperedLB", keys: TEMPERED },
    Balancer { name: "TemperedWMin", keys: TEMPERED },
    Balancer { name: "RandomLB", keys: &["seed", "randomize_seed"] },
    Balancer { name: "OfflineLB", keys: &[] },
    Balancer { name: "ZoltanLB", keys: &[] },
    Balancer { name: "TestSerializationLB", keys: &[] },
    Balancer { name: "LoadSamplerLB", keys: &[] },
];

impl Balancer {
    /// Returns the balancer with a name.
    pub(crate) fn find(name: &str) -> Option<&'static Balancer> {
        BALANCERS.iter().find(|balancer| balancer.name == name)
    }

    /// Returns a suggestion for an unknown name.
    pub(crate) fn instead(name: &str) -> String {
        let names: Vec<&str> = BALANCERS.iter().map(|balancer| balancer.name).collect();
        instead(name, &names)
    }

    /// Returns the key of this balancer that equals `key`.
    pub(crate) fn key(&self, key: &str) -> Option<&'static str> {
        self.keys.iter().find(|known| **known == key).copied()
    }

    /// Returns a suggestion for a key that the balancer does not accept.
    pub(crate) fn key_instead(&self, key: &str) -> String {
        if BEYOND_VT.contains(&key) {
            return "vt does not support it; use `algorithm.name` and `parameters` instead".to_owned();
        }
        instead(key, self.keys)
    }
}

/// Parameters that strategies of `lbaf` have, but the balancers of vt with the same names lack. They are rejected,
/// because LB configuration files must also be valid for vt.
const BEYOND_VT: [&str; 6] = ["pool", "arity", "exchange", "concurrency", "homeward", "migration_weight"];

/// Minimum similarity of names for a suggestion, as in configurations.
const LIKE: f64 = 0.85;

fn instead(name: &str, known: &[&str]) -> String {
    let lower = name.to_lowercase();
    let likeness = |other: &str| strsim::jaro_winkler(&lower, &other.to_lowercase());
    // Reversed to prefer the first name: `max_by` returns the last of equal maxima.
    let closest = known.iter().rev().max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match closest {
        None => "it takes none".to_owned(),
        Some(closest) if likeness(closest) >= LIKE => format!("did you mean `{closest}`?"),
        Some(_) => format!("known are `{}`", known.join("`, `")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balancers_take_the_keys_that_vt_documents() {
        let threshold = "min max auto strategy";
        let tempered = "knowledge fanout rounds iters trials criterion inform transfer ordering cmf deterministic \
                        rollback targetpole memory_threshold alpha beta gamma delta epsilon";
        let documented = [
            ("GreedyLB", threshold),
            ("HierarchicalLB", threshold),
            ("TemperedLB", tempered),
            ("TemperedWMin", tempered),
            ("RandomLB", "seed randomize_seed"),
        ];
        for balancer in &BALANCERS {
            let keys =
                documented.iter().find(|(name, _)| *name == balancer.name).map_or("", |(_, keys)| keys);
            assert_eq!(balancer.keys.join(" "), keys, "{}", balancer.name);
        }
        assert!(documented.iter().all(|(name, _)| Balancer::find(name).is_some()));
    }

    #[test]
    fn suggests_only_similar_names() {
        assert_eq!(Balancer::instead("greedylb"), "did you mean `GreedyLB`?");
        assert_eq!(Balancer::instead("HierachicalLB"), "did you mean `HierarchicalLB`?");
        assert_eq!(
            Balancer::instead("GossipLB"),
            "known are `NoLB`, `GreedyLB`, `HierarchicalLB`, `RotateLB`, `TemperedLB`, `TemperedWMin`, `RandomLB`, \
             `OfflineLB`, `ZoltanLB`, `TestSerializationLB`, `LoadSamplerLB`"
        );
        let keys_of = |name| Balancer::find(name).unwrap();
        assert_eq!(keys_of("TemperedLB").key_instead("iter"), "did you mean `iters`?");
        assert_eq!(keys_of("RandomLB").key_instead("max"), "known are `seed`, `randomize_seed`");
        assert_eq!(keys_of("RotateLB").key_instead("max"), "it takes none");
    }
}
