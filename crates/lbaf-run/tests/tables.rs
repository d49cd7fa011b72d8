// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of balanced phases without a run, compared with the files of a run.
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

use std::fs;

use lbaf_config::{Layers, Overrides, resolve};
use lbaf_run::{Prepared, Silent, summary, tables};
use lbaf_strategies::Cancel;
use lbaf_writer::Inputs;

/// With up to 16 phases, the tables of a run have details of all phases, with 20 only of some.
#[test]
fn tables_without_a_run_have_the_details_of_all_phases() {
    for n_phases in [16, 20] {
        let directory = tempfile::tempdir().unwrap();
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
algorithm: {{name: Greedy}}
output_dir: output
"
        );
        let overrides = Overrides::default();
        let layers = Layers::of_text("<text>", &text, directory.path(), &[]).unwrap();
        let config = resolve(&layers, &overrides).unwrap();
        let mut prepared = Prepared::new(config, layers, &overrides, true, &Silent).unwrap();
        let staging = prepared.staging(&Silent).unwrap();
        let balanced = prepared.balance(&Silent, &Cancel::new()).unwrap();
        let all = tables(&*prepared.run.model, prepared.recorded.data.keys(), &balanced.phases);
        prepared.write(&balanced, staging, &Silent).unwrap().publish(&Inputs::none()).unwrap();

        let written = |name: &str| fs::read(directory.path().join("output").join(name)).unwrap();
        let same = all.iter().filter(|(name, bytes)| written(name) == **bytes).count();
        assert_eq!((all.len(), same), (4, if n_phases == 16 { 4 } else { 2 }));
        let object_loads = String::from_utf8_lossy(&all[summary::saved::OBJECT_LOADS]).into_owned();
        assert_eq!(object_loads.lines().count(), 1 + 40 * n_phases);
    }
}
