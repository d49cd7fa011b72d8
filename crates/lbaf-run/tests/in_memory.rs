// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs that write nothing: summary and tables in memory, compared with the files of a run.
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

use std::fs;
use std::path::Path;

use lbaf_config::{Layers, Overrides, resolve};
use lbaf_run::{Prepared, RunError, Silent, summary, tables};
use lbaf_strategies::Cancel;
use lbaf_writer::Inputs;

fn prepared(output_dir: &Path, n_phases: usize, writes: bool) -> Result<Prepared, RunError> {
    let text = format!(
        "
from_samplers:
  n_ranks: 4
  n_objects: 40
  n_mapped_ranks: 2
  n_phases: {n_phases}
  load_sampler: {{name: uniform, parameters: [0.5, 1.5]}}
  volume_sampler: {{name: uniform, parameters: [10.0, 100.0]}}
  communication_degree: 2
work_model: {{name: AffineCombination, parameters: {{alpha: 1.0, beta: 0.001, gamma: 0.0}}}}
algorithm: {{name: Greedy}}
output_dir: output
"
    );
    let layers = Layers::of_text("<dict>", &text, output_dir, &[])?;
    let overrides = Overrides::default();
    Prepared::new(resolve(&layers, &overrides)?, layers, &overrides, writes, &Silent)
}

/// With 20 phases, the detailed tables lack some of them.
#[test]
fn summary_and_tables_are_equal_to_the_files_of_a_run() {
    for n_phases in [2, 20] {
        let directory = tempfile::tempdir().unwrap();
        let unwritten = prepared(directory.path(), n_phases, false).unwrap();
        let balanced = unwritten.balance(&Silent, &Cancel::new()).unwrap();
        let (results, in_memory) = unwritten.summary(&balanced);
        assert!(!directory.path().join("output").exists());
        assert!(results.configuration.files.is_empty() && results.files.is_empty());

        let mut writing = prepared(directory.path(), n_phases, true).unwrap();
        let staging = writing.staging(&Silent).unwrap();
        let again = writing.balance(&Silent, &Cancel::new()).unwrap();
        let mut written = writing.write(&again, staging).unwrap().publish(&Inputs::none()).unwrap();
        let output = directory.path().join("output");
        assert!(output.join("iterations.csv").is_file());
        assert_eq!(in_memory.len(), 4);
        for (name, bytes) in &in_memory {
            assert_eq!(fs::read(output.join(name)).unwrap(), *bytes, "{name}");
            assert!(written.files.contains_key(*name));
        }
        written.files.clear();
        assert_eq!(summary::pretty(&results), summary::pretty(&written));
    }
}

/// With at most 16 phases, the tables of a run have the details of all phases.
#[test]
fn tables_without_a_run_have_the_details_of_all_phases() {
    let directory = tempfile::tempdir().unwrap();
    let rows = |table: &[u8]| String::from_utf8_lossy(table).lines().count();
    for n_phases in [16, 20] {
        let prepared = prepared(directory.path(), n_phases, false).unwrap();
        let balanced = prepared.balance(&Silent, &Cancel::new()).unwrap();
        let (_, of_run) = prepared.summary(&balanced);
        let all = tables(&*prepared.run.model, prepared.recorded.data.keys(), &balanced.phases);
        assert_eq!(all == of_run, n_phases == 16);
        assert_eq!(rows(&all[summary::saved::OBJECT_LOADS]), 1 + 40 * n_phases);
    }
}
