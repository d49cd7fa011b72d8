// SPDX-License-Identifier: MIT OR Apache-2.0
//! All errors of a configuration in one message.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

use std::path::Path;

use lbaf_config::{Layers, Overrides, StudyConfig, resolve};

/// Returns the first line of each error about a run, and the last line with their number.
fn errors_of_run(text: &str) -> (Vec<String>, Option<String>) {
    let layers = Layers::of_text("a", text, Path::new(""), &[]).unwrap();
    split(&resolve(&layers, &Overrides::default()).err().expect("the configuration is invalid").to_string())
}

fn split(message: &str) -> (Vec<String>, Option<String>) {
    let mut parts: Vec<&str> = message.split("\n\n").collect();
    let count = if parts.len() > 1 { parts.pop().map(str::to_owned) } else { None };
    (parts.into_iter().map(|part| part.lines().next().unwrap_or_default().to_owned()).collect(), count)
}

/// Checks the beginnings of all errors about a run.
fn assert_errors(text: &str, beginnings: &[&str]) {
    let (errors, count) = errors_of_run(text);
    let is_same = errors.len() == beginnings.len()
        && errors.iter().zip(beginnings).all(|(error, beginning)| error.starts_with(beginning));
    assert!(is_same, "{text}\n{errors:#?}");
    let expected = (beginnings.len() > 1).then(|| format!("{} errors", beginnings.len()));
    assert_eq!(count, expected);
}

#[test]
fn five_errors_are_shown_in_the_order_of_the_file() {
    assert_errors(
        "\
from_data:
  data_stem: data
  phase_ids: x
sead: 1
work_model:
  name: AffineCombination
  parameters:
    beta: abc
algorithm:
  name: Gready
plots:
  charts: [rank_loads, nonsense]
",
        &[
            "a:3:14: from_data.phase_ids: ",
            "a:4:1: unknown key `sead`; did you mean `seed`?",
            "a:8:11: work_model.parameters.beta: expected a number",
            "a:10:9: algorithm.name: there is no strategy `Gready`; did you mean `Greedy`?",
            "a:12:24: plots.charts[1]: ",
        ],
    );
}

/// Errors that only follow from the removal of a key are not errors of the configuration.
#[test]
fn consequences_are_not_errors() {
    let data = "from_data: {data_stem: data}\n";
    let greedy = "algorithm: {name: Greedy}\n";
    for (text, beginnings) in [
        // The misspelt key is the missing one.
        (format!("{data}alogrithm: {{name: Greedy}}\n"), vec!["a:2:1: unknown key `alogrithm`"]),
        (format!("{data}algorithm: {{nmae: Greedy}}\n"), vec!["a:2:13: algorithm: unknown key `nmae`"]),
        (format!("from_data: {{data_stem: [1]}}\n{greedy}"), vec!["a:1:24: from_data.data_stem: "]),
        // The parameters belong to the unknown model.
        (
            format!("{data}{greedy}work_model: {{name: CCX, parameters: {{delta: 1}}}}\n"),
            vec!["a:3:20: work_model.name: unknown value `CCX`"],
        ),
        // Parameters of an unknown strategy cannot be checked.
        (
            format!("{data}algorithm: {{name: Gready, parameters: {{x: 1}}}}\nseed: x\n"),
            vec!["a:2:19: algorithm.name: ", "a:3:7: seed: "],
        ),
        (greedy.to_owned() + "seed: x\n", vec!["a:1:1: `from_data` (recorded data)", "a:2:7: seed: "]),
        (
            "seed: x\n".to_owned(),
            vec!["a:1:1: missing key `algorithm`", "a:1:1: `from_data` (recorded data)", "a:1:7: seed: "],
        ),
    ] {
        assert_errors(&text, &beginnings);
    }
}

/// A value of an item that is wrong is not reported as missing too, also after an item before it was removed.
#[test]
fn a_wrong_value_in_an_item_of_a_list_is_not_missing() {
    let run = "from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n";
    let machine = |machine: &str| format!("{run}simulation: {{machine: {{{machine}}}}}\n");
    assert_errors(
        &machine("lost: [{rank: 1, from_phase: 2}, {rank: 1, from_phase: 3}]"),
        &["a:3:64: simulation.machine.lost[1].rank: rank 1 is already lost"],
    );
    assert_errors(
        &machine("lost: [3, {rank: 1}, {rank: x}], slowed: [{rank: 1, factor: 0}]"),
        &[
            "a:3:31: simulation.machine.lost[0]: expected a mapping",
            "a:3:52: simulation.machine.lost[2].rank: expected a whole number",
            "a:3:84: simulation.machine.slowed[0].factor: ",
        ],
    );
}

#[test]
fn words_of_arguments_and_assignments_have_errors_too() {
    assert_errors(
        "from_data: {data_stem: data}\nalgorithm: {name: TemperedLB, args: iters=x}\nseed: x\n",
        &["a:2:43: algorithm.args.iters: expected a whole number", "a:3:7: seed: "],
    );
    let text = "from_data: {data_stem: data}\nalgorithm: {name: Greedy}\n";
    let set = ["seed=x".to_owned(), "sead=1".to_owned()];
    let layers = Layers::of_text("a", text, Path::new(""), &set).unwrap();
    let (errors, _) = split(&resolve(&layers, &Overrides::default()).err().unwrap().to_string());
    assert_eq!(errors.len(), 2, "{errors:?}");
}

/// Positions in messages are those in the file, although each invalid item is removed before the next check.
#[test]
fn every_invalid_item_of_a_list_is_shown() {
    assert_errors(
        "\
from_data: {data_stem: data, communication_types: [Sendd, SendRecv, Broadcst, Xyz]}
algorithm: {name: Greedy}
plots:
  charts:
  - nonsense
  - rank_loads
  - gibberish
",
        &[
            "a:1:52: from_data.communication_types[0]: `Sendd`",
            "a:1:69: from_data.communication_types[2]: `Broadcst`",
            "a:1:79: from_data.communication_types[3]: `Xyz`",
            "a:5:5: plots.charts[0]: ",
            "a:7:5: plots.charts[2]: ",
        ],
    );
    // A list without its faulty item may have the wrong length.
    assert_errors(
        "from_samplers: {n_ranks: 2, n_objects: 3, load_sampler: {name: uniform, parameters: [0, x]}}\n\
         algorithm: {name: Greedy}\nseed: x\n",
        &["a:1:89: from_samplers.load_sampler.parameters[1]: ", "a:3:7: seed: "],
    );
}

#[test]
fn errors_of_a_study_include_those_of_its_configuration() {
    let errors = |text: &str| {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let name = format!("{}:", file.path().display());
        let mut places = Vec::new();
        for error in StudyConfig::errors(file.path()) {
            let (errors, _) = split(&error.to_string());
            places.extend(
                errors.iter().map(|error| error.replace(&name, "").split(": ").next().unwrap().to_owned()),
            );
        }
        places.sort();
        places.dedup();
        places
    };
    let configuration = "configuration: {from_data: {data_stem: data}, algorithm: {name: LPT}, sead: 1}\n";
    assert_eq!(errors(&format!("{configuration}axes: {{seed: 0-2}}\n")), ["1:71"]);
    assert_eq!(
        errors(&format!("{configuration}axes: {{seed: 0-2}}\ncommand: walk\nreport: {{digit: 3}}\n")),
        ["1:71", "3:10", "4:10"]
    );
    // The faulty axis would have selected the strategy.
    let without = "configuration: {from_data: {data_stem: data}}\naxes: {algorithm.name: LPT, seed: [x]}\n";
    assert_eq!(errors(without), ["2:24", "2:36"]);
}

#[test]
fn a_single_error_is_shown_alone() {
    let (errors, count) = errors_of_run("from_data: {data_stem: data}\nalgorithm: {name: Gready}\n");
    assert_eq!((errors.len(), count), (1, None));
}

#[test]
fn the_number_of_errors_is_limited() {
    let keys: String =
        (b'a'..=b'z').map(|letter| ["key_", &char::from(letter).to_string(), ": 1\n"].concat()).collect();
    let (errors, count) =
        errors_of_run(&format!("{keys}from_data: {{data_stem: data}}\nalgorithm: {{name: Greedy}}\n"));
    assert_eq!((errors.len(), count.as_deref()), (20, Some("at least 20 errors")));
}

#[test]
fn a_study_has_several_errors() {
    let text =
        "axes: {seed: [1]}\ncombine: x\nreport: {digits: 99, confidence: 2}\nplots: {charts: [rank_loads]}\n";
    let error = StudyConfig::of_text("a", text, Path::new(""), &[], Some(Path::new("out"))).err().unwrap();
    let (errors, _) = split(&error.to_string());
    let places: Vec<&str> = errors.iter().map(|error| error.split(": ").next().unwrap()).collect();
    assert_eq!(places, ["a:2:10", "a:3:18", "a:3:34", "a:4:17"], "{errors:?}");
}
