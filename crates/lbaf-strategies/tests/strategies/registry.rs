// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and parameters of strategies.

use std::num::NonZeroU32;

use lbaf_strategies::{
    BruteForce, Collection, DataSetMap, Greedy, OfflineMap, Permutation, PermutationFile, Pool, RandomLB,
    StealSize, StrategyConfig, StrategyName,
};
use serde::de::DeserializeSeed;

const KNOWN: &str = "PhaseStepper, NoLB, PrescribedPermutation, OfflineLB, RotateLB, RandomLB, Greedy, GreedyLB, \
     LPT, MULTIFIT, KarmarkarKarp, KK, LDM, GreedyRefine, GreedyRefineLB, Refine, RefineLB, HierarchicalLB, \
     RecursiveCoordinateBisection, RCB, SpaceFillingCurve, SFC, InformAndTransfer, TemperedLB, \
     TemperedWMin, CentralizedPrefixOptimizer, LocalSearch, Diffusion, DiffusionLB, WorkStealing, \
     Multilevel, ZoltanLB, BruteForce, Milp, External";

/// Reads the parameters of a strategy from JSON.
fn read(strategy: &str, parameters: &str) -> Result<StrategyConfig, String> {
    let name: StrategyName = strategy.parse().map_err(|error| format!("{error}"))?;
    let mut json = serde_json::Deserializer::from_str(parameters);
    name.deserialize(&mut json).map_err(|error| error.to_string())
}

#[test]
fn every_name_and_alias_is_known_and_belongs_to_one_strategy() {
    let mut seen = Vec::new();
    for &strategy in StrategyName::ALL {
        for name in strategy.names() {
            assert_eq!(name.parse(), Ok(strategy));
            assert!(!seen.contains(name), "{name} twice");
            seen.push(name);
        }
        assert_eq!(strategy.to_string(), strategy.names()[0]);
    }
    assert_eq!(seen.join(", "), KNOWN);
    assert_eq!("GreedyLB".parse(), Ok(StrategyName::Greedy));
}

/// LBAF's classes end in `Algorithm`, and vt's names in `LB`.
#[test]
fn case_and_typical_endings_of_a_name_do_not_matter() {
    for (asked, meant) in [
        ("greedylb", StrategyName::Greedy),
        ("zoltan", StrategyName::ZoltanLB),
        ("GREEDY", StrategyName::Greedy),
        ("GreedyAlgorithm", StrategyName::Greedy),
        ("Multifit", StrategyName::Multifit),
        ("kk", StrategyName::KarmarkarKarp),
        ("karmarkar_karp", StrategyName::KarmarkarKarp),
        ("GreedyRefineLB", StrategyName::GreedyRefine),
        ("RefineLB", StrategyName::Refine),
        ("Rotate", StrategyName::RotateLB),
        ("RotateAlgorithm", StrategyName::RotateLB),
        ("random", StrategyName::RandomLB),
        ("RandomLb", StrategyName::RandomLB),
        ("PhaseStepperLB", StrategyName::PhaseStepper),
        ("phase_stepper", StrategyName::PhaseStepper),
        ("prescribed-permutation", StrategyName::PrescribedPermutation),
    ] {
        assert_eq!(asked.parse(), Ok(meant), "{asked}");
    }
}

#[test]
fn the_error_for_a_misspelt_name_suggests_the_likely_one() {
    for (asked, likely) in [
        ("gredylb", "Greedy"),
        ("Greddy", "Greedy"),
        ("Rendom", "RandomLB"),
        ("rotatelp", "RotateLB"),
        ("CentralisedPrefixOptimizer", "CentralizedPrefixOptimizer"),
        ("BrutForce", "BruteForce"),
        ("PhaseSteper", "PhaseStepper"),
        ("ZoltenLB", "ZoltanLB"),
        ("PrescribedPermutations", "PrescribedPermutation"),
    ] {
        let error = asked.parse::<StrategyName>().unwrap_err();
        let expected = format!("there is no strategy `{asked}`; did you mean `{likely}`?");
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn strategies_for_any_data_need_no_input_and_search_no_proof() {
    let others = StrategyName::ALL.iter().filter(|strategy| !strategy.is_for_any_data());
    let others: Vec<&str> = others.map(|strategy| strategy.name()).collect();
    assert_eq!(others, ["PrescribedPermutation", "OfflineLB", "BruteForce", "Milp", "External"]);
}

#[test]
fn the_error_for_an_unknown_name_lists_all_names() {
    for asked in ["", "X"] {
        let error = asked.parse::<StrategyName>().unwrap_err();
        assert_eq!(error.to_string(), format!("there is no strategy `{asked}`; known are {KNOWN}"));
    }
}

#[test]
fn absent_parameters_have_the_documented_defaults() {
    for config in StrategyConfig::defaults() {
        let missing = match config {
            StrategyConfig::PrescribedPermutation(_) => "permutation",
            StrategyConfig::External(_) => "command",
            _ => {
                assert_eq!(read(config.name().name(), "{}"), Ok(config));
                continue;
            }
        };
        let error = read(config.name().name(), "{}").unwrap_err();
        assert!(error.starts_with(&format!("missing field `{missing}`")), "{error}");
    }
    let greedy = Greedy { pool: Pool::All, min: 0.3, max: 1.004, auto: true, strategy: Collection::Scatter };
    assert_eq!(Greedy::default(), greedy);
    assert_eq!(RandomLB::default(), RandomLB { seed: None, randomize_seed: false });
    let brute_force = BruteForce {
        skip_transfer: false,
        whole_clusters: false,
        max_nodes: 200_000_000,
        require_proof: false,
    };
    assert_eq!(BruteForce::default(), brute_force);
}

#[test]
fn parameters_that_no_strategy_has_are_refused() {
    for config in StrategyConfig::defaults() {
        let name = config.name().name();
        let parameters = r#"{"permutation":{},"no_such_parameter":1}"#;
        let parameters = match config {
            StrategyConfig::PrescribedPermutation(_) => parameters,
            StrategyConfig::External(_) => r#"{"command":[],"no_such_parameter":1}"#,
            _ => r#"{"no_such_parameter":1}"#,
        };
        let error = read(name, parameters).unwrap_err();
        assert!(error.starts_with("unknown field `no_such_parameter`, "), "{name}: {error}");
    }
}

#[test]
fn given_parameters_replace_defaults_one_by_one() {
    let greedy = read("GreedyLB", r#"{"pool":"excess","min":1,"strategy":"pt2pt"}"#);
    let expected = Greedy { pool: Pool::Excess, min: 1.0, strategy: Collection::Pt2pt, ..Greedy::default() };
    assert_eq!(greedy, Ok(StrategyConfig::Greedy(expected)));
    let random = read("RandomLB", r#"{"seed":18446744073709551615}"#);
    let expected = RandomLB { seed: Some(u64::MAX), ..RandomLB::default() };
    assert_eq!(random, Ok(StrategyConfig::RandomLB(expected)));
}

/// A printed configuration can be read again.
#[test]
fn configurations_survive_a_round_trip() {
    for config in StrategyConfig::defaults() {
        let json = serde_json::to_string(&config).unwrap();
        assert_eq!(read(config.name().name(), &json), Ok(config));
    }
}

#[test]
fn a_permutation_has_three_forms() {
    let permutation = |json: &str| match read("PrescribedPermutation", json).unwrap() {
        StrategyConfig::PrescribedPermutation(prescribed) => prescribed.permutation,
        other => panic!("{other:?}"),
    };
    let ranks = r#"{"permutation":{"5":1,"7":0}}"#;
    assert_eq!(permutation(ranks), Permutation::Ranks([(5, 1), (7, 0)].into()));
    let objects = r#"{"permutation":{"0":[7],"1":[5,6]}}"#;
    assert_eq!(permutation(objects), Permutation::Objects([(0, vec![7]), (1, vec![5, 6])].into()));
    let file = r#"{"permutation":"moves.csv"}"#;
    let path = "moves.csv".to_owned();
    assert_eq!(permutation(file), Permutation::File(PermutationFile { path, content: None }));
    for json in [ranks, objects, file] {
        let config = read("PrescribedPermutation", json).unwrap();
        assert_eq!(serde_json::to_string(&config).unwrap(), json);
    }
    for wrong in
        ["[1]", "7", r#"{"5":1,"7":[0]}"#, r#"{"5":[1],"7":0}"#, r#"{"5":-1}"#, r#"{"5":4294967296}"#]
    {
        read("PrescribedPermutation", &format!(r#"{{"permutation":{wrong}}}"#)).unwrap_err();
    }
}

#[test]
fn a_map_is_a_path_or_a_data_set() {
    let map = |json: &str| match read("OfflineLB", json) {
        Ok(StrategyConfig::OfflineLB(offline)) => Ok(offline.map),
        Ok(other) => panic!("{other:?}"),
        Err(error) => Err(error),
    };
    let data_set = |suffix: Option<&str>| {
        OfflineMap::DataSet(DataSetMap { data_stem: "a/data".to_owned(), suffix: suffix.map(str::to_owned) })
    };
    assert_eq!(map(r#"{"map":null}"#), Ok(None));
    for (json, expected) in [
        (r#"{"map":"moves.csv"}"#, OfflineMap::Path("moves.csv".to_owned())),
        (r#"{"map":{"data_stem":"a/data"}}"#, data_set(None)),
        (r#"{"map":{"data_stem":"a/data","suffix":"json"}}"#, data_set(Some("json"))),
    ] {
        assert_eq!(map(json), Ok(Some(expected)));
        assert_eq!(serde_json::to_string(&read("OfflineLB", json).unwrap()).unwrap(), json);
    }
    let error = map(r#"{"map":7}"#).unwrap_err();
    let expected = "expected the path of a file, the stem of a data set, or a mapping with `data_stem`";
    assert!(error.contains(expected), "{error}");
    let error = map(r#"{"map":{"stem":"a"}}"#).unwrap_err();
    assert!(error.starts_with("unknown field `stem`"), "{error}");
}

#[test]
fn a_size_of_steals_is_a_word_or_a_number() {
    let size = |json: &str| -> Result<StealSize, String> {
        match read("WorkStealing", &format!(r#"{{"steal_size":{json}}}"#))? {
            StrategyConfig::WorkStealing(stealing) => Ok(stealing.steal_size),
            other => panic!("{other:?}"),
        }
    };
    let count = |count| Ok(StealSize::Count(NonZeroU32::new(count).unwrap()));
    assert_eq!(size("\"half\""), Ok(StealSize::Half));
    assert_eq!([size("\"one\""), size("1"), size("7")], [count(1), count(1), count(7)]);
    for wrong in ["0", "-1", "4294967296", "\"two\"", "0.5"] {
        let error = size(wrong).unwrap_err();
        assert!(error.contains("expected `one`, `half` or a number of at least 1"), "{error}");
    }
}

/// Schemas accept the parameters that are read, show the defaults, and describe every key and choice.
#[test]
fn schemas_describe_the_parameters_that_are_read() {
    for config in StrategyConfig::defaults() {
        let name = config.name();
        let schema = name.schema();
        let defaults = serde_json::to_value(&config).expect("plain data");
        // Defaults that are absent or not finite are null in JSON.
        let mut given = defaults.as_object().cloned().expect("a mapping");
        given.retain(|_, value| !value.is_null());
        assert_eq!(read(name.name(), &serde_json::Value::Object(given).to_string()), Ok(config), "{name}");
        assert_eq!((&schema["title"], &schema["additionalProperties"]), (&name.name().into(), &false.into()));
        assert!(!name.summary().contains('\n') && name.summary().ends_with('.'), "{name}");
        let properties = schema["properties"].as_object().cloned().unwrap_or_default();
        let keys: Vec<&String> = defaults.as_object().expect("a mapping").keys().collect();
        assert_eq!(properties.keys().collect::<Vec<_>>(), keys, "{name}");
        for (key, property) in &properties {
            let is_required =
                schema["required"].as_array().is_some_and(|keys| keys.contains(&key.as_str().into()));
            if !is_required {
                assert_eq!(property.get("default"), Some(&defaults[key]), "{name}.{key}");
            }
            assert!(is_explained(property), "{name}.{key}: {property}");
        }
    }
}

/// True if a schema and each of its choices, except null, have a description.
fn is_explained(schema: &serde_json::Value) -> bool {
    let is_choice = |schema: &serde_json::Value| schema["type"] != "null";
    let mut choices = ["oneOf", "anyOf"].into_iter().filter_map(|key| schema[key].as_array()).flatten();
    // A schema lists choices without a description in `enum`.
    schema["description"].is_string()
        && schema.get("enum").is_none()
        && choices.all(|choice| !is_choice(choice) || is_explained(choice))
}
