// SPDX-License-Identifier: MIT OR Apache-2.0
//! Misspelt names of every kind: the error suggests the intended name, at the place of the mistake.

use crate::bad_configuration::workspace;

/// A configuration with every kind of name that can be misspelt.
const CONFIGURATION: &str = "from_data:
  data_stem: data
  communication_types: [SendRecv, ReadOnlyShared]
  absent_endpoints: home
work_model:
  name: AffineCombination
  parameters:
    beta: 0.0
    upper_bounds: {max_memory_usage: 8.0e+9}
algorithm:
  name: Greedy
  parameters:
    pool: excess
write_JSON:
  compressed: false
visualization:
  x_ranks: 1
  y_ranks: 1
  z_ranks: 1
  object_jitter: 0.5
  rank_qoi: load
  object_qoi: shared_id
plots:
  formats: [svg]
  charts: [rank_loads]
";

/// Returns the first line of the error after a replacement in the configuration.
#[track_caller]
fn refused(right: &str, wrong: &str) -> String {
    assert_eq!(CONFIGURATION.matches(right).count(), 1, "{right}");
    let workspace = workspace(&CONFIGURATION.replace(right, wrong));
    let error = workspace.fail(&["run", "run.yaml"], 3);
    let line = error.lines().find_map(|line| line.strip_prefix("error: run.yaml:"));
    line.unwrap_or_else(|| panic!("{error}")).to_owned()
}

#[test]
fn the_configuration_is_valid_before_it_is_misspelt() {
    workspace(CONFIGURATION).succeed(&["run", "run.yaml"]);
}

#[test]
fn keys_at_every_level() {
    for (right, wrong, expected) in [
        ("from_data:", "form_data:", "1:1: unknown key `form_data`; did you mean `from_data`?"),
        ("work_model:", "workmodel:", "5:1: unknown key `workmodel`; did you mean `work_model`?"),
        ("write_JSON:", "write_json:", "14:1: unknown key `write_json`; did you mean `write_JSON`?"),
        (
            "visualization:",
            "visualisation:",
            "16:1: unknown key `visualisation`; did you mean `visualization`?",
        ),
        ("data_stem", "data_steam", "2:3: from_data: unknown key `data_steam`; did you mean `data_stem`?"),
        (
            "  parameters:\n    beta",
            "  parameter:\n    beta",
            "7:3: work_model: unknown key `parameter`; did you mean `parameters`?",
        ),
        ("beta", "betta", "8:5: work_model.parameters: unknown key `betta`; did you mean `beta`?"),
        (
            "  parameters:\n    pool",
            "  paramters:\n    pool",
            "12:3: algorithm: unknown key `paramters`; did you mean `parameters`?",
        ),
        ("compressed", "compresed", "15:3: write_JSON: unknown key `compresed`; did you mean `compressed`?"),
        ("x_ranks", "x_rank", "17:3: visualization: unknown key `x_rank`; did you mean `x_ranks`?"),
        ("formats", "format", "24:3: plots: unknown key `format`; did you mean `formats`?"),
    ] {
        assert_eq!(refused(right, wrong), expected);
    }
}

#[test]
fn strategies_and_their_parameters() {
    let error = refused("name: Greedy", "name: Gredy");
    let expected = "11:9: algorithm.name: there is no strategy `Gredy`; did you mean `Greedy`?";
    assert!(error.starts_with(expected), "{error}");
    let expected = "13:5: algorithm.parameters: unknown key `pol`; did you mean `pool`?";
    assert_eq!(refused("pool: excess", "pol: excess"), expected);
}

#[test]
fn values_of_enumerations() {
    for (right, wrong, expected) in [
        ("home", "hom", "4:21: from_data.absent_endpoints: unknown value `hom`; did you mean `home`?"),
        (
            "AffineCombination",
            "AffineCombinaison",
            "6:9: work_model.name: unknown value `AffineCombinaison`; did you mean `AffineCombination`?",
        ),
        (
            "excess",
            "exces",
            "13:11: algorithm.parameters.pool: unknown value `exces`; did you mean `excess`?",
        ),
        ("svg", "svgz", "24:13: plots.formats[0]: unknown value `svgz`; did you mean `svg`?"),
    ] {
        assert_eq!(refused(right, wrong), expected);
    }
}

#[test]
fn quantities() {
    for (right, wrong, expected) in [
        (
            "max_memory_usage",
            "max_memory_usege",
            "9:20: work_model.parameters.upper_bounds: `max_memory_usege` is not a quantity of a rank; did you mean \
             `max_memory_usage`?",
        ),
        (
            "rank_qoi: load",
            "rank_qoi: lod",
            "21:13: visualization.rank_qoi: `lod` is not a quantity of a rank; did you mean `load`?",
        ),
        (
            "shared_id",
            "shared",
            "22:15: visualization.object_qoi: `shared` is not a quantity of an object; did you mean `shared_id`?",
        ),
    ] {
        assert_eq!(refused(right, wrong), expected);
    }
}

#[test]
fn communication_types_and_charts() {
    assert_eq!(
        refused("ReadOnlyShared", "ReadOnlyShred"),
        "3:35: from_data.communication_types[1]: `ReadOnlyShred` is not a communication type (`all` means all of \
         them); did you mean `ReadOnlyShared`?"
    );
    assert_eq!(
        refused("rank_loads", "rank_load"),
        "25:12: plots.charts[0]: there is no chart `rank_load`; did you mean `rank_loads`?"
    );
    let workspace = workspace(CONFIGURATION);
    workspace.succeed(&["run", "run.yaml"]);
    assert_eq!(
        workspace.fail(&["plot", ".", "--charts", "rank_lods"], 2),
        "error: --charts: there is no chart `rank_lods`; did you mean `rank_loads`?\n"
    );
}

#[test]
fn invalid_bounds_are_refused_with_a_reason() {
    for (quantity, reason) in [
        ("id", "`id` cannot be bounded: it does not depend on the objects of a rank"),
        ("Kappa", "`kappa` cannot be bounded: it does not depend on the objects of a rank"),
        ("work", "`work` cannot be bounded: strategies minimize it"),
    ] {
        let expected = format!("9:20: work_model.parameters.upper_bounds: {reason}");
        assert_eq!(refused("max_memory_usage", quantity), expected);
    }
    assert_eq!(
        refused("max_memory_usage: 8.0e+9", "load: 1.0, Load: 2.0"),
        "9:20: work_model.parameters.upper_bounds: `load` is bounded twice"
    );
}
