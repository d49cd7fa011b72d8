// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages of a run beside its result: the list of quantities, logging levels, log files.

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

/// A run with a note and a warning.
const CONFIGURATION: &str = "
from_data: {data_stem: ../set}
work_model: {name: LoadOnly, parameters: {beta: 1.0}}
algorithm: {name: Greedy}
output_dir: ../out
plots: none
terminal_background: dark
";
const NOTE: &str =
    "note: `terminal_background` of an older LBAF has no effect: the terminal keeps its own colours\n";
const ESCAPE: char = '\u{1b}';

const WARNING: &str =
    "warning: `work_model.parameters.beta`: it has no effect in LoadOnly; use AffineCombination\n";

fn workspace(more: &str) -> Workspace {
    let workspace = Workspace::new();
    workspace.write("set.0.json", one_phase(0, &[task(packed(1, 0), 0, 1.0)], &[]));
    workspace.write("config/conf.yaml", format!("{CONFIGURATION}{more}\n"));
    workspace
}

#[test]
fn lbafs_verbosity_lists_quantities_and_runs() {
    let workspace = workspace("");
    let report = workspace.succeed(&["-c", "config/conf.yaml", "-v", "0"]);
    let with = |level| workspace.succeed(&["-c", "config/conf.yaml", "-v", level]);
    for (level, ranks, objects) in [("1", true, false), ("2", true, true)] {
        let said = with(level);
        let list = said.strip_suffix(&report).expect("the run follows");
        assert_eq!(list.contains(" max_memory_usage         B     Total memory"), ranks, "{list}");
        assert_eq!(list.contains(" overhead_memory  B     Additional memory"), objects, "{list}");
        assert!(list.lines().all(|line| line.chars().count() <= 100), "{list}");
    }
    assert_eq!(workspace.succeed(&["-c", "config/conf.yaml", "--verbose", "1"]), with("1"));
    // With `--json`, the list is on standard error. `-q` suppresses it.
    let json = workspace.lbaf(&["-c", "config/conf.yaml", "-v", "1", "--json"]);
    assert!(json.stdout.starts_with('{') && json.stderr.contains("max_memory_usage"));
    let quiet = workspace.lbaf(&["-c", "config/conf.yaml", "-v", "1", "-q"]);
    assert_eq!((quiet.stdout.as_str(), quiet.stderr.as_str()), ("", ""));
}

/// The names are LBAF's quantities of ranks and of objects.
#[test]
fn every_quantity_of_lbaf_is_listed() {
    let list = workspace("").succeed(&["-v", "2"]);
    let (ranks, objects) = list.split_once("Quantities of objects").expect("two tables");
    for (table, names) in [
        (
            ranks,
            "id size kappa num_objects num_migratable_objects num_sentinel_objects load migratable_load sentinel_load \
             received_volume sent_volume max_object_level_memory max_memory_usage shared_memory num_shared_blocks \
             num_homed_blocks num_uprooted_blocks homed_blocks_ratio homing alpha work",
        ),
        (
            objects,
            "load object_memory overhead_memory received_volume sent_volume max_volume rank_id shared_id id seq_id \
             packed_id collection_id index",
        ),
    ] {
        let listed: Vec<&str> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
        for name in names.split_whitespace() {
            assert!(listed.contains(&name), "{name}: {table}");
        }
    }
}

#[test]
fn conf_yaml_is_the_default_configuration() {
    let workspace = workspace("");
    let report = workspace.succeed(&["-c", "config/conf.yaml"]);
    workspace.write("conf.yaml", CONFIGURATION.replace("../", ""));
    let said = workspace.lbaf(&["--verbosity", "0"]);
    assert_eq!((said.code, said.stdout), (0, report));
    assert_eq!(said.stderr, format!("note: no configuration was given; running conf.yaml\n{NOTE}{WARNING}"));
    assert_eq!(workspace.lbaf(&[]).code, 0);
    let error = self::workspace("").fail(&["--threads", "1"], 2);
    assert_eq!(error, "error: no configuration was given, and the working directory has no conf.yaml\n");
}

#[test]
fn levels_of_the_command_line_override_those_of_the_configuration() {
    let said = |level: &str, flag: &[&str]| {
        let workspace = workspace(&format!("logging_level: {level}"));
        let said = workspace.lbaf(&[&["run", "config/conf.yaml"], flag].concat());
        assert_eq!(said.code, 0, "{}", said.stderr);
        assert_eq!(said.stdout.is_empty(), flag == ["-q"], "only `-q` suppresses the result");
        said.stderr
    };
    assert_eq!(said("info", &[]), format!("{NOTE}{WARNING}"));
    assert_eq!(said("Warning", &[]), WARNING);
    assert_eq!(said("ERROR", &[]), "");
    for (level, flag) in [("debug", &[][..]), ("error", &["-v"])] {
        let said = said(level, flag);
        assert!(said.starts_with(&format!("{NOTE}{WARNING}read 1 file in ")), "{said}");
    }
    assert_eq!(said("debug", &["-q"]), "");
}

#[test]
fn a_log_keeps_messages_and_errors() {
    let workspace = workspace("log_to_file: ../logs/run.log");
    let said = workspace.lbaf(&["run", "config/conf.yaml"]);
    let first = format!("lbaf {}: config/conf.yaml\n{NOTE}{WARNING}", env!("CARGO_PKG_VERSION"));
    assert_eq!(said.stderr, format!("{NOTE}{WARNING}"));
    // The log also has statistics, which other tests check.
    let logged = || -> String {
        let log = workspace.text("logs/run.log");
        let is_statistics = |line: &&str| {
            line.starts_with('\t') || line.starts_with("Descriptive") || line.starts_with("phase 0 ")
        };
        log.split_inclusive('\n').filter(|line| !is_statistics(line)).collect()
    };
    assert_eq!(logged(), format!("{first}outputs are in out\n"));
    // The log is complete although the terminal is quiet, and another run appends to it.
    workspace.succeed(&["run", "-q", "config/conf.yaml"]);
    let twice = format!("{first}outputs are in out\n").repeat(2);
    assert_eq!(logged(), twice);
    let error = workspace.fail(&["run", "config/conf.yaml", "--set", "algorithm.phase_id=9"], 3);
    let error = error.strip_prefix(&format!("{NOTE}{WARNING}")).expect("note and warning come first");
    assert_eq!(logged(), format!("{twice}{first}{error}"));
}

#[test]
fn a_log_that_cannot_be_written_ends_the_run_before_it_begins() {
    let workspace = workspace("log_to_file: ../set.0.json/run.log");
    let error = workspace.fail(&["run", "config/conf.yaml"], 6);
    assert!(error.starts_with("error: cannot write the log file set.0.json/run.log: "), "{error}");
    assert!(!workspace.path("out").exists());
}

#[test]
fn a_log_does_not_replace_an_input() {
    for input in ["../set.0.json", "conf.yaml", "../set.1.json"] {
        let workspace = workspace(&format!("log_to_file: {input}"));
        let before = workspace.files(".");
        let error = workspace.fail(&["run", "config/conf.yaml"], 3);
        assert!(error.starts_with("error: config/conf.yaml:8:14: log_to_file: "), "{error}");
        assert!(error.contains("is an input file; choose another name"), "{error}");
        assert!(workspace.files(".") == before);
    }
    workspace("log_to_file: ../set.log").succeed(&["run", "config/conf.yaml"]);
}

#[test]
fn requested_json_is_printed_by_quiet_runs_too() {
    let workspace = Workspace::new();
    let samplers = "from_samplers: {n_ranks: 2, n_objects: 8, n_mapped_ranks: 2, load_sampler: {name: constant, parameters: \
                    [1.0]}}";
    workspace
        .write("run.yaml", format!("{samplers}\nalgorithm: {{name: LPT}}\noutput_dir: out\nplots: none\n"));
    workspace.write(
        "study.yaml",
        format!(
            "configuration: {{{samplers}, algorithm: {{name: LPT}}}}\naxes: {{seed: 0-1}}\noutput_dir: cells\nplots: none\n"
        ),
    );
    for command in ["run", "simulate", "study"] {
        let file = if command == "study" { "study.yaml" } else { "run.yaml" };
        let text = workspace.succeed(&[command, file, "-q", "--json"]);
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{command}: {text}");
    }
}

/// A terminal, made by `script`, shows colours unless `NO_COLOR` is set.
#[test]
fn colours_are_for_terminals_without_no_color() {
    // Drawing charts could take so long that a progress bar appears.
    let workspace = crate::bad_configuration::workspace(
        "from_data: {data_stem: data}\nalgorithm: {name: Greedy}\nplots: none\n",
    );
    let plain = workspace.lbaf(&["run", "run.yaml", "--output-dir", "a"]);
    assert!(plain.stdout.starts_with("data: ") && !plain.stdout.contains(ESCAPE), "{}", plain.stdout);
    if workspace.shell("script -qec true /dev/null").code != 0 {
        return crate::peers::skip("there is no command `script`");
    }
    let on_terminal = |variables: &str, command: &str| {
        let line =
            format!("env -u NO_COLOR TERM=xterm {variables} script -qec \"$LBAF {command}\" /dev/null");
        workspace.shell(&line).stdout.replace('\r', "")
    };
    let coloured = on_terminal("", "run run.yaml --output-dir a");
    assert!(coloured.starts_with("\u{1b}[1mdata: "), "{coloured:?}");
    assert!(coloured.lines().any(|line| line.starts_with("\u{1b}[1mExpect ")), "{coloured:?}");
    assert_eq!(on_terminal("NO_COLOR=1", "run run.yaml --output-dir a"), plain.stdout);
    let error = "run nowhere.yaml";
    assert!(on_terminal("", error).starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m "));
    assert!(on_terminal("NO_COLOR=1", error).starts_with("error: "));
    assert!(!on_terminal("", "info data --json").contains(ESCAPE));
}
