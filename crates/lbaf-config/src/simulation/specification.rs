// SPDX-License-Identifier: MIT OR Apache-2.0
//! A specification file of vt, as a schedule.

use crate::vt_files::{ScheduleFile, Specification};
use lbaf_text::Shown as _;

use crate::Layers;

/// The phases of a file, relative to the configuration; or why there are none.
pub(super) fn read(written: &str, layers: &Layers) -> Result<Specification, String> {
    let path = layers.path(written);
    let file = path.shown();
    let bytes = lbaf_reader::read_file(&path).map_err(|error| format!("cannot read {file}: {error}"))?;
    match ScheduleFile::parse(&bytes).map_err(|error| format!("{file}: {error}"))? {
        ScheduleFile::Specification(specification) => Ok(specification),
        ScheduleFile::Balancers(_) => Err(format!(
            "{file} says which balancer runs when: give it as `algorithm.lb_config`, and `schedule: algorithm`"
        )),
    }
}
