// SPDX-License-Identifier: MIT OR Apache-2.0
//! The `metadata` of a file: its rank, the compute node it ran on, and the phases without entries.

use crate::Field;
use crate::parse::refuse_statistics;
use crate::walker::{Walked, Walker};

/// Ranges are enumerated; longer ones, or more of them, are not those of a run.
const MAX_RANGE: u64 = 1_000_000;
const MAX_PHASES: u64 = 1_000_000;

/// What a file says of its rank and phases. Everything is optional.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// The rank that wrote the file.
    pub rank: Option<u64>,
    /// Seconds of work per second of load on this rank.
    pub rank_alpha: Option<f64>,
    /// The compute node the rank ran on.
    pub shared_node: Option<SharedNode>,
    /// The name of that node: `Hostname` among the attributes, where it is a string.
    pub hostname: Option<String>,
    /// Phases without data.
    pub skipped: PhaseRanges,
    /// Phases that repeat the last entry before them.
    pub identical_to_previous: PhaseRanges,
}

/// A compute node as its ranks describe it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedNode {
    /// Number of the node.
    pub id: u64,
    /// Ranks on the node.
    pub size: u64,
    /// Position of the rank on the node.
    pub rank: u64,
    /// Nodes of the run.
    pub num_nodes: u64,
}

/// Single phases and inclusive ranges of phases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseRanges {
    /// Single phases and ranges as inclusive pairs, ascending.
    pub ranges: Vec<(u64, u64)>,
}

impl PhaseRanges {
    /// Whether `phase` is listed.
    pub fn contains(&self, phase: u64) -> bool {
        let upto = self.ranges.partition_point(|&(first, _)| first <= phase);
        // Ranges hardly ever overlap, but nothing forbids it.
        self.ranges[..upto].iter().rev().any(|&(_, last)| phase <= last)
    }

    /// Whether nothing is listed.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

impl Metadata {
    /// Reads the metadata object ahead, and notes its members where `fields` is given.
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

/// Reads the lists and ranges of phases ahead.
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
    let n_phases: u64 = ranges.iter().map(|(first, last)| last - first + 1).sum();
    if n_phases > MAX_PHASES {
        return Err(
            here.complain(format!("{n_phases} phases are listed; more than {MAX_PHASES} are not a run"))
        );
    }
    Ok(PhaseRanges { ranges })
}
