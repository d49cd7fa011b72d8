// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of strategy times from `timings.json`.

use std::collections::BTreeMap;
use std::path::Path;

use lbaf_run::summary;
use lbaf_writer::Inputs;
use serde::Deserialize;

use crate::saved_run;

/// Clock times of a run, as far as the page needs them.
#[derive(Default, Deserialize)]
struct Timings {
    /// Missing in runs of older versions.
    #[serde(default)]
    strategy_seconds: Vec<PhaseTime>,
}

#[derive(Deserialize)]
struct PhaseTime {
    phase: u64,
    seconds: f64,
}

/// Returns the seconds of the strategy by phase number; empty if the file is missing or unreadable, because clock times
/// are not results.
pub(super) fn read(run_dir: &Path, inputs: &mut Inputs) -> BTreeMap<u64, f64> {
    let bytes = saved_run::file(&run_dir.join(summary::TIMINGS), inputs).ok().flatten();
    let timings: Timings = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default();
    timings.strategy_seconds.into_iter().map(|time| (time.phase, time.seconds)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(timings: Option<&str>) -> BTreeMap<u64, f64> {
        let directory = tempfile::tempdir().unwrap();
        if let Some(timings) = timings {
            std::fs::write(directory.path().join(summary::TIMINGS), timings).unwrap();
        }
        read(directory.path(), &mut Inputs::none())
    }

    #[test]
    fn times_are_those_of_the_phases() {
        let timings = r#"{"host": "x", "strategy_seconds": [{"phase": 3, "seconds": 0.25}]}"#;
        assert_eq!(times(Some(timings)), BTreeMap::from([(3, 0.25)]));
    }

    #[test]
    fn missing_times_are_left_out() {
        assert_eq!(times(None), BTreeMap::new());
        assert_eq!(times(Some(r#"{"wall_seconds": {"all": 1.0}}"#)), BTreeMap::new());
        assert_eq!(times(Some("{")), BTreeMap::new());
    }
}
