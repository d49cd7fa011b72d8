// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names and labels with control characters or formulas, on terminals and in tables.

use crate::workspace::{CommandOutput, Workspace};

/// Clears the screen in two spellings, rings the bell, and reverses the writing direction.
const BAD: &str = "\u{1b}[2J\u{9b}2J\u{7}\u{202e}";

/// The same characters in a double-quoted YAML string.
const BAD_IN_YAML: &str = "\\e[2J\\x9b2J\\a\\u202e";

/// Escaped form that is shown instead.
const SHOWN: &str = "\\u001b[2J\\u009b2J\\u0007\\u202e";

/// Panics at a character that a terminal interprets.
#[track_caller]
fn assert_visible(text: &str, what: &str) {
    let bad = |letter: &char| {
        letter.is_control() && !matches!(letter, '\n' | '\t')
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if let Some(found) = text.chars().find(bad) {
        panic!("{what}: {found:?} in {text}");
    }
}

#[track_caller]
fn assert_visible_messages(said: &CommandOutput, what: &str) {
    assert_visible(&said.stdout, what);
    assert_visible(&said.stderr, what);
}

const DATA: &str = r#"{"phases":[{"id":0,"tasks":[{"entity":{"id":262147,"home":0,"migratable":true,"type":"object"},"node":0,"time":1.0}]}]}"#;

#[test]
fn errors_about_configurations_escape_quoted_text() {
    let workspace = Workspace::new();
    workspace.write("data.0.json", DATA);
    for text in [
        format!("\"{BAD_IN_YAML}\": 1\n"),
        format!("{BAD}: 1\n"),
        format!("algorithm: {{name: \"{BAD_IN_YAML}\"}}\nfrom_data: {{data_stem: data}}\n"),
        format!("algorithm: {{name: LPT}}\nfrom_data: {{data_stem: \"{BAD_IN_YAML}\\nerror: x\"}}\n"),
        format!(
            "algorithm: {{name: LPT}}\nfrom_data: {{data_stem: data, communication_types: [\"{BAD_IN_YAML}\"]}}\n"
        ),
        format!("algorithm: {{name: LPT}}\nfrom_data: {{data_stem: data, phase_ids: \"{BAD_IN_YAML}\"}}\n"),
        format!("a: *{BAD}\n"),
        "a: \u{202e} [\n".to_owned(),
    ] {
        workspace.write("run.yaml", &text);
        let said = workspace.lbaf(&["run", "run.yaml"]);
        assert!(matches!(said.code, 3 | 4), "{text:?}: {}", said.stderr);
        assert_visible_messages(&said, &text);
        assert_eq!(said.stderr.matches("error: ").count(), 1 + said.stderr.matches("\\nerror: ").count());
    }
}

#[test]
fn arguments_are_repeated_without_hidden_characters() {
    let workspace = Workspace::new();
    workspace.write("data.0.json", DATA);
    workspace.write("run.yaml", "algorithm: {name: LPT}\nfrom_data: {data_stem: data}\n");
    let name = format!("{BAD}\nx");
    let option = format!("--{BAD}\nx");
    let set = format!("{BAD}=1");
    for arguments in [
        vec![&*name],
        vec!["run", &option],
        vec!["run", &name],
        vec!["info", &name],
        vec!["validate", &name],
        vec!["convert", &name, "out"],
        vec!["run", "run.yaml", "--set", &set],
        vec!["run", "run.yaml", "--set", &name],
        vec!["run", "run.yaml", "--phases", &name],
        vec!["run", "run.yaml", "--threads", &name],
        vec!["strategies", &name],
        vec!["study", "run.yaml", "--shard", &name],
        vec!["milp", "run.yaml", "--output", &name],
    ] {
        let said = workspace.lbaf(&arguments);
        assert!((2..=6).contains(&said.code), "{arguments:?}: {} {}", said.code, said.stderr);
        assert_visible_messages(&said, &format!("{arguments:?}"));
        assert!(!said.stderr.lines().any(|line| line == "x" || line.starts_with("x'")), "{}", said.stderr);
        let is_shown = ["\\u001b[2J", "\\u{1b}[2J"].iter().any(|shown| said.stderr.contains(shown));
        assert!(is_shown, "{arguments:?}: {}", said.stderr);
    }
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_not_utf_8_does_not_panic() {
    let said = Workspace::new().shell("\"$LBAF\" \"$(printf 'a\\377.yaml')\"");
    assert_eq!(said.code, 2, "{}", said.stderr);
}

#[test]
fn names_of_files_are_shown_on_one_line() {
    let workspace = Workspace::new();
    let directory = format!("{BAD}\nerror: all is lost");
    workspace.write(&format!("{directory}/data.0.json"), DATA);
    workspace.write(&format!("{directory}/bad.0.json"), "{}");
    let data = format!("{directory}/data");
    let (bad, out) = (format!("{directory}/bad.0.json"), format!("{directory}/out"));
    for arguments in [
        vec!["info", &*data],
        vec!["info", &data, "--json"],
        vec!["validate", &directory],
        vec!["validate", &bad],
        vec!["diff", &data, &data],
        vec!["convert", &data, &out],
        vec!["run", "--help"],
    ] {
        let said = workspace.lbaf(&arguments);
        assert_visible_messages(&said, &format!("{arguments:?}"));
        let all = said.stdout + &said.stderr;
        assert!(!all.lines().any(|line| line.starts_with("error: all is lost")), "{all}");
    }
    let info = workspace.succeed(&["info", &data, "--json"]);
    let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!(info["stem"], data, "JSON escapes the characters");
    workspace.write(
        "run.yaml",
        format!(
            "from_data: {{data_stem: \"{BAD_IN_YAML}\\nerror: all is lost/data\"}}\nalgorithm: {{name: LPT}}\n\
             output_dir: \"{BAD_IN_YAML}out\"\noutput_file_stem: \"{BAD_IN_YAML}\"\nwrite_JSON: {{}}\n\
             log_to_file: \"{BAD_IN_YAML}.log\"\n"
        ),
    );
    let said = workspace.lbaf(&["run", "run.yaml", "-v"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_visible_messages(&said, "run");
    assert_visible(&workspace.text(&format!("{BAD}.log")), "the log");
    assert!(said.stdout.contains(&format!("{SHOWN}out")), "{}", said.stdout);
}

/// Labels that a terminal or a spreadsheet would interpret.
#[test]
fn labels_of_studies_are_neither_commands_nor_formulas() {
    let workspace = Workspace::new();
    workspace.write(
        "study.yaml",
        format!(
            "
configuration:
  from_samplers:
    n_ranks: 2
    n_objects: 4
    communication_degree: 0
    load_sampler: {{name: uniform, parameters: [0.5, 1.5]}}
    volume_sampler: {{name: uniform, parameters: [0, 1]}}
axes:
  \"=axis{BAD_IN_YAML}\":
    \"=HYPERLINK(\\\"http://x\\\",\\\"y\\\")\": {{algorithm: {{name: LPT}}}}
    \"{BAD_IN_YAML}\\nwarning: x\": {{algorithm: {{name: Greedy}}}}
    \"@SUM(A1)\": {{algorithm: {{name: Refine}}}}
  work_model.parameters.alpha: [1, 1.5]
output_dir: out
plots: {{formats: [svg], pgfplots: true}}
"
        ),
    );
    let said = workspace.lbaf(&["study", "study.yaml"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_visible_messages(&said, "study");
    assert!(!said.stdout.lines().any(|line| line.starts_with("warning: x")), "{}", said.stdout);
    let mut n_cells = 0;
    for (name, bytes) in workspace.files("out") {
        let suffix = name.rsplit('.').next().unwrap_or_default();
        if !matches!(suffix, "csv" | "tex" | "md" | "svg" | "json") {
            continue;
        }
        let text = String::from_utf8(bytes).expect("text");
        assert_visible(&text, &name);
        if suffix == "csv" {
            let mut table = csv(&text);
            n_cells += table.iter().map(Vec::len).sum::<usize>();
            for cell in table.drain(..).flatten() {
                let is_number = cell.parse::<f64>().is_ok();
                assert!(is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']), "{name}: {cell}");
            }
        }
    }
    assert!(n_cells > 100, "{n_cells}");
    let cells = workspace.text("out/cells.csv");
    assert!(cells.contains("\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\""), "{cells}");
    assert!(cells.contains("\"'@SUM(A1)\""), "{cells}");
    assert!(cells.contains(&format!("{SHOWN}\\nwarning: x")), "{cells}");
    // Kept cells are read again under the same labels.
    let again = workspace.succeed(&["study", "study.yaml"]);
    assert!(again.contains("6 of them were computed before"), "{again}");
    assert_eq!(workspace.text("out/cells.csv"), cells);
}

/// Parses the rows of a CSV table whose cells contain no line breaks. Quotes are dropped.
fn csv(text: &str) -> Vec<Vec<String>> {
    let row = |line: &str| {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        for letter in line.chars() {
            match letter {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                letter => cells.last_mut().expect("a cell").push(letter),
            }
        }
        cells
    };
    text.lines().map(row).collect()
}
