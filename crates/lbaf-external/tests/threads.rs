// SPDX-License-Identifier: MIT OR Apache-2.0
//! Threads and processes end with their strategy. This program has a single test, so that it can count
//! threads.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use lbaf_external::{External, ExternalStrategy, Processes};
use lbaf_model::{LoadOnly, Phase};
use lbaf_strategies::{Context, NoObserver, Problem};

/// Returns the numbers of threads and of child processes, including zombies, of this process.
fn counts() -> (usize, usize) {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let threads: Vec<_> = tasks.map(|task| task.unwrap().path().join("children")).collect();
    let children = threads.iter().filter_map(|file| fs::read_to_string(file).ok());
    (threads.len(), children.map(|children| children.split_whitespace().count()).sum())
}

#[test]
fn nothing_outlives_a_strategy() {
    let before = counts();
    let scripts = [
        ("cat > /dev/null; echo '{\"placement\": []}'", true),
        ("echo half an answer; exit 3", false),
        ("sleep 100 & sleep 100", false),
        ("cat > /dev/null; yes", false),
        ("cat > /dev/null; sleep 100 & echo '{\"placement\": []}'", true),
        ("exec >&- 2>&-; sleep 100", false),
        ("read -r line; echo '{\"placement\": [], \"turn\": 1}'; cat > /dev/null", true),
    ];
    for (at, (script, succeeds)) in scripts.into_iter().enumerate() {
        let parameters =
            External { time_limit: 1.0, persistent: at == 6, ..External::of(["sh", "-c", script]) };
        let strategy = ExternalStrategy::new(parameters, &Arc::new(Processes::new(""))).unwrap();
        let phase = Phase::builder(1).build().unwrap();
        let (initial, model) = (phase.recorded_assignment(), LoadOnly::default());
        let problem = Problem { phase: &phase, initial, model: &model, keys: &[] };
        let asked = strategy.ask(&problem, &mut Context::new(0, 0, &mut NoObserver));
        assert_eq!(asked.is_ok(), succeeds, "{script}: {asked:?}");
        drop(strategy);
        // A thread that has ended may still be listed for a moment.
        let began = Instant::now();
        while counts() != before && began.elapsed() < Duration::from_secs(2) {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(counts(), before, "{script}");
    }
}
