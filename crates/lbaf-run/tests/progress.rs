// SPDX-License-Identifier: MIT OR Apache-2.0
//! Progress that a run and a simulation report.
#![allow(clippy::unwrap_used, reason = "the functions shared by the tests are tests too")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use lbaf_config::{Layers, Overrides, resolve};
use lbaf_run::simulate::Simulations;
use lbaf_run::{Messages, Prepared, Progress};
use lbaf_strategies::Cancel;

/// Steps of each activity, and reported numbers of done steps.
type Activities = Arc<Mutex<BTreeMap<&'static str, (usize, Vec<usize>)>>>;

struct Recorder(Activities);

struct Bar {
    activity: &'static str,
    activities: Activities,
}

impl Progress for Bar {
    fn set(&self, done: usize) {
        self.activities.lock().unwrap().get_mut(self.activity).unwrap().1.push(done);
    }
}

impl Messages for Recorder {
    fn warning(&self, _: &str) {}
    fn note(&self, _: &str) {}
    fn detail(&self, _: &str) {}
    fn log(&self, _: &str) {}

    fn progress(&self, activity: &'static str, n: usize) -> Box<dyn Progress> {
        self.0.lock().unwrap().insert(activity, (n, Vec::new()));
        Box::new(Bar { activity, activities: Arc::clone(&self.0) })
    }
}

fn prepared(directory: &Path, more: &str, messages: &Recorder) -> Prepared {
    let text = format!(
        "
from_samplers:
  n_ranks: 4
  n_objects: 40
  n_phases: 6
  load_sampler: {{name: uniform, parameters: [0.5, 1.5]}}
algorithm: {{name: Greedy{more}}}
write_JSON: {{compressed: false}}
output_dir: output
"
    );
    let overrides = Overrides::default();
    let layers = Layers::of_text("<text>", &text, directory, &[]).unwrap();
    Prepared::new(resolve(&layers, &overrides).unwrap(), layers, &overrides, true, messages).unwrap()
}

/// Asserts that each of `n` steps of an activity was reported once.
#[track_caller]
fn assert_steps(activities: &Activities, activity: &str, n: usize) {
    let (steps, mut done) = activities.lock().unwrap()[activity].clone();
    done.sort_unstable();
    assert_eq!((steps, done), (n, (1..=n).collect()), "{activity}");
}

#[test]
fn every_balanced_phase_and_every_written_file_is_a_step() {
    for (more, n) in [("", 6), (", phase_id: [2, 4]", 2), (", phase_id: [2, 4], placement: carry", 2)] {
        let directory = tempfile::tempdir().unwrap();
        let activities = Activities::default();
        let messages = Recorder(Arc::clone(&activities));
        let mut prepared = prepared(directory.path(), more, &messages);
        let staging = prepared.staging(&messages).unwrap();
        let balanced = prepared.balance(&messages, &Cancel::new()).unwrap();
        assert_steps(&activities, "balancing", n);
        prepared.write(&balanced, staging, &messages).unwrap();
        assert_steps(&activities, "writing", 4);
    }
}

#[test]
fn every_scenario_is_a_step() {
    let directory = tempfile::tempdir().unwrap();
    let activities = Activities::default();
    let messages = Recorder(Arc::clone(&activities));
    let prepared = prepared(directory.path(), "", &messages);
    let simulated = Simulations::new(&prepared).unwrap().run(&messages, &Cancel::new()).unwrap();
    assert_steps(&activities, "simulating", simulated.scenarios.len());
}
