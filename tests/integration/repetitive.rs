// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repetitive files that compress more than a thousandfold: data are read like any others, and streams without data
//! are refused.

use std::io::Write;

use serde_json::Value;

use crate::workspace::{Workspace, is_fast};

/// Makes a data set of one rank with constant objects in 900 phases; returns the number of objects.
fn made(workspace: &Workspace) -> u64 {
    let (n_objects, facts) = if is_fast() {
        (800, "")
    } else {
        (80, "task_footprint_bytes: 1000000, task_working_bytes: 1000000, task_serialized_bytes: 1000000, ")
    };
    let load = "load_sampler: {name: constant, parameters: [1.0]}";
    let spec = format!("from_samplers: {{n_ranks: 1, n_objects: {n_objects}, n_phases: 900, {facts}{load}}}");
    workspace.write("spec.yaml", spec);
    workspace.succeed(&["make", "spec.yaml", "made"]);
    n_objects
}

#[test]
fn own_output_is_read_at_any_compression_ratio() {
    let workspace = Workspace::new();
    let n_objects = made(&workspace);
    let configuration = "from_data: {data_stem: made}\nalgorithm: {name: PhaseStepper}\noutput_dir: out\nplots: none\n\
                         write_JSON: {compressed: true}\n";
    workspace.write("run.yaml", configuration);
    workspace.succeed(&["run", "run.yaml"]);
    workspace.succeed(&["convert", "made", "plain", "--plain"]);
    workspace.succeed(&["convert", "plain", "small", "--brotli"]);
    let size = |name: &str| workspace.path(name).metadata().expect("a file").len();
    for stem in ["made", "out/output_file", "small"] {
        let file = format!("{stem}.0.json");
        assert!(
            size("plain.0.json") > 1000 * size(&file).max(16 << 10),
            "{stem} compresses more than a thousandfold"
        );
        let info: Value = serde_json::from_str(&workspace.succeed(&["info", stem, "--json"])).expect("JSON");
        let phases = info["phases"].as_array().expect("phases");
        assert_eq!(phases.len(), 900, "{stem}");
        assert!(phases.iter().all(|phase| phase["load_sum"] == n_objects as f64), "{stem}");
    }
    assert_eq!(workspace.succeed(&["validate", "small"]), "1 file is valid\n");
}

/// Returns a brotli stream of `begin` and `n` times `unit`. From the third unit on, the encoder repeats its bytes.
fn repeated(begin: &[u8], unit: &[u8], n: usize) -> Vec<u8> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
    let mut ends = Vec::new();
    for part in [[begin, unit].concat().as_slice(), unit, unit, unit, unit] {
        writer.write_all(part).and_then(|()| writer.flush()).expect("writing to memory does not fail");
        ends.push(writer.get_ref().len());
    }
    let stream = writer.into_inner();
    let [third, fourth] = [&stream[ends[2]..ends[3]], &stream[ends[3]..ends[4]]];
    assert_eq!(third, fourth, "the encoder repeats its bytes");
    // The last block is empty.
    [&stream[..ends[2]], &third.repeat(n - 3), &[3]].concat()
}

/// The repeated stream is valid: a small one is read completely.
#[test]
fn a_stream_of_repeated_parts_is_valid() {
    let workspace = Workspace::new();
    let task = br#"{"entity":{"home":0,"id":7,"migratable":true,"type":"object"},"node":0,"time":0.5},"#;
    let stream = repeated(br#"{"phases":[{"id":0,"tasks":["#, &task.repeat(100), 50);
    assert_eq!(crate::workspace::decompress(&stream).len(), 28 + 5000 * task.len());
    workspace.write("data.0.json", stream);
    let error = workspace.fail(&["info", "data"], 4);
    assert!(error.contains("the document ends early"), "{error}");
}

/// Streams of less than 256 KiB expand to 16 GiB or more; the commands have 512 MiB of address space.
#[test]
fn streams_made_to_exhaust_memory_are_refused_in_the_memory_of_a_window() {
    let workspace = Workspace::new();
    let n = 4200;
    let blanks = repeated(br#"{"phases":["#, &vec![b' '; 4 << 20], n);
    let letters = repeated(br#"{"phases":[],"x":""#, &vec![b'x'; 4 << 20], n);
    let nested = repeated(br#"{"phases":["#, &vec![b'['; 4 << 20], n);
    let mut bombs = vec![("blanks", blanks, "hardly any values"), ("letters", letters, "hardly any values")];
    bombs.push(("nested", nested, "nests more than 1024 levels deep"));
    if is_fast() {
        // This stream resembles data, so it is inspected up to the limit of 4 GiB.
        let task = br#"{"entity":{"home":0,"id":7,"migratable":true},"node":0,"time":0.5},"#;
        let begin = br#"{"phases":[{"id":0,"tasks":["#;
        bombs.push(("tasks", repeated(begin, &task.repeat(60_000), n), "larger than 4 GiB"));
    }
    for (name, bomb, reason) in bombs {
        assert!(bomb.len() < 1 << 18, "{name}: {} B", bomb.len());
        workspace.write(&format!("{name}.0.json"), bomb);
        for command in ["info", "validate"] {
            let said = workspace.shell(&format!("ulimit -v 524288; \"$LBAF\" {command} {name} --threads 1"));
            let all = said.stdout + &said.stderr;
            assert_eq!(said.code, 4, "{command} {name}: {all}");
            assert!(all.contains(reason), "{command} {name}: {all}");
        }
    }
}

/// The tasks of this file exceed the available memory.
#[test]
fn repetitive_data_beyond_memory_are_refused_with_the_memory_needed() {
    let workspace = Workspace::new();
    let task = br#"{"entity":{"home":0,"id":7,"migratable":true},"node":0,"time":0.5},"#;
    workspace.write("data.0.json", repeated(br#"{"phases":[{"id":0,"tasks":["#, &task.repeat(15_000), 60));
    let said = workspace.shell("ulimit -v 262144; \"$LBAF\" info data --threads 1");
    assert_eq!(said.code, 71, "{}", said.stderr);
    assert!(
        said.stderr.starts_with("error: data.0.json: reading the file needs at least "),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains(" B of memory, which the system refuses"), "{}", said.stderr);
}
