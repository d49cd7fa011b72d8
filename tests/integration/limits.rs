// SPDX-License-Identifier: MIT OR Apache-2.0
//! Largest and smallest values that files can hold, in JSON and in text.

use std::fmt::Write;

use serde_json::{Value, json};

use crate::workspace::{Workspace, compress, is_fast};

fn info(workspace: &Workspace) -> Value {
    serde_json::from_str(&workspace.succeed(&["info", "data", "--json"])).expect("the output is JSON")
}

fn entity(id: u64) -> String {
    format!(r#"{{"home":0,"id":{id},"migratable":true,"type":"object"}}"#)
}

fn task(id: u64, time: &str) -> String {
    format!(r#"{{"entity":{},"node":0,"resource":"cpu","time":{time}}}"#, entity(id))
}

fn document(tasks: &str, communications: &str) -> String {
    format!(
        r#"{{"type":"LBDatafile","phases":[{{"id":0,"tasks":[{tasks}],"communications":[{communications}]}}]}}"#
    )
}

/// Read as floats, neighbouring ids at the end of the 64-bit range would be equal.
#[test]
fn the_largest_ids_are_distinguished() {
    let ids = [u64::MAX, u64::MAX - 1, (1 << 63) + 1, 1 << 63, (1 << 53) + 1, 1 << 53];
    let tasks: Vec<String> = ids.iter().map(|&id| task(id, "1.0")).collect();
    let lines: Vec<String> = ids.iter().map(|id| format!("0,{id},1.0")).collect();
    for file in [document(&tasks.join(","), ""), lines.join("\n")] {
        let workspace = Workspace::new();
        workspace.write("data.0.json", file);
        assert_eq!(info(&workspace)["phases"][0]["n_objects"], 6);
        let listed = workspace.succeed(&["tasks", "data"]);
        assert_eq!(listed, format!("0: {ids:?}\n"));
        workspace.succeed(&["convert", "data", "new", "--to", "text", "--output-suffix", "vom"]);
        workspace.succeed(&["convert", "new", "back", "--to", "seq-id"]);
        let back = workspace.text("back.0.json");
        assert!(ids.iter().all(|id| back.contains(&format!("\"seq_id\":{id},"))), "{back}");
    }
}

#[test]
fn bytes_and_times_up_to_1e300() {
    let entry = format!(
        r#"{{"bytes":1e300,"from":{},"messages":18446744073709551615,"to":{},"type":"SendRecv"}}"#,
        entity(3),
        entity(7)
    );
    let json = document(&[task(3, "1e300"), task(7, "1e-300")].join(","), &entry);
    for (file, messages) in [(json, u64::MAX), ("0,3,1e300\n0,7,1e-300\n0,7,3,1e300,1\n".to_owned(), 1)] {
        let workspace = Workspace::new();
        workspace.write("data.0.json", file);
        let phase = &info(&workspace)["phases"][0];
        assert_eq!((&phase["load_sum"], &phase["volume_bytes"]), (&json!(1e300), &json!(1e300)));
        assert_eq!(phase["messages"], messages);
        // A run on these data writes complete statistics.
        let configuration = "from_data: {data_stem: data}\nalgorithm: {name: Greedy}\noutput_dir: out\n";
        workspace.write("run.yaml", configuration);
        workspace.succeed(&["run", "run.yaml"]);
        assert_eq!(workspace.succeed(&["validate", "out/lb_statistics.json"]), "1 file is valid\n");
        workspace.succeed(&["info", "out/lb_statistics.json"]);
    }
}

/// Two entries for the same objects: the sum of their messages exceeds 64 bits.
#[test]
fn messages_do_not_wrap() {
    let entry = |bytes: &str| {
        format!(
            r#"{{"bytes":{bytes},"from":{},"messages":18446744073709551615,"to":{},"type":"SendRecv"}}"#,
            entity(3),
            entity(7)
        )
    };
    let workspace = Workspace::new();
    let entries = [entry("1.0"), entry("2.0")].join(",");
    workspace.write("data.0.json", document(&[task(3, "1.0"), task(7, "2.0")].join(","), &entries));
    let phase = &info(&workspace)["phases"][0];
    assert_eq!((&phase["messages"], &phase["volume_bytes"]), (&json!(u64::MAX), &json!(3.0)));
}

/// `run`, `simulate` and `milp` refuse data and coefficients with which work can overflow.
#[test]
fn work_that_overflows_is_refused() {
    let entry = format!(r#"{{"bytes":2.0,"from":{},"to":{},"type":"SendRecv"}}"#, entity(3), entity(7));
    let workspace = Workspace::new();
    workspace.write("data.0.json", document(&[task(3, "1.0"), task(7, "2.0")].join(","), &entry));
    workspace.write("data.1.json", document("", ""));
    let models = [
        "LoadOnly, parameters: {alpha: 1.0e+308}",
        "AffineCombination, parameters: {beta: 1.0e+308}",
        "AffineCombination, parameters: {gamma: 1.0e+308}",
        "AffineCombination, parameters: {rank_alpha: {0: 1.0e+305}}",
        "CCM, parameters: {gamma: 1.0e+308}",
    ];
    for model in models {
        workspace.write(
            "run.yaml",
            format!(
                "from_data: {{data_stem: data}}\nwork_model: {{name: {model}}}\nalgorithm: {{name: Greedy}}\noutput_dir: out\n"
            ),
        );
        for command in ["run", "simulate", "milp"] {
            let said = workspace.fail(&[command, "run.yaml"], 3);
            assert!(said.contains("phase 0: the work of a rank may reach "), "{model} {command}: {said}");
            assert!(said.starts_with("error: run.yaml:2:"), "{model} {command}: {said}");
            assert!(!workspace.path("out/summary.json").exists());
        }
    }
    // The configuration is not at fault if loads alone are too large.
    workspace.write("data.0.json", document(&task(3, "1e307"), ""));
    workspace.write("run.yaml", "from_data: {data_stem: data}\nalgorithm: {name: Greedy}\noutput_dir: out\n");
    let said = workspace.fail(&["run", "run.yaml"], 4);
    assert!(said.contains("phase 0: the work of a rank may reach 1.000e307 s under LoadOnly"), "{said}");
}

#[test]
fn the_smallest_loads_are_balanced_like_large_ones() {
    let of = |unit: f64| {
        let workspace = Workspace::new();
        let tasks: Vec<String> = (1..7).map(|id| task(id, &format!("{:e}", id as f64 * unit))).collect();
        workspace.write("data.0.json", document(&tasks.join(","), ""));
        workspace.write("data.1.json", document("", ""));
        workspace.write("data.2.json", document("", ""));
        workspace
            .write("run.yaml", "from_data: {data_stem: data}\nalgorithm: {name: LPT}\noutput_dir: out\n");
        workspace.succeed(&["run", "run.yaml"]);
        let phase = workspace.json("out/summary.json")["phases"][0].clone();
        (phase["after"]["load"]["max"].as_f64().unwrap(), phase["after"]["load"]["imbalance"].clone())
    };
    // 6 + 1, 5 + 2, 4 + 3.
    assert_eq!(of(1.0), (7.0, json!(0.0)));
    assert_eq!(of(5e-324), (3.5e-323, json!(0.0)));
}

#[test]
fn a_hundred_thousand_subphases_in_one_task() {
    let n = 100_000;
    let parts: Vec<String> = (0..n).map(|id| format!(r#"{{"id":{id},"time":0.5}}"#)).collect();
    let task = task(3, "50000.0")
        .replace(r#","time":50000.0}"#, &format!(r#","subphases":[{}],"time":50000.0}}"#, parts.join(",")));
    let line = format!("0,3,50000.0,{n},[{}]\n", vec!["0.5"; n].join(" "));
    for file in [document(&task, ""), line.clone()] {
        let workspace = Workspace::new();
        workspace.write("data.0.json", file);
        assert_eq!(info(&workspace)["phases"][0]["load_sum"], 50_000.0);
        workspace.succeed(&["convert", "data", "new", "--to", "text"]);
        let suffix = if workspace.path("new.0.vom").exists() { "vom" } else { "json" };
        assert!(workspace.text(&format!("new.0.{suffix}")) == line, "the subphases changed");
    }
}

#[test]
fn a_million_tasks_in_one_file() {
    // If the tested binary is not optimized, the file has a tenth of the tasks.
    let n: u64 = if is_fast() { 1_000_000 } else { 100_000 };
    let mut tasks = String::new();
    let mut lines = String::new();
    for id in 0..n {
        let separator = if id > 0 { ",\n" } else { "" };
        write!(tasks, "{separator}{}", task((id << 18) | 3, "0.5")).expect("strings grow");
        writeln!(lines, "0,{},0.5", (id << 18) | 3).expect("strings grow");
    }
    let json = document(&tasks, "");
    for file in [json.clone().into_bytes(), compress_fast(&json), lines.into_bytes()] {
        let workspace = Workspace::new();
        workspace.write("data.0.json", file);
        let info = info(&workspace);
        assert_eq!((&info["n_objects"], &info["phases"][0]["load_sum"]), (&json!(n), &json!(n as f64 / 2.0)));
        assert_eq!(workspace.lbaf(&["validate", "data"]).code, 0);
    }
}

fn compress_fast(document: &str) -> Vec<u8> {
    let mut compressed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams { quality: 1, ..Default::default() };
    brotli::BrotliCompress(&mut document.as_bytes(), &mut compressed, &parameters)
        .expect("writing to memory does not fail");
    compressed
}

#[test]
fn empty_data_are_read() {
    for (file, phases) in
        [(r#"{"phases":[]}"#, json!([])), (r#"{"phases":[{"id":3,"tasks":[]}]}"#, json!([3]))]
    {
        let workspace = Workspace::new();
        workspace.write("data.0.json", file);
        let info = info(&workspace);
        assert_eq!((&info["n_objects"], &info["phases_recorded"]), (&json!(0), &phases));
        workspace.succeed(&["convert", "data", "new", "--to", "seq-id"]);
        assert_eq!(workspace.lbaf(&["validate", "new"]).code, 0);
    }
}

#[test]
fn line_endings_and_blanks_do_not_matter() {
    let json = document(&task(3, "0.5"), "").replace(',', " ,\r\n\t ").replace(':', " : ");
    for file in [format!("\r\n  {json}\r\n\r\n"), "\r\n\t 0 , 3 ,\t0.5 \r\n\r\n".to_owned()] {
        let workspace = Workspace::new();
        workspace.write("data.0.json", file);
        assert_eq!(info(&workspace)["phases"][0]["load_sum"], 0.5);
        assert_eq!(workspace.lbaf(&["validate", "data"]).code, 0);
    }
}

/// The address space is limited to 512 MB. Files with too many rows are refused before memory is allocated for them.
#[test]
fn files_made_to_exhaust_memory_are_refused() {
    let nested = format!(r#"{{"phases":[],"x":{}"#, "[".repeat(4 << 20));
    let bomb = lbaf_vom::compress(format!(r#"{{"phases":[{}"#, " ".repeat(300 << 20)).as_bytes(), 5);
    // Unlike the bomb, these files decompress to valid rows, which do not fit into memory.
    let lines = |line: &str| lbaf_vom::compress(line.repeat((40 << 20) / line.len()).as_bytes(), 5);
    let cases: [(&str, Vec<u8>, &str); 5] = [
        ("loads", lines("0,1,1\n"), "error: data.0.json: reading the file needs at least "),
        ("communication", lines("0,1,1,1,1\n"), "error: data.0.json: reading the file needs at least "),
        ("nested", nested.clone().into_bytes(), "error: data.0.json: line 1, column "),
        ("compressed", compress(nested.as_bytes()), "error: data.0.json: line 1, column "),
        ("bomb", bomb, "error: data.0.json: the brotli stream of "),
    ];
    for (name, file, message) in cases {
        let workspace = Workspace::new();
        workspace.write("data.0.json", file);
        for command in ["info", "validate", "convert"] {
            let output = if command == "convert" { "new" } else { "" };
            let line = format!("ulimit -v 524288; \"$LBAF\" {command} data {output} --threads 1");
            let said = workspace.shell(&line);
            let lacks_memory = message.contains("reading the file needs") && command != "validate";
            let code = if lacks_memory { 71 } else { 4 };
            assert_eq!(said.code, code, "{name}, {command}: {}", said.stderr);
            let text = if command == "validate" { &said.stdout } else { &said.stderr };
            let message = if command == "validate" { message.trim_start_matches("error: ") } else { message };
            assert!(text.contains(message), "{name}, {command}: {text}");
        }
    }
}
