// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of the data that a configuration requires.

use lbaf_config::RunConfig;
use lbaf_reader::{RecordOverflow, Recorded, Request};

use crate::denoise::{self, Noise};
use crate::input::Input;
use crate::{Messages, RunError};

/// Bytes of documents in memory if only pictures need records. Pictures read each record once, so more memory would not
/// help.
const PICTURE_MEMORY_BYTES: u64 = 1 << 28;

/// Reads the data that a run needs, and removes noise if `denoise` is configured. With `writes`, keeps the records that
/// files and pictures need.
pub(crate) fn read(
    run: &RunConfig,
    input: &Input,
    writes: bool,
    messages: &dyn Messages,
) -> Result<(Recorded, Option<Noise>), RunError> {
    let limits = Request::default().within(run.memory_bytes);
    let request = Request {
        phases: &|phase| run.phases.contains(phase),
        // Only outputs of a run allow reading to stop at the last selected phase: a simulation (without `writes`)
        // also reports later phases, and `denoise` detects noise in all phases.
        last_phase: run.phases.last().filter(|_| writes && run.denoise.is_none()),
        communication_kinds: &run.communication_kinds,
        absent_endpoints: run.absent_endpoints,
        nodes: run.nodes,
        rank_alpha: &run.rank_alpha,
        records: writes && (run.files.is_some() || run.visualization.is_some()),
        coordinates: needs_coordinates(run),
        subphases: needs_subphases(run),
        record_memory_bytes: match run.files {
            Some(_) => limits.record_memory_bytes,
            None => limits.record_memory_bytes.min(PICTURE_MEMORY_BYTES),
        },
        record_overflow: match run.files {
            Some(_) => RecordOverflow::Park,
            None => RecordOverflow::ReadAgain,
        },
        ..limits
    };
    let mut recorded = input.read(&request, messages)?;
    let noise = denoise::denoise(run, input, &mut recorded, messages)?;
    Ok((recorded, noise))
}

/// True if a strategy or output needs loads of subphases.
pub(crate) fn needs_subphases(run: &RunConfig) -> bool {
    let is_asked = || run.strategies.all().iter().any(|strategy| strategy.needs_subphases());
    run.subphases || run.simulation.needs_subphases() || is_asked()
}

/// True if a strategy, a load model, the grouping of `denoise`, or a split or merge of objects needs indices of
/// objects.
pub(crate) fn needs_coordinates(run: &RunConfig) -> bool {
    run.simulation.machine.assumed.needs_coordinates()
        || run.denoise.as_ref().is_some_and(|labelling| labelling.grouping.needs_coordinates())
        || run.simulation.needs_collections()
        || run.strategies.all().iter().any(|strategy| strategy.needs_coordinates())
}
