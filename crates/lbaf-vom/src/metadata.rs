// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `metadata` of a file: its rank, the compute node of the rank, and the phases without entries.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Field;
use crate::error::Step;
use crate::walker::{Walked, Walker};

/// Maximum number of phases in one range and in a whole list. Ranges are enumerated, and larger ones cannot stem from
/// a run.
const MAX_RANGE: u64 = 1_000_000;
const MAX_PHASES: u64 = 1_000_000;

/// Key of the attributes that only lbaf reads. They form an object, which vt and LBAF ignore: they read only
/// attributes that are numbers or strings.
pub const OWN: &str = "lbaf";
/// Key, under [`OWN`], of the working memory of the rank: a list of sizes in bytes, each with its phases.
pub const RANK_WORKING_BYTES: &str = "rank_working_bytes";

/// Type of LB statistics files, which also have phases.
pub(crate) const STATISTICS: &str = "LBStatsfile";

/// Metadata of a file about its rank and phases. Every field is optional.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// Rank that wrote the file.
    pub rank: Option<u64>,
    /// Seconds of work per second of load on this rank.
    pub rank_alpha: Option<f64>,
    /// Compute node of the rank.
    pub shared_node: Option<SharedNode>,
    /// Name of the machine of the node: the attribute `Hostname`, if it is a string.
    pub hostname: Option<String>,
    /// Phases without data.
    pub skipped: PhaseRanges,
    /// Phases that repeat the last entry before them.
    pub identical_to_previous: PhaseRanges,
    /// Working memory of the rank in bytes, by number of the phase, from `attributes.lbaf.rank_working_bytes`. Takes
    /// precedence over the values that tasks state.
    pub rank_working_bytes: BTreeMap<u64, f64>,
}

/// Compute node as described by its ranks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedNode {
    /// Number of the node.
    pub id: u64,
    /// Number of ranks on the node.
    pub size: u64,
    /// Position of the rank on the node.
    pub rank: u64,
    /// Number of nodes of the run.
    pub num_nodes: u64,
}

/// Single phases and inclusive ranges of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhaseRanges {
    /// Single phases and ranges as inclusive pairs, ascending.
    pub ranges: Vec<(u64, u64)>,
}

impl PhaseRanges {
    /// True if `phase` is listed.
    pub fn contains(&self, phase: u64) -> bool {
        let upto = self.ranges.partition_point(|&(first, _)| first <= phase);
        // Ranges rarely overlap, but the format permits it.
        self.ranges[..upto].iter().rev().any(|&(_, last)| phase <= last)
    }

    /// Returns the number of listed phases; a phase that is listed twice counts twice.
    pub fn len(&self) -> u64 {
        self.ranges.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// True if no phase is listed.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

impl Metadata {
    /// Reads the current metadata object, and records its members in `fields` if given.
    pub(crate) fn walk<const PLACED: bool>(
        walker: &mut Walker<'_, PLACED>,
        mut fields: Option<&mut Vec<Field>>,
    ) -> Walked<Self> {
        let mut metadata = Metadata::default();
        walker.object(|walker, key| {
            if let Some(fields) = &mut fields {
                fields.push(Field { key: key.to_owned(), value: { *walker }.skip_spanned() });
            }
            match key {
                "type" => {
                    refuse_statistics(*walker)?;
                    walker.skip();
                }
                "rank" => metadata.rank = Some(walker.unsigned()?),
                "rank_alpha" => metadata.rank_alpha = Some(walker.magnitude()?),
                "shared_node" => metadata.shared_node = Some(walk_shared_node(walker)?),
                "attributes" => {
                    let hostname = walker.member("Hostname").and_then(|mut value| value.string().ok());
                    metadata.hostname = hostname.map(str::to_owned);
                    metadata.rank_working_bytes = walk_own_attributes(*walker)?;
                    walker.skip();
                }
                "phases" => {
                    walker.object(|walker, key| {
                        match key {
                            "skipped" => metadata.skipped = walk_ranges(walker)?,
                            "identical_to_previous" => metadata.identical_to_previous = walk_ranges(walker)?,
                            _ => walker.skip(),
                        }
                        Ok(())
                    })?;
                }
                _ => walker.skip(),
            }
            Ok(())
        })?;
        Ok(metadata)
    }
}

/// True if the metadata show that the file has a generation of the format in which metadata are usual. False if they
/// contain only the attributes of lbaf, which files of every generation can have.
pub(crate) fn says_what_it_is<const PLACED: bool>(metadata: Walker<'_, PLACED>) -> bool {
    let has_only = |walker: Walker<'_, PLACED>, key| walker.len() == 1 && walker.member(key).is_some();
    let own = metadata.member("attributes").filter(|attributes| has_only(*attributes, OWN));
    own.is_none() || !has_only(metadata, "attributes")
}

/// Returns the working memory of the rank by phase, from the attributes under `lbaf`.
fn walk_own_attributes<const PLACED: bool>(attributes: Walker<'_, PLACED>) -> Walked<BTreeMap<u64, f64>> {
    let mut bytes_of_phases = BTreeMap::new();
    let Some(mut bytes) = attributes.member(OWN).and_then(|own| own.member(RANK_WORKING_BYTES)) else {
        return Ok(bytes_of_phases);
    };
    let mut n_phases = 0;
    let mut walk = || {
        bytes.array(|walker, _| {
            let here = *walker;
            let (mut bytes, mut phases) = (None, None);
            walker.object(|walker, key| {
                match key {
                    "bytes" => bytes = Some(walker.magnitude()?),
                    "phases" => phases = Some(walk_ranges(walker)?),
                    _ => walker.skip(),
                }
                Ok(())
            })?;
            let (Some(bytes), Some(phases)) = (bytes, phases) else {
                return Err(here.mismatch("`bytes` and `phases`"));
            };
            n_phases += phases.len();
            if n_phases > MAX_PHASES {
                return Err(here.complain(too_many(n_phases)));
            }
            let phases = phases.ranges.into_iter().flat_map(|(first, last)| first..=last);
            bytes_of_phases.extend(phases.map(|phase| (phase, bytes)));
            Ok(())
        })
    };
    walk().map_err(|error| {
        [RANK_WORKING_BYTES, OWN]
            .into_iter()
            .fold(error, |error, key| error.inside(Step::Key(key.to_owned())))
    })?;
    Ok(bytes_of_phases)
}

fn walk_shared_node<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<SharedNode> {
    let mut node = SharedNode::default();
    walker.object(|walker, key| {
        match key {
            "id" => node.id = walker.unsigned()?,
            "size" => node.size = walker.unsigned()?,
            "rank" => node.rank = walker.unsigned()?,
            "num_nodes" => node.num_nodes = walker.unsigned()?,
            _ => walker.skip(),
        }
        Ok(())
    })?;
    Ok(node)
}

/// Reads the list and the ranges of phases in the current object.
pub(crate) fn walk_ranges<const PLACED: bool>(walker: &mut Walker<'_, PLACED>) -> Walked<PhaseRanges> {
    let here = *walker;
    let mut ranges = Vec::new();
    walker.object(|walker, key| {
        match key {
            "list" => {
                walker.array(|walker, _| {
                    let phase = walker.unsigned()?;
                    ranges.push((phase, phase));
                    Ok(())
                })?;
            }
            "range" => {
                walker.array(|walker, _| {
                    let here = *walker;
                    let mut bounds = Vec::with_capacity(2);
                    walker.array(|walker, _| {
                        bounds.push(walker.unsigned()?);
                        Ok(())
                    })?;
                    match bounds[..] {
                        [first, last] if last.checked_sub(first).is_some_and(|n| n < MAX_RANGE) => {
                            ranges.push((first, last));
                        }
                        _ => {
                            return Err(
                                here.mismatch("a pair of phases, the smaller first, less than 10^6 apart")
                            );
                        }
                    }
                    Ok(())
                })?;
            }
            _ => walker.skip(),
        }
        Ok(())
    })?;
    ranges.sort_unstable();
    let ranges = PhaseRanges { ranges };
    let n_phases = ranges.len();
    if n_phases > MAX_PHASES { Err(here.complain(too_many(n_phases))) } else { Ok(ranges) }
}

fn too_many(n_phases: u64) -> String {
    format!("{n_phases} phases are listed; the limit for a run is {MAX_PHASES}")
}

/// Refuses LB statistics files, which would pass for a data set without objects. Other types are read as far as
/// possible.
pub(crate) fn refuse_statistics<const PLACED: bool>(mut walker: Walker<'_, PLACED>) -> Walked<()> {
    let here = walker;
    if walker.string().is_ok_and(|name| name == STATISTICS) {
        let message = "this is an LB statistics file, which holds no objects; `lbaf info FILE` shows it";
        return Err(here.complain(message.to_owned()));
    }
    Ok(())
}
